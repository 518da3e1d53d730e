import { comparisonKinds, type ComparisonKind } from '../../item/compared-periods.ts';
import { filterTerms } from '../../filter/terms.ts';
import { isList, isObject, listIn, listOr, member, objectIn, textOr, type Json, type JsonObject } from '../../json.ts';
import type { SlotContent } from '../../item/item.ts';

/** One filter as a data query takes it. */
export interface Filter {
  readonly expression: string;
  readonly datasetId: string;
  readonly columnId: string;
  readonly level: number | null;
  /** Undefined for null tests. */
  readonly value: Json | undefined;
  readonly clause: 'where' | 'having';
  /** What numbers compare their value in this period with. */
  readonly compareWith?: ComparisonKind;
}

/** Several conditions joined. */
export interface JoinedConditions {
  readonly join: 'and' | 'or';
  readonly of: readonly Condition[];
}

/** A condition: one filter, or several joined. */
export type Condition = Filter | JoinedConditions;

/** Where conditions come from: `global`, or the id of the item that a viewer set them with. */
export interface FilterSet {
  readonly origin: string;
  readonly conditions: readonly Condition[];
  /** What a viewer set parameters to, by name; null is what they are without. */
  readonly parameters?: JsonObject | undefined;
}

/** A filter on the column of a slot. */
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

/** The origin of what narrows one item alone. */
export const onlyOf = (itemId: string): string => `${only}${itemId}`;

/** Reads a filter of a dashboard's contents or of `setFilters`; null where it is none. */
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

/** Whether every filter of the groups of a view can be read: where one cannot, nobody knows what it was to leave out. */
export const areReadable = (groups: Json): boolean =>
  isList(groups) &&
  groups.every(
    (group) =>
      isObject(group) &&
      isList(member(group, 'filters') ?? []) &&
      listIn(group, 'filters').every((filter) => readFilter(filter) !== null) &&
      areReadable(member(group, 'subGroups') ?? []),
  );

/** Reads `filterGroups` of a view: one set for each origin. */
export function readFilterGroups(groups: Json | undefined): readonly FilterSet[] {
  const condition = (group: Json): Condition | null => {
    if (!isObject(group)) return null;
    const of = [...listIn(group, 'filters').map(readFilter), ...listIn(group, 'subGroups').map(condition)].filter(
      (one) => one !== null,
    );
    return of.length === 0 ? null : { join: member(group, 'condition') === 'or' ? 'or' : 'and', of };
  };
  return listOr(groups).flatMap((group) => {
    const read = condition(group);
    if (read === null || !isObject(group)) return [];
    const own = textOr(member(group, 'itemId'), null);
    const isItems = member(group, 'origin') === 'itemFilter';
    return [{ origin: isItems && own !== null ? `${only}${own}` : 'global', conditions: [read] }];
  });
}

const wire = ({ expression, datasetId, columnId, level, value }: Filter): JsonObject => ({
  expression,
  parameters: [
    { dataset_id: datasetId, column_id: columnId, ...(level === null ? {} : { level }) },
    ...(value === undefined ? [] : [value]),
  ],
});

/** Reads one filter, or several under `and` or `or`; null where it is neither. */
export function readCondition(value: Json): Condition | null {
  if (!isObject(value)) return null;
  for (const join of ['and', 'or'] as const) {
    const under = member(value, join);
    if (under === undefined || !isList(under)) continue;
    const of = under.map(readCondition).filter((one) => one !== null);
    return of.length === 0 ? null : { join, of };
  }
  return readFilter(value);
}

const propertiesOf = ({ clause, compareWith }: Filter): JsonObject => ({
  type: clause,
  ...(compareWith === undefined ? {} : { compareWith }),
});

/** A condition in the form that `readCondition` reads. */
export const writeCondition = (condition: Condition): JsonObject =>
  isJoined(condition)
    ? { [condition.join]: condition.of.map(writeCondition) }
    : { ...wire(condition), properties: propertiesOf(condition) };

