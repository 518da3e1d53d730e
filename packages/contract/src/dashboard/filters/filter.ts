import { comparisonKinds, type ComparisonKind } from '../../item/compared-periods.ts';
import { filterTerms, joinedIn } from '../../filter/terms.ts';
import { isList, isObject, listIn, listOr, member, objectIn, textOr, type Json, type JsonObject } from '../../json.ts';
import type { SlotContent } from '../../item/item.ts';

/** A filter of a data query. */
export interface Filter {
  readonly expression: string;
  readonly datasetId: string;
  readonly columnId: string;
  readonly level: number | null;
  /** Value of the test; undefined if it tests for null. */
  readonly value: Json | undefined;
  readonly clause: 'where' | 'having';
  /** The period with which numbers compare the period of this filter. */
  readonly compareWith?: ComparisonKind;
}

/** Several conditions that are joined by `and` or `or`. */
export interface JoinedConditions {
  readonly join: 'and' | 'or';
  readonly of: readonly Condition[];
}

/** A filter, or several conditions that are joined. */
export type Condition = Filter | JoinedConditions;

/**
 * Conditions and parameters of one origin: `global` for the dashboard, `page` for the page, the result of `onlyOf` for
 * filters on a single item, or the id of the item in which the viewer set them.
 */
export interface FilterSet {
  readonly origin: string;
  readonly conditions: readonly Condition[];
  /** Values of parameters by name. A null value resets a parameter to its default. */
  readonly parameters?: JsonObject | undefined;
}

/** Returns a filter on the column of a slot. */
export const filterOn = (content: SlotContent, expression: string, value: Json | undefined): Filter => ({
  expression,
  datasetId: content.datasetId ?? '',
  columnId: content.columnId ?? '',
  level: content.level,
  value,
  clause: 'where',
});

const isJoined = (condition: Condition): condition is JoinedConditions => 'join' in condition;
const only = 'only:';
/** True if a set applies to a single item. */
export const isOfOneItem = ({ origin }: FilterSet): boolean => origin.startsWith(only);

/** Returns the origin of filters that apply to a single item. */
export const onlyOf = (itemId: string): string => `${only}${itemId}`;

/** Reads a filter of contents or of `setFilters`; null if the filter is malformed. */
export function readFilter(value: Json): Filter | null {
  if (!isObject(value)) return null;
  const expression = textOr(member(value, 'expression'), null);
  const terms = filterTerms(value);
  const datasetId = textOr(terms.datasetId, null);
  const columnId = textOr(terms.columnId, null);
  if (expression === null || datasetId === null || columnId === null) return null;
  const properties = objectIn(value, 'properties');
  const compareWith = comparisonKinds.find((kind) => kind === member(properties, 'compareWith'));
  return {
    expression,
    datasetId,
    columnId,
    level: typeof terms.level === 'number' ? terms.level : null,
    value: terms.value,
    clause: [member(value, 'clause'), member(properties, 'type')].includes('having') ? 'having' : 'where',
    ...(compareWith === undefined ? {} : { compareWith }),
  };
}

/** True if a filter, or each of the filters that `and` or `or` join, can be read. */
function isReadable(value: Json): boolean {
  const joined = joinedIn(value);
  if (joined === null || !isObject(value)) return readFilter(value) !== null;
  const others = ['and', 'or', 'expression'].filter(
    (name) => name !== joined.join && member(value, name) !== undefined,
  );
  return others.length === 0 && joined.of.length > 0 && joined.of.every(isReadable);
}

/**
 * True if every filter of a view can be read. A filter that cannot be read may have been meant to hide rows, so the
 * items of such a view show no rows.
 */
export const areReadable = (groups: Json): boolean =>
  isList(groups) &&
  groups.every(
    (group) =>
      isObject(group) &&
      isList(member(group, 'filters') ?? []) &&
      listIn(group, 'filters').every(isReadable) &&
      areReadable(member(group, 'subGroups') ?? []),
  );

/** Reads the `filterGroups` of a view. Each group becomes a set of its origin. */
export function readFilterGroups(groups: Json | undefined): readonly FilterSet[] {
  const condition = (group: Json): Condition | null => {
    if (!isObject(group)) return null;
    const of = [...listIn(group, 'filters').map(readCondition), ...listIn(group, 'subGroups').map(condition)].filter(
      (value) => value !== null,
    );
    return of.length === 0 ? null : { join: member(group, 'condition') === 'or' ? 'or' : 'and', of };
  };
  return listOr(groups).flatMap((group) => {
    const groupCondition = condition(group);
    if (groupCondition === null || !isObject(group)) return [];
    const itemId = textOr(member(group, 'itemId'), null);
    const isItems = member(group, 'origin') === 'itemFilter';
    return [{ origin: isItems && itemId !== null ? `${only}${itemId}` : 'global', conditions: [groupCondition] }];
  });
}

const wire = ({ expression, datasetId, columnId, level, value }: Filter): JsonObject => ({
  expression,
  parameters: [
    { dataset_id: datasetId, column_id: columnId, ...(level === null ? {} : { level }) },
    ...(value === undefined ? [] : [value]),
  ],
});

/** Reads a filter, or several filters under `and` or `or`; null if the value is malformed. */
export function readCondition(value: Json): Condition | null {
  const joined = joinedIn(value);
  if (joined === null) return readFilter(value);
  const of = joined.of.map(readCondition).filter((entry) => entry !== null);
  return of.length === 0 ? null : { join: joined.join, of };
}

