import { cellTexts, type ShapedRows } from './shape.ts';
import { byteOrderMark, csvLine, csvText } from './csv.ts';
import type { Cell, OutColumn } from './cell.ts';

export const lineFormats = ['csv', 'ndjson'] as const;

/** Rows as lines of a file: CSV (RFC 4180), or a JSON object each. `names` are those of the columns, each once. */
export interface Lines {
  readonly format: (typeof lineFormats)[number];
  readonly names: readonly string[];
}

/** What stands before the rows: of CSV the names of the columns, behind a mark that spreadsheets look for. */
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
 * Rows of a driver as lines, each with its end. A member is its id, a bin `[from, to]`, or `from – to` in CSV; other cells
 * are as `shape` writes them, and in CSV a null is empty.
 */
export function lineRows(rows: ShapedRows, columns: readonly OutColumn[], { format, names }: Lines): string {
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  const line = (texts: readonly string[]): string =>
    format === 'ndjson'
      ? `{${texts.map((text, index) => (keys[index] ?? '') + text).join(',')}}\n`
      : `${texts.map((text, index) => csvCell(columns[index]?.cell ?? { kind: 'text' }, text)).join(',')}\r\n`;
  return rows.map((row) => line(cellTexts(row, columns, null))).join('');
}
