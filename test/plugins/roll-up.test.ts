import fc from 'fast-check';
import { isList, timeParts, type Json } from '@inlay/contract';
import {
  duckdb,
  emit,
  isCondition,
  parseQueries,
  plan,
  type Condition,
  type QueryContext,
  type StorageType,
  type Model,
  type ModelDataset,
  type Query,
  type Scalar,
} from '@inlay/query';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tables } from '../../examples/plugin/data.ts';
import { answer } from '../../examples/plugin/query.ts';
import { storageTypeOf } from '../../packages/service/src/connectors/plugin/datasets.ts';
import { hintsOf } from '../../packages/service/src/connectors/plugin/hints.ts';
import { rollUp, type RollUp } from '../../packages/service/src/connectors/plugin/roll-up.ts';
import { rowOf } from '../../packages/service/src/connectors/plugin/rows.ts';
import { openEngine, type Engine } from '../corpus/engines.ts';
import { counted } from '../support/counts.ts';

vi.setConfig({ testTimeout: 120_000 });

const missions = tables.find(({ id }) => id === 'missions') ?? {
  id: '',
  name: '',
  description: '',
  columns: [],
  rows: [],
};
const dataset_id = 'missions';
const ref = (column_id: string, level?: number) => ({
  dataset_id,
  column_id,
  ...(level === undefined ? {} : { level }),
});

const columns = missions.columns.map(({ id, type }) => ({
  id: `id-${id}`,
  datasetId: dataset_id,
  source: id,
  type,
  subtype: null,
  storageType: storageTypeOf({ type }),
  expression: null,
  separator: null,
  joins: [],
}));
const model: Model = {
  datasets: new Map([
    [dataset_id, { id: dataset_id, columns: new Map(columns.map((one) => [one.id, one])), formulas: new Map() }],
  ]),
};

const held: { engine?: Engine } = {};
beforeAll(async () => {
  held.engine = await openEngine('duckdb');
  await held.engine.create({
    name: 'raw',
    columns: missions.columns.map(({ id, type }) => ({ name: id, storageType: storageTypeOf({ type }) })),
    rows: missions.rows,
  });
});
afterAll(() => held.engine?.close());

const contextOf = (rowFilters: readonly Condition[], timeZone = 'UTC'): QueryContext => ({
  nowMs: Date.UTC(1971, 6, 1),
  timeZone,
  weekstart: 1,
  locale: 'en',
  rowLimit: 1000,
  rowFilters: new Map([[dataset_id, rowFilters]]),
});

const conditionsOf = (where: readonly Json[]): readonly Condition[] =>
  queryOf({ dimensions: [ref('id-goal')], where }).where;

function queryOf(find: object): Query {
  const json: Json = JSON.parse(JSON.stringify(find));
  const { queries, faults } = parseQueries(json);
  const [query] = queries;
  if (query === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));
  return query;
}

async function answered(query: Query, of: Model, context: QueryContext, table: string): Promise<readonly Json[]> {
  const { sql, params } = emit(plan(query, of, context), duckdb, () => ({ kind: 'table', path: [table] }), 'json');
  const rows = (await held.engine?.rows(sql, params)) ?? [];
  return rows.map((row): Json => JSON.parse(String(row[0])));
}

interface Rows {
  readonly columns: readonly { readonly id: string; readonly storageType: StorageType }[];
  readonly rows: readonly (readonly Scalar[])[];
}

/** Returns the answer over rows that a plugin gave. */
async function over(
  { columns: of, rows }: Rows,
  query: Query,
  from: Model,
  context: QueryContext,
): Promise<readonly Json[]> {
  await held.engine?.create({
    name: 'given',
    columns: of.map(({ id, storageType }) => ({ name: id, storageType })),
    rows,
  });
  try {
    return await answered(query, from, context, 'given');
  } finally {
    await held.engine?.drop('given');
  }
}

/** What the plugin makes of the first half, put where the second half reads it. */
function finished(split: RollUp, context: QueryContext): Promise<readonly Json[]> {
  const asked = { id: dataset_id, columns: split.groups, filters: split.filters, options: { pushdown: true } };
  const rows = answer(missions, asked).map((row, index) => rowOf([...row], split.columns, index));
  return over({ columns: split.columns, rows }, split.query, split.model, context);
}

