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
  statementOf,
  type World,
} from '../../../test/support/shop.ts';
import { duckdb } from './dialect/duckdb.ts';
import { mysql } from './dialect/mysql.ts';
import { postgres } from './dialect/postgres.ts';
import { emit, unsupportedBy } from './emit.ts';
import { datasetsOf, plan } from './plan.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const member = (id: string, name = id, language = 'en') => ({ id, name: { [language]: name } });
const total = measure('orders.amount', 'sum');
const refusal = (json: Json) => () => plan(queryOf(json), model, context);

describe('groups', () => {
  test('every aggregation computes what its name says', async () => {
    const of = (type: string, id = 'orders.weight') => measure(id, type);
    const rows = await world.answer({
      measures: [
        ...['sum', 'average', 'median', 'min', 'max', 'count', 'distinctcount', 'stddev'].map((type) => of(type)),
        of('count', 'orders.status'),
        of('distinctcount', 'orders.status'),
        of('min', 'orders.at'),
        of('max', 'orders.day'),
        measure('orders.amount', 'weightedaverage', { column_id: 'orders.weight' }),
        measure('orders.amount', 'rate', { column_id: 'orders.weight' }),
        rowsIn('orders'),
        { dataset_id: 'orders', formula: 'sum({orders.amount}) / count(*)' },
      ],
    });
    const deviation = Math.sqrt([1, 2, 4, 0.5, 3].reduce((all, one) => all + (one - 2.1) ** 2, 0) / 4);
    expect(rows).toEqual([
      [
        10.5,
        2.1,
        2,
        0.5,
        4,
        5,
        5,
        expect.closeTo(deviation, 12),
        5,
        3,
        '2024-01-31T23:30:00.000Z',
        '2024-03-31T00:00:00.000Z',
        (10.5 + 40 + 400 + 3.5) / 7.5,
        142.75 / 10.5,
        6,
        142.75 / 6,
      ],
    ]);
  });

  test('a hierarchy is grouped by the path to a level and named by its last part', async () => {
    const rows = await world.answer({
      dimensions: [column('orders.place', { level: 2 })],
      measures: [rowsIn('orders')],
      options: { locale_id: 'nl' },
    });
    expect(rows).toEqual([
      [member('Asia/Japan', 'Japan', 'nl'), 1],
      [member('Europe', 'Europe', 'nl'), 1],
      [member('Europe/Belgium', 'Belgium', 'nl'), 2],
      [member('Europe/France', 'France', 'nl'), 1],
      [null, 1],
    ]);
  });

  test('running sums follow the dimensions, whatever order is shown', async () => {
    const rows = await world.answer({
      dimensions: [column('orders.at', { level: 3 })],
      measures: [total, measure('orders.amount', 'cumulativesum')],
      order: [column('orders.at', { order: 'desc' })],
    });
    expect(rows).toEqual([
      ['2024-03-01T00:00:00.000Z', 107, 142.75],
      ['2024-02-01T00:00:00.000Z', 25.25, 35.75],
      ['2024-01-01T00:00:00.000Z', 10.5, 10.5],
      [null, null, 142.75],
    ]);
  });

  test('bins cut the filtered range into equal parts, the last one closed', async () => {
    const rows = await world.answer({
      dimensions: [column('orders.amount', { discretization: { type: 'linear', bins: 2 } })],
      measures: [rowsIn('orders')],
      where: [filter('orders.amount', '? <= ?', 20), filter('orders.amount', '? >= ?', 10)],
    });
    expect(rows).toEqual([
      [[10.5, 15.25], 1],
      [[15.25, 20], 1],
    ]);
  });

  test('having compares measures, asked or not, and groups of such tests', async () => {
    const asked = { dimensions: [column('orders.status')], measures: [total] };
    const having = (one: Json) => world.answer({ ...asked, having: [one] });
    const over = (type: Json, expression: string, value: Json) => ({
      expression,
      parameters: [type, value],
    });
    expect(await having(over(total, '? > ?', 20))).toEqual([[member('Open'), 100]]);
    expect(await having(over(column('orders.amount'), '? > ?', 20))).toEqual([[member('Open'), 100]]);
    const many = over(rowsIn('orders'), '? >= ?', 2);
    const newest = over(measure('orders.at', 'max'), '? >= ?', '2024-03-31');
    expect(await having({ and: [many, newest] })).toEqual([]);
    expect(await having({ or: [many, newest] })).toHaveLength(4);
  });

  test('rows come by their dimensions with nulls last, and ties of an asked order by the dimensions', async () => {
    const statuses = async (order: Json, limit: Json = null) =>
      (await world.answer({ dimensions: [column('orders.status')], measures: [rowsIn('orders')], order, limit })).map(
        (row) =>
          JSON.stringify(row)
            .replace(/.*"id":"(\w+)".*/u, '$1')
            .replace('[null,1]', '-'),
      );
    expect(await statuses([])).toEqual(['Open', 'done', 'open', '-']);
    expect(await statuses([{ ...rowsIn('orders'), order: 'desc' }])).toEqual(['done', 'open', 'Open', '-']);
    expect(await statuses([column('orders.status', { order: 'desc' })])).toEqual(['open', 'done', 'Open', '-']);
    expect(await statuses([{ ...total, order: 'desc' }], { by: 2, offset: 1 })).toEqual(['done', 'open']);
    expect(refusal({ dimensions: [column('orders.status')], order: [column('orders.id')] })).toThrow(
      expect.objectContaining({ code: 'order_unknown', at: 'order[0]' }),
    );
  });

  test('one more row than the limit is read, so that a cut is seen', () => {
    expect(statementOf({ dimensions: [column('orders.id')] }, { rowLimit: 10 }).sql).toContain(' LIMIT 11)');
    expect(statementOf({ dimensions: [column('orders.id')], limit: { by: 4 } }, { rowLimit: 10 }).sql).toContain(
      ' LIMIT 4)',
    );
  });
});

