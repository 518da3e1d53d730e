import {
  areReadable,
  datasetsOf,
  filtersFor,
  fixedZone,
  itemQuery,
  objectOr,
  readFilterGroups,
  readItem,
  viewFor,
  type JsonObject,
  type ScreenMode,
} from '@inlay/contract';
import type { DashboardModel } from '@inlay/contract/change';
import type { FormulaSource } from '../uses.ts';

/** Whose value is asked for. */
export interface ValueRequest extends FormulaSource {
  readonly itemId: string;
  readonly screen: ScreenMode;
  readonly locale: string;
  /** Time zone of the person; empty for that of the dashboard. */
  readonly timeZone: string;
}

/**
 * Returns the query of a formula's value over all rows, under the filters of an item and its dashboard, as a number in
 * the place of the item would ask. Null if a filter cannot be read, so that the item shows no rows.
 */
export function valueQuery(model: DashboardModel, request: ValueRequest): JsonObject | null {
  const { formula, formulaId, datasetId, itemId, screen, locale, timeZone } = request;
  const contents = objectOr(model.contents);
  const view = viewFor(contents, screen, true);
  if (!areReadable([...view.filterGroups])) return null;
  const entry: JsonObject = {
    ...(formulaId === null ? { formula } : { formulaId }),
    ...(datasetId === null ? {} : { datasetId }),
  };
  const figure = readItem({ id: itemId, type: 'evolution-number', slots: [{ name: 'measure', content: [entry] }] });
  if (figure === null) return null;
  const own = view.items.find(({ id }) => id === itemId);
  const datasets = new Set([...(own === undefined ? [] : datasetsOf(own)), ...datasetsOf(figure)]);
  const filters = filtersFor(itemId, datasets, readFilterGroups(view.filterGroups));
  const timezoneId = timeZone || (fixedZone(contents) ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  return itemQuery(figure, { ...filters, localeId: locale, timezoneId })?.query ?? null;
}
