import type { Dialect } from '../dialect/dialect.ts';
import type { Expression, Scan, Select } from '../expression.ts';
import type { StorageType } from '../model.ts';
import type { Plan } from '../plan.ts';
import { cellOf } from '../plan/measures.ts';
import { allParts, columnsOf, keyOf, replace } from '../plan/expressions/walk.ts';
import { QueryProblem } from '../problem.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { clause, quoted } from './context.ts';
import { writeTest } from './filter.ts';
import { RawColumns, rawColumnsOf } from './raw-columns.ts';
import { isSafe } from './safe.ts';
import { sourceOf } from './source.ts';
import { statement, type Relation, type Statement } from './statement.ts';
import { emitContext } from './select.ts';

/** Yields all scans of a select, including those of nested selects. */
export function* scansIn(block: Select): Generator<Scan> {
  const { from, joins } = block;
  if (from.kind === 'scan') yield from;
  if (from.kind === 'select') yield* scansIn(from);
  if (from.kind === 'stack') for (const entry of from.of) yield* scansIn(entry);
  for (const { to } of joins) yield* scansIn(to);
  const usedExpressions = [
    ...(from.kind === 'scan' ? [...from.rowFilters, ...from.filters] : []),
    ...block.where,
    ...block.having,
    ...block.columns.map(({ of }) => of),
  ];
  for (const part of usedExpressions.flatMap((entry) => [...allParts(entry)])) {
    if (part.kind === 'subquery' || part.kind === 'member') yield* scansIn(part.select);
  }
}

/** Gives the relation of a scan's columns the same name in every scan, so that scans can be compared. */
const asRead = (expression: Expression): Expression =>
  replace(expression, (part) => (part.kind === 'column' ? { ...part, relation: 't' } : null));

/**
 * Lists what to read of each dataset if another database runs the plan: the columns, and the filters that all scans of
 * the dataset have in common. The plan applies all filters again.
 */
export function scansOf(plan: Plan): readonly Scan[] {
  const scans = new Map<string, Scan>();
  for (const entry of scansIn(plan.body)) {
    const scan = { ...entry, rowFilters: entry.rowFilters.map(asRead), filters: entry.filters.map(asRead) };
    const knownScan = scans.get(scan.datasetId);
    scans.set(scan.datasetId, knownScan === undefined ? scan : mergeScans(knownScan, scan));
  }
  return [...scans.values()];
}

/**
 * Types whose values are read as a query at the source would see them: without the padding of fixed lengths, in UTC,
 * and numbers of single precision as doubles, for example.
 */
const decodedTypes = new Set<StorageType>(['text', 'json', 'double', 'timestamptz']);

/**
 * Writes the statement that reads a scan from its source: the stored columns under their own names, and those filters
 * that the dialect computes exactly. The plan applies the other filters. If `isStrict`, raises QueryProblem `unsupported`
 * instead of leaving a filter out.
 */
export function emitScan(scan: Scan, dialect: Dialect, relation: Relation, isStrict = false): Statement {
  const context = emitContext(dialect, () => relation);
  const columns = new RawColumns(dialect, [['t', rawColumnsOf(relation, scan)]]);
  const testSql = new Map<Expression, Sql>();
  const isWritten = (expression: Expression): boolean => {
    if ([...allParts(expression)].some(({ kind }) => kind === 'subquery' || kind === 'member')) return false;
    try {
      testSql.set(expression, writeTest(context, columns, expression));
      return true;
    } catch (error) {
      if (!isStrict && error instanceof QueryProblem && error.code === 'unsupported') return false;
      throw error;
    }
  };
  const rowFilters = scan.rowFilters.filter(isWritten);
  // If a row filter is left out, the source returns rows that the caller must not see. It may then only run tests that
  // cannot fail.
  const allSafe = rowFilters.length === scan.rowFilters.length;
  const filters = scan.filters.filter((filter) => (allSafe || isSafe(filter, 't')) && isWritten(filter));
  const names = scan.columns.map(({ name }) => name);
  const { source, where } = sourceOf(
    dialect,
    relation,
    { ...scan, rowFilters },
    't',
    filters,
    (tests) => [...new Set([...names, ...columnsOf(tests, 't')])],
    (entry) => testSql.get(entry) ?? raw('TRUE'),
  );
  const readColumns = scan.columns.map(({ name, storageType }) => {
    const stored = sql`${quoted(dialect, 't')}.${quoted(dialect, name)}`;
    const decoded = decodedTypes.has(storageType) ? dialect.column(stored, storageType) : stored;
    return 'texts' in decoded && decoded !== stored ? sql`${decoded} AS ${quoted(dialect, name)}` : stored;
  });
  const selectedColumns = readColumns.length === 0 ? [sql`1 AS ${quoted(dialect, 'one')}`] : readColumns;
  const from = sql` FROM ${source} AS ${quoted(dialect, 't')}`;
  const select = join([raw('SELECT '), join(selectedColumns, ', '), from, clause('WHERE', where, ' AND ')], '');
  const cells = scan.columns.map(({ name, storageType: type }) => ({ name, cell: cellOf(type) }));
  return statement(dialect, select, cells);
}

function mergeScans(left: Scan, right: Scan): Scan {
  const inBoth = (ownTests: readonly Expression[], otherTests: readonly Expression[]): readonly Expression[] => {
    const otherKeys = new Set(otherTests.map(keyOf));
    return ownTests.filter((entry) => otherKeys.has(keyOf(entry)));
  };
  const columns = new Map([...left.columns, ...right.columns].map((entry) => [entry.name, entry]));
  return {
    ...left,
    columns: [...columns.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    rowFilters: inBoth(left.rowFilters, right.rowFilters),
    filters: inBoth(left.filters, right.filters),
  };
}