/** Returns the rows that the plugin keeps of what it is told, filtered again. */
function hinted(query: Query, dataset: ModelDataset, context: QueryContext): Promise<readonly Json[]> {
  const own = (context.rowFilters.get(dataset_id) ?? []).filter(isCondition);
  const filters = hintsOf([...query.where, ...own], dataset);
  const rows = answer(missions, { id: dataset_id, columns: [], filters });
  return over(
    { columns: columns.map(({ source, storageType }) => ({ id: source, storageType })), rows },
    query,
    model,
    context,
  );
}

/** Rows without their order, numbers but for rounding. */
const settled = (rows: readonly Json[]): readonly string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        isList(row) ? row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(9)) : cell)) : row,
      ),
    )
    .toSorted();

const pick = <Value>(values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);

const dimension = fc.oneof(
  pick(['id-mission', 'id-goal']).map((id) => ref(id)),
  fc.integer({ min: 1, max: 9 }).map((level) => ref('id-launch', level)),
  pick(timeParts).map((part) => ({ ...ref('id-launch'), part })),
);
const aggregation = pick(['sum', 'min', 'max', 'count', 'distinctcount']);
const measure = fc.oneof(
  fc.tuple(pick(['id-hours', 'id-samples']), aggregation).map(([id, type]) => ({ ...ref(id), aggregation: { type } })),
  fc
    .tuple(pick(['id-goal', 'id-launch']), pick(['count', 'distinctcount']))
    .map(([id, type]) => ({ ...ref(id), aggregation: { type } })),
  fc.constant(ref('*')),
);
const values = {
  'id-goal': ['Landing', 'Earth orbit', 'Mars'],
  'id-mission': ['Apollo 11', 'Apollo 13'],
  'id-launch': ['1969-07-16T13:32:00.000Z', '1970-01-01T00:00:00.000Z', '1972-12-07T05:33:00.000Z'],
  'id-hours': [142.91, 200, 301.87],
  'id-samples': [21.6, 77.3, 0],
} as const;
const test = pick(['id-goal', 'id-mission', 'id-launch', 'id-hours', 'id-samples'] as const).chain((id) => {
  const value = pick<string | number>(values[id]);
  const on = (expression: string, ...rest: readonly unknown[]) => ({ expression, parameters: [ref(id), ...rest] });
  const isText = id === 'id-goal' || id === 'id-mission';
  return fc.oneof(
    pick(['? is null', '? is not null']).map((expression) => on(expression)),
    fc.tuple(pick(['? = ?', '? != ?']), value).map(([expression, one]) => on(expression, one)),
    fc
      .tuple(
        pick(['? in ?', '? not in ?']),
        fc.array(fc.oneof(value, fc.constant(null)), { minLength: 1, maxLength: 3 }),
      )
      .map(([expression, list]) => on(expression, list)),
    isText
      ? value.map((one) => on('? starts with ?', String(one).slice(0, 3)))
      : fc.tuple(pick(['? < ?', '? <= ?', '? > ?', '? >= ?']), value).map(([expression, one]) => on(expression, one)),
  );
});
const condition = fc.oneof(
  { weight: 3, arbitrary: test },
  { weight: 1, arbitrary: fc.tuple(test, test).map((or) => ({ or })) },
  {
    weight: 1,
    arbitrary: fc.constant({ expression: 'last_now', parameters: [ref('id-launch'), { unit: 'year', quantity: 2 }] }),
  },
);
const query = fc.record({
  dimensions: fc.array(dimension, { maxLength: 3 }),
  measures: fc.array(measure, { minLength: 1, maxLength: 4 }),
  where: fc.array(condition, { maxLength: 3 }),
  having: fc.oneof(
    fc.constant([]),
    fc.constant([{ expression: '? > ?', parameters: [{ ...ref('id-hours'), aggregation: { type: 'sum' } }, 400] }]),
  ),
});

