import { inLanguage, isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';

/** A condition of an answered chart, as its title says it, and the filters of the item that it is. */
export interface ChartCondition {
  readonly title: string;
  /** Empty if the measures have the condition, so that it cannot be taken away. */
  readonly filters: ReadonlySet<number>;
}

/** Reads the conditions of an answer in a language. */
export function conditionsOf(answer: JsonObject, language: string): readonly ChartCondition[] {
  const conditions = member(answer, 'conditions');
  return (isList(conditions) ? conditions : []).filter(isObject).map((condition) => {
    const filters = member(condition, 'filters');
    const indexes = (isList(filters) ? filters : []).filter((filter) => typeof filter === 'number');
    return { title: inLanguage(member(condition, 'title'), language), filters: new Set(indexes) };
  });
}

const ending = (conditions: readonly ChartCondition[]): string => conditions.map(({ title }) => `, ${title}`).join('');

/** Returns a title that ends with conditions without those at which `isTaken` is true. */
export function titleWithout(
  title: string,
  conditions: readonly ChartCondition[],
  isTaken: (at: number) => boolean,
): string {
  const end = ending(conditions);
  if (!title.endsWith(end)) return title;
  return title.slice(0, title.length - end.length) + ending(conditions.filter((_, at) => !isTaken(at)));
}

/** Returns the filters that no condition taken away is. */
export const filtersWithout = (
  filters: readonly Json[],
  conditions: readonly ChartCondition[],
  isTaken: (at: number) => boolean,
): readonly Json[] =>
  filters.filter((_, place) => !conditions.some((condition, at) => isTaken(at) && condition.filters.has(place)));
