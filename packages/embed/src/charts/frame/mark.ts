import type { Json } from '@inlay/contract';
import type { Field, Row } from './frame.ts';

/** What a drawn mark stands for: cells of dimensions, by which other items can be filtered. */
export interface Mark {
  readonly cells: readonly { readonly field: Field; readonly cell: Json }[];
}

/** The mark of a row: the cells of its dimensions. */
export const markOf = (fields: readonly Field[], row: Row): Mark => ({
  cells: fields.map((field) => ({ field, cell: row[field.index] ?? null })),
});
