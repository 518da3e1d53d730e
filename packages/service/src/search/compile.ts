import { fold, inWords, type Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { columnsOf, condition, every, permits, type Columns } from '../access/permits.ts';
import { forVariety } from '../declare/variety.ts';
import type { Resource } from '../resource/define.ts';
import type { Field } from '../declare/fields.ts';
import { kinds, type Kind } from '../declare/kinds.ts';
import { columnFields, fieldsInTexts, searchedFields } from '../resource/tables.ts';
import type { Dialect } from '../store/dialect.ts';
import { join, list, name, sql, text, type Sql } from '../store/sql.ts';
import { textColumn } from '../store/text-columns.ts';
import type { Comparable, Condition, Operator, Order } from './find.ts';

/** The table, alias and caller of a search. */
export interface Scope {
  readonly dialect: Dialect;
  readonly resource: Resource;
  readonly alias: Sql;
  readonly caller: Caller | null;
  /** True if the text index narrows the search, so that no other index should be used. */
  readonly narrowed?: boolean;
  /**
   * Field whose index returns the page in order. Other indexes are disabled: the store would use them to find a range,
   * and then sort the whole range.
   */
  readonly pagedBy?: string;
}

const standard = new Set(['id', 'organization_id', 'created_at', 'updated_at', 'deleted_at']);

/** Returns the columns for access conditions. If the text index narrows the search, they use no index. */
function rightColumns({ dialect, alias, narrowed }: Scope): Columns {
  const plainColumns = columnsOf(alias);
  return narrowed === true ? (field) => dialect.unindexed(plainColumns(field)) : plainColumns;
}

/** Condition for rows that the caller may see. Rows that are only marked as deleted are excluded. */
export function visible(scope: Scope): Sql {
  const { resource, alias, caller } = scope;
  const role = resource.roles.get;
  const readRole = role === undefined ? undefined : forVariety(role, undefined);
  const verdict = readRole !== undefined && permits(readRole, caller, rightColumns(scope));
  const isAllowed = condition(verdict);
  return resource.softDelete === true ? sql`${isAllowed} and ${alias}.deleted_at is null` : isAllowed;
}

/** Condition that a caller may see a field of a row; null if everyone may see it. */
function mayBeSeen(scope: Scope, { shownTo }: Field): Sql | null {
  const verdict = shownTo === undefined || permits(shownTo, scope.caller, rightColumns(scope));
  return verdict === true ? null : condition(verdict);
}

/** Replaces a field by null if the caller may not see it. */
function shown(scope: Scope, field: Field, expression: Sql): Sql {
  const isSeen = mayBeSeen(scope, field);
  return isSeen === null ? expression : sql`(case when ${isSeen} then ${expression} end)`;
}

/** Kinds whose values sort alike in every collation, so that an index can be used. */
const inOneOrder: readonly string[] = ['uuid', 'reference', 'timestamp'];

const hasColumn = (resource: Resource, field: string): boolean =>
  standard.has(field) || columnFields(resource).some(([column]) => column === field);

/** Returns the column with the JSON of a field. This is the short column `texts` if it has the field. */
const jsonWith = ({ resource, alias }: Scope, field: string): Sql =>
  fieldsInTexts(resource).includes(field) ? sql`${alias}.texts` : sql`${alias}.record`;

/** Returns the SQL expression of a field for comparing and, if `isOrdered`, for ordering by code point. */
function expressionOf(scope: Scope, fieldName: string, language: string | null, isOrdered = true): Sql {
  const { dialect, resource, alias } = scope;
  const field = resource.fields[fieldName];
  if (field === undefined) throw new Error(`not a field: ${fieldName}`);
  const holds = kinds[field.kind].holds ?? 'text';
  const record = jsonWith(scope, fieldName);
  const rawValue = hasColumn(resource, fieldName)
    ? sql`${alias}.${name(fieldName)}`
    : dialect.member(record, language === null ? [fieldName] : [fieldName, language], holds);
  const byCodePoint = isOrdered && holds === 'text' && !inOneOrder.includes(field.kind);
  return shown(scope, field, byCodePoint ? dialect.ordered(rawValue) : rawValue);
}

const escapePattern = (value: string): string => value.replaceAll(/[\\%_]/gu, (sign) => `\\${sign}`);

type Positive = (dialect: Dialect, expression: Sql, values: readonly Comparable[]) => Sql;
const textOf = (values: readonly Comparable[]): string => String(values[0] ?? '');

/** Matches one of the values. A condition elsewhere tests for null. */
const within = (expression: Sql, values: readonly Comparable[]): Sql =>
  values.length === 0 ? text('1 = 0') : sql`${expression} in ${list(values)}`;

/**
 * Conditions of positive operators. A negative operator is the complement of its positive operator, so `ne`, `notIn`
 * and `notLike` match nulls.
 */
const positives = {
  eq: (_dialect, expression, values) => within(expression, values),
  gt: (_dialect, expression, [value]) => sql`${expression} > ${value ?? null}`,
  gte: (_dialect, expression, [value]) => sql`${expression} >= ${value ?? null}`,
  lt: (_dialect, expression, [value]) => sql`${expression} < ${value ?? null}`,
  lte: (_dialect, expression, [value]) => sql`${expression} <= ${value ?? null}`,
  in: (_dialect, expression, values) => within(expression, values),
  like: (dialect, expression, values) => dialect.like(expression, sql`${textOf(values)}`),
  iLike: (dialect, expression, values) => dialect.iLike(expression, sql`${textOf(values)}`),
  between: (_dialect, expression, [lowerBound, upperBound]) =>
    sql`${expression} between ${lowerBound ?? null} and ${upperBound ?? null}`,
  startsWith: (dialect, expression, values) => dialect.like(expression, sql`${`${escapePattern(textOf(values))}%`}`),
  endsWith: (dialect, expression, values) => dialect.like(expression, sql`${`%${escapePattern(textOf(values))}`}`),
  contains: (dialect, expression, values) => dialect.like(expression, sql`${`%${escapePattern(textOf(values))}%`}`),
} as const satisfies Readonly<Record<string, Positive>>;

const opposites = { ne: 'eq', notIn: 'in', notLike: 'like', notILike: 'iLike', notBetween: 'between' } as const;

/**
 * Returns folded text that every match must contain, so that the text index can preselect rows. Returns undefined if
 * there is no such text.
 */
function certainFragment(operator: keyof typeof positives, values: readonly Comparable[]): string | undefined {
  const [value] = values;
  if (typeof value !== 'string' || values.length !== 1) return undefined;
  const isPattern = operator === 'like' || operator === 'iLike';
  const isLiteral = ['eq', 'contains', 'startsWith', 'endsWith'].includes(operator);
  if (!isPattern && !isLiteral) return undefined;
  const pieces = isPattern ? value.replaceAll(/\\./gu, '%').split(/[%_]/u) : [value];
  const longest = pieces.map(fold).sort((left, right) => right.length - left.length)[0] ?? '';
  return longest === '' || longest.includes('\n') ? undefined : longest;
}

/** Minimum length of a fragment that the text index can find, in characters. */
const shortestIndexed = 3;

/** True if the text index finds every row that can match the condition. */
export function isNarrowed(resource: Resource, where: Condition): boolean {
  if (where.kind === 'and') return where.of.some((part) => isNarrowed(resource, part));
  if (where.kind === 'or') return where.of.length > 0 && where.of.every((part) => isNarrowed(resource, part));
  if (where.kind !== 'compare' || !isPositive(where.operator)) return false;
  if (!searchedFields(resource).includes(where.field)) return false;
  return Array.from(certainFragment(where.operator, where.values) ?? '').length >= shortestIndexed;
}

const patterns: readonly Operator[] = ['like', 'notLike', 'iLike', 'notILike', 'startsWith', 'endsWith', 'contains'];

/** Counts the patterns in a condition. */
export function patternsIn(where: Condition): number {
  if (where.kind === 'not') return patternsIn(where.of);
  if (where.kind !== 'compare') return where.of.reduce((sum, value) => sum + patternsIn(value), 0);
  return patterns.includes(where.operator) ? 1 : 0;
}

/** True if a condition reads JSON of many records, matches patterns, or compares with many values. */
export function costs(resource: Resource, where: Condition): boolean {
  if (where.kind === 'not') return costs(resource, where.of);
  if (where.kind !== 'compare') return where.of.some((part) => costs(resource, part));
  return patterns.includes(where.operator) || where.values.length > 100 || !hasColumn(resource, where.field);
}

const isPositive = (operator: Operator): operator is keyof typeof positives => Object.hasOwn(positives, operator);

function narrowedBy(scope: Scope, fieldName: string, fragment: string | undefined, exactTest: Sql): Sql {
  const { resource, dialect, alias } = scope;
  if (fragment === undefined || !searchedFields(resource).includes(fieldName)) return exactTest;
  return sql`(${dialect.candidates(resource.name, alias, [fieldName], fragment)} and ${exactTest})`;
}

function compare(scope: Scope, term: Condition & { kind: 'compare' }): Sql {
  const { operator, values, language } = term;
  const { dialect, resource } = scope;
  const field = resource.fields[term.field];
  const isWhole = field?.kind === 'multilingual' && language === null;
  const json = jsonWith(scope, term.field);
  const record = field === undefined ? json : shown(scope, field, json);
  const anyValue = (test: (value: Sql) => Sql): Sql =>
    dialect.anyValue(record, [term.field], (value) => test(dialect.ordered(value)));
  if (operator === 'isNull') {
    const isPresent = isWhole ? anyValue(() => text('1 = 1')) : isSet(scope, term.field, language);
    return values[0] === 1 ? sql`not ${isPresent}` : isPresent;
  }
  if (
    operator === 'ne' ||
    operator === 'notIn' ||
    operator === 'notLike' ||
    operator === 'notILike' ||
    operator === 'notBetween'
  ) {
    const positiveTerm: Condition & { kind: 'compare' } = { ...term, operator: opposites[operator] };
    return dialect.negated(compare(scope, positiveTerm));
  }
  const test = positives[operator];
  if (values.includes(null)) {
    const hasNoValue = sql`not ${isWhole ? anyValue(() => text('1 = 1')) : isSet(scope, term.field, language)}`;
    const others = values.filter((value) => value !== null);
    return others.length === 0 ? hasNoValue : sql`(${hasNoValue} or ${compare(scope, { ...term, values: others })})`;
  }
  const isEqual = operator === 'eq' || operator === 'in';
  const plainValue = expressionOf(scope, term.field, language, !isEqual);
  const isOther = field?.paged === true && !isEqual && scope.pagedBy !== term.field;
  const exactTest = isWhole
    ? anyValue((value) => test(dialect, value, values))
    : sql`(${test(dialect, isOther ? dialect.unindexed(plainValue) : plainValue, values)})`;
  return narrowedBy(scope, term.field, certainFragment(operator, values), exactTest);
}

/** Kinds whose values are objects or lists, and not texts, numbers or flags. */
const structured: readonly Kind[] = ['object', 'list', 'multilingualList'];

/** Condition that a field has a value. Also works for objects and lists. */
function isSet(scope: Scope, fieldName: string, language: string | null): Sql {
  const field = scope.resource.fields[fieldName];
  const record = sql`${scope.alias}.record`;
  if (field !== undefined && structured.includes(field.kind))
    return scope.dialect.isSet(shown(scope, field, record), [fieldName]);
  return sql`(${expressionOf(scope, fieldName, language, false)} is not null)`;
}

/** Compiles a checked `where`. Every value is bound, and every identifier comes from the declaration. */
export function compileCondition(scope: Scope, where: Condition): Sql {
  switch (where.kind) {
    case 'compare':
      return compare(scope, where);
    case 'not':
      return scope.dialect.negated(compileCondition(scope, where.of));
    case 'and':
    case 'or': {
      const parts = where.of.map((part) => compileCondition(scope, part));
      if (parts.length === 0) return text(where.kind === 'and' ? '1 = 1' : '1 = 0');
      return sql`(${join(parts, where.kind === 'and' ? ' and ' : ' or ')})`;
    }
  }
}

/** Matches rows that contain every word of a key phrase in one of the fields. */
export function compilePhrase(scope: Scope, words: readonly string[], fields: readonly string[]): Sql {
  const { dialect, resource, alias } = scope;
  const seenBy = (text: string): Sql | null => {
    const field = resource.fields[text];
    return field === undefined ? null : mayBeSeen(scope, field);
  };
  const openFields = fields.filter((field) => seenBy(field) === null);
  const guardedFields = fields.filter((field) => !openFields.includes(field));
  const contains = (of: readonly string[], word: string): Sql => dialect.fragment(resource.name, alias, of, word);
  return every(
    words.map((word) => {
      const alternatives = [
        ...(openFields.length === 0 ? [] : [contains(openFields, word)]),
        ...guardedFields.map((entry) => sql`(${seenBy(entry) ?? text('1 = 1')} and ${contains([entry], word)})`),
      ];
      return alternatives.length === 1 ? (alternatives[0] ?? text('1 = 0')) : sql`(${join(alternatives, ' or ')})`;
    }),
  );
}

/** A sort expression and its direction. */
export interface Key {
  readonly expression: Sql;
  readonly direction: Sql;
}

/** Returns the sort keys of an order, with the id as tie-breaker. A multilingual field is sorted by its folded text. */
export function orderKeys(scope: Scope, order: readonly Order[]): readonly Key[] {
  const byId = order.findIndex(({ field }) => field === 'id');
  const leadingKeys = byId < 0 ? order : order.slice(0, byId);
  const keys = leadingKeys.map(({ field, language, descending }) => {
    const declaredField = scope.resource.fields[field];
    const expression =
      declaredField?.kind === 'multilingual' && language === null
        ? shown(scope, declaredField, scope.dialect.ordered(sql`${scope.alias}.${name(textColumn(field))}`))
        : declaredField?.kind === 'multilingual'
          ? scope.dialect.ordered(scope.dialect.folded(expressionOf(scope, field, language)))
          : expressionOf(scope, field, language);
    return { expression, direction: text(descending ? ' desc nulls last' : ' asc nulls first') };
  });
  const direction = text(order[byId]?.descending === true ? ' desc' : '');
  return [...keys, { expression: sql`${scope.alias}.id`, direction }];
}

/** Builds the `order by` clause of sort keys. */
export const orderBy = (keys: readonly Key[]): Sql =>
  sql`order by ${join(
    keys.map(({ expression, direction }) => sql`${expression}${direction}`),
    ', ',
  )}`;

/** Condition for field values fixed by a path, such as `type`. */
export const compileFixed = (
  alias: Sql,
  fixedFields: readonly { readonly field: string; readonly value: Json }[],
): Sql => every(fixedFields.map(({ field, value }) => sql`${alias}.${name(field)} = ${inWords(value)}`));
