import {
  aggregate,
  cast,
  column,
  literal,
  selectOf,
  test,
  type Expression,
  type Scan,
  type ScanColumn,
  type Select,
} from '../expression.ts';
import type { ModelColumn } from '../model.ts';
import type { ColumnKey, Condition, KeyListFilter, KeyType, LookupFilter, RowFilter } from '../query.ts';
import { QueryProblem } from '../problem.ts';
import type { PlanContext } from './context.ts';
import { and, compileTest, or, type TestedValue } from './expressions/tests.ts';
import { atLevel, columnIn, datetimeLevel, storedValue, valueOf } from './expressions/values.ts';
import { allParts, withAlias } from './expressions/walk.ts';

/**
 * Returns a row filter without its `last_available` tests. An `any` group that contains such a test is left out
 * completely. Returns null if nothing is left.
 */
function withoutLatest(filter: RowFilter): RowFilter | null {
  if (filter.kind === 'test') return filter.expression === 'last_available' ? null : filter;
  if (filter.kind === 'keys' || filter.kind === 'empty') return filter;
  const remaining = filter.of.map(withoutLatest);
  const of = remaining.filter((value) => value !== null);
  if (filter.kind === 'any' && of.length < remaining.length) return null;
  return { ...filter, of };
}

/**
 * Returns the caller's row filters on a dataset as tests. If `within`, leaves out the `last_available` tests. Such
 * tests compare with the newest time, which is computed over the rows that pass the other row filters. Raises
 * QueryProblem `row_filter_invalid`.
 */
function rowTests(context: PlanContext, datasetId: string, within: boolean): readonly Expression[] {
  const filters = context.rowFilters.get(datasetId) ?? [];
  const applicableFilters = within ? filters.flatMap((filter) => withoutLatest(filter) ?? []) : filters;
  return applicableFilters.map((filter, index) => {
    const at = `rowFilters[${index}]`;
    try {
      return rowTest({ ...context, ...context.ofRowFilters }, filter, at, datasetId);
    } catch (error) {
      if (!(error instanceof QueryProblem)) throw error;
      // The details of the fault would reveal hidden values.
      throw new QueryProblem('row_filter_invalid', at, 'a filter on the rows of this dataset cannot be applied');
    }
  });
}

function rowTest(context: PlanContext, filter: RowFilter, at: string, datasetId: string): Expression {
  switch (filter.kind) {
    case 'all':
      return and(filter.of.map((condition) => rowTest(context, condition, at, datasetId)));
    case 'any':
      return or(filter.of.map((condition) => rowTest(context, condition, at, datasetId)));
    case 'lookup':
      return lookupTest(context, filter, at, datasetId);
    case 'empty':
      return test('isNull', linkValue(context, filter.from, at));
    case 'keys':
      return keysTest(context, filter, at, datasetId);
    case 'test':
      if (filter.on.datasetId !== datasetId)
        throw new QueryProblem('row_filter_invalid', at, 'a row filter speaks of a column of another dataset');
      return compileCondition(context, filter, at, true);
  }
}

/**
 * Returns the values of a column that is the key of a link: the stored values, or the values of the column's formula.
 */
function linkValue(context: PlanContext, key: ColumnKey, at: string): Expression {
  const column = columnIn(context.model, key, at);
  return column.expression === null ? storedValue(column) : valueOf(context, column, at).value;
}

/** Returns the keys on both sides of a lookup. If their types differ, both are cast to text. */
function linkValues(context: PlanContext, { from, to }: LookupFilter, at: string): readonly [Expression, Expression] {
  const [left, right] = [linkValue(context, from, at), linkValue(context, to, at)];
  return left.type === right.type ? [left, right] : [cast(left, 'text'), cast(right, 'text')];
}

/** Maximum number of parts of a test that is written twice. Longer tests list many values. */
const maxRepeated = 200;

