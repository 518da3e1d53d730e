import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '@inlay/contract';
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
import { duckdb } from '../dialect/duckdb.ts';
import { emit } from '../emit.ts';
import { emitScan, scansIn, scansOf } from '../emit/scans.ts';
import type { Model, ModelColumn } from '../model.ts';
import { plan, type QueryContext, type Plan } from '../plan.ts';
import type { Condition, RowFilter } from '../query.ts';

const conditionOf = (json: Json): Condition => {
  const [found] = queryOf({ measures: [rowsIn('orders')], where: [json] }).where;
  if (found === undefined) throw new Error('no condition');
  return found;
};
/** Each dataset is restricted to the rows of one tenant by a different condition. */
const rowFilters = new Map<string, readonly Condition[]>([
  ['orders', [conditionOf(filter('orders.id', '? <= ?', 2))]],
  ['customers', [conditionOf(filter('customers.id', '? = ?', 1))]],
  ['tickets', [conditionOf(filter('tickets.id', '? < ?', 2))]],
  ['budgets', [conditionOf(filter('budgets.team', '? = ?', 'x'))]],
]);
const guarded: QueryContext = { ...context, rowFilters };

/** One query for each way of reading rows. */
const queries: Readonly<Record<string, Json>> = {
  'of one dataset': { dimensions: [column('orders.id')], measures: [measure('orders.amount', 'sum')] },
  'raw rows': { dimensions: [column('orders.id')], options: { rollup_data: false } },
  'looked up': { dimensions: [column('customers.name'), column('customers.credit')], measures: [rowsIn('orders')] },
  'looked up, one column': { dimensions: [column('customers.country')], measures: [rowsIn('orders')] },
  'two measures': { measures: [measure('orders.amount', 'sum'), measure('tickets.minutes', 'sum')] },
  'only filtered by': { measures: [rowsIn('customers')], where: [filter('orders.status', '? is not null')] },
  'only joined through': { measures: [rowsIn('orders')], where: [filter('tickets.minutes', '? > ?', 0)] },
  'exactly linked': { dimensions: [column('budgets.team')], measures: [rowsIn('customers')] },
  bins: { dimensions: [column('orders.amount', { discretization: { bins: 2 } })], measures: [rowsIn('orders')] },
  latest: {
    measures: [rowsIn('orders')],
    where: [filter('orders.at', '? last_available ?', { unit: 'month', quantity: 1 })],
  },
  zone: {
    dimensions: [column('orders.at', { level: 3 })],
    measures: [rowsIn('orders')],
    options: { timezone_id: 'Europe/Brussels' },
  },
};

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const asText = (rows: readonly (readonly unknown[])[]): string =>
  JSON.stringify(rows.map(([text]): unknown => JSON.parse(String(text))));
const answerTo = async (planned: Plan): Promise<string> => {
  const { sql, params } = emit(planned, duckdb, (id) => ({ kind: 'table', path: [id] }), 'json');
  return asText(await world.run(sql, params));
};
/** Returns the plan without the filters of one scan: the fault that must never occur. */
const without = (planned: Plan, place: number): Plan => {
  let seen = -1;
  return JSON.parse(
    JSON.stringify(planned, (name, value: unknown) => {
      if (name !== 'rowFilters') return value;
      seen += 1;
      return seen === place ? [] : value;
    }),
  );
};

