import { filledText, isObject, listOr, type JsonObject } from '@inlay/contract';
import type { Reader } from '../../store/store.ts';
import { datasetsOfFormulas, type LooseFormula, type RecordFilter } from './formula-datasets.ts';
import { withEntries } from './slot-entries.ts';

const datasetOf = (entry: JsonObject): string | null => filledText(entry['datasetId']) ?? filledText(entry['set']);

/**
 * Returns the formula of an entry that names no dataset. Returns null if the entry names a dataset or has no formula.
 */
function looseIn(entry: JsonObject): LooseFormula | null {
  if (datasetOf(entry) !== null) return null;
  const [formulaId, formula] = [filledText(entry['formulaId']), filledText(entry['formula'])];
  return formulaId === null && formula === null ? null : { formulaId, text: formula };
}

const entriesOf = (item: JsonObject): readonly JsonObject[] =>
  listOr(item['slots']).flatMap((slot) => (isObject(slot) ? listOr(slot['content']).filter(isObject) : []));

/**
 * Adds the dataset to each formula in contents. It comes from the stored formula, from the columns in the text of the
 * formula, or from another entry of the item. Returns the same object if nothing is missing.
 * specification/dashboards#slots
 */
export async function withSlotDatasets(reader: Reader, where: RecordFilter, contents: JsonObject): Promise<JsonObject> {
  const looseFormulas: LooseFormula[] = [];
  withEntries(contents, (entry) => {
    looseFormulas.push(...[looseIn(entry)].filter((formula) => formula !== null));
    return entry;
  });
  if (looseFormulas.length === 0) return contents;
  const datasetOfFormula = await datasetsOfFormulas(reader, where, looseFormulas);
  return withEntries(contents, (entry, { item }) => {
    const formula = looseIn(entry);
    if (formula === null) return entry;
    const datasetId =
      datasetOfFormula(formula) ??
      entriesOf(item)
        .map(datasetOf)
        .find((id) => id !== null) ??
      null;
    return datasetId === null ? entry : { ...entry, datasetId };
  });
}