const propertiesOf = ({ clause, compareWith }: Filter): JsonObject => ({
  type: clause,
  ...(compareWith === undefined ? {} : { compareWith }),
});

/** Writes a condition in the format that `readCondition` reads. */
export const writeCondition = (condition: Condition): JsonObject =>
  isJoined(condition)
    ? { [condition.join]: condition.of.map(writeCondition) }
    : { ...wire(condition), properties: propertiesOf(condition) };

/**
 * Writes the filters of viewers and of the page for an export request. Each has the id of the item in which it was set.
 */
export const writeFilterSets = (sets: readonly FilterSet[]): readonly JsonObject[] =>
  sets
    .filter(({ origin }) => origin !== 'global' && !origin.startsWith(only))
    .flatMap(({ origin, conditions }) =>
      conditions.map((condition): JsonObject => {
        const wireFilter = writeCondition(condition);
        return { ...wireFilter, properties: { ...objectIn(wireFilter, 'properties'), itemId: origin } };
      }),
    );

/** Reads the filters of an export request. A filter does not apply to the item in which it was set. */
export const readFilterSets = (filters: readonly Json[]): readonly FilterSet[] =>
  filters.flatMap((filter) => {
    const condition = readCondition(filter);
    const properties = isObject(filter) ? (member(filter, 'properties') ?? null) : null;
    const itemId = isObject(properties) ? textOr(member(properties, 'itemId'), null) : null;
    return condition === null ? [] : [{ origin: itemId ?? 'page', conditions: [condition] }];
  });

/** Returns the conditions that `and` joins as separate conditions. */
export const apart = (condition: Condition): readonly Condition[] =>
  isJoined(condition) && condition.join === 'and' ? condition.of.flatMap(apart) : [condition];

const onDatasets = (condition: Condition, datasets: ReadonlySet<string>): boolean =>
  isJoined(condition)
    ? condition.of.every((joinedCondition) => onDatasets(joinedCondition, datasets))
    : datasets.has(condition.datasetId);

const ofClause = (condition: Condition, clause: Filter['clause']): boolean =>
  isJoined(condition)
    ? condition.of.some((joinedCondition) => ofClause(joinedCondition, clause))
    : condition.clause === clause;

const wireCondition = (condition: Condition): JsonObject =>
  isJoined(condition) ? { [condition.join]: condition.of.map(wireCondition) } : wire(condition);

/**
 * Returns the conditions that apply to an item: those of the dashboard and of the other items, if the item uses their
 * datasets. The selection in an item does not filter the item itself, so that viewers can change the selection.
 */
export const conditionsFor = (
  itemId: string,
  datasets: ReadonlySet<string>,
  sets: readonly FilterSet[],
): readonly Condition[] =>
  sets
    .filter(({ origin }) => (origin.startsWith(only) ? origin === `${only}${itemId}` : origin !== itemId))
    .flatMap(({ conditions }) => conditions.flatMap(apart))
    .filter((condition) => onDatasets(condition, datasets));

/** Returns the filters that apply to an item as clauses of a query. */
export function filtersFor(
  itemId: string,
  datasets: ReadonlySet<string>,
  sets: readonly FilterSet[],
): { readonly where: readonly JsonObject[]; readonly having: readonly JsonObject[] } {
  const conditions = conditionsFor(itemId, datasets, sets);
  return {
    where: conditions.filter((condition) => !ofClause(condition, 'having')).map(wireCondition),
    having: conditions.filter((condition) => ofClause(condition, 'having')).map(wireCondition),
  };
}

/** Replaces the set of an origin. Removes it if there are neither conditions nor parameters. */
export const withFilters = (
  sets: readonly FilterSet[],
  origin: string,
  conditions: readonly Condition[],
  parameters?: JsonObject,
): readonly FilterSet[] => [
  ...sets.filter((set) => set.origin !== origin),
  ...(conditions.length === 0 && !parameters ? [] : [{ origin, conditions, parameters }]),
];

/** Returns the parameter values of all sets, by `parameterName`. */
export const parametersOf = (sets: readonly FilterSet[]): JsonObject =>
  Object.assign({}, ...sets.map(({ parameters }) => parameters));

/**
 * Returns the `parameters` member of a query, with the values of the parameters that its filters use; null if they use
 * none.
 */
export function parametersNamed(query: object, values: JsonObject): { readonly parameters: JsonObject } | null {
  // A filter can name a parameter with or without the prefix `metadata.`.
  const text = JSON.stringify(query).replace(/"parameter":"(?!metadata\.)/gu, '$&metadata.');
  const namedParameters = Object.entries(values).filter(([name]) =>
    text.includes(`"parameter":${JSON.stringify(name)}`),
  );
  return namedParameters.length === 0 ? null : { parameters: Object.fromEntries(namedParameters) };
}

/** Returns all filters of a condition, including joined ones. */
export const filtersOf = (condition: Condition): readonly Filter[] =>
  isJoined(condition) ? condition.of.flatMap(filtersOf) : [condition];

/** True if any filter compares its period with another period. */
export const comparesPeriods = (sets: readonly FilterSet[]): boolean =>
  sets.some(({ conditions }) =>
    conditions.flatMap(filtersOf).some(({ compareWith = 'none' }) => compareWith !== 'none'),
  );
