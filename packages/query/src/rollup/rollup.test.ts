import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { counted } from '../../../../test/support/counts.ts';
import {
  column,
  context,
  filter,
  measure,
  model,
  openWorld,
  queryOf,
  rowsIn,
  type World,
} from '../../../../test/support/shop.ts';
import { text } from '../../../../test/support/world.ts';
import { duckdb } from '../dialect/duckdb.ts';
import { emit } from '../emit.ts';
import { plan, type Plan, type QueryContext } from '../plan.ts';
import type { RowFilter } from '../query.ts';
import { emitRollup, emitRollupRows } from './build.ts';
import type { NewestTimes } from './edges.ts';
import { rollupNeeds } from './need.ts';
import { overRollups, type Rollup } from './rewrite.ts';
import { coversShape, unionOfShapes, type RollupShape } from './shape.ts';

let world: World;
/** Newest time of the orders. Filters until now end later, others earlier. */
const newest: NewestTimes = { at: Date.parse('2024-03-31T01:30:00Z') };
beforeAll(async () => {
  world = await openWorld();
  await world.run('alter table orders alter amount type decimal(18, 4)', []);
  await world.run('alter table orders alter weight type double', []);
  await world.run(
    `insert into orders
      select 100 + n, case when n % 11 < 10 then n % 5 end, case n % 4 when 0 then 'open' when 1 then 'done' when 2 then 'late' end,
        'Europe/' || n % 3, case when n % 7 > 0 then n * 1.37 - 900 end, case when n % 9 > 0 then (n * 7919) % 1000 / 7.0 end,
        case when n % 13 > 0 then timestamp '2023-10-20' + (n * 5003 % 33000) * interval '7 minutes' end,
        case when n % 6 > 0 then date '2023-12-01' + (n % 200)::int end, case n % 3 when 0 then true when 1 then false end
        from range(3000) t(n)`,
    [],
  );
  const [[maximum] = []] = await world.run(`select strftime(max("at"), '%Y-%m-%dT%H:%M:%S.%gZ') from orders`, []);
  expect(Date.parse(String(maximum))).toBe(newest['at']);
});
afterAll(() => world.close());

const zones = ['UTC', 'Europe/Brussels', 'America/New_York', 'Asia/Kathmandu'];
const days = ['2024-01-01', '2024-02-01', '2024-03-31', '2024-04-01', '2024-03-04', '2023-10-29', '2024-11-03'];
const times = [...days.map((day) => `${day}T00:00:00Z`), '2024-03-30T23:00:00Z', '2024-02-10T08:30:00Z'];

const dimensionOf = fc.oneof(
  fc.constantFrom(
    column('orders.status'),
    column('orders.paid'),
    column('orders.place', { level: 2 }),
    column('orders.customer'),
    column('customers.country'),
    column('orders.day', { level: 3 }),
    column('orders.day'),
  ),
  fc.constantFrom(1, 2, 3, 4, 5, 6).map((level) => column('orders.at', { level })),
  fc
    .constantFrom('weekday_number', 'month_number', 'day_in_month', 'week_number', 'hour_in_day')
    .map((part) => column('orders.at', { part })),
);
const measureOf = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('orders.amount', 'orders.weight', 'orders.customer'),
      fc.constantFrom('sum', 'average', 'min', 'max', 'count', 'distinctcount', 'median', 'stddev', 'cumulativesum'),
    )
    .map(([id, type]) => measure(id, type)),
  fc.constantFrom(
    rowsIn('orders'),
    measure('orders.amount', 'rate', { dataset_id: 'orders', column_id: 'orders.customer' }),
    measure('orders.weight', 'weightedaverage', { dataset_id: 'orders', column_id: 'orders.customer' }),
    measure('orders.at', 'max'),
    { dataset_id: 'orders', formula: 'sum({orders.amount}) / count(*)' },
    measure('tickets.minutes', 'sum'),
  ),
);
const conditionOf = fc.oneof(
  fc.constantFrom<Json>(
    filter('orders.status', '? in ?', ['open', null]),
    filter('orders.status', '? != ?', 'done'),
    filter('orders.paid', '? = ?', true),
    filter('orders.amount', '? > ?', 0),
    filter('customers.country', '? = ?', 'BE'),
    filter('orders.at', '? is not null'),
    filter('orders.at', '? is null'),
    filter('orders.at', '? last_completed ?', { unit: 'month', quantity: 2 }),
    filter('orders.at', '? to_date ?', { unit: 'month', quantity: 1 }),
    filter('orders.day', '? >= ?', '2024-02-01'),
  ),
  fc
    .tuple(fc.constantFrom('>=', '<', '<=', '>', '=', '!='), fc.constantFrom(...days, ...times))
    .map(([sign, value]): Json => filter('orders.at', `? ${sign} ?`, value)),
  fc
    .tuple(fc.constantFrom('>=', '<', '=', '!='), fc.constantFrom(...days), fc.constantFrom(1, 3, 4, 5))
    .map(([sign, value, level]): Json => filter('orders.at', `? ${sign} ?`, value, { level })),
  fc.tuple(fc.constantFrom(...days), fc.constantFrom(...days)).map(([from, until]): Json => ({
    or: [filter('orders.at', '? between ?', [from, until]), filter('orders.status', '? = ?', 'late')],
  })),
);
const havingOf = fc.constantFrom<Json>(
  filter('orders.amount', '? > ?', 100, { aggregation: { type: 'sum' } }),
  filter('orders.weight', '? > ?', 10, { aggregation: { type: 'average' } }),
);

