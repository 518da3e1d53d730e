import { isObject, member, type Json, type ResultSlot } from '@inlay/contract';

/** What tells one member of a dimension from another. */
export const keyOf = (cell: Json | undefined): string =>
  JSON.stringify(cell !== undefined && isObject(cell) ? (member(cell, 'id') ?? null) : (cell ?? null));

/** What tells the column of an entry from others. */
export const columnOf = ({ content }: ResultSlot): string =>
  `${content?.datasetId ?? ''}/${content?.columnId ?? content?.formulaId ?? ''}`;
