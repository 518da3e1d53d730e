import { isObject, member, othersOf, type Json, type ResultSlot } from '@inlay/contract';

/** Returns the filter value of a cell: the id of a hierarchy member `{id, name}`, otherwise the cell itself. */
export const literalOf = (cell: Json | undefined): Json =>
  (cell !== undefined && isObject(cell) ? member(cell, 'id') : cell) ?? null;

/** Identifies a member of a dimension, distinct from the "Others" group. */
export const keyOf = (cell: Json | undefined): string =>
  othersOf(cell) === null ? JSON.stringify(literalOf(cell)) : 'others';

/** Identifies the column of an entry. */
export const columnOf = ({ content }: ResultSlot): string =>
  `${content?.datasetId ?? ''}/${content?.columnId ?? content?.formulaId ?? ''}`;
