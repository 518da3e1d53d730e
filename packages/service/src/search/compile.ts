import { fold, inWords, type Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { columnsOf, condition, every, permits, type Columns } from '../access/permits.ts';
import { forVariety } from '../declare/variety.ts';
import type { Resource } from '../resource/define.ts';
import type { Field } from '../declare/fields.ts';
import { kinds } from '../declare/kinds.ts';
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
  /** True where the text index narrows the search, so that no other index should be taken. */
  readonly narrowed?: boolean;
  /** The field whose index gives the page in its order; another one would be taken for a range, and all of that sorted. */
  readonly pagedBy?: string;
}

const standard = new Set(['id', 'organization_id', 'created_at', 'updated_at', 'deleted_at']);

/** The columns that rights depend on. */
function rightColumns({ dialect, alias, narrowed }: Scope): Columns {
  const plain = columnsOf(alias);
  return narrowed === true ? (field) => dialect.unindexed(plain(field)) : plain;
}

/** Rows of a resource that the caller may see, soft-deleted ones left out. */
export function visible(scope: Scope): Sql {
  const { resource, alias, caller } = scope;
  const role = resource.roles.get;
  const granted = role === undefined ? undefined : forVariety(role, undefined);
  const verdict = granted !== undefined && permits(granted, caller, rightColumns(scope));
  const allowed = condition(verdict);
  return resource.softDelete === true ? sql`${allowed} and ${alias}.deleted_at is null` : allowed;
}

/** Whether the caller may see a field of a row; null where everybody may. */
function mayBeSeen(scope: Scope, { shownTo }: Field): Sql | null {
  const verdict = shownTo === undefined || permits(shownTo, scope.caller, rightColumns(scope));
  return verdict === true ? null : condition(verdict);
}

/** A field the caller may not see compares like null, whatever it holds. */
function shown(scope: Scope, field: Field, expression: Sql): Sql {
  const seen = mayBeSeen(scope, field);
  return seen === null ? expression : sql`(case when ${seen} then ${expression} end)`;
}

/** Kinds whose texts have the same order in every collation, so that an index can be used. */
const inOneOrder: readonly string[] = ['uuid', 'reference', 'timestamp'];

const hasColumn = (resource: Resource, field: string): boolean =>
  standard.has(field) || columnFields(resource).some(([column]) => column === field);

/** The JSON that has a field: a short one, where there is one. */
const jsonWith = ({ resource, alias }: Scope, field: string): Sql =>
  fieldsInTexts(resource).includes(field) ? sql`${alias}.texts` : sql`${alias}.record`;

/** What a field holds, as a text for equality or for an order. */
function expressionOf(scope: Scope, fieldName: string, language: string | null, isOrdered = true): Sql {
  const { dialect, resource, alias } = scope;
  const field = resource.fields[fieldName];
  if (field === undefined) throw new Error(`not a field: ${fieldName}`);
  const holds = kinds[field.kind].holds ?? 'text';
  const record = jsonWith(scope, fieldName);
  const raw = hasColumn(resource, fieldName)
    ? sql`${alias}.${name(fieldName)}`
    : dialect.member(record, language === null ? [fieldName] : [fieldName, language], holds);
  const byCodePoint = isOrdered && holds === 'text' && !inOneOrder.includes(field.kind);
  return shown(scope, field, byCodePoint ? dialect.ordered(raw) : raw);
}

const escaped = (value: string): string => value.replaceAll(/[\\%_]/gu, (sign) => `\\${sign}`);

type Positive = (dialect: Dialect, expression: Sql, values: readonly Comparable[]) => Sql;
const textOf = (values: readonly Comparable[]): string => String(values[0] ?? '');

/** Nulls are tested separately. */
const within = (expression: Sql, values: readonly Comparable[]): Sql =>
  values.length === 0 ? text('1 = 0') : sql`${expression} in ${list(values)}`;

