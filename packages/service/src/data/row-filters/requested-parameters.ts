import { emptyListAsObject, isObject, parameterName, type Json, type JsonObject } from '@inlay/contract';
import { maxQueries, type Fault, type ParameterValues } from '@inlay/query';
import type { GivenParameter, QueryParameters } from '../../dashboards/stored-items/parameter-offers.ts';
import { queriesIn, withQueries } from '../../dashboards/stored-items/item-references.ts';
import { byParameter, checkGivenParameters, givenValues, mostNames } from './parameter-values.ts';

/** The queries of a `find` without the values that they give parameters. */
export interface WithoutParameters {
  readonly find: Json;
  /** The values for a query, by its place among the others. */
  readonly of: (index: number) => QueryParameters;
  readonly faults: readonly Fault[];
}

function read(
  sent: Json | undefined,
  at: string,
  fault: (at: string, says: string) => void,
): readonly GivenParameter[] {
  const given = emptyListAsObject(sent) ?? null;
  if (given === null) return [];
  if (!isObject(given)) {
    fault(at, 'must be an object with values by the names of parameters, such as {"metadata.region": ["Asia"]}');
    return [];
  }
  checkGivenParameters(given, at, fault);
  const values = new Map(Object.entries(givenValues(given)));
  return Object.keys(given)
    .slice(0, mostNames)
    .map((name) => ({ name, value: values.get(name) ?? null, at: `${at}.${name}` }));
}

/** The values of a token, and those of a query for parameters that the token leaves open. */
function withGiven(token: ParameterValues, given: readonly GivenParameter[]): ParameterValues {
  const set = given.filter(({ value }) => value !== null).map(({ name, value }) => [name, value] as const);
  return new Map([...byParameter(set), ...token]);
}

const without = (object: JsonObject): JsonObject => {
  const { parameters: _parameters, ...rest } = object;
  return rest;
};

/**
 * Takes out of a `find` the values that it gives parameters. Those beside `queries` hold for each of them, and those of a query
 * win. Row filters never read them. specification/data-queries#parameters
 */
export function takeParameters(find: Json, token: ParameterValues): WithoutParameters {
  const faults: Fault[] = [];
  const fault = (at: string, message: string): void => void faults.push({ at, message });
  const isBatch = isObject(find) && find['queries'] !== undefined;
  const shared = isBatch ? read(find['parameters'], 'find.parameters', fault) : [];
  // More are refused when they are read.
  const queries = queriesIn(find).slice(0, maxQueries);
  const own = queries.map((query, index) => {
    const at = isBatch ? `find.queries[${index}].parameters` : 'find.parameters';
    const given = isObject(query) ? read(query['parameters'], at, fault) : [];
    const names = new Set(given.map(({ name }) => parameterName(name)));
    return [...shared.filter(({ name }) => !names.has(parameterName(name))), ...given];
  });
  const all = own.map((given) => ({ given, values: given.length === 0 ? token : withGiven(token, given) }));
  const rest = queriesIn(find).map((query) => (isObject(query) ? without(query) : query));
  return {
    find: withQueries(isBatch ? without(find) : find, rest),
    of: (index) => all[index] ?? { given: [], values: token },
    faults,
  };
}
