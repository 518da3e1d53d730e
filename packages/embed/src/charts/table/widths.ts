import type { Table } from '../frame/table.ts';

const [leastPx, maxTextPx] = [48, 280];
export const sparklinePx = 64;

/** Returns the width of a text in px. */
export type TextMeasure = (text: string, isBold: boolean) => number;

/**
 * Returns the preferred column widths in px, from a sample of texts and from the headings. `padPx` is added to the
 * width of texts, `headPx` to that of headings.
 */
export function columnWidths(
  table: Table,
  measure: TextMeasure,
  { padPx, headPx }: { readonly padPx: number; readonly headPx: number },
): readonly number[] {
  const widths = table.columns.map(() => leastPx);
  const widen = (column: number, px: number): void => {
    widths[column] = Math.max(widths[column] ?? leastPx, Math.ceil(px));
  };
  const names = table.head.flat().filter(({ columns }) => columns === 1);
  names.forEach(({ text, column }) => {
    if (column !== null) widen(column, Math.min(maxTextPx, measure(text, true) + headPx));
  });
  const step = Math.max(1, Math.floor(table.size / 100));
  const sampledRows = Array.from({ length: Math.min(table.size, 140) }, (_, index) =>
    table.row(index < 40 ? index : Math.min(table.size - 1, (index - 40) * step)),
  );
  for (const { kind, cells } of [...sampledRows, ...(table.foot === null ? [] : [table.foot])]) {
    let column = 0;
    for (const { text, columns = 1 } of cells) {
      const maxPx = table.columns[column]?.isText === false ? Number.POSITIVE_INFINITY : maxTextPx;
      const linePx = table.columns[column]?.hasLines === true ? sparklinePx + 8 : 0;
      if (columns === 1) widen(column, Math.min(maxPx, measure(text, kind !== 'row') + padPx) + linePx);
      column += columns;
    }
  }
  return widths;
}
