import { isObject, listIn, listOr, member, objectOr, type Json, type JsonObject } from '@inlay/contract';

/** A named option to choose from. */
export interface NamedChoice {
  readonly id: string;
  readonly name: Json;
}

/** Progress and content of the demo. */
export interface State {
  readonly ready: boolean;
  readonly step: string;
  readonly done: number;
  readonly of: number;
  readonly failure: string | null;
  readonly dashboards: readonly NamedChoice[];
  readonly datasets: readonly NamedChoice[];
  readonly tenants: readonly NamedChoice[];
  readonly sources: readonly { readonly title: string; readonly address: string; readonly terms: string }[];
}

export const text = (object: JsonObject, name: string): string => {
  const value = member(object, name);
  return typeof value === 'string' ? value : '';
};
const choicesIn = (value: Json | undefined): readonly NamedChoice[] =>
  listOr(value)
    .filter(isObject)
    .map((object) => ({ id: text(object, 'id'), name: member(object, 'name') ?? '' }));

/** Reads the demo's state from the answer of the service. Missing parts are empty. */
export function readState(value: Json): State {
  const object = objectOr(value);
  const failure = member(object, 'failure');
  const count = (name: string): number => Number(member(object, name) ?? 0);
  return {
    ready: member(object, 'ready') === true,
    step: text(object, 'step'),
    done: count('done'),
    of: count('of'),
    failure: typeof failure === 'string' ? failure : null,
    dashboards: choicesIn(member(object, 'dashboards')),
    datasets: choicesIn(member(object, 'datasets')),
    tenants: choicesIn(member(object, 'tenants')),
    sources: listIn(object, 'sources')
      .filter(isObject)
      .map((source) => ({
        title: text(source, 'title'),
        address: text(source, 'address'),
        terms: text(source, 'terms'),
      })),
  };
}