describe('row filters', () => {
  test.each(Object.entries(queries))('stand on every scan: %s', async (_, json) => {
    const planned = plan(queryOf(json), model, guarded);
    const scans = [...scansIn(planned.body)];
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan.rowFilters, scan.datasetId).toHaveLength(1);
    for (const { datasetId, rowFilters: own } of scansOf(planned)) expect(own, datasetId).toHaveLength(1);
    expect(await answerTo(planned)).not.toBe(await answerTo(plan(queryOf(json), model, context)));
  });

  test('an answer over filtered rows equals the answer over only those rows', async () => {
    const found: Record<string, string> = {};
    for (const [name, json] of Object.entries(queries))
      found[name] = await answerTo(plan(queryOf(json), model, guarded));
    const own = await openWorld();
    await own.run('delete from orders where not id <= 2', []);
    await own.run('delete from customers where id <> 1', []);
    await own.run('delete from tickets where not id < 2', []);
    await own.run("delete from budgets where team <> 'x'", []);
    for (const [name, json] of Object.entries(queries)) {
      expect(JSON.stringify(await own.answer(json)), name).toBe(found[name]);
    }
    own.close();
  });

  const asked = { dimensions: [column('orders.id')], measures: [rowsIn('orders'), measure('orders.workday', 'count')] };
  const workday: ModelColumn = {
    id: 'orders.workday',
    datasetId: 'orders',
    source: '',
    type: 'numeric',
    subtype: null,
    storageType: 'integer',
    expression: 'weekday({orders.at})',
    separator: null,
    joins: [],
  };
  const orders = model.datasets.get('orders');
  if (orders === undefined) throw new Error('no dataset');
  const derived: Model = {
    datasets: new Map([['orders', { ...orders, columns: new Map([...orders.columns, [workday.id, workday]]) }]]),
  };
  test.each([
    ['a day', filter('orders.at', '? = ?', '2024-03-01', { level: 5 })],
    ['a week', filter('orders.at', '? = ?', '2024-03-01', { level: 4 })],
    ['this week so far', filter('orders.at', 'WTD')],
    ['the month before', filter('orders.at', '? last_completed ?', { unit: 'month', quantity: 1 })],
    ['the newest week', filter('orders.at', '? last_available ?', { unit: 'week', quantity: 1 })],
    ['a formula', filter('orders.workday', '? = ?', 1)],
  ])('read times alike, whatever zone and first day of the week a query asks for: %s', (_, json) => {
    const filtered = { ...context, rowFilters: new Map([['orders', [conditionOf(json)]]]) };
    const testsOf = (options: Json): readonly unknown[] =>
      [...scansIn(plan(queryOf({ ...asked, options }), derived, filtered).body)].map((scan) => scan.rowFilters);
    const usual = testsOf({});
    expect(usual.length).toBeGreaterThan(0);
    for (const timezone_id of ['Pacific/Kiritimati', 'America/St_Johns'])
      expect(testsOf({ timezone_id, weekstart: 7 })).toEqual(usual);
  });

  test('a plan that dropped one of them would be caught', async () => {
    let caught = 0;
    for (const json of Object.values(queries)) {
      const planned = plan(queryOf(json), model, guarded);
      const scans = [...scansIn(planned.body)].length;
      for (let place = 0; place < scans; place += 1) {
        const faulty = without(planned, place);
        const seen = [...scansIn(faulty.body)].some(({ rowFilters: own }) => own.length === 0);
        expect(seen).toBe(true);
        if ((await answerTo(faulty)) !== (await answerTo(planned))) caught += 1;
      }
    }
    expect(caught).toBeGreaterThan(10);
  });

  test('they are in what is read from a source, and may name a column that is hidden from the caller', () => {
    const orders = model.datasets.get('orders');
    if (orders === undefined) throw new Error('no dataset');
    const columns = new Map([...orders.columns].filter(([name]) => name !== 'orders.id'));
    const hidden: Model = { datasets: new Map([['orders', { ...orders, columns }]]) };
    const guarded: QueryContext = { ...context, rowFilters, wholeModel: model };
    const planned = plan(queryOf({ measures: [measure('orders.amount', 'sum')] }), hidden, guarded);
    const [scan] = scansOf(planned);
    if (scan === undefined) throw new Error('no scan');
    expect(emitScan(scan, duckdb, { kind: 'table', path: ['orders'] })).toMatchObject({
      sql: 'SELECT "t"."amount", "t"."id" FROM "orders" AS "t" WHERE ("t"."id" <= CAST($1 AS BIGINT))',
      params: ['2'],
    });
    expect(() => plan(queryOf({ dimensions: [column('orders.id')] }), hidden, guarded)).toThrow(
      expect.objectContaining({ code: 'column_unknown' }),
    );
    expect(() =>
      plan(queryOf({ measures: [rowsIn('orders')], where: [filter('orders.id', '? = ?', 1)] }), hidden, guarded),
    ).toThrow(expect.objectContaining({ code: 'column_unknown' }));
  });

  test('one that cannot be applied refuses the query and says nothing of what it hides', () => {
    for (const bad of [filter('orders.amount', '? = ?', 'words'), filter('customers.id', '? = ?', 1)]) {
      const broken = new Map([['orders', [conditionOf(bad)]]]);
      expect(() => plan(queryOf({ measures: [rowsIn('orders')] }), model, { ...context, rowFilters: broken })).toThrow(
        expect.objectContaining({ code: 'row_filter_invalid', at: 'rowFilters[0]' }),
      );
    }
  });

  describe('that follow a link', () => {
    const key = (id: string) => ({ datasetId: id.split('.')[0] ?? '', columnId: id });
    const through = (from: string, to: string, ...of: readonly RowFilter[]): RowFilter => ({
      kind: 'lookup',
      from: key(from),
      to: key(to),
      of,
    });
    const idsOf = async (table: 'orders' | 'tickets', held: readonly RowFilter[]): Promise<readonly Json[]> => {
      const asked = { dimensions: [column(`${table}.id`)], order: [column(`${table}.id`)] };
      const rows = await world.answer(asked, { rowFilters: new Map([[table, held]]) });
      return rows.flatMap((row) => (Array.isArray(row) ? row : []));
    };
    const country = (name: string): Condition => conditionOf(filter('customers.country', '? = ?', name));

    test('keep rows whose looked-up row is visible; without a match or a key a row is hidden', async () => {
      expect(await idsOf('orders', [through('orders.customer', 'customers.id', country('BE'))])).toEqual([1, 2, 4]);
      expect(await idsOf('orders', [through('orders.customer', 'customers.id', country('FR'))])).toEqual([3]);
    });

    test('need all rows of a key to be visible', async () => {
      const named = conditionOf(filter('customers.name', '? = ?', 'Cid'));
      expect(await idsOf('orders', [through('orders.customer', 'customers.id', named)])).toEqual([]);
    });

    test('lead on over several links, and hold together', async () => {
      const x = through('customers.country', 'budgets.country', conditionOf(filter('budgets.budget', '? < ?', 500)));
      expect(await idsOf('tickets', [through('tickets.customer', 'customers.id', x)])).toEqual([3]);
      expect(await idsOf('tickets', [through('tickets.customer', 'customers.id', x, country('BE'))])).toEqual([]);
    });

    test('compare keys of unlike types as texts', async () => {
      const status = conditionOf(filter('orders.amount', '? > ?', 0));
      expect(await idsOf('tickets', [through('tickets.id', 'orders.status', status)])).toEqual([]);
      expect(await idsOf('tickets', [through('tickets.id', 'orders.weight', status)])).toEqual([]);
    });

    test('are left to the engine where the other dataset lies elsewhere, and are in no scan of it', () => {
      const held = new Map([['orders', [through('orders.customer', 'customers.id', country('BE'))]]]);
      const planned = plan(queryOf({ measures: [rowsIn('orders')] }), model, { ...context, rowFilters: held });
      const scans = scansOf(planned);
      expect(scans.map(({ datasetId }) => datasetId).toSorted()).toEqual(['customers', 'orders']);
      for (const scan of scans) {
        const { sql } = emitScan(scan, duckdb, { kind: 'table', path: [scan.datasetId] });
        expect(sql).not.toContain('WHERE');
      }
    });
  });
});
