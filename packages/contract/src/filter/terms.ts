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
