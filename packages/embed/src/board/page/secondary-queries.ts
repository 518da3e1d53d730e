import {
  isNumberType,
  sparklineItem,
  type ItemQuery,
  comparedQueries,
  comparesPeriods,
  type FilterSet,
  queryFor,
  type RequestedItem,
  type ViewerContext,
} from '@inlay/contract';
import { comparisonKey } from '../request-controller.ts';

/** A query and the key of its request. `query` is null if the item needs no query. */
interface SecondaryQuery {
  readonly id: string;
  readonly query: ItemQuery | null;
}

/**
 * Returns the additional queries of items. For a table, this is the query of its sparklines. For a number, it is the
 * query of its comparison; while a filter compares periods, the query of the number itself is included.
 */
export const secondaryQueries = (
  items: readonly RequestedItem[],
  sets: readonly FilterSet[],
  context: ViewerContext,
): readonly SecondaryQuery[] =>
  items.flatMap(({ item, own }): readonly SecondaryQuery[] => {
    const key = comparisonKey(item.id);
    if (isNumberType(item.type)) {
      const { query, compared } = comparedQueries({ item, own }, sets, context, Date.now());
      const ownQueries = comparesPeriods(sets) ? [{ id: item.id, query }] : [];
      return [...ownQueries, { id: key, query: compared }];
    }
    const lines = sparklineItem(item);
    const query = lines === null ? null : queryFor({ item: lines, own }, sets, context);
    return query === null ? [] : [{ id: key, query }];
  });
