import { cellTexts, type ShapedRows } from './shape.ts';
import { byteOrderMark, csvLine, csvText } from './csv.ts';
import type { Cell, OutColumn } from './cell.ts';

export const lineFormats = ['csv', 'ndjson'] as const;

/**
 * The format of rows as lines of a file: CSV (RFC 4180), or one JSON object per line. `names` are the unique column
 * names.
 */
export interface Lines {
  readonly format: (typeof lineFormats)[number];
  readonly names: readonly string[];
}

/**
 * Returns the text before the first row. For CSV, it is a byte order mark, which spreadsheets need, followed by the
 * column names. For other formats, it is empty.
 */
export const heading = ({ format, names }: Lines): string => (format === 'csv' ? byteOrderMark + csvLine(names) : '');

function csvCell({ kind }: Cell, text: string): string {
  if (text === 'null') return '';
  switch (kind) {
    case 'member':
    case 'text':
      return csvText(String(JSON.parse(text)));
    case 'bin':
      return text.slice(1, -1).replace(',', ' – ');
    default:
      return text.replaceAll('"', '');
  }
}

/**
 * Formats driver rows as lines, each with its line end. A member is its id. A bin is `[from, to]`, or `from – to` in
 * CSV. Null is empty in CSV. All other cells are as in `shape`.
 */
export function lineRows(rows: ShapedRows, columns: readonly OutColumn[], { format, names }: Lines): string {
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  const line = (texts: readonly string[]): string =>
    format === 'ndjson'
      ? `{${texts.map((text, index) => (keys[index] ?? '') + text).join(',')}}\n`
      : `${texts.map((text, index) => csvCell(columns[index]?.cell ?? { kind: 'text' }, text)).join(',')}\r\n`;
  const textsOf = cellTexts(columns, null);
  return rows.map((row) => line(textsOf(row))).join('');
}
