import { filtersWithin, filterTerms } from '../filter/terms.ts';
import { filledText, isObject, listOr, member, objectOr, textOr, type Json, type JsonObject } from '../json.ts';
import { parameterName } from './parameter-name.ts';
import { groupsOf } from './view-groups.ts';
import type { Item } from './item.ts';

/** A value `{parameter, type, value}` of a filter. */
export interface NamedParameter {
  readonly parameter: string;
  /** Type of the parameter; empty if unknown. */
  readonly type: string;
  readonly value: Json | undefined;
}

export interface ParameterChoice {
  readonly value: Json;
  /** A text, or one text per language; null if the value itself is shown. */
  readonly label: Json;
}

/** The parameter that a `parameter-control` item sets. */
export interface ParameterControl extends NamedParameter {
  /** True if only the token of the viewer can set the parameter. */
  readonly isFixed: boolean;
  /** The values to choose from; null if any value is allowed. Empty if no choice can be read. */
  readonly choices: readonly ParameterChoice[] | null;
}

function parameterOf(value: Json | undefined): readonly NamedParameter[] {
  const reference = objectOr(value);
  const parameter = filledText(member(reference, 'parameter'));
  return parameter === null
    ? []
    : [{ parameter, type: textOr(member(reference, 'type'), ''), value: member(reference, 'value') }];
}

const maxDepth = 16;

/** Returns the parameters in the filters of groups and of their subgroups. */
export const parametersIn = (groups: Json | undefined, depth = 0): readonly NamedParameter[] =>
  depth > maxDepth
    ? []
    : listOr(groups)
        .map(objectOr)
        .flatMap((group) => [
          ...listOr(member(group, 'filters'))
            .flatMap((condition) => filtersWithin(condition))
            .flatMap(({ filter }) => parameterOf(filterTerms(objectOr(filter)).value)),
          ...parametersIn(member(group, 'subGroups'), depth + 1),
        ]);

/** Maximum number of choices. Further choices are dropped. */
export const maxChoices = 1000;

const choiceOf = (choice: Json): ParameterChoice =>
  isObject(choice)
    ? { value: member(choice, 'value') ?? null, label: member(choice, 'label') ?? null }
    : { value: choice, label: null };

const choicesIn = (choices: Json): readonly ParameterChoice[] =>
  listOr(choices)
    .slice(0, maxChoices)
    .map(choiceOf)
    .filter(({ value }) => value !== null);

/** The parameters of a dashboard by `parameterName`: those that it declares, and those that its filters use. */
export interface ParameterScope {
  readonly declared: ReadonlyMap<string, JsonObject>;
  readonly used: ReadonlyMap<string, NamedParameter>;
}

/** Returns the entries by key. If several entries have the same key, the first one counts. */
const byName = <One>(pairs: readonly (readonly [string, One])[]): ReadonlyMap<string, One> =>
  new Map(pairs.toReversed());

export function parameterScope(contents: JsonObject): ParameterScope {
  const declarations = listOr(member(contents, 'parameters')).map(objectOr);
  const usedParameters = listOr(member(contents, 'views')).flatMap((view) => parametersIn(groupsOf(objectOr(view))));
  return {
    declared: byName(
      declarations.map((entry) => [
        parameterName(textOr(member(entry, 'parameter'), textOr(member(entry, 'name'), ''))),
        entry,
      ]),
    ),
    used: byName(usedParameters.map((entry) => [parameterName(entry.parameter), entry])),
  };
}

/** Returns the parameter of a control with its initial value; null if the item is no parameter control. */
export function parameterControlOf(
  { type: itemType, options }: Pick<Item, 'type' | 'options'>,
  scope: ParameterScope,
): ParameterControl | null {
  const name = itemType === 'parameter-control' ? filledText(member(options, 'parameter')) : null;
  if (name === null) return null;
  const declaration = scope.declared.get(parameterName(name)) ?? {};
  const filterParameter = scope.used.get(parameterName(name));
  const isFixed = member(declaration, 'fixed') === true;
  const declaredValue = member(declaration, 'value');
  const choices = member(options, 'choices') ?? null;
  return {
    parameter: filterParameter?.parameter ?? name,
    type: filledText(member(declaration, 'type')) ?? filterParameter?.type ?? '',
    value: isFixed ? declaredValue : (filterParameter?.value ?? declaredValue),
    isFixed,
    choices: choices === null ? null : choicesIn(choices),
  };
}

/** Returns the values of a list, or a single value as a list. */
export const valuesIn = (value: Json | undefined): readonly Json[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** The values that a control offers, in a form for fast lookup. */
export interface ParameterOffer {
  /** The choices and the initial value, each as JSON; null if any value is allowed. */
  readonly values: ReadonlySet<string> | null;
}

/** Returns the values that a control offers. A fixed parameter only has its initial value. */
export function offerOf({ choices, value, isFixed }: ParameterControl): ParameterOffer {
  if (choices === null && !isFixed) return { values: null };
  const choiceValues = isFixed ? [] : (choices ?? []).map((choice) => choice.value);
  return { values: new Set([...choiceValues, ...valuesIn(value)].map((entry) => JSON.stringify(entry))) };
}

/**
 * True if the control offers every one of the values, or if `value` is null, which resets the parameter. An empty list
 * is never offered, not even as the initial value, because a filter such as `? not in ?` would let all rows pass.
 */
export function isOffered({ values }: ParameterOffer, value: Json): boolean {
  if (values === null || value === null) return true;
  const parameterValues = valuesIn(value);
  return parameterValues.length > 0 && parameterValues.every((entry) => values.has(JSON.stringify(entry)));
}
