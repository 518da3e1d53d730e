import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { open, type Entry, type ZipFile } from 'yauzl';
import { WorkbookFault, type SheetRow } from './workbook-fault.ts';

/** What a workbook may unpack to before it counts as hostile, in bytes; its texts are held in memory. */
const mostBytes = 4 * 1024 ** 3;
const mostTextBytes = 512 * 1024 ** 2;

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
      if (found.size > 10_000) return reject(new WorkbookFault('the workbook has too many parts'));
      zip.readEntry();
    });
    zip.on('end', resolve);
    zip.on('error', () => reject(new WorkbookFault('the file is no XLSX workbook')));
    zip.readEntry();
  });
  return found;
}

const streamOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) =>
      error === null ? resolve(stream) : reject(new WorkbookFault('a part of the workbook cannot be read')),
    ),
  );

type Attributes = Readonly<Record<string, string>>;

interface Handlers {
  readonly opened: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly closed?: (name: string) => void;
}

/** Feeds one part of a workbook through a parser, a chunk at a time; yields after each. */
async function* parsed(zip: ZipFile, entry: Entry, handlers: Handlers, most: number): AsyncGenerator<void> {
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => handlers.opened(name.replace(/^.*:/u, ''), attributes));
  parser.on('closetag', ({ name }) => handlers.closed?.(name.replace(/^.*:/u, '')));
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('error', () => {
    throw new WorkbookFault('a part of the workbook is not XML');
  });
  // Entities other than the five of XML are not known to the parser, so none can expand.
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of await streamOf(zip, entry)) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.byteLength;
    if (bytes > most) throw new WorkbookFault('the workbook unpacks to more than this service reads');
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.close();
  yield;
}

const whole = async (steps: AsyncGenerator<void>): Promise<void> => {
  for await (const _ of steps) continue;
};

async function sharedTexts(zip: ZipFile, entry: Entry | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  if (entry === undefined) return texts;
  const at = { text: '', inside: false, phonetic: false };
  await whole(
    parsed(
      zip,
      entry,
      {
        opened: (name) => {
          if (name === 'si') at.text = '';
          if (name === 'rPh') at.phonetic = true;
          if (name === 't') at.inside = !at.phonetic;
        },
        text: (text) => {
          if (at.inside) at.text += text;
        },
        closed: (name) => {
          if (name === 't') at.inside = false;
          if (name === 'rPh') at.phonetic = false;
          if (name === 'si') texts.push(at.text);
        },
      },
      mostTextBytes,
    ),
  );
  return texts;
}

const isDateFormat = (id: number, code: string | undefined): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 45 && id <= 47) ||
  (code !== undefined && /[ymdhs]/iu.test(code.replaceAll(/"[^"]*"|\[[^[\]]*\]|\\./gu, '')));

/** For each cell style, whether it shows a number as a date. */
async function datedStyles(zip: ZipFile, entry: Entry | undefined): Promise<readonly boolean[]> {
  const styles: boolean[] = [];
  if (entry === undefined) return styles;
  const codes = new Map<number, string>();
  const at = { inside: false };
  await whole(
    parsed(
      zip,
      entry,
      {
        opened: (name, attributes) => {
          if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
          if (name === 'cellXfs') at.inside = true;
          if (name === 'xf' && at.inside) {
            const id = Number(attributes['numFmtId'] ?? 0);
            styles.push(isDateFormat(id, codes.get(id)));
          }
        },
        closed: (name) => {
          if (name === 'cellXfs') at.inside = false;
        },
      },
      mostTextBytes,
    ),
  );
  return styles;
}

interface Sheets {
  readonly names: readonly { readonly name: string; readonly relation: string }[];
  readonly since1904: boolean;
}

async function sheetsOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Sheets> {
  const entry = entries.get('xl/workbook.xml');
  if (entry === undefined) throw new WorkbookFault('the file is no XLSX workbook');
  const names: { name: string; relation: string }[] = [];
  const at = { since1904: false };
  await whole(
    parsed(
      zip,
      entry,
      {
        opened: (name, attributes) => {
          if (name === 'sheet') names.push({ name: attributes['name'] ?? '', relation: attributes['r:id'] ?? '' });
          if (name === 'workbookPr') at.since1904 = /^(?:1|true)$/u.test(attributes['date1904'] ?? '');
        },
      },
      mostTextBytes,
    ),
  );
  return { names, since1904: at.since1904 };
}

async function pathOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>, relation: string): Promise<Entry> {
  const entry = entries.get('xl/_rels/workbook.xml.rels');
  const targets = new Map<string, string>();
  if (entry !== undefined) {
    const opened: Handlers['opened'] = (name, attributes) => {
      if (name === 'Relationship') targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '');
    };
    await whole(parsed(zip, entry, { opened }, mostTextBytes));
  }
  const target = targets.get(relation) ?? '';
  const sheet = entries.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  if (sheet === undefined) throw new WorkbookFault('the workbook names a sheet that is not in it');
  return sheet;
}