/** True if a test is cheap to write twice: it is short, and reads no other rows than those of one further lookup. */
function mayRepeat(expression: Expression): boolean {
  const parts = [...allParts(expression)];
  const isCheap = parts.every((part) => (part.kind === 'member' ? !readsFurther(part.select) : !isLookup(part)));
  return isCheap && parts.length <= maxRepeated;
}

/** True if the keys of a lookup depend on a further lookup. */
const readsFurther = (keys: Select): boolean =>
  keys.from.kind === 'select' && keys.from.columns.some(({ of }) => [...allParts(of)].some(isLookup));

const isLookup = ({ kind }: Expression): boolean => kind === 'member' || kind === 'listed' || kind === 'subquery';

/**
 * Returns a select of the keys that have a row which passes the tests. `right` and `tests` are over the dataset. Its
 * column is `k`.
 */
function candidateKeys(
  context: PlanContext,
  datasetId: string,
  right: Expression,
  tests: readonly Expression[],
): Select {
  const [key = right, ...scanTests] = [right, ...tests].map((part) => withAlias(part, datasetId, 'u'));
  return {
    ...selectOf(scanWith(context, datasetId, 'u', scanTests, [], [key]), 'u', [{ as: 'k', of: key }]),
    where: [test('isNotNull', key)],
  };
}

/**
 * Returns a select of the keys for which all rows pass the filters of a lookup. Its column is `k`. Only keys with at
 * least one row that passes are grouped, usually by an index. This needs no key to be unique.
 */
function visibleKeys(context: PlanContext, { to, of }: LookupFilter, right: Expression, at: string): Select {
  const tests = of.map((condition) => rowTest(context, condition, at, to.datasetId));
  const [key = right, ...ownTests] = [right, ...tests].map((part) => withAlias(part, to.datasetId, 'v'));
  const entry = literal(1, 'integer');
  const when = [{ test: and(ownTests), result: entry }];
  const passes: Expression = { kind: 'case', when, otherwise: literal(0, 'integer'), type: 'integer' };
  const cheapTests = tests.filter(mayRepeat);
  const isCandidate: readonly Expression[] =
    cheapTests.length === 0
      ? []
      : [{ kind: 'member', of: key, select: candidateKeys(context, to.datasetId, right, cheapTests), type: 'boolean' }];
  const rows: Select = {
    ...selectOf(scanWith(context, to.datasetId, 'v', [], [], [key, passes]), 'v', [
      { as: 'k', of: key },
      { as: 'p', of: passes },
    ]),
    where: [test('isNotNull', key), ...isCandidate],
  };
  return {
    ...selectOf(rows, 'w', [{ as: 'k', of: column('w', 'k', key.type) }]),
    grouped: 1,
    // `>=`, since PostgreSQL assumes that hardly any keys pass `=`, and then joins by nested loops.
    having: [test('>=', aggregate('min', [column('w', 'p', 'integer')], 'integer'), entry)],
  };
}

/** Tests that the looked-up row is visible: that all rows with its key pass. */
function lookupTest(context: PlanContext, filter: LookupFilter, at: string, datasetId: string): Expression {
  if (filter.from.datasetId !== datasetId)
    throw new QueryProblem('row_filter_invalid', at, 'a row filter follows a link of another dataset');
  const [left, right] = linkValues(context, filter, at);
  return { kind: 'member', of: left, select: visibleKeys(context, filter, right, at), type: 'boolean' };
}

/** Tests that the key of a lookup is in a list of keys that were read before. */
function keysTest(
  context: PlanContext,
  { from, type, keys }: KeyListFilter,
  at: string,
  datasetId: string,
): Expression {
  const left = linkValue(context, from, at);
  if (from.datasetId !== datasetId || (left.type !== type && type !== 'text'))
    throw new QueryProblem('row_filter_invalid', at, 'a row filter follows a link of another dataset');
  return { kind: 'listed', of: left.type === type ? left : cast(left, 'text'), keys, type: 'boolean' };
}

