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

/** A query with a request key; null if the item needs no query. */
interface SecondaryQuery {
  readonly id: string;
  readonly query: ItemQuery | null;
}

/**
 * Additional requests: sparklines of tables, and for numbers the comparison values, or the numbers themselves while a
 * filter compares periods.
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
