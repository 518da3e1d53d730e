import { isList, isObject, listOr, textOr, type Json } from '@inlay/contract';

/** A dataset of a list, with the ids of the columns and formulas that are meant; null means all. */
export interface ListedDataset {
  readonly id: string;
  readonly columns: readonly string[] | null;
  readonly formulas: readonly string[] | null;
}

/** Returns the id of an entry, which is the id itself or an object with it. */
const idOf = (entry: Json): string => textOr(isObject(entry) ? entry['id'] : entry, '').toLowerCase();

const idsIn = (value: Json | undefined): readonly string[] | null =>
  isList(value ?? null) ? listOr(value).map(idOf) : null;

/** Reads a valid list of datasets. */
export const listedDatasets = (value: Json): readonly ListedDataset[] =>
  listOr(value).map((entry) => ({
    id: idOf(entry),
    columns: isObject(entry) ? idsIn(entry['columns']) : null,
    formulas: isObject(entry) ? idsIn(entry['formulas']) : null,
  }));