const rowFilters: readonly (readonly RowFilter[])[] = [
  [],
  [
    {
      kind: 'test',
      expression: '=',
      on: { datasetId: 'orders', columnId: 'orders.status', level: null },
      measure: null,
      operand: { kind: 'value', value: 'open' },
    },
  ],
  [
    {
      kind: 'lookup',
      from: { datasetId: 'orders', columnId: 'orders.customer' },
      to: { datasetId: 'customers', columnId: 'customers.id' },
      of: [
        {
          kind: 'test',
          expression: '=',
          on: { datasetId: 'customers', columnId: 'customers.country', level: null },
          measure: null,
          operand: { kind: 'value', value: 'BE' },
        },
      ],
    },
  ],
];

interface Case {
  readonly query: Json;
  readonly zone: string;
  readonly weekstart: number;
  readonly rows: number;
}
const caseOf: fc.Arbitrary<Case> = fc.record({
  query: fc
    .record({
      dimensions: fc.array(dimensionOf, { maxLength: 2 }),
      measures: fc.array(measureOf, { minLength: 1, maxLength: 3 }),
      where: fc.array(conditionOf, { maxLength: 2 }),
      having: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(havingOf, { maxLength: 1 }) },
      ),
    })
    .map((query): Json => query),
  zone: fc.constantFrom(...zones),
  weekstart: fc.constantFrom(1, 7),
  rows: fc.constantFrom(0, 0, 1, 2),
});

const planOf = ({ query, zone, weekstart, rows }: Case): Plan | null => {
  const queryContext: QueryContext = {
    ...context,
    timeZone: zone,
    weekstart,
    rowLimit: 100_000,
    rowFilters: new Map([['orders', rowFilters[rows] ?? []]]),
  };
  try {
    return plan(queryOf(query), model, queryContext);
  } catch {
    return null;
  }
};

const rowsOf = async (planned: Plan): Promise<readonly Json[]> => {
  const { sql, params } = emit(planned, duckdb, (id) => ({ kind: 'table', path: [id] }), 'json');
  return (await world.run(sql, params)).map(([row]): Json => JSON.parse(String(row)));
};

/** Relative difference that doubles may have. */
const tolerance = 1e-9;
const isAlike = (left: Json, right: Json): boolean => {
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= tolerance * Math.max(1, Math.abs(left), Math.abs(right));
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((cell, index) => isAlike(cell, right[index] ?? null));
  return JSON.stringify(left) === JSON.stringify(right);
};

let made = 0;
async function built(shape: RollupShape): Promise<Rollup> {
  made += 1;
  const id = `r${made}`;
  const { sql, params } = emitRollup(shape, { kind: 'table', path: ['orders'] });
  await world.run(`create table "orders ${id}" as ${sql}`, params);
  const [[rows] = []] = await world.run(`select count(*)::integer from "orders ${id}"`, []);
  const count = emitRollupRows(shape, { kind: 'table', path: ['orders'] });
  expect(JSON.parse(String((await world.run(count.sql, count.params))[0]?.[0]))).toEqual([rows]);
  return { id, shape, rows: Number(rows), newest };
}

const newestOf = (datasetId: string): NewestTimes => (datasetId === 'orders' ? newest : {});

const shapesOf = (cases: readonly Case[]): readonly RollupShape[] =>
  cases.flatMap((entry) => {
    const planned = planOf(entry);
    return planned === null
      ? []
      : rollupNeeds(planned, [entry.zone], newestOf)
          .filter(({ datasetId }) => datasetId === 'orders')
          .map(({ shape }) => shape);
  });

