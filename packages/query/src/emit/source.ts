import type { Dialect } from '../dialect/dialect.ts';
import type { Expression, Scan } from '../expression.ts';
import { QueryProblem } from '../problem.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { fencedSelect, guarded, stagesOf } from './fence.ts';
import type { Relation } from './statement.ts';

const pathOf = (dialect: Dialect, path: readonly string[]): Sql =>
  raw(path.map((name) => dialect.quote(name)).join('.'));

/**
 * Returns a relation with only the listed columns. In some databases, names can also refer to a whole row, to functions
 * of the row or to system columns. There, a subselect reads the columns by unqualified names, which match only columns,
 * under an alias that no column has.
 */
function chosenFrom(dialect: Dialect, relation: Relation, columns: readonly string[]): Sql {
  const source = relation.kind === 'table' ? pathOf(dialect, relation.path) : raw(`(\n${relation.sql}\n)`);
  if (dialect.reservedNames === null) return source;
  const reservedName = columns.find((name) => dialect.reservedNames?.has(name.toLowerCase()));
  if (reservedName !== undefined)
    throw new QueryProblem(
      'column_unknown',
      '',
      `"${reservedName}" is no column of the source but one of its database`,
    );
  let alias = 's';
  while (columns.some((name) => name.toLowerCase() === alias)) alias += 's';
  const names = columns.map((name) => raw(dialect.quote(name)));
  const columnList = names.length === 0 ? raw(`1 AS ${dialect.quote('one')}`) : join(names, ', ');
  return sql`(SELECT ${columnList} FROM ${source} AS ${raw(dialect.quote(alias))})`;
}

/** The SQL for FROM, and the tests for WHERE. */
export interface WrittenSource {
  readonly source: Sql;
  readonly where: readonly Sql[];
}

/**
 * Writes the source of a scan and its tests. Tests that can fail run only after the row filters. `tests` includes the
 * tests of the enclosing select. `later` returns the columns that the given tests and the enclosing select still read.
 */
export function sourceOf(
  dialect: Dialect,
  relation: Relation,
  { columns, rowFilters }: Scan,
  alias: string,
  tests: readonly Expression[],
  later: (tests: readonly Expression[]) => readonly string[],
  write: (test: Expression) => Sql,
): WrittenSource {
  const names = columns.map(({ name }) => name);
  const source = chosenFrom(dialect, relation, names);
  const stages = stagesOf(rowFilters, tests, alias);
  const { first, second, last } = stages;
  if (dialect.fence === 'case') return { source, where: [...first.map(write), ...guarded(stages, write)] };
  if (second.length + last.length === 0) return { source, where: first.map(write) };
  const fencedSource = fencedSelect(
    dialect,
    source,
    alias,
    second.length === 0 ? later(last) : names,
    first.map(write),
  );
  if (second.length === 0) return { source: fencedSource, where: last.map(write) };
  if (last.length === 0) return { source: fencedSource, where: second.map(write) };
  return { source: fencedSelect(dialect, fencedSource, alias, later(last), second.map(write)), where: last.map(write) };
}