/** Positive comparisons. A negative one is the opposite of its positive, so `ne`, `notIn` and `notLike` match nulls. */
const positives = {
  eq: (_dialect, expression, values) => within(expression, values),
  gt: (_dialect, expression, [value]) => sql`${expression} > ${value ?? null}`,
  gte: (_dialect, expression, [value]) => sql`${expression} >= ${value ?? null}`,
  lt: (_dialect, expression, [value]) => sql`${expression} < ${value ?? null}`,
  lte: (_dialect, expression, [value]) => sql`${expression} <= ${value ?? null}`,
  in: (_dialect, expression, values) => within(expression, values),
  like: (dialect, expression, values) => dialect.like(expression, sql`${textOf(values)}`),
  iLike: (dialect, expression, values) => dialect.iLike(expression, sql`${textOf(values)}`),
  between: (_dialect, expression, [low, high]) => sql`${expression} between ${low ?? null} and ${high ?? null}`,
  startsWith: (dialect, expression, values) => dialect.like(expression, sql`${`${escaped(textOf(values))}%`}`),
  endsWith: (dialect, expression, values) => dialect.like(expression, sql`${`%${escaped(textOf(values))}`}`),
  contains: (dialect, expression, values) => dialect.like(expression, sql`${`%${escaped(textOf(values))}%`}`),
} as const satisfies Readonly<Record<string, Positive>>;

const opposites = { ne: 'eq', notIn: 'in', notLike: 'like', notILike: 'iLike', notBetween: 'between' } as const;

/** A piece of text that every match must contain, folded, which is looked for first; undefined where there is none. */
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

/** The text indexes find nothing shorter. */
const shortestIndexed = 3;

/** Whether the text index narrows a condition as a whole. */
export function isNarrowed(resource: Resource, where: Condition): boolean {
  if (where.kind === 'and') return where.of.some((part) => isNarrowed(resource, part));
  if (where.kind === 'or') return where.of.length > 0 && where.of.every((part) => isNarrowed(resource, part));
  if (where.kind !== 'compare' || !isPositive(where.operator)) return false;
  if (!searchedFields(resource).includes(where.field)) return false;
  return Array.from(certainFragment(where.operator, where.values) ?? '').length >= shortestIndexed;
}

const patterns: readonly Operator[] = ['like', 'notLike', 'iLike', 'notILike', 'startsWith', 'endsWith', 'contains'];

/** How many patterns a condition has. */
export function patternsIn(where: Condition): number {
  if (where.kind === 'not') return patternsIn(where.of);
  if (where.kind !== 'compare') return where.of.reduce((sum, one) => sum + patternsIn(one), 0);
  return patterns.includes(where.operator) ? 1 : 0;
}

/** Whether a condition looks into many records or their texts, or compares them with many values. */
export function costs(resource: Resource, where: Condition): boolean {
  if (where.kind === 'not') return costs(resource, where.of);
  if (where.kind !== 'compare') return where.of.some((one) => costs(resource, one));
  return patterns.includes(where.operator) || where.values.length > 100 || !hasColumn(resource, where.field);
}

const isPositive = (operator: Operator): operator is keyof typeof positives => Object.hasOwn(positives, operator);

function narrowedBy(scope: Scope, fieldName: string, fragment: string | undefined, exact: Sql): Sql {
  const { resource, dialect, alias } = scope;
  if (fragment === undefined || !searchedFields(resource).includes(fieldName)) return exact;
  return sql`(${dialect.candidates(resource.name, alias, [fieldName], fragment)} and ${exact})`;
}

