import {
  isSameParameter,
  listOr,
  objectOr,
  parameterName,
  type JsonObject,
  type ParameterControl,
} from '@inlay/contract';
import type { Caller } from '../../access/caller.ts';
import type { Reader } from '../../store/store.ts';
import { controlsIn } from '../../dashboards/stored-items/parameter-offers.ts';
import { createTermsCache, type OpenSecret } from './load-terms.ts';
import { parameterValues } from './row-filters.ts';

/** The declared parameters, with others replaced or added by name. */
const replaced = (contents: JsonObject, entries: readonly JsonObject[]): JsonObject => {
  const isNamed = (one: JsonObject, name: string): boolean =>
    [one['parameter'], one['name']].some((own) => typeof own === 'string' && isSameParameter(own, name));
  const others = listOr(contents['parameters']).filter(
    (one) => !entries.some(({ parameter }) => typeof parameter === 'string' && isNamed(objectOr(one), parameter)),
  );
  return { ...contents, parameters: [...others, ...entries] };
};

/**
 * Gives contents as a caller sees them: where the token sets a parameter that has a control, the parameter is `fixed` and has the
 * value of the token, or null where the token says that the value is sensitive.
 */
export function createParametersInForce(reader: Reader, open: OpenSecret) {
  const termsOf = createTermsCache(open);
  return async (caller: Caller, contents: JsonObject): Promise<JsonObject> => {
    const controls = caller.type === 'embed' ? controlsIn(contents) : [];
    if (controls.length === 0) return contents;
    const terms = await termsOf(reader, caller);
    const values = parameterValues(terms.parameters);
    const fixed = new Map<string, ParameterControl>(
      controls.flatMap((control) =>
        values.has(parameterName(control.parameter)) ? [[control.parameter, control]] : [],
      ),
    );
    if (fixed.size === 0) return contents;
    const entries = [...fixed].map(([parameter, { type, value }]): JsonObject => {
      const isHidden = terms.sensitive.some((name) => isSameParameter(name, parameter));
      return {
        parameter,
        type,
        value: isHidden ? null : (values.get(parameterName(parameter)) ?? value ?? null),
        fixed: true,
      };
    });
    return replaced(contents, entries);
  };
}

/** Fixes parameters in contents. */
export type ParametersInForce = ReturnType<typeof createParametersInForce>;

/** The parameters of the controls of contents alone, as contents declare them, with what a viewer set in place of what is in force. */
export function controlledParameters(contents: JsonObject, set: JsonObject): JsonObject {
  const given = Object.entries(set).filter(([, value]) => value !== null);
  const entries = controlsIn(contents).map(({ parameter, type, value, isFixed }): JsonObject => {
    const own = isFixed ? undefined : given.find(([name]) => isSameParameter(name, parameter))?.[1];
    return { parameter, type, value: own ?? value ?? null, ...(isFixed ? { fixed: true } : {}) };
  });
  return { parameters: entries };
}
