import {
  inWords,
  isObject,
  isOffered,
  listOr,
  objectOr,
  offerOf,
  parameterControlOf,
  parameterName,
  parameterScope,
  readItem,
  type Json,
  type ParameterControl,
  type ParameterOffer,
} from '@inlay/contract';
import type { ParameterValues } from '@inlay/query';
import { Problem } from '../../problems/problem.ts';

/** A parameter value in a query. */
export interface GivenParameter {
  readonly name: string;
  /** The value; null leaves the parameter unchanged. */
  readonly value: Json;
  /** Path of the parameter, such as `find.parameters.metadata.region`. */
  readonly at: string;
}

/**
 * Parameter values in effect (`values`), in which values of the token take precedence, and the values that the query
 * itself has (`given`).
 */
export interface QueryParameters {
  readonly values: ParameterValues;
  readonly given: readonly GivenParameter[];
}

/** Returns the parameter controls in all views of a dashboard. */
export function controlsIn(contents: Json): readonly ParameterControl[] {
  if (!isObject(contents)) return [];
  const scope = parameterScope(contents);
  return listOr(contents['views']).flatMap((view) =>
    listOr(objectOr(view)['items']).flatMap((entry) => {
      const item = readItem(entry);
      return item === null ? [] : (parameterControlOf(item, scope) ?? []);
    }),
  );
}

/**
 * Values that a dashboard's controls offer to readers, by `parameterName`. Each control of a parameter adds an entry.
 */
export type ParameterOffers = ReadonlyMap<string, readonly ParameterOffer[]>;

/** Reads the offers of all controls in contents. */
export function offersIn(contents: Json): ParameterOffers {
  const offers = new Map<string, ParameterOffer[]>();
  for (const control of controlsIn(contents)) {
    const name = parameterName(control.parameter);
    const knownOffers = offers.get(name) ?? [];
    knownOffers.push(offerOf(control));
    offers.set(name, knownOffers);
  }
  return offers;
}

/** Returns why readers may not set a parameter to a value; null if they may set it. */
function faultOf({ name, value }: GivenParameter, offers: ParameterOffers): string | null {
  const parameterOffers = offers.get(parameterName(name)) ?? [];
  if (parameterOffers.length === 0) return 'is a parameter that no parameter-control of the dashboard sets';
  return parameterOffers.some((offer) => isOffered(offer, value))
    ? null
    : 'is not among the choices of the parameter-control of the dashboard';
}

/**
 * Returns the problem for parameter values that the dashboard does not offer to readers; null if it offers all of them.
 */
export function refusedParameters(
  parameters: readonly GivenParameter[],
  offers: () => ParameterOffers,
): Problem | null {
  if (parameters.length === 0) return null;
  const dashboardOffers = offers();
  const faults = parameters.flatMap((parameter) => {
    const message = faultOf(parameter, dashboardOffers);
    return message === null ? [] : [{ ...parameter, message }];
  });
  const [firstFault] = faults;
  return firstFault === undefined
    ? null
    : new Problem('forbidden', {
        message: `You may only read these datasets, so parameters are limited to what a parameter-control offers: ${firstFault.name} ${firstFault.message}. Other values need *use*.`,
        validation: Object.fromEntries(faults.map(({ at, message }) => [at, [message]])),
      });
}

/** Returns the parameters for which readers can choose more values than before. */
export function openedParameters(offers: ParameterOffers, previousOffers: ParameterOffers): ReadonlySet<string> {
  const isOpened = ([name, newOffers]: readonly [string, readonly ParameterOffer[]]): boolean => {
    const earlierOffers = previousOffers.get(name) ?? [];
    if (earlierOffers.some(({ values }) => values === null)) return false;
    const earlierValues = new Set(earlierOffers.flatMap(({ values }) => [...(values ?? [])]));
    return (
      earlierOffers.length === 0 ||
      newOffers.some(({ values }) => values === null || [...values].some((value) => !earlierValues.has(value)))
    );
  };
  return new Set([...offers].filter(isOpened).map(([name]) => name));
}

/** True if any condition uses one of the named parameters. */
export const nameOneOf = (conditions: readonly Json[], names: ReadonlySet<string>): boolean =>
  [...JSON.stringify(conditions).matchAll(/"parameter":("(?:[^"\\]|\\.)*")/gu)].some(([, name = '""']) =>
    names.has(parameterName(inWords(JSON.parse(name)))),
  );
