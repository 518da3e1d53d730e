import { aggregate, type Expression } from '../expression.ts';
import type { ModelColumn } from '../model.ts';
import type { Condition } from '../query.ts';
import { QueryProblem } from '../problem.ts';
import type { Ground } from './ground.ts';
import type { Scan, ScanColumn, Select } from './relation.ts';
import { compileTest, grouped, type Tested } from './tests.ts';
import { atLevel, datetimeLevel, guardedColumnIn, valueOf } from './values.ts';
import { allParts, replace } from './walk.ts';

/** A select of these columns and nothing else. */
export const plain = (from: Select['from'], as: string, columns: Select['columns']): Select => ({
  ...{ kind: 'select', from, as, joins: [], where: [], columns },
  ...{ grouped: null, distinct: false, having: [], order: [], limit: null, offset: 0 },
});

/** Says of an expression over a dataset under what name the dataset stands. */
export const under = (expression: Expression, datasetId: string, alias: string): Expression =>
  replace(expression, (part) =>
    part.kind === 'column' && part.relation === datasetId ? { ...part, relation: alias } : null,
  );

const usesLatest = (condition: Condition): boolean =>
  condition.kind === 'test' ? condition.expression === 'last_available' : condition.of.some(usesLatest);

/** The filters of the caller on a dataset, as tests of its rows; raises QueryProblem `row_filter_invalid`. */
function rowTests(ground: Ground, datasetId: string, within: boolean): readonly Expression[] {
  const filters = ground.rowFilters.get(datasetId) ?? [];
  return filters
    .filter((filter) => !(within && usesLatest(filter)))
    .map((filter, index) => {
      const at = `rowFilters[${index}]`;
      try {
        return compileCondition({ ...ground, ...ground.ofRowFilters }, filter, at, { guarded: true, datasetId });
      } catch (error) {
        if (!(error instanceof QueryProblem)) throw error;
        // What is wrong with a filter says something of what it hides.
        throw new QueryProblem('row_filter_invalid', at, 'a filter on the rows of this dataset cannot be applied');
      }
    });
}

/** A scan of a dataset that reads what the given expressions name under the alias, filtered as its caller must be. */
export function scanOf(
  ground: Ground,
  datasetId: string,
  alias: string,
  filters: readonly Expression[],
  used: readonly Expression[],
  within = false,
): Scan {
  const placed = (tests: readonly Expression[]): readonly Expression[] =>
    tests.map((one) => under(one, datasetId, alias));
  const rowFilters = placed(rowTests(ground, datasetId, within));
  const own = placed(filters);
  const dataset = ground.model.datasets.get(datasetId);
  const known = [...(dataset?.columns.values() ?? []), ...(dataset?.guarded?.values() ?? [])];
  const columns = new Map<string, ScanColumn>();
  for (const part of [...rowFilters, ...own, ...used].flatMap((one) => [...allParts(one)])) {
    if (part.kind !== 'column' || part.relation !== alias || columns.has(part.name)) continue;
    const column = known.find(({ source, expression }) => expression === null && source === part.name);
    columns.set(part.name, { name: part.name, kept: column?.kept ?? part.type });
  }
  const sorted = [...columns.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return { kind: 'scan', datasetId, columns: sorted, rowFilters, filters: own };
}

function latestOf(ground: Ground, column: ModelColumn, at: string, within: boolean): Expression {
  const value = under(valueOf(ground, column, at).value, column.datasetId, 'x');
  const scan = scanOf(ground, column.datasetId, 'x', [], [value], within);
  const columns = [{ as: 'm', of: aggregate('max', [value], value.type) }];
  return { kind: 'subquery', select: { ...plain(scan, 'x', columns), grouped: 0 }, type: value.type };
}

/** A filter as a test of rows, its columns under the ids of their datasets. */
export function compileCondition(
  ground: Ground,
  condition: Condition,
  at: string,
  row: { readonly guarded: boolean; readonly datasetId: string } | null = null,
): Expression {
  if (condition.kind !== 'test') {
    const name = condition.kind === 'all' ? 'and' : 'or';
    const of = condition.of.map((one, index) => compileCondition(ground, one, `${at}.${name}[${index}]`, row));
    return condition.kind === 'all' ? grouped.all(of) : grouped.any(of);
  }
  const { on, expression, operand } = condition;
  const place = `${at}.parameters[0]`;
  if (row !== null && on.datasetId !== row.datasetId)
    throw new QueryProblem('row_filter_invalid', at, 'a row filter speaks of a column of another dataset');
  const column = guardedColumnIn(ground.model, on, place, row?.guarded ?? false);
  const own = valueOf(ground, column, place);
  const tested: Tested = {
    value: atLevel(own, on.level),
    sort: own.sort,
    level: column.type === 'datetime' ? datetimeLevel(on.level, place) : null,
    latest: () => latestOf(ground, column, place, row !== null),
  };
  return compileTest(expression, tested, operand, ground.clock, at);
}
