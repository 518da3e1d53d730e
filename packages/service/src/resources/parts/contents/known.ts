import { isUuid } from '@inlay/contract';
import type { KnownRecords, ModelDataset, NamedRecords } from '@inlay/query';
import type { Caller } from '../../../access/caller.ts';
import { loadDatasets } from '../../../data/model/load-datasets.ts';
import { createModelCache } from '../../../data/model/load-model.ts';
import { visibleModel } from '../../../data/row-filters/row-filters.ts';
import type { Resource } from '../../../resource/define.ts';
import type { Reader } from '../../../store/store.ts';
import { readable } from './readable.ts';

/** Limits of the datasets and columns that are checked. Any others are not checked. */
const maxDatasets = 100;
const maxColumns = 5000;

const distinct = (ids: readonly string[], maxCount?: number): readonly string[] =>
  [...new Set(ids.map((id) => id.toLowerCase()))].filter(isUuid).slice(0, maxCount);

/**
 * Returns a model whose columns include those not yet verified at their source, since a query would verify them first.
 */
const whole = ({ unproven, ...model }: ModelDataset): ModelDataset => ({
  ...model,
  columns: new Map([...model.columns, ...(unproven ?? [])]),
});

/**
 * Reads the records named in contents that the author may see: one statement for the columns, then the models of all
 * datasets.
 */
export async function knownRecords(
  reader: Reader,
  caller: Caller,
  column: Resource,
  { datasets, columns }: NamedRecords,
): Promise<KnownRecords> {
  const datasetOfColumn = await readable(reader, caller, column, distinct(columns, maxColumns), 'securable_id');
  const datasetIds = distinct([...datasets, ...datasetOfColumn.values()]);
  const read = datasetIds.slice(0, maxDatasets);
  const loaded = read.length === 0 ? [] : [...(await loadDatasets(reader, createModelCache(), caller, read, 'read'))];
  const hidden = new Set(caller.hiddenColumns);
  // A hidden column must be indistinguishable from a column that the source lacks. So if columns are
  // hidden, unverified columns stay unverified.
  const known = (model: ModelDataset): ModelDataset => (hidden.size === 0 ? whole(model) : visibleModel(model, hidden));
  const models = loaded.map(([id, { model }]) => [id, known(model)] as const);
  const unread = new Set(datasetIds.slice(maxDatasets));
  return { model: { datasets: new Map(models) }, datasetOfColumn, isUnread: (id) => unread.has(id) };
}
