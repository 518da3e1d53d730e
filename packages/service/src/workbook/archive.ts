import type { Readable } from 'node:stream';
import { open, type Entry, type ZipFile } from 'yauzl';
import { WorkbookFault } from './fault.ts';

/** Access to the parts of a workbook, one at a time. */
export interface Archive {
  readonly has: (name: string) => boolean;
  /** Opens a part as a stream. Raises WorkbookFault if it does not exist or exceeds the size limits. */
  readonly read: (name: string) => Promise<Readable>;
  readonly close: () => void;
}

const maxParts = 10_000;
const maxBytes = 4 * 1024 ** 3;
/**
 * Parts that unpack to more than this, in bytes, are checked for their compression ratio. XML of real sheets compresses
 * up to a hundredfold.
 */
const smallBytes = 16 * 1024 ** 2;
const maxCompressionRatio = 300;

const openZip = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error === null ? resolve(zip) : reject(new WorkbookFault('the file is no XLSX workbook')),
    ),
  );

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry);
      if (entries.size > maxParts) return reject(new WorkbookFault('the workbook has too many parts'));
      zip.readEntry();
    });
    zip.on('end', resolve);
    zip.on('error', () => reject(new WorkbookFault('the file is no XLSX workbook')));
    zip.readEntry();
  });
  return entries;
}

/** Checks the sizes that the archive declares. Unpacking verifies these sizes and reports a mismatch as damage. */
const checkSize = ({ compressedSize, uncompressedSize }: Entry): void => {
  const isBomb = uncompressedSize > smallBytes && uncompressedSize > compressedSize * maxCompressionRatio;
  if (isBomb || uncompressedSize > maxBytes)
    throw new WorkbookFault('the workbook unpacks to more than this service reads');
};

/** Opens a workbook. Raises WorkbookFault if it is not a ZIP file or has too many parts. */
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