describe('raw rows', () => {
  test('are answered as they are, with their times and members', async () => {
    const rows = await world.answer({
      dimensions: [column('orders.at'), column('orders.paid'), column('orders.place')],
      measures: [column('orders.amount'), column('orders.status')],
      where: [filter('orders.id', '? in ?', [1, 4])],
      order: [column('orders.id', { order: 'desc' })],
      options: { rollup_data: false },
    });
    expect(rows).toEqual([
      ['2024-03-31T00:30:00.000Z', null, member('Asia/Japan/Tokyo', 'Tokyo'), 100, member('Open')],
      ['2024-01-31T23:30:00.000Z', member('true'), member('Europe/Belgium/Ghent', 'Ghent'), 10.5, member('open')],
    ]);
  });
});

describe('statements', () => {
  test('of one dataset are one select with nothing needless, every value bound', () => {
    const { sql, params } = emit(
      plan(
        queryOf({
          dimensions: [column('orders.status')],
          measures: [total],
          where: [filter('orders.status', '? != ?', "x'; drop table orders --")],
          limit: { by: 5 },
        }),
        model,
        context,
      ),
      postgres,
      () => ({ kind: 'table', path: ['public', 'or"ders'] }),
      'rows',
    );
    expect(sql).toMatchInlineSnapshot(
      `"SELECT (CAST("t"."status" AS text) COLLATE "C") AS "d0", sum("t"."amount") AS "m0" FROM (SELECT "amount", "status" FROM "public"."or""ders" AS "s") AS "t" WHERE ((NOT ((CAST("t"."status" AS text) COLLATE "C") = (CAST($1 AS text) COLLATE "C"))) OR ((CAST("t"."status" AS text) COLLATE "C") IS NULL)) GROUP BY 1 ORDER BY 1 ASC NULLS LAST LIMIT 5"`,
    );
    expect(params).toEqual(["x'; drop table orders --"]);
  });

  test('are the same bytes for the same query', () => {
    const json = {
      dimensions: [column('customers.country'), column('orders.at', { level: 4 })],
      measures: [total, measure('tickets.minutes', 'average')],
      where: [filter('orders.status', '? in ?', ['a', 'b'])],
    };
    expect(statementOf(json)).toEqual(statementOf(structuredClone(json)));
  });

  test('what a dialect cannot do exactly is said before anything runs', () => {
    const asked = plan(queryOf({ measures: [measure('orders.amount', 'median')] }), model, context);
    expect(unsupportedBy(asked, duckdb)).toBeNull();
    expect(unsupportedBy(asked, postgres)).toBeNull();
    expect(unsupportedBy(asked, mysql)).toContain('median');
  });

  test('the datasets of a query are known before it is planned', () => {
    const query = queryOf({
      dimensions: [column('customers.country')],
      measures: [total, measure('orders.amount', 'rate', { dataset_id: 'budgets', column_id: 'budgets.budget' })],
      where: [{ or: [filter('tickets.minutes', '? > ?', 1)] }],
    });
    expect(datasetsOf(query)).toEqual(['customers', 'orders', 'budgets', 'tickets']);
  });

  test('what cannot be is refused with a code and its place', () => {
    const refused: readonly [Json, string, string][] = [
      [{ dimensions: [column('nowhere.x')] }, 'dataset_unknown', 'dimensions[0].dataset_id'],
      [{ dimensions: [column('orders.x')] }, 'column_unknown', 'dimensions[0].column_id'],
      [{ dimensions: [column('orders.at', { level: 12 })] }, 'level_invalid', 'dimensions[0].level'],
      [{ dimensions: [column('orders.amount', { part: 'hour_in_day' })] }, 'level_invalid', 'dimensions[0].part'],
      [
        {
          dimensions: [column('orders.at', { part: 'month_name' })],
          order: [column('orders.at', { part: 'quarter_number' })],
        },
        'order_unknown',
        'order[0]',
      ],
      [
        { dimensions: [column('orders.status', { discretization: { bins: 2 } })] },
        'bins_invalid',
        'dimensions[0].discretization',
      ],
      [{ measures: [measure('orders.status', 'sum')] }, 'aggregation_invalid', 'measures[0].aggregation'],
      [{ measures: [{ dataset_id: 'orders', formula_id: 'x' }] }, 'formula_unknown', 'measures[0].formula_id'],
      [{ measures: [{ dataset_id: 'orders', formula: 'sum(' }] }, 'formula_invalid', 'measures[0].formula'],
      [{ measures: [total], options: { timezone_id: 'Mars/Base' } }, 'timezone_unknown', 'options.timezone_id'],
    ];
    for (const [json, code, at] of refused) expect(refusal(json)).toThrow(expect.objectContaining({ code, at }));
  });
});
