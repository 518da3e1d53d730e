import { isObject, member, othersOf, type Json, type ResultSlot } from '@inlay/contract';

/**
 * Returns the value by which a filter matches a cell: the id of a hierarchy member `{id, name}`, otherwise the cell
 * itself.
 */
export const literalOf = (cell: Json | undefined): Json =>
  (cell !== undefined && isObject(cell) ? member(cell, 'id') : cell) ?? null;

/** Returns a key that identifies a member of a dimension. The "Others" group has a key of its own. */
export const keyOf = (cell: Json | undefined): string =>
  othersOf(cell) === null ? JSON.stringify(literalOf(cell)) : 'others';

/** Returns a key that identifies the column of an entry. */
export const columnOf = ({ content }: ResultSlot): string =>
  `${content?.datasetId ?? ''}/${content?.columnId ?? content?.formulaId ?? ''}`;
