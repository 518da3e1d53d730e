import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { workbookOf } from '../support/workbooks.ts';
import { oneOf, sameNumber, type Random, type Sent } from './sent-values.ts';

/** Rows as they are sent: names of columns, and cells in their order. */
export interface SentRows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Sent[])[];
}

const jsonOf = (cell: Sent): string =>
  cell === null ? 'null' : cell.kind === 'text' ? JSON.stringify(cell.text) : cell.text;

export const pushText = ({ names, rows }: SentRows): string =>
  `[${[JSON.stringify(names), ...rows.map((row) => `[${row.map(jsonOf).join(',')}]`)].join(',')}]`;

export const linesText = ({ names, rows }: SentRows): string =>
  rows
    .map(
      (row) => `{${names.map((name, index) => `${JSON.stringify(name)}:${jsonOf(row[index] ?? null)}`).join(',')}}\n`,
    )
    .join('');

/** CSV with quotes where they must be, and sometimes where not. */
export function csvText({ names, rows }: SentRows, random: Random): string {
  const end = oneOf(random, ['\n', '\r\n']);
  const cell = (sent: Sent): string => {
    if (sent === null) return '';
    const isPlain = sent.text !== '' && !/[",;|\t\r\n]|^\s|\s$/u.test(sent.text);
    return isPlain && random(4) > 0 ? sent.text : `"${sent.text.replaceAll('"', '""')}"`;
  };
  return (
    [names.join(','), ...rows.map((row) => row.map(cell).join(','))].join(end) + oneOf(random, ['', end, end + end])
  );
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function workbook({ names, rows }: SentRows): Buffer {
  const letters = (index: number): string => String.fromCharCode(65 + index);
  const text = (place: string, value: string): string =>
    `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${xml(value)}</t></is></c>`;
  const cell = (sent: Sent, place: string): string => {
    if (sent === null) return '';
    if (sent.kind === 'number') return `<c r="${place}"><v>${sent.text}</v></c>`;
    return sent.kind === 'boolean'
      ? `<c r="${place}" t="b"><v>${sent.text === 'true' ? 1 : 0}</v></c>`
      : text(place, sent.text);
  };
  const head = names.map((name, index) => text(`${letters(index)}1`, name)).join('');
  const body = rows.map(
    (row, at) =>
      `<row r="${at + 2}">${row.map((sent, index) => cell(sent, `${letters(index)}${at + 2}`)).join('')}</row>`,
  );
  return workbookOf(`<row r="1">${head}</row>${body.join('')}`);
}

/** Spreadsheets write doubles with 17 digits, and such a text stands for the double. */
export const ofSheet = (sent: Sent): Sent => {
  if (sent === null || sent.kind !== 'number') return sent;
  const value = Number(sent.text);
  const isDouble = Number.isFinite(value) && sameNumber(value.toPrecision(17), sent.text);
  return isDouble ? { kind: 'number', text: String(value) } : sent;
};

const types: Readonly<Record<string, string>> = {
  small: 'BIGINT',
  money: 'DECIMAL(18, 5)',
  date: 'DATE',
  time: 'TIMESTAMP',
  zoned: 'TIMESTAMPTZ',
  boolean: 'BOOLEAN',
};

/** Cells as a Parquet file has them: in the type of their column, where it has one. */
export const ofParquet = (sent: Sent, profile: string): Sent => {
  if (sent === null) return null;
  const type = types[profile];
  const kind =
    type === undefined || type === 'BOOLEAN' ? 'text' : /^[BD]/u.test(type) && type !== 'DATE' ? 'number' : 'time';
  return { kind, text: sent.text };
};

/** Writes a Parquet file, in the types of its columns where they have one; `profiles` says what they are. */
export async function writeParquet(
  path: string,
  { names, rows }: SentRows,
  profiles: readonly string[],
): Promise<void> {
  const lines = `${path}.json`;
  const texts = rows.map((row) =>
    JSON.stringify(Object.fromEntries(row.map((sent, at) => [`c${at}`, sent?.text ?? null]))),
  );
  writeFileSync(lines, texts.join('\n'));
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const columns = names.map((_, at) => `c${at}: 'VARCHAR'`).join(', ');
  const cells = names.map((name, at) => `c${at}::${types[profiles[at] ?? ''] ?? 'VARCHAR'} as "${name}"`).join(', ');
  await connection.run(
    `copy (select ${cells} from read_json('${lines}', format = 'newline_delimited', columns = {${columns}})) to '${path}' (format parquet)`,
  );
  connection.closeSync();
  database.closeSync();
}
