import { emptyListAsObject, isObject, parameterName, type Json, type JsonObject } from '@inlay/contract';
import { maxQueries, type Fault, type ParameterValues } from '@inlay/query';
import type { GivenParameter, QueryParameters } from '../../dashboards/stored-items/parameter-offers.ts';
import { queriesIn, withQueries } from '../../dashboards/stored-items/item-references.ts';
import { byParameter, checkGivenParameters, givenValues, maxNames } from './parameter-values.ts';

/** The queries of a `find`, separated from their parameter values. */
export interface WithoutParameters {
  readonly find: Json;
  /** Returns the parameter values of the query with this index. */
  readonly of: (index: number) => QueryParameters;
  readonly faults: readonly Fault[];
}

function read(
  sent: Json | undefined,
  at: string,
  fault: (at: string, says: string) => void,
): readonly GivenParameter[] {
  const sentParameters = emptyListAsObject(sent) ?? null;
  if (sentParameters === null) return [];
  if (!isObject(sentParameters)) {
    fault(at, 'must be an object with values by the names of parameters, such as {"metadata.region": ["Asia"]}');
    return [];
  }
  checkGivenParameters(sentParameters, at, fault);
  const values = new Map(Object.entries(givenValues(sentParameters)));
  return Object.keys(sentParameters)
    .slice(0, maxNames)
    .map((name) => ({ name, value: values.get(name) ?? null, at: `${at}.${name}` }));
}

/** Combines parameter values of a token with those of a query. The values of the token take precedence. */
function withGiven(token: ParameterValues, parameters: readonly GivenParameter[]): ParameterValues {
  const setParameters = parameters
    .filter(({ value }) => value !== null)
    .map(({ name, value }) => [name, value] as const);
  return new Map([...byParameter(setParameters), ...token]);
}

const withoutParameters = (object: JsonObject): JsonObject => {
  const { parameters: _parameters, ...rest } = object;
  return rest;
};

/**
 * Separates the parameter values from a `find`. Values next to `queries` apply to all queries. Values within a query
 * take precedence over them. Row filters never use these values. specification/data-queries#parameters
 */
export function takeParameters(find: Json, token: ParameterValues): WithoutParameters {
  const faults: Fault[] = [];
  const fault = (at: string, message: string): void => void faults.push({ at, message });
  const isBatch = isObject(find) && find['queries'] !== undefined;
  const sharedParameters = isBatch ? read(find['parameters'], 'find.parameters', fault) : [];
  // The parser refuses a request with more queries.
  const queries = queriesIn(find).slice(0, maxQueries);
  const queryParameters = queries.map((query, index) => {
    const at = isBatch ? `find.queries[${index}].parameters` : 'find.parameters';
    const parameters = isObject(query) ? read(query['parameters'], at, fault) : [];
    const names = new Set(parameters.map(({ name }) => parameterName(name)));
    return [...sharedParameters.filter(({ name }) => !names.has(parameterName(name))), ...parameters];
  });
  const namedValues = queryParameters.map((parameters) => ({
    given: parameters,
    values: parameters.length === 0 ? token : withGiven(token, parameters),
  }));
  const rest = queriesIn(find).map((query) => (isObject(query) ? withoutParameters(query) : query));
  return {
    find: withQueries(isBatch ? withoutParameters(find) : find, rest),
    of: (index) => namedValues[index] ?? { given: [], values: token },
    faults,
  };
}