/** What viewers and the page set, as an export takes it: each filter says with which item it was set. */
export const writeFilterSets = (sets: readonly FilterSet[]): readonly JsonObject[] =>
  sets
    .filter(({ origin }) => origin !== 'global' && !origin.startsWith(only))
    .flatMap(({ origin, conditions }) =>
      conditions.map((condition): JsonObject => {
        const written = writeCondition(condition);
        return { ...written, properties: { ...objectIn(written, 'properties'), itemId: origin } };
      }),
    );

/** Filters beside those of a dashboard; an item is not narrowed by those that were set with it. */
export const readFilterSets = (filters: readonly Json[]): readonly FilterSet[] =>
  filters.flatMap((given) => {
    const condition = readCondition(given);
    const properties = isObject(given) ? (member(given, 'properties') ?? null) : null;
    const itemId = isObject(properties) ? textOr(member(properties, 'itemId'), null) : null;
    return condition === null ? [] : [{ origin: itemId ?? 'page', conditions: [condition] }];
  });

/** Conditions that all hold, each alone: what is joined by `and` need not apply together. */
export const apart = (condition: Condition): readonly Condition[] =>
  isJoined(condition) && condition.join === 'and' ? condition.of.flatMap(apart) : [condition];

const onDatasets = (condition: Condition, datasets: ReadonlySet<string>): boolean =>
  isJoined(condition) ? condition.of.every((one) => onDatasets(one, datasets)) : datasets.has(condition.datasetId);

const ofClause = (condition: Condition, clause: Filter['clause']): boolean =>
  isJoined(condition) ? condition.of.some((one) => ofClause(one, clause)) : condition.clause === clause;

const written = (condition: Condition): JsonObject =>
  isJoined(condition) ? { [condition.join]: condition.of.map(written) } : wire(condition);

/**
 * What narrows one item: everything set for the dashboard and by other items, on datasets that the item uses. An item
 * is never narrowed by what was chosen in it, so that another choice stays possible.
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

/** The same as clauses of a query. */
export function filtersFor(
  itemId: string,
  datasets: ReadonlySet<string>,
  sets: readonly FilterSet[],
): { readonly where: readonly JsonObject[]; readonly having: readonly JsonObject[] } {
  const applying = conditionsFor(itemId, datasets, sets);
  return {
    where: applying.filter((condition) => !ofClause(condition, 'having')).map(written),
    having: applying.filter((condition) => ofClause(condition, 'having')).map(written),
  };
}

/** The sets with those of one origin replaced; neither conditions nor parameters takes them away. */
export const withFilters = (
  sets: readonly FilterSet[],
  origin: string,
  conditions: readonly Condition[],
  parameters?: JsonObject,
): readonly FilterSet[] => [
  ...sets.filter((set) => set.origin !== origin),
  ...(conditions.length === 0 && !parameters ? [] : [{ origin, conditions, parameters }]),
];

/** What is set for parameters, by `parameterName`. */
export const parametersOf = (sets: readonly FilterSet[]): JsonObject =>
  Object.assign({}, ...sets.map(({ parameters }) => parameters));

/** Those of some values, by `parameterName`, whose parameters a query names in its filters, as a member of the query; null where it names none. */
export function parametersNamed(query: object, values: JsonObject): { readonly parameters: JsonObject } | null {
  // Filters name a parameter with or without its prefix.
  const text = JSON.stringify(query).replace(/"parameter":"(?!metadata\.)/gu, '$&metadata.');
  const named = Object.entries(values).filter(([name]) => text.includes(`"parameter":${JSON.stringify(name)}`));
  return named.length === 0 ? null : { parameters: Object.fromEntries(named) };
}

/** Every filter of a condition. */
export const filtersOf = (condition: Condition): readonly Filter[] =>
  isJoined(condition) ? condition.of.flatMap(filtersOf) : [condition];

/** Whether numbers compare periods: some filter says with what. */
export const comparesPeriods = (sets: readonly FilterSet[]): boolean =>
  sets.some(({ conditions }) =>
    conditions.flatMap(filtersOf).some(({ compareWith = 'none' }) => compareWith !== 'none'),
  );