function compare(scope: Scope, term: Condition & { kind: 'compare' }): Sql {
  const { operator, values, language } = term;
  const { dialect, resource } = scope;
  const field = resource.fields[term.field];
  const isWhole = field?.kind === 'multilingual' && language === null;
  const json = jsonWith(scope, term.field);
  const record = field === undefined ? json : shown(scope, field, json);
  const any = (test: (value: Sql) => Sql): Sql =>
    dialect.anyValue(record, [term.field], (value) => test(dialect.ordered(value)));
  if (operator === 'isNull') {
    const present = isWhole ? any(() => text('1 = 1')) : isSet(scope, term.field, language);
    return values[0] === 1 ? sql`not ${present}` : present;
  }
  if (
    operator === 'ne' ||
    operator === 'notIn' ||
    operator === 'notLike' ||
    operator === 'notILike' ||
    operator === 'notBetween'
  ) {
    const positive: Condition & { kind: 'compare' } = { ...term, operator: opposites[operator] };
    return dialect.negated(compare(scope, positive));
  }
  const test = positives[operator];
  if (values.includes(null)) {
    const unset = sql`not ${isWhole ? any(() => text('1 = 1')) : isSet(scope, term.field, language)}`;
    const others = values.filter((value) => value !== null);
    return others.length === 0 ? unset : sql`(${unset} or ${compare(scope, { ...term, values: others })})`;
  }
  const isEqual = operator === 'eq' || operator === 'in';
  const plain = expressionOf(scope, term.field, language, !isEqual);
  const isOther = field?.paged === true && !isEqual && scope.pagedBy !== term.field;
  const exact = isWhole
    ? any((value) => test(dialect, value, values))
    : sql`(${test(dialect, isOther ? dialect.unindexed(plain) : plain, values)})`;
  return narrowedBy(scope, term.field, certainFragment(operator, values), exact);
}

/** Whether a field holds anything; objects and lists too. */
function isSet(scope: Scope, fieldName: string, language: string | null): Sql {
  const field = scope.resource.fields[fieldName];
  const record = sql`${scope.alias}.record`;
  if (field?.kind === 'object' || field?.kind === 'list')
    return scope.dialect.isSet(shown(scope, field, record), [fieldName]);
  return sql`(${expressionOf(scope, fieldName, language, false)} is not null)`;
}

/** A checked `where` as SQL; every value is bound, every identifier comes from the declaration. */
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

/** Rows that contain every word of a key phrase in one of the fields. */
export function compilePhrase(scope: Scope, words: readonly string[], fields: readonly string[]): Sql {
  const { dialect, resource, alias } = scope;
  const seenBy = (one: string): Sql | null => {
    const field = resource.fields[one];
    return field === undefined ? null : mayBeSeen(scope, field);
  };
  const open = fields.filter((one) => seenBy(one) === null);
  const guarded = fields.filter((one) => !open.includes(one));
  const found = (of: readonly string[], word: string): Sql => dialect.fragment(resource.name, alias, of, word);
  return every(
    words.map((word) => {
      const ways = [
        ...(open.length === 0 ? [] : [found(open, word)]),
        ...guarded.map((one) => sql`(${seenBy(one) ?? text('1 = 1')} and ${found([one], word)})`),
      ];
      return ways.length === 1 ? (ways[0] ?? text('1 = 0')) : sql`(${join(ways, ' or ')})`;
    }),
  );
}

/** What rows are ordered by, and which way. */
export interface Key {
  readonly expression: Sql;
  readonly direction: Sql;
}

/** The keys of an order, ties broken by id. A multilingual field as a whole is ordered by its folded text. */
export function orderKeys(scope: Scope, order: readonly Order[]): readonly Key[] {
  const byId = order.findIndex(({ field }) => field === 'id');
  const before = byId < 0 ? order : order.slice(0, byId);
  const keys = before.map(({ field, language, descending }) => {
    const declared = scope.resource.fields[field];
    const expression =
      declared?.kind === 'multilingual' && language === null
        ? shown(scope, declared, scope.dialect.ordered(sql`${scope.alias}.${name(textColumn(field))}`))
        : declared?.kind === 'multilingual'
          ? scope.dialect.ordered(scope.dialect.folded(expressionOf(scope, field, language)))
          : expressionOf(scope, field, language);
    return { expression, direction: text(descending ? ' desc nulls last' : ' asc nulls first') };
  });
  const direction = text(order[byId]?.descending === true ? ' desc' : '');
  return [...keys, { expression: sql`${scope.alias}.id`, direction }];
}

/** `order by` these keys. */
export const orderBy = (keys: readonly Key[]): Sql =>
  sql`order by ${join(
    keys.map(({ expression, direction }) => sql`${expression}${direction}`),
    ', ',
  )}`;

/** What a path fixes, such as `type`. */
export const compileFixed = (alias: Sql, fixed: readonly { readonly field: string; readonly value: Json }[]): Sql =>
  every(fixed.map(({ field, value }) => sql`${alias}.${name(field)} = ${inWords(value)}`));
