import { filledText, isObject, listOr, type JsonObject } from '@inlay/contract';
import type { Reader } from '../../store/store.ts';
import { datasetsOfFormulas, type LooseFormula, type RecordFilter } from './formula-datasets.ts';
import { withEntries } from './slot-entries.ts';

const datasetOf = (entry: JsonObject): string | null => filledText(entry['datasetId']) ?? filledText(entry['set']);

/** The formula of an entry that does not say its dataset; null where it says it, or has none. */
function looseIn(entry: JsonObject): LooseFormula | null {
  if (datasetOf(entry) !== null) return null;
  const [formulaId, formula] = [filledText(entry['formulaId']), filledText(entry['formula'])];
  return formulaId === null && formula === null ? null : { formulaId, text: formula };
}

const entriesOf = (item: JsonObject): readonly JsonObject[] =>
  listOr(item['slots']).flatMap((slot) => (isObject(slot) ? listOr(slot['content']).filter(isObject) : []));

/**
 * Contents in which each formula says its dataset: that of the stored formula, of the columns in the text, or of another entry of
 * the item. The same contents where all say it. specification/dashboards#slots
 */
export async function withSlotDatasets(reader: Reader, where: RecordFilter, contents: JsonObject): Promise<JsonObject> {
  const loose: LooseFormula[] = [];
  withEntries(contents, (entry) => {
    loose.push(...[looseIn(entry)].filter((one) => one !== null));
    return entry;
  });
  if (loose.length === 0) return contents;
  const datasetOfFormula = await datasetsOfFormulas(reader, where, loose);
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
