import type { Table, TableCell } from './chart.ts';
import { markOf } from './mark.ts';
import type { Field, Frame, Row } from './frame.ts';

export const isNumeric = (field: Field): boolean =>
  field.kind === 'measure' && field.placed.content?.type !== 'datetime';

export const cellOf = (frame: Frame, field: Field, row: Row): TableCell => ({
  text: field.text(row[field.index]),
  numeric: isNumeric(field),
  ...(field.kind === 'dimension' ? { mark: markOf([field], row) } : {}),
});

/** The rows of an answer as they are: what stands behind every chart, and what a regular table shows. */
export const plainTable = (frame: Frame, fields: readonly Field[] = frame.fields): Table => ({
  head: [fields.map((field) => ({ text: field.label, columns: 1, numeric: isNumeric(field) }))],
  body: frame.rows.map((row) => fields.map((field) => cellOf(frame, field, row))),
});