/**
 * Returns a select of the visible keys of a lookup, and the type of the keys. Null if databases compare this type
 * differently.
 */
export function keysOf(
  context: PlanContext,
  filter: LookupFilter,
): { readonly select: Select; readonly type: KeyType } | null {
  const at = 'rowFilters[0]';
  const values = [linkValue(context, filter.from, at), linkValue(context, filter.to, at)];
  if (!values.every(({ type }) => type === 'integer' || type === 'text')) return null;
  const [left, right] = linkValues(context, filter, at);
  const type = left.type === 'integer' ? 'integer' : 'text';
  return { select: visibleKeys(context, filter, right, at), type };
}

function scanWith(
  context: PlanContext,
  datasetId: string,
  alias: string,
  rowFilters: readonly Expression[],
  filters: readonly Expression[],
  expressions: readonly Expression[],
): Scan {
  const models = [context.model, context.ofRowFilters.model];
  const knownColumns = models.flatMap(({ datasets }) => [...(datasets.get(datasetId)?.columns.values() ?? [])]);
  const columns = new Map<string, ScanColumn>();
  for (const part of [...rowFilters, ...filters, ...expressions].flatMap((entry) => [...allParts(entry)])) {
    if (part.kind !== 'column' || part.relation !== alias || columns.has(part.name)) continue;
    const column = knownColumns.find(({ source, expression }) => expression === null && source === part.name);
    const native = column?.nativeText === true ? { nativeText: true } : {};
    columns.set(part.name, { name: part.name, storageType: column?.storageType ?? part.type, ...native });
  }
  const sortedColumns = [...columns.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return { kind: 'scan', datasetId, columns: sortedColumns, rowFilters, filters };
}

/** Returns a scan of a dataset with the columns that the expressions read and the caller's row filters. */
export function scanOf(
  context: PlanContext,
  datasetId: string,
  alias: string,
  filters: readonly Expression[],
  expressions: readonly Expression[],
  within = false,
): Scan {
  const underAlias = (tests: readonly Expression[]): readonly Expression[] =>
    tests.map((test) => withAlias(test, datasetId, alias));
  return scanWith(
    context,
    datasetId,
    alias,
    underAlias(rowTests(context, datasetId, within)),
    underAlias(filters),
    expressions,
  );
}

function latestOf(context: PlanContext, column: ModelColumn, at: string, within: boolean): Expression {
  const value = withAlias(valueOf(context, column, at).value, column.datasetId, 'x');
  const scan = scanOf(context, column.datasetId, 'x', [], [value], within);
  const columns = [{ as: 'm', of: aggregate('max', [value], value.type) }];
  return { kind: 'subquery', select: { ...selectOf(scan, 'x', columns), grouped: 0 }, type: value.type };
}

/**
 * Compiles a filter to a test of rows. The relation of its columns is the dataset id. `bounds` is true for a row
 * filter.
 */
export function compileCondition(context: PlanContext, condition: Condition, at: string, bounds = false): Expression {
  if (condition.kind !== 'test') {
    const name = condition.kind === 'all' ? 'and' : 'or';
    const of = condition.of.map((joinedCondition, index) =>
      compileCondition(context, joinedCondition, `${at}.${name}[${index}]`, bounds),
    );
    return condition.kind === 'all' ? and(of) : or(of);
  }
  const { on, expression, operand } = condition;
  const place = `${at}.parameters[0]`;
  const column = columnIn(context.model, on, place);
  const columnValue = valueOf(context, column, place);
  const testedValue: TestedValue = {
    value: atLevel(columnValue, on.level),
    sort: columnValue.sort,
    level: column.type === 'datetime' ? datetimeLevel(on.level, place) : null,
    latest: () => latestOf(context, column, place, bounds),
  };
  return compileTest(expression, testedValue, operand, context.clock, at);
}