describe('a query split between a plugin and the engine', () => {
  it('answers as the whole query over the rows does, whatever is asked', async () => {
    const seen = { split: 0, whole: 0 };
    await fc.assert(
      fc.asyncProperty(query, fc.array(test, { maxLength: 2 }), fc.boolean(), async (find, filters, isLax) => {
        const asked = queryOf(find);
        const context = contextOf(conditionsOf(JSON.parse(JSON.stringify(filters))));
        const split = rollUp(asked, model, context);
        seen[split === null ? 'whole' : 'split'] += 1;
        const wanted = settled(await answered(asked, model, context, 'raw'));
        const dataset = model.datasets.get(dataset_id);
        if (dataset !== undefined) expect(settled(await hinted(asked, dataset, context))).toEqual(wanted);
        if (split === null) return;
        const given = await finished(isLax ? { ...split, filters: [] } : split, context);
        expect(settled(given)).toEqual(wanted);
      }),
      { numRuns: counted(150, 2000) },
    );
    expect(seen.split).toBeGreaterThan(seen.whole / 3);
  });

  it('never lets go of a row filter: its columns come back and it is applied again', async () => {
    const filters = conditionsOf([{ expression: '? = ?', parameters: [ref('id-goal'), 'Landing'] }]);
    const asked = queryOf({ dimensions: [ref('id-launch', 1)], measures: [ref('*')] });
    const split = rollUp(asked, model, contextOf(filters));
    expect(split?.groups).toEqual([
      { column_id: 'launch', level: 'year' },
      { column_id: 'goal' },
      { column_id: '*', aggregation: 'count' },
    ]);
    if (split === null) return;
    // The plugin ignores what it was told.
    const lax = await finished({ ...split, filters: [] }, contextOf(filters));
    expect(lax).toEqual(await answered(asked, model, contextOf(filters), 'raw'));
  });

  it('asks for the periods that parts of a time are made of', () => {
    const groupsFor = (part: string, zone?: string) =>
      rollUp(queryOf({ dimensions: [{ ...ref('id-launch'), part }], measures: [ref('*')] }), model, contextOf([], zone))
        ?.groups[0];
    expect(groupsFor('weekday_name')).toEqual({ column_id: 'launch', level: 'day' });
    expect(groupsFor('month_number')).toEqual({ column_id: 'launch', level: 'month' });
    expect(groupsFor('hour_in_day')).toEqual({ column_id: 'launch', level: 'hour' });
    expect(groupsFor('weekday_name', 'Europe/Brussels')).toBeUndefined();
  });

  it('is not split where a plugin could mean something else', () => {
    const refused = (find: object, zone?: string): boolean =>
      rollUp(queryOf(find), model, contextOf([], zone)) === null;
    const measures = [ref('*')];
    expect(refused({ dimensions: [ref('id-launch', 1)], measures })).toBe(false);
    expect(refused({ dimensions: [ref('id-launch', 1)], measures }, 'Europe/Brussels')).toBe(true);
    const options = { timezone_id: 'Asia/Tokyo' };
    expect(refused({ dimensions: [ref('id-launch', 5)], measures, options })).toBe(true);
    expect(refused({ dimensions: [ref('id-launch', 4)], measures, options: { weekstart: 'sunday' } })).toBe(true);
    expect(refused({ dimensions: [ref('id-goal')], measures, options: { rollup_data: false } })).toBe(true);
    expect(refused({ dimensions: [ref('id-goal')] })).toBe(true);
    for (const type of ['average', 'median', 'stddev', 'cumulativesum']) {
      expect(refused({ measures: [{ ...ref('id-hours'), aggregation: { type } }] })).toBe(true);
    }
    const where = [{ expression: '? = ?', parameters: [ref('id-goal'), 'Landing'] }];
    expect(refused({ measures, where })).toBe(true);
    const distinct = [{ ...ref('id-goal'), aggregation: { type: 'distinctcount' } }];
    const weekday = { ...ref('id-launch'), part: 'weekday_number' };
    expect(refused({ dimensions: [weekday], measures: distinct })).toBe(true);
    expect(refused({ dimensions: [ref('id-launch', 9), weekday], measures: distinct })).toBe(true);
    expect(refused({ dimensions: [ref('id-mission')], measures: distinct, where })).toBe(true);
    expect(
      refused({ dimensions: [ref('id-goal')], measures: [{ ...ref('id-nothing'), aggregation: { type: 'sum' } }] }),
    ).toBe(true);
  });
});
