import type { Json } from '@inlay/contract';
import type { Field, Row } from './frame.ts';

/** The cells of dimensions for which a drawn mark stands. Other items can be filtered by these cells. */
export interface Mark {
  readonly cells: readonly { readonly field: Field; readonly cell: Json }[];
}

export const markOf = (fields: readonly Field[], row: Row): Mark => ({
  cells: fields.map((field) => ({ field, cell: row[field.index] ?? null })),
});
