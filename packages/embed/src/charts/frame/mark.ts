import type { Mark } from './chart.ts';
import type { Field, Row } from './frame.ts';

/** The mark of a row: the cells of its dimensions. */
export const markOf = (fields: readonly Field[], row: Row): Mark => ({
  cells: fields.map((field) => ({ field, cell: row[field.index] ?? null })),
});
