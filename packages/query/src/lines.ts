import { cellTexts, type ShapedRows } from './shape.ts';
import type { Cell, OutColumn } from './cell.ts';

export const lineFormats = ['csv', 'ndjson'] as const;

/** Rows as lines of a file: CSV (RFC 4180), or a JSON object each. `names` are those of the columns, each once. */
export interface Lines {
  readonly format: (typeof lineFormats)[number];
  readonly names: readonly string[];
}

const bom = '\uFEFF';

/** Spreadsheets take a text that starts so for a formula, unless all of it is a number (CWE-1236). */
const formula = /^[=+@\t\r\n\uFF1D\uFF0B\uFF20\uFF0D]|^-(?!\d+(?:[.,]\d+)?$)/u;

/** A text in quotes; one that a spreadsheet would take for a formula is kept a text by a leading apostrophe. */
export const csvText = (text: string): string => `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** What stands before the rows: of CSV the names of the columns, behind a mark that spreadsheets look for. */
export const heading = ({ format, names }: Lines): string =>
  format === 'csv' ? `${bom}${names.map(csvText).join(',')}\r\n` : '';

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
