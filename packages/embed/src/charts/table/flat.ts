import type { SizedContext } from '../frame/chart.ts';
import { chartWordsFor } from '../../locale/chart-words.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { linksOf } from '../frame/link.ts';
import { markOf } from '../frame/mark.ts';
import type { Table, TableCell, TableRow, TableSort } from '../frame/table.ts';
import { cellStyles } from './colors.ts';
import { orderOf } from './order.ts';
import { sparklinesOf } from './sparklines.ts';
import { showsTotals, totalOf } from '../frame/totals.ts';

export const isNumeric = (field: Field): boolean =>
  field.kind === 'measure' && field.placed.content?.type !== 'datetime';

/** True if the cells of a column have text of any length. */
export const isText = ({ kind, part, placed: { content } }: Field): boolean =>
  kind === 'dimension' && part === null && content?.type !== 'datetime' && content?.type !== 'numeric';

/** Returns the row of totals. The first column that has no total labels the row. */
function footOf(frame: Frame, fields: readonly Field[], locale: string): TableRow {
  const texts = fields.map((field) => {
    const columnTotal = totalOf(field, frame.rows);
    return columnTotal === null ? '' : field.text(columnTotal);
  });
  const labelIndex = texts.indexOf('');
  const word = chartWordsFor(locale).total;
  return { kind: 'total', cells: texts.map((text, index) => ({ text: index === labelIndex ? word : text })) };
}

/** Returns the rows of an answer as a table: a regular table, or the data of a chart. */
export function flatTable(frame: Frame, context: SizedContext, fields: readonly Field[] = frame.fields): Table {
  const { locale } = context.formats;
  const styles = cellStyles(frame, context);
  const links = linksOf(frame);
  const lines = sparklinesOf(frame);
  const cellOf = (field: Field, row: Row): TableCell => {
    const link = links?.(field, markOf(frame.fields, row).cells) ?? null;
    const line = lines?.(field, row) ?? null;
    return {
      text: field.text(row[field.index]),
      ...(field.kind === 'dimension' ? { mark: markOf([field], row) } : styles(field, row[field.index])),
      ...(link === null ? {} : { link }),
      ...(line === null ? {} : { line }),
    };
  };
  const rowsBy = (by: TableSort | null): readonly Row[] => {
    const field = by === null ? undefined : fields[by.column];
    if (by === null || field === undefined) return frame.rows;
    const cells = frame.rows.map((row) => row[field.index]);
    return orderOf(field, cells, { locale, isDescending: by.isDescending }).map((place) => frame.rows[place] ?? []);
  };
  const layout = {
    columns: fields.map((field) => ({
      label: field.label,
      numeric: isNumeric(field),
      isText: isText(field),
      isHead: false,
      hasLines: lines !== null && field.kind === 'measure',
    })),
    head: [fields.map((field, column) => ({ text: field.label, columns: 1, numeric: isNumeric(field), column }))],
    size: frame.rows.length,
    foot: showsTotals(frame) ? footOf(frame, fields, locale) : null,
  };
  const sortedTable = (by: TableSort | null): Table => {
    const rows = rowsBy(by);
    return {
      ...layout,
      sorted: sortedTable,
      row: (index) => ({ kind: 'row', cells: fields.map((field) => cellOf(field, rows[index] ?? [])) }),
    };
  };
  return sortedTable(null);
}
