import {
  filledText,
  filtersWithin,
  isFilterType,
  isItemType,
  itemIdAt,
  listOr,
  objectOr,
  placedGroups,
  type Json,
  type JsonObject,
  readFilter,
} from '@inlay/contract';
import type { KnownRecords, ReferenceWarning } from './known-records.ts';

type Datasets = ReadonlySet<string>;

const entriesOf = (item: JsonObject): readonly JsonObject[] =>
  listOr(item['slots']).flatMap((slot) => listOr(objectOr(slot)['content']).map(objectOr));
const datasetsOf = (item: JsonObject): Datasets =>
  new Set(entriesOf(item).flatMap(({ datasetId }) => filledText(datasetId) ?? []));
const isControl = ({ type }: JsonObject): boolean => typeof type === 'string' && isItemType(type) && isFilterType(type);

const datasetsOfCondition = (condition: Json): readonly string[] =>
  filtersWithin(condition).flatMap(({ filter }) => readFilter(filter)?.datasetId ?? []);

/** Returns the datasets of the filters of a group and its subgroups. */
function datasetsIn(group: JsonObject): readonly string[] {
  const filterDatasets = listOr(group['filters']).flatMap(datasetsOfCondition);
  return [...filterDatasets, ...listOr(group['subGroups']).flatMap((entry) => datasetsIn(objectOr(entry)))];
}

/** Splits a group into parts that apply as a whole: each filter of an `and` group, and each complete `or` group. */
function parts(group: JsonObject, path: string): readonly { readonly path: string; readonly datasets: Datasets }[] {
  if (group['condition'] === 'or') return [{ path, datasets: new Set(datasetsIn(group)) }];
  const filters = [...listOr(group['filters']).entries()].flatMap(([index, filter]) => {
    const datasets = datasetsOfCondition(filter);
    return datasets.length === 0 ? [] : [{ path: `${path}.filters[${index}]`, datasets: new Set(datasets) }];
  });
  const subGroupParts = [...listOr(group['subGroups']).entries()].flatMap(([index, value]) =>
    parts(objectOr(value), `${path}.subGroups[${index}]`),
  );
  return [...filters, ...subGroupParts];
}

const idle = (path: string, message: string): ReferenceWarning => ({ path, code: 'no_effect', message });

/** Warns of filters and filter items of a view that affect no item. specification/dashboards#filters-of-a-dashboard */
export function idleFilters(view: JsonObject, path: string, { model }: KnownRecords): readonly ReferenceWarning[] {
  const items = listOr(view['items']).map(objectOr);
  const isKnown = (id: string): boolean => model.datasets.has(id);
  const reaches = (datasets: Datasets, among: readonly Datasets[]): boolean =>
    ![...datasets].every(isKnown) || among.some((itemDatasets) => [...datasets].every((id) => itemDatasets.has(id)));
  const ofGroups = placedGroups(view).flatMap((placedGroup) => {
    const group = objectOr(placedGroup.group);
    const only = group['origin'] === 'itemFilter' ? filledText(group['itemId']) : null;
    const narrowedItems = items
      .filter((item, index) => only === null || itemIdAt(item, index) === only)
      .map(datasetsOf);
    const message =
      only === null
        ? 'narrows nothing: no item of the view is over all of its datasets; a filter does not follow links'
        : 'narrows nothing: the item is over other datasets; a filter does not follow links';
    return parts(group, `${path}.${placedGroup.path}`)
      .filter(({ datasets }) => narrowedItems.length > 0 && datasets.size > 0 && !reaches(datasets, narrowedItems))
      .map((part) => idle(part.path, message));
  });
  const charts = items.filter((item) => !isControl(item)).map(datasetsOf);
  const ofControls = [...items.entries()].flatMap(([index, item]) => {
    const unreachedId = [...datasetsOf(item)].find((id) => !reaches(new Set([id]), charts));
    return !isControl(item) || charts.length === 0 || unreachedId === undefined
      ? []
      : [
          idle(
            `${path}.items[${index}]`,
            `narrows nothing: no chart of the view is over its dataset ${unreachedId}; a filter does not follow links`,
          ),
        ];
  });
  return [...ofGroups, ...ofControls];
}
