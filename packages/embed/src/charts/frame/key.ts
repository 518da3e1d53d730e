import { isObject, member, othersOf, type Json, type ResultSlot } from '@inlay/contract';

/** What a cell stands for: a member of a hierarchy is `{id, name}`, everything else stands for itself. */
export const literalOf = (cell: Json | undefined): Json =>
  (cell !== undefined && isObject(cell) ? member(cell, 'id') : cell) ?? null;

/** What tells one member of a dimension from another, and from those that are shown as one. */
export const keyOf = (cell: Json | undefined): string =>
  othersOf(cell) === null ? JSON.stringify(literalOf(cell)) : 'others';

/** What tells the column of an entry from others. */
export const columnOf = ({ content }: ResultSlot): string =>
  `${content?.datasetId ?? ''}/${content?.columnId ?? content?.formulaId ?? ''}`;
