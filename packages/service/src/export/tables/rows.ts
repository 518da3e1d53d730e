import { isList, isObject, member, othersOf, type Item, type ItemQuery, type Json } from '@inlay/contract';
import { byteOrderMark, csvLine } from '@inlay/query';
import { chartWordsFor, createPartFormat, isNamed, type Row } from '@inlay/embed/picture';
import type { Cell, SheetData } from 'write-excel-file/node';
import type { RenderJob, FileColumn, FilledItem } from '../render-job.ts';
import { timeIn, timesOf } from './file-times.ts';
import { formatsOf, sheetWidth } from './number-formats.ts';

/** Returns the value of a cell in a file, without formatting. */
function plainValue(cell: Json | undefined): string | number | boolean | null {
  if (cell === undefined || cell === null) return null;
  if (isList(cell)) return cell.map((part) => String(plainValue(part) ?? '')).join(' – ');
  if (isObject(cell)) return plainValue(member(cell, 'id') ?? null);
  return cell;
}

/**
 * Returns the rows of an item with names as displayed: names of weekdays and months instead of numbers, and a word such
 * as "Others" for the members beyond a limit.
 */
export function withNames({ query, rows }: FilledItem, locale: string): readonly Row[] {
  const parts = query?.dimensions.map(({ content }) => content?.part ?? null) ?? [];
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

/**
 * Returns the columns of an item's file in the order of its slots, with the number of rows last. `headings` are those
 * of the query's columns, dimensions first.
 */
export function fileColumns(
  { slots }: Item,
  { dimensions, measures }: ItemQuery,
  headings: readonly string[],
): readonly FileColumn[] {
  const entries = slots.flatMap(({ content }) => content);
  const orderOf = ({ content }: ItemQuery['dimensions'][number]): number =>
    content === null ? entries.length : entries.indexOf(content);
  return [...[...dimensions, ...measures].entries()]
    .toSorted(([, firstEntry], [, secondEntry]) => orderOf(firstEntry) - orderOf(secondEntry))
    .map(([place]) => ({ heading: headings[place] ?? '', place }));
}

const cellsOf = (columns: readonly FileColumn[], row: Row): ReturnType<typeof plainValue>[] =>
  columns.map(({ place }) => plainValue(row[place]));

/**
 * Returns the rows of an item as CSV (RFC 4180) in UTF-8 with a byte order mark, which spreadsheets need. Times are in
 * ISO 8601 with the offset of the time zone.
 */
export function csvOf(
  { columns, timeZone }: Pick<RenderJob, 'columns' | 'timeZone'>,
  rows: readonly Row[],
  { query }: FilledItem,
): Uint8Array {
  const head = byteOrderMark + csvLine(columns.map(({ heading }) => heading));
  const times = timesOf(query, timeZone);
  const cell = (row: Row, place: number): ReturnType<typeof plainValue> =>
    timeIn(times[place], row[place])?.text ?? plainValue(row[place]);
  const lines = rows.map((row) => csvLine(columns.map(({ place }) => cell(row, place))));
  return Buffer.concat([head, ...lines].map((text) => Buffer.from(text)));
}

/**
 * Placeholder for an empty text. The writer omits cells with an empty text, but writes this character as one: it
 * removes characters that XML does not allow.
 */
const emptyText = '\u0000';

/**
 * Returns the rows of an item as a workbook with one sheet: numbers formatted as in the dashboard, times as wall-clock
 * times of the zone, columns wide enough for their cells.
 */
export async function xlsxOf(
  { columns, locale, currency, timeZone }: Pick<RenderJob, 'columns' | 'locale' | 'currency' | 'timeZone'>,
  rows: readonly Row[],
  { query }: FilledItem,
): Promise<Uint8Array> {
  const byPlace = formatsOf(query, locale, currency);
  const times = timesOf(query, timeZone);
  const cell = (row: Row, { place }: FileColumn): Cell => {
    const [value, format] = [plainValue(row[place]), byPlace[place] ?? null];
    const time = timeIn(times[place], row[place]);
    if (time !== null)
      return time.cell === null ? time.text : { value: time.cell.wall, type: Date, format: time.cell.format };
    if (typeof value === 'number' && format !== null) return { value, format };
    return value === '' ? emptyText : value;
  };
  const sheet: SheetData = [
    columns.map(({ heading }): Cell => ({ value: heading, fontWeight: 'bold' })),
    ...rows.map((row) => columns.map((column) => cell(row, column))),
  ];
  const sampledCells = rows.slice(0, 500).map((row) => cellsOf(columns, row));
  const widths = columns.map(({ heading, place }, index) => ({
    width: sheetWidth(
      heading,
      sampledCells.map((row) => row[index] ?? null),
      byPlace[place] ?? null,
    ),
  }));
  // Loaded with the first workbook, since it takes 20 MB.
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return writeXlsxFile(sheet, { stickyRowsCount: 1, columns: widths }).toBuffer();
}