describe('rollups', () => {
  test('answer any query that they match as the rows of the dataset do', { timeout: 3_600_000 }, async () => {
    let matched = 0;
    let tried = 0;
    const compare = async (entry: Case, rollups: readonly Rollup[]): Promise<boolean> => {
      const planned = planOf(entry);
      if (planned === null) return false;
      tried += 1;
      const rolledUp = overRollups(planned, (id) => (id === 'orders' ? rollups : []));
      if (rolledUp === null) return false;
      matched += 1;
      const [left, right] = [await rowsOf(rolledUp.plan), await rowsOf(planned)];
      if (!isAlike([...left], [...right])) expect(left).toEqual(right);
      return true;
    };
    const property = fc.asyncProperty(
      fc.array(caseOf, { minLength: 1, maxLength: 3 }),
      fc.array(caseOf, { minLength: 6, maxLength: 12 }),
      async (sources, others) => {
        const shapes = shapesOf(sources);
        if (shapes.length === 0) return;
        const rollups = [await built(unionOfShapes(shapes))];
        const [first] = shapes;
        if (first !== undefined) rollups.push(await built(first));
        for (const entry of [...sources, ...others]) await compare(entry, rollups);
        for (const { id } of rollups) await world.run(`drop table "orders ${id}"`, []);
      },
    );
    await fc.assert(property, { numRuns: counted(60, 3000) });
    process.stdout.write(`rollups: ${matched} of ${tried} queries matched and had the same answer\n`);
    expect(matched).toBeGreaterThan(tried / 20);
  });

  test('give the standard deviation of values that are large and lie close together, and none of infinite ones', async () => {
    await world.run('update orders set weight = null', []);
    await world.run(
      `insert into orders (id, status, weight, place)
        select 10000 + n, case when n < 5000 then 'close' when n < 5003 then 'infinite' when n < 5005 then 'large' else 'single' end,
          case when n < 5000 then 1e9 + n * 7919 % 1000 / 1000.0
            else (['1', '2', 'infinity', '1e200', '2e200', '5'])[n - 4999]::double end,
          'Asia/' || n % 100
        from range(5006) t(n)`,
      [],
    );
    const deviationOf = (dimensions: readonly Json[]): Case => ({
      query: {
        dimensions,
        measures: [measure('orders.weight', 'stddev')],
        where: [filter('orders.status', '? in ?', ['close', 'infinite', 'large', 'single'])],
      },
      zone: 'UTC',
      weekstart: 1,
      rows: 0,
    });
    const [wanted, finer] = [
      deviationOf([column('orders.status')]),
      deviationOf([column('orders.place', { level: 2 })]),
    ];
    const rollup = await built(unionOfShapes(shapesOf([wanted, finer])));
    const planned = planOf(wanted);
    const rolledUp = planned && overRollups(planned, (id) => (id === 'orders' ? [rollup] : []));
    if (!planned || !rolledUp) throw new Error('the rollup does not match');
    expect(rollup.rows).toBeGreaterThan(100);

    const [[listed] = []] = await world.run(
      `select json_group_array(weight - 1e9)::text from orders where status = 'close'`,
      [],
    );
    const distances: Json = JSON.parse(String(listed));
    const values = isList(distances) ? distances.map(Number) : [];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const exact = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
    for (const [rows, digits] of [
      [await rowsOf(rolledUp.plan), 9],
      [await rowsOf(planned), 7],
    ] as const) {
      const byStatus = new Map(
        rows.flatMap((row) => (isList(row) ? [[text(row[0] ?? null, 'id'), row[1]] as const] : [])),
      );
      expect(Number(byStatus.get('close')) / exact).toBeCloseTo(1, digits);
      expect([byStatus.get('infinite'), byStatus.get('large'), byStatus.get('single')]).toEqual([null, null, null]);
    }
  });

  test('that are made for a query match it', async () => {
    await fc.assert(
      fc.asyncProperty(caseOf, async (entry) => {
        const planned = planOf(entry);
        if (planned === null) return;
        for (const { datasetId, shape } of rollupNeeds(planned, [entry.zone], newestOf)) {
          const rollups = [{ id: 'x', shape, rows: 1, newest }];
          expect(overRollups(planned, (id) => (id === datasetId ? rollups : []))).not.toBeNull();
          expect(coversShape(shape, shape)).toBe(true);
        }
      }),
      { numRuns: counted(500, 20_000) },
    );
  });
});
