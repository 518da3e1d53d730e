import { counted } from './counts.ts';
import { workbookOf } from './workbooks.ts';

/** Media types of the files that may be sent. */
export const fileTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type FileType = keyof typeof fileTypes;

/** A small file that stands for much, and what is said of it. */
export interface HostileFile {
  readonly name: string;
  readonly type: FileType;
  readonly make: () => Buffer;
  readonly says: RegExp;
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `c${at}`);

const many = counted(2000, 100_000);

export const hostileFiles: readonly HostileFile[] = [
  {
    name: 'a workbook of 20,000 rows in its last column',
    type: 'xlsx',
    make: () =>
      workbookOf(
        Array.from({ length: 20_000 }, (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`).join(''),
      ),
    says: /row 1, column XFD: a value past column SF/u,
  },
  {
    name: 'a workbook whose texts unpack to hundreds of times their size',
    type: 'xlsx',
    make: () =>
      workbookOf('', Array.from({ length: 600 }, (_, at) => `<si><t>${at}${'xyz'.repeat(10_000)}</t></si>`).join('')),
    says: /unpacks to more/u,
  },
  {
    name: 'CSV of 501 columns',
    type: 'csv',
    make: () => Buffer.from(`${names(501).join(',')}\n${names(501).join(',')}\n`),
    says: /row 1, column 501/u,
  },
  {
    name: `CSV of ${many} columns`,
    type: 'csv',
    make: () => Buffer.from(`${names(many).join(',')}\n`),
    says: /row 1, column 501|send fewer columns/u,
  },
  {
    name: `NDJSON of ${many} members`,
    type: 'ndjson',
    make: () =>
      Buffer.from(
        `{${names(many)
          .map((name) => `"${name}":1`)
          .join(',')}}\n`,
      ),
    says: /row 1, column 501|send fewer columns/u,
  },
  {
    name: 'NDJSON in which lists lie 100,000 deep',
    type: 'ndjson',
    make: () => Buffer.from(`{"a":${'['.repeat(100_000)}\n`),
    says: /format|line/u,
  },
  {
    name: 'Parquet that is none',
    type: 'parquet',
    make: () => Buffer.from(`PAR1${'\u0000'.repeat(1000)}PAR1`),
    says: /format|damaged/u,
  },
];
