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

/** A query by what it is asked for; null where an item has nothing to ask for. */
interface FurtherRequest {
  readonly id: string;
  readonly query: ItemQuery | null;
}

/** Requests besides those of the items: sparklines of tables, comparison values of numbers, and the numbers themselves while a filter compares periods. */
export const furtherRequests = (
  items: readonly RequestedItem[],
  sets: readonly FilterSet[],
  asked: ViewerContext,
): readonly FurtherRequest[] =>
  items.flatMap(({ item, own }): readonly FurtherRequest[] => {
    const second = comparisonKey(item.id);
    if (isNumberType(item.type)) {
      const { query, compared } = comparedQueries({ item, own }, sets, asked, Date.now());
      const first = comparesPeriods(sets) ? [{ id: item.id, query }] : [];
      return [...first, { id: second, query: compared }];
    }
    const lines = sparklineItem(item);
    const query = lines === null ? null : queryFor({ item: lines, own }, sets, asked);
    return query === null ? [] : [{ id: second, query }];
  });
