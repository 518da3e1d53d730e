import { filterTerms } from '../filter/terms.ts';
import { filledText, isObject, listOr, member, objectOr, textOr, type Json, type JsonObject } from '../json.ts';
import { parameterName } from './parameter-name.ts';
import type { Item } from './item.ts';

/** A value `{parameter, type, value}` of a filter. */
export interface NamedParameter {
  readonly parameter: string;
  /** An empty text where nothing says it. */
  readonly type: string;
  /** Undefined where there is none. */
  readonly value: Json | undefined;
}

/** A value that a control offers. */
export interface ParameterChoice {
  readonly value: Json;
  /** A text, or one per language; null where the value is its own label. */
  readonly label: Json;
}

/** What an item of type `parameter-control` lets viewers set. */
export interface ParameterControl extends NamedParameter {
  /** Whether the token of the viewer sets it, so that nobody else does. */
  readonly isFixed: boolean;
  /** Null where viewers may write any value; none where choices are empty or cannot be read. */
  readonly choices: readonly ParameterChoice[] | null;
}

function parameterOf(value: Json | undefined): readonly NamedParameter[] {
  const given = objectOr(value);
  const parameter = filledText(member(given, 'parameter'));
  return parameter === null
    ? []
    : [{ parameter, type: textOr(member(given, 'type'), ''), value: member(given, 'value') }];
}

const groupsMost = 16;

/** The parameters that the filters of some groups name, those of groups inside them too. */
export const parametersIn = (groups: Json | undefined, depth = 0): readonly NamedParameter[] =>
  depth > groupsMost
    ? []
    : listOr(groups)
        .map(objectOr)
        .flatMap((group) => [
          ...listOr(member(group, 'filters')).flatMap((filter) => parameterOf(filterTerms(objectOr(filter)).value)),
          ...parametersIn(member(group, 'subGroups'), depth + 1),
        ]);

/** Choices that a control offers at most; further ones are left out. */
export const mostChoices = 1000;

const choiceOf = (given: Json): ParameterChoice =>
  isObject(given)
    ? { value: member(given, 'value') ?? null, label: member(given, 'label') ?? null }
    : { value: given, label: null };

const choicesIn = (given: Json): readonly ParameterChoice[] =>
  listOr(given)
    .slice(0, mostChoices)
    .map(choiceOf)
    .filter(({ value }) => value !== null);

/** The parameters of a dashboard by `parameterName`: those that its contents declare, and those that its filters name. */
export interface ParameterScope {
  readonly declared: ReadonlyMap<string, JsonObject>;
  readonly used: ReadonlyMap<string, NamedParameter>;
}

/** The first of each key counts. */
const byName = <One>(all: readonly (readonly [string, One])[]): ReadonlyMap<string, One> => new Map(all.toReversed());

/** Reads the parameters of contents. */
export function parameterScope(contents: JsonObject): ParameterScope {
  const declared = listOr(member(contents, 'parameters')).map(objectOr);
  const used = listOr(member(contents, 'views')).flatMap((view) =>
    parametersIn(member(objectOr(view), 'filterGroups')),
  );
  return {
    declared: byName(
      declared.map((one) => [parameterName(textOr(member(one, 'parameter'), textOr(member(one, 'name'), ''))), one]),
    ),
    used: byName(used.map((one) => [parameterName(one.parameter), one])),
  };
}

/** What an item lets viewers set, with the value that is in force until they do; null where it is no control of a parameter. */
export function parameterControlOf(
  { type: itemType, options }: Pick<Item, 'type' | 'options'>,
  scope: ParameterScope,
): ParameterControl | null {
  const name = itemType === 'parameter-control' ? filledText(member(options, 'parameter')) : null;
  if (name === null) return null;
  const declared = scope.declared.get(parameterName(name)) ?? {};
  const used = scope.used.get(parameterName(name));
  const isFixed = member(declared, 'fixed') === true;
  const own = member(declared, 'value');
  const choices = member(options, 'choices') ?? null;
  return {
    parameter: used?.parameter ?? name,
    type: filledText(member(declared, 'type')) ?? used?.type ?? '',
    value: isFixed ? own : (used?.value ?? own),
    isFixed,
    choices: choices === null ? null : choicesIn(choices),
  };
}

/** One value, or each of a list. */
export const valuesIn = (value: Json | undefined): readonly Json[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** What a control lets viewers set, ready to be looked up. */
export interface ParameterOffer {
  /** As JSON: its choices, and what is in force without one; null where it is any value. */
  readonly values: ReadonlySet<string> | null;
}

/** Reads what a control offers; where the parameter is fixed, no more than what is in force. */
export function offerOf({ choices, value, isFixed }: ParameterControl): ParameterOffer {
  if (choices === null && !isFixed) return { values: null };
  const own = isFixed ? [] : (choices ?? []).map((choice) => choice.value);
  return { values: new Set([...own, ...valuesIn(value)].map((one) => JSON.stringify(one))) };
}

/**
 * Whether a value, or each of several, is offered; null sets nothing. An empty list never is, not even where it is in force: a filter
 * such as `? not in ?` lets everything through for it.
 */
export function isOffered({ values }: ParameterOffer, value: Json): boolean {
  if (values === null || value === null) return true;
  const all = valuesIn(value);
  return all.length > 0 && all.every((one) => values.has(JSON.stringify(one)));
}
