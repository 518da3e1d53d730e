import type { Dialect } from '../dialect/dialect.ts';
import type { Expression, Select } from '../expression.ts';
import { relationsOf } from '../plan/expressions/walk.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { isSafe } from './safe.ts';

/**
 * The tests of a scan in stages. The tests of a stage see only rows that passed the previous stages. The first stage
 * has tests that cannot fail, which may use an index. Then come the other row filters, which limit what the caller may
 * see. The caller's own tests come last.
 */
export interface Stages {
  readonly first: readonly Expression[];
  readonly second: readonly Expression[];
  readonly last: readonly Expression[];
  /** Row filters of the first stage. Later stages are evaluated only on rows that pass them. */
  readonly guards: readonly Expression[];
}

/** Assigns tests to stages. Without row filters, all tests are in the first stage. */
export function stagesOf(rowFilters: readonly Expression[], tests: readonly Expression[], relation: string): Stages {
  const isSafeTest = (expression: Expression): boolean => isSafe(expression, relation);
  const isUnsafeTest = (expression: Expression): boolean => !isSafeTest(expression);
  if (rowFilters.length === 0) return { first: tests, second: [], last: [], guards: [] };
  const guards = rowFilters.filter(isSafeTest);
  const firstTests = [...guards, ...tests.filter(isSafeTest)];
  const secondTests = rowFilters.filter(isUnsafeTest);
  const lastTests = tests.filter(isUnsafeTest);
  return guards.length === 0
    ? { first: [...firstTests, ...secondTests], second: [], last: lastTests, guards: secondTests }
    : { first: firstTests, second: secondTests, last: lastTests, guards };
}

const and = (parts: readonly Sql[]): Sql => join(parts, ' AND ');

/** Combines the later stages into one test, for dialects that evaluate a CASE branch only if its condition is true. */
export function guarded({ guards, second, last }: Stages, write: (test: Expression) => Sql): readonly Sql[] {
  const within = (of: readonly Expression[], following: Sql | null): Sql | null =>
    following === null ? null : sql`CASE WHEN ${and(of.map(write))} THEN ${following} ELSE FALSE END`;
  const lastCondition = last.length === 0 ? null : and(last.map(write));
  if (second.length === 0) return [within(guards, lastCondition)].flatMap((value) => value ?? []);
  const nextCondition = lastCondition === null ? and(second.map(write)) : within(second, lastCondition);
  return [within(guards, nextCondition)].flatMap((value) => value ?? []);
}

/** Returns a subselect that the database evaluates before the tests of the outer select. */
export const fencedSelect = (
  dialect: Dialect,
  source: Sql,
  alias: string,
  columns: readonly string[],
  where: readonly Sql[],
): Sql => {
  const name = (of: string): Sql => raw(`${dialect.quote(alias)}.${dialect.quote(of)}`);
  const columnList = columns.length === 0 ? raw('1') : join(columns.map(name), ', ');
  const tests = where.length === 0 ? raw('') : sql` WHERE ${and(where)}`;
  return sql`(SELECT ${columnList} FROM ${source} AS ${raw(dialect.quote(alias))}${tests} OFFSET 0)`;
};

/** Wraps a test if it may read looked-up values. Such values come from a left join, or from the first row per key. */
export function testOfLookup({ lookedUpTest }: Dialect, { from, joins }: Select, test: Expression, written: Sql): Sql {
  const lookedUp = new Set(joins.flatMap(({ how, as }) => (how === 'left' ? [as] : [])));
  const isFirst = from.kind === 'select' && from.columns.some(({ of }) => of.kind === 'position');
  const isLookedUp = isFirst || relationsOf(test).some((relation) => lookedUp.has(relation));
  return isLookedUp ? (lookedUpTest?.(written) ?? written) : written;
}
