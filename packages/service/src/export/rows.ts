import { isList, isObject, member, type Json } from '@inlay/contract';
import { byteOrderMark, csvLine } from '@inlay/query';
import { createPartFormat, isNamed, type Row } from '@inlay/embed/picture';
import type { Cell, SheetData } from 'write-excel-file/node';
import type { FilledItem } from './drawing/drawing.ts';

/** A cell as a file holds it: what it stands for, not how a viewer reads it. */
function plain(cell: Json | undefined): string | number | boolean | null {
  if (cell === undefined || cell === null) return null;
  if (isList(cell)) return cell.map((part) => String(plain(part) ?? '')).join(' – ');
  if (isObject(cell)) return plain(member(cell, 'id') ?? null);
  return cell;
}

/** The rows of an item with names in place of numbers where weekdays and months are shown by name. */
export function withNames({ asked, rows }: FilledItem, locale: string): readonly Row[] {
  const parts = asked?.dimensions.map(({ content }) => content?.part ?? null) ?? [];
  if (!parts.some((part) => part !== null && isNamed(part))) return rows;
  const nameOf = createPartFormat(locale);
  return rows.map((row) =>
    row.map((cell, index) => {
      const part = parts[index] ?? null;
      return part !== null && isNamed(part) && typeof cell === 'number' ? nameOf(cell, part) : cell;
    }),
  );
}

/** Names of the columns of an item, as its dashboard labels them in a language. */
export type Headings = readonly string[];

/** The rows of an item as CSV (RFC 4180), in UTF-8 with a mark that spreadsheets look for. */
export const csvOf = (headings: Headings, rows: readonly Row[]): Uint8Array =>
  Buffer.concat(
    [byteOrderMark + csvLine(headings), ...rows.map((row) => csvLine(row.map(plain)))].map((text) => Buffer.from(text)),
  );

/** The rows of an item as a workbook with one sheet. */
export async function xlsxOf(headings: Headings, rows: readonly Row[], { item }: FilledItem): Promise<Uint8Array> {
  const dated = item.slots.flatMap(({ content }) => content).some(({ type }) => type === 'datetime');
  const cell = (value: string | number | boolean | null): Cell => {
    const at = dated && typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(value) ? new Date(value) : null;
    return at === null ? value : { value: at, type: Date, format: 'yyyy-mm-dd hh:mm' };
  };
  const sheet: SheetData = [
    headings.map((text): Cell => ({ value: text, fontWeight: 'bold' })),
    ...rows.map((row) => row.map((one) => cell(plain(one)))),
  ];
  // Loaded when the first workbook is asked for: it takes 20 MB.
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return writeXlsxFile(sheet, { stickyRowsCount: 1 }).toBuffer();
}
