import { isList, isObject, member, othersOf, type Item, type ItemQuery, type Json } from '@inlay/contract';
import { byteOrderMark, csvLine } from '@inlay/query';
import { chartWordsFor, createPartFormat, isNamed, type Row } from '@inlay/embed/picture';
import type { Cell, SheetData } from 'write-excel-file/node';
import type { DrawingJob, FilledItem } from './drawing/drawing.ts';
import { formatsOf, sheetWidth } from './number-formats.ts';

/** A cell as a file holds it: what it stands for, not how a viewer reads it. */
function plain(cell: Json | undefined): string | number | boolean | null {
  if (cell === undefined || cell === null) return null;
  if (isList(cell)) return cell.map((part) => String(plain(part) ?? '')).join(' – ');
  if (isObject(cell)) return plain(member(cell, 'id') ?? null);
  return cell;
}

/** The rows of an item with names where it shows them: in place of the numbers of weekdays and months, and for members shown as one. */
export function withNames({ asked, rows }: FilledItem, locale: string): readonly Row[] {
  const parts = asked?.dimensions.map(({ content }) => content?.part ?? null) ?? [];
  const nameOf = createPartFormat(locale);
  const { others } = chartWordsFor(locale);
  return rows.map((row) =>
    row.map((cell, index) => {
      const part = parts[index] ?? null;
      if (othersOf(cell) !== null) return others;
      return part !== null && isNamed(part) && typeof cell === 'number' ? nameOf(cell, part) : cell;
    }),
  );
}

/** A column of a file: its name, as the dashboard labels it in a language, and its place in the rows of the answer. */
export interface FileColumn {
  readonly heading: string;
  readonly place: number;
}

/** The columns of a file of an item, in the order of its slots; the number of rows comes last. */
export function fileColumns(
  { slots }: Item,
  { dimensions, measures }: ItemQuery,
  headingOf: (placed: ItemQuery['dimensions'][number]) => string,
): readonly FileColumn[] {
  const entries = slots.flatMap(({ content }) => content);
  const orderOf = ({ content }: ItemQuery['dimensions'][number]): number =>
    content === null ? entries.length : entries.indexOf(content);
  return [...[...dimensions, ...measures].entries()]
    .toSorted(([, one], [, other]) => orderOf(one) - orderOf(other))
    .map(([place, placed]) => ({ heading: headingOf(placed), place }));
}

const cellsOf = (columns: readonly FileColumn[], row: Row): ReturnType<typeof plain>[] =>
  columns.map(({ place }) => plain(row[place]));

/** The rows of an item as CSV (RFC 4180), in UTF-8 with a mark that spreadsheets look for. */
export const csvOf = (columns: readonly FileColumn[], rows: readonly Row[]): Uint8Array => {
  const head = byteOrderMark + csvLine(columns.map(({ heading }) => heading));
  return Buffer.concat([head, ...rows.map((row) => csvLine(cellsOf(columns, row)))].map((text) => Buffer.from(text)));
};

/** A text without characters: the writer leaves out empty texts as if there were none, and drops what XML cannot hold. */
const emptyText = '\u0000';

/** The rows of an item as a workbook with one sheet: numbers as the dashboard writes them, columns as wide as what they hold. */
export async function xlsxOf(
  { columns, locale, currency }: Pick<DrawingJob, 'columns' | 'locale' | 'currency'>,
  rows: readonly Row[],
  { item, asked }: FilledItem,
): Promise<Uint8Array> {
  const dated = item.slots.flatMap(({ content }) => content).some(({ type }) => type === 'datetime');
  const byPlace = formatsOf(asked, locale, currency);
  const formats = columns.map(({ place }) => byPlace[place] ?? null);
  const cell = (value: string | number | boolean | null, column: number): Cell => {
    const format = formats[column] ?? null;
    if (typeof value === 'number' && format !== null) return { value, format };
    const at = dated && typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(value) ? new Date(value) : null;
    if (at !== null) return { value: at, type: Date, format: 'yyyy-mm-dd hh:mm' };
    return value === '' ? emptyText : value;
  };
  const sheet: SheetData = [
    columns.map(({ heading }): Cell => ({ value: heading, fontWeight: 'bold' })),
    ...rows.map((row) => cellsOf(columns, row).map(cell)),
  ];
  const sampled = rows.slice(0, 500).map((row) => cellsOf(columns, row));
  const widths = columns.map(({ heading }, index) => ({
    width: sheetWidth(
      heading,
      sampled.map((row) => row[index] ?? null),
      formats[index] ?? null,
    ),
  }));
  // Loaded when the first workbook is asked for: it takes 20 MB.
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return writeXlsxFile(sheet, { stickyRowsCount: 1, columns: widths }).toBuffer();
}
