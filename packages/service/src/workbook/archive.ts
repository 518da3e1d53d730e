import type { Readable } from 'node:stream';
import { open, type Entry, type ZipFile } from 'yauzl';
import { WorkbookFault } from './fault.ts';

/** The parts of a workbook, read one at a time. */
export interface Archive {
  readonly has: (name: string) => boolean;
  /** The bytes of a part. Raises WorkbookFault where there is none, or where it unpacks to more than a workbook does. */
  readonly read: (name: string) => Promise<Readable>;
  readonly close: () => void;
}

const mostParts = 10_000;
const mostBytes = 4 * 1024 ** 3;
/** A part that unpacks to more than this may not be so many times as large as it is packed: XML of real sheets is up to a hundred times. */
const smallBytes = 16 * 1024 ** 2;
const mostTimes = 300;

const openZip = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error === null ? resolve(zip) : reject(new WorkbookFault('the file is no XLSX workbook')),
    ),
  );

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>();
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      found.set(entry.fileName, entry);
      if (found.size > mostParts) return reject(new WorkbookFault('the workbook has too many parts'));
      zip.readEntry();
    });
    zip.on('end', resolve);
    zip.on('error', () => reject(new WorkbookFault('the file is no XLSX workbook')));
    zip.readEntry();
  });
  return found;
}

/** What the archive says of a part's size is checked while it is unpacked: one that lies ends as damaged. */
const checkSize = ({ compressedSize, uncompressedSize }: Entry): void => {
  const isBomb = uncompressedSize > smallBytes && uncompressedSize > compressedSize * mostTimes;
  if (isBomb || uncompressedSize > mostBytes)
    throw new WorkbookFault('the workbook unpacks to more than this service reads');
};

/** Opens a workbook. Raises WorkbookFault where it is no ZIP or has too many parts. */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openZip(path);
  try {
    const entries = await entriesOf(zip);
    return {
      has: (name) => entries.has(name),
      read: async (name) => {
        const entry = entries.get(name);
        if (entry === undefined) throw new WorkbookFault('the file is no XLSX workbook');
        checkSize(entry);
        return new Promise((resolve, reject) =>
          zip.openReadStream(entry, (error, stream) =>
            error === null ? resolve(stream) : reject(new WorkbookFault('a part of the workbook cannot be read')),
          ),
        );
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}
