import { isObject, member, othersOf, type Json, type ResultSlot } from '@inlay/contract';

/** What tells one member of a dimension from another, and from those that are shown as one. */
export const keyOf = (cell: Json | undefined): string =>
  othersOf(cell) === null
    ? JSON.stringify(cell !== undefined && isObject(cell) ? (member(cell, 'id') ?? null) : (cell ?? null))
    : 'others';

/** What tells the column of an entry from others. */
export const columnOf = ({ content }: ResultSlot): string =>
  `${content?.datasetId ?? ''}/${content?.columnId ?? content?.formulaId ?? ''}`;
