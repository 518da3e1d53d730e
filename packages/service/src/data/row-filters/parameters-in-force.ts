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

/** Adds parameters to the declared parameters of contents. A new parameter replaces a declared one of the same name. */
const replaceParameters = (contents: JsonObject, entries: readonly JsonObject[]): JsonObject => {
  const isNamed = (entry: JsonObject, name: string): boolean =>
    [entry['parameter'], entry['name']].some(
      (entryName) => typeof entryName === 'string' && isSameParameter(entryName, name),
    );
  const others = listOr(contents['parameters']).filter(
    (entry) => !entries.some(({ parameter }) => typeof parameter === 'string' && isNamed(objectOr(entry), parameter)),
  );
  return { ...contents, parameters: [...others, ...entries] };
};

/**
 * Creates a function that adapts contents to a caller. If the token sets a parameter that has a control, the parameter
 * becomes `fixed` and gets the token's value, or null if the value is sensitive.
 */
export function createParametersInForce(reader: Reader, openSecret: OpenSecret) {
  const termsOf = createTermsCache(openSecret);
  return async (caller: Caller, contents: JsonObject): Promise<JsonObject> => {
    const controls = caller.type === 'embed' ? controlsIn(contents) : [];
    if (controls.length === 0) return contents;
    const terms = await termsOf(reader, caller);
    const values = parameterValues(terms.parameters);
    const fixedControls = new Map<string, ParameterControl>(
      controls.flatMap((control) =>
        values.has(parameterName(control.parameter)) ? [[control.parameter, control]] : [],
      ),
    );
    if (fixedControls.size === 0) return contents;
    const entries = [...fixedControls].map(([parameter, { type, value }]): JsonObject => {
      const isHidden = terms.sensitive.some((name) => isSameParameter(name, parameter));
      return {
        parameter,
        type,
        value: isHidden ? null : (values.get(parameterName(parameter)) ?? value ?? null),
        fixed: true,
      };
    });
    return replaceParameters(contents, entries);
  };
}

/** Adapts the parameters in contents to a caller. */
export type ParametersInForce = ReturnType<typeof createParametersInForce>;

/** Returns the declared parameters that have controls in the contents, with the values that a viewer has set. */
export function controlledParameters(contents: JsonObject, sentParameters: JsonObject): JsonObject {
  const setValues = Object.entries(sentParameters).filter(([, value]) => value !== null);
  const entries = controlsIn(contents).map(({ parameter, type, value, isFixed }): JsonObject => {
    const ownValue = isFixed ? undefined : setValues.find(([name]) => isSameParameter(name, parameter))?.[1];
    return { parameter, type, value: ownValue ?? value ?? null, ...(isFixed ? { fixed: true } : {}) };
  });
  return { parameters: entries };
}
