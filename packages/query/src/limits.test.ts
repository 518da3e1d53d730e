import { describe, expect, test } from 'vitest';
import {
  duckdb,
  emitOrNull,
  mysql,
  parseQueries,
  plan,
  postgres,
  QueryProblem,
  readRowFilter,
  type Model,
  type ModelColumn,
} from './index.ts';

const column = (
  id: string,
  storageType: ModelColumn['storageType'],
  type: ModelColumn['type'],
): readonly [string, ModelColumn] => [
  id,
  { id, datasetId: 'o', source: id, type, subtype: null, storageType, expression: null, separator: null, joins: [] },
];
const columns = new Map([
  column('tenant', 'integer', 'numeric'),
  column('region', 'text', 'hierarchy'),
  column('amount', 'double', 'numeric'),
  column('day', 'timestamp', 'datetime'),
]);
const model: Model = { datasets: new Map([['o', { id: 'o', formulas: new Map(), columns }]]) };
const on = (column_id: string, more: object = {}) => ({ dataset_id: 'o', column_id, ...more });
const where = (name: string, expression: string, value: unknown) => ({ expression, parameters: [on(name), value] });
const some = <One>(count: number, make: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, at) => make(at));
const base = { dimensions: [on('region')], measures: [on('*')] };
const day = (index: number): string => new Date(Date.UTC(1990, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);
const formula = (parts: number) => ({ dataset_id: 'o', formula: `sum(${'{amount} + '.repeat(parts)}1)` });

/** The largest allowed query of each kind. */
const largest: Readonly<Record<string, object>> = {
  'texts in a list': {
    ...base,
    where: [
      where(
        'region',
        '? in ?',
        some(10_000, (at) => `r${at}`),
      ),
    ],
  },
  'numbers in lists': {
    ...base,
    where: some(5, () =>
      where(
        'tenant',
        '? not in ?',
        some(2000, (at) => at),
      ),
    ),
  },
  'days in lists': {
    ...base,
    where: some(4, () =>
      where(
        'day',
        '? in ?',
        some(250, (at) => day(at * 2)),
      ),
    ),
  },
  filters: { ...base, where: some(500, (at) => where('amount', '? > ?', at)) },
  'filters by day': { ...base, where: some(500, (at) => where('day', '? = ?', day(at))) },
  'filters by the newest day': {
    ...base,
    where: some(500, () => where('day', '? last_available ?', { unit: 'day', quantity: 1 })),
  },
  columns: {
    dimensions: some(100, () => on('day', { level: 3 })),
    measures: some(100, () => on('amount', { aggregation: 'sum' })),
    order: some(100, () => on('region', { aggregation: 'count' })),
  },
  formulas: { ...base, measures: some(20, () => formula(190)) },
};

const planned = (query: object) => {
  const { queries, faults } = parseQueries(JSON.parse(JSON.stringify(query)));
  const [first] = queries;
  expect(faults).toEqual([]);
  if (first === undefined) throw new Error('no query');
  const reading = {
    fault: (at: string, message: string) => expect(`${at} ${message}`).toBe(''),
    parameters: new Map(),
  };
  const ref = { datasetId: 'o', columnId: 'tenant', level: null };
  const filter = readRowFilter({ on: ref, expression: '? = ?', value: 7 }, 'it', reading);
  const rowFilters = new Map([['o', filter === null ? [] : [filter]]]);
  return plan(first, model, {
    nowMs: Date.UTC(2024, 5, 1),
    timeZone: 'Europe/Brussels',
    weekstart: 1,
    locale: 'en',
    rowLimit: 1000,
    rowFilters,
  });
};

test.each(Object.entries(largest))('the most %s are planned and written in one go', (what, query) => {
  const best = new Map<string, number>();
  const timed = <Given>(name: string, work: () => Given): Given => {
    const before = performance.now();
    const given = work();
    best.set(name, Math.min(best.get(name) ?? Infinity, performance.now() - before));
    return given;
  };
  for (let times = 0; times < 3; times += 1) {
    const made = timed('parse and plan', () => planned(query));
    for (const dialect of [duckdb, postgres, mysql])
      timed(dialect.name, () => emitOrNull(made, dialect, () => ({ kind: 'table', path: ['o'] }), 'rows'));
  }
  const told = [...best].map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
  process.stdout.write(`the most ${what}: ${told.join(', ')}\n`);
  expect(Math.max(...best.values())).toBeLessThan(2000);
});

describe('what is too much is refused', () => {
  const faultsOf = (find: object) => parseQueries(JSON.parse(JSON.stringify(find))).faults;
  const lists = (count: number, values: number) => ({
    ...base,
    where: some(count, () =>
      where(
        'tenant',
        '? in ?',
        some(values, (at) => at),
      ),
    ),
  });

  test('in one list, in one query and in all queries of a request', () => {
    expect(faultsOf(lists(1, 10_001))).toEqual([
      { at: 'find.where[0].parameters[1]', message: 'must have at most 10000 values' },
    ]);
    expect(faultsOf(lists(200, 10_000))).toEqual([
      { at: 'find', message: 'must have at most 10000 values in all' },
      { at: 'find', message: 'must have at most 50000 values in all' },
    ]);
    expect(faultsOf({ queries: some(5, () => lists(1, 10_000)) })).toEqual([]);
    expect(faultsOf({ queries: some(6, () => lists(1, 10_000)) })).toEqual([
      { at: 'find.queries', message: 'must have at most 50000 values in all' },
    ]);
  });

  test('of filters and groups of them, of columns and of times', () => {
    const filters = some(501, () => where('tenant', '? = ?', 1));
    expect(faultsOf({ ...base, where: [{ or: filters }] })).toEqual([
      { at: 'find', message: 'must have at most 500 filters in all' },
    ]);
    expect(faultsOf({ ...base, where: [{ and: some(600, () => ({ or: [] })) }] })).toHaveLength(1);
    expect(faultsOf({ queries: some(11, () => largest['columns']) })).toEqual([
      { at: 'find.queries', message: 'must have at most 3000 columns in all' },
    ]);
    expect(faultsOf({ ...base, where: [where('day', '? in ?', some(1001, day))] })).toEqual([
      { at: 'find', message: 'must have at most 10000 values in all' },
    ]);
  });

  test('of faults, and then nothing of the request runs', () => {
    const faults = faultsOf({ queries: some(100, () => ({ ...base, where: some(100, () => 7) })) });
    expect(faults.length).toBeLessThanOrEqual(1001);
    expect(faults.some(({ at }) => at === 'find.queries')).toBe(true);
  });

  test('of formulas together', () => {
    expect(() => planned({ ...base, measures: some(100, () => formula(190)) })).toThrow(QueryProblem);
  });
});

test('work grows with what is asked, not faster', () => {
  const took = (count: number): number => {
    const query = {
      ...base,
      where: [
        where(
          'region',
          '? in ?',
          some(count, (at) => `r${at}`),
        ),
      ],
    };
    const before = performance.now();
    for (let times = 0; times < 20; times += 1) planned(query);
    return performance.now() - before;
  };
  took(1000);
  const [few, many] = [took(1000), took(10_000)];
  process.stdout.write(`planning 1,000 values ${few.toFixed(0)} ms, 10,000 values ${many.toFixed(0)} ms\n`);
  expect(many).toBeLessThan(20_000);
});