/** The column of a cell, 0-based, from its place such as `AB12`. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/u.exec(place)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

const dayMs = 86_400_000;

/** A day number of a spreadsheet as ISO 8601: a date where it has no time of day. */
function dateOf(serial: number, since1904: boolean): string {
  // Day 60 of the older system is the 29th of February 1900, which never was.
  const days = since1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const iso = new Date(Math.round((days - 25_569) * dayMs)).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 23);
}

interface SheetPlace {
  row: (string | number | boolean | null)[];
  column: number;
  type: string;
  style: number;
  text: string;
  inside: boolean;
}

/** Columns that a sheet may have: what spreadsheets themselves allow. */
const mostColumns = 16_384;

/**
 * The rows of a sheet of an XLSX workbook, a few at a time: the first sheet, or the one of that name. Raises WorkbookFault.
 */
export async function* sheetRows(path: string, sheet: string | null): AsyncGenerator<readonly SheetRow[]> {
  const zip = await openZip(path);
  try {
    const entries = await entriesOf(zip);
    const { names, since1904 } = await sheetsOf(zip, entries);
    const chosen = sheet === null ? names[0] : names.find(({ name }) => name === sheet);
    if (chosen === undefined)
      throw new WorkbookFault(`the workbook has no such sheet; it has: ${names.map(({ name }) => name).join(', ')}`);
    const entry = await pathOf(zip, entries, chosen.relation);
    const texts = await sharedTexts(zip, entries.get('xl/sharedStrings.xml'));
    const dated = await datedStyles(zip, entries.get('xl/styles.xml'));
    const done: SheetRow[] = [];
    const at: SheetPlace = { row: [], column: 0, type: '', style: 0, text: '', inside: false };
    const value = (): string | number | boolean | null => {
      const { text, type, style } = at;
      if (text === '') return null;
      if (type === 's') return texts[Number(text)] ?? null;
      if (type === 'b') return text === '1';
      if (type === 'str' || type === 'inlineStr' || type === 'd') return text;
      if (type === 'e') return null;
      const number = Number(text);
      if (!Number.isFinite(number)) return text;
      return dated[style] === true ? dateOf(number, since1904) : number;
    };
    const steps = parsed(
      zip,
      entry,
      {
        opened: (name, attributes) => {
          if (name === 'row') {
            at.row = [];
            at.column = -1;
          }
          if (name === 'c') {
            at.column = attributes['r'] === undefined ? at.column + 1 : columnOf(attributes['r']);
            at.type = attributes['t'] ?? 'n';
            at.style = Number(attributes['s'] ?? 0);
            at.text = '';
          }
          if (name === 'v' || name === 't') at.inside = true;
        },
        text: (text) => {
          if (at.inside) at.text += text;
        },
        closed: (name) => {
          if (name === 'v' || name === 't') at.inside = false;
          if (name === 'c' && at.column >= 0 && at.column < mostColumns) {
            while (at.row.length < at.column) at.row.push(null);
            at.row[at.column] = value();
          }
          if (name === 'row' && at.row.some((cell) => cell !== null)) done.push(at.row);
        },
      },
      mostBytes,
    );
    for await (const _ of steps) {
      if (done.length > 0) yield done.splice(0);
    }
  } finally {
    zip.close();
  }
}
