import { isList, isObject, member, type Json, type JsonObject } from '../json.ts';

const spellings = {
  datasetId: ['dataset_id', 'datasetId', 'securable_id'],
  columnId: ['column_id', 'columnId'],
  level: ['level'],
} as const;
type ColumnTerm = keyof typeof spellings;

/** Members of a flat filter, which has its column and value next to `expression` instead of in `parameters`. */
export const flatFilterMembers: readonly string[] = [...Object.values(spellings).flat(), 'value', 'clause'];

/** The column and value of a filter. `at` has the path of each within the filter, such as `.parameters[1]`. */
export interface FilterTerms extends Readonly<Record<ColumnTerm | 'value', Json | undefined>> {
  readonly at: Readonly<Record<ColumnTerm | 'value', string>>;
}

/** A filter inside a condition, and its path in it, such as `.or[1]`; empty if the condition is the filter itself. */
export interface InnerFilter {
  readonly path: string;
  readonly filter: Json;
}

const joins = ['and', 'or'] as const;

/** Returns how a value joins conditions, and these; null if it is a single filter. `and` takes precedence. */
export function joinedIn(value: Json): { readonly join: 'and' | 'or'; readonly of: readonly Json[] } | null {
  for (const join of joins) {
    const of = isObject(value) ? member(value, join) : undefined;
    if (of !== undefined && isList(of)) return { join, of };
  }
  return null;
}

/** Returns the filters that a condition joins, at any depth; a single filter is returned as it is. */
export function filtersWithin(value: Json, path = ''): readonly InnerFilter[] {
  const joined = joinedIn(value);
  if (joined === null) return [{ path, filter: value }];
  return joined.of.flatMap((inner, index) => filtersWithin(inner, `${path}.${joined.join}[${index}]`));
}

/**
 * Reads the column and value of a filter in all spellings. They are in `parameters`, as in queries, contents and
 * tokens, or next to `expression`. specification/data-queries#filters
 */
export function filterTerms(filter: JsonObject): FilterTerms {
  const parameters = member(filter, 'parameters');
  const isFlat = parameters === undefined;
  const [firstParameter, secondParameter] = isList(parameters) ? parameters : [];
  const column: JsonObject = isFlat ? filter : isObject(firstParameter) ? firstParameter : {};
  const nameOf = (term: ColumnTerm): string =>
    spellings[term].find((name) => member(column, name) !== undefined) ?? spellings[term][0];
  const placeOf = (term: ColumnTerm): string => `${isFlat ? '' : '.parameters[0]'}.${nameOf(term)}`;
  return {
    datasetId: member(column, nameOf('datasetId')),
    columnId: member(column, nameOf('columnId')),
    level: member(column, 'level'),
    value: isFlat ? member(filter, 'value') : secondParameter,
    at: {
      datasetId: placeOf('datasetId'),
      columnId: placeOf('columnId'),
      level: placeOf('level'),
      value: isFlat ? '.value' : '.parameters[1]',
    },
  };
}
