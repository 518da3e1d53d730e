import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '@inlay/contract';
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
import { plan } from '../plan.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const member = (id: string) => ({ id, name: { en: id } });
const refusal = (json: Json) => () => plan(queryOf(json), model, context);

interface Order {
  readonly id: number;
  readonly customer: number | null;
  readonly weight: number | null;
}
interface Ticket {
  readonly id: number;
  readonly customer: number | null;
  readonly minutes: number;
}
interface Customer {
  readonly id: number;
  readonly country: string | null;
}
const some = { key: fc.option(fc.integer({ min: 1, max: 4 })), amount: fc.integer({ min: 0, max: 9 }) };
const data = fc.record({
  orders: fc.array(fc.record({ customer: some.key, weight: fc.option(some.amount) }), { maxLength: 8 }),
  tickets: fc.array(fc.record({ customer: some.key, minutes: some.amount }), { maxLength: 8 }),
  customers: fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 4 }), country: fc.option(fc.constantFrom('BE', 'FR')) }),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
  least: some.amount,
});

/** Sums the values that are not null; null if there are none, as in SQL. */
const sumOf = (values: readonly (number | null)[]): number | null => {
  const found = values.filter((one) => one !== null);
  return found.length === 0 ? null : found.reduce((all, one) => all + one, 0);
};

/**
 * Sums orders' weight and tickets' minutes by country, for customers with a ticket of at least this many minutes, one
 * by one.
 */
function byCountry(
  orders: readonly Order[],
  tickets: readonly Ticket[],
  customers: readonly Customer[],
  least: number,
) {
  const countryOf = (key: number | null): string | null => customers.find(({ id }) => id === key)?.country ?? null;
  const ordersKept = orders.filter(({ customer }) =>
    tickets.some(
      (one) =>
        customer !== null &&
        one.customer === customer &&
        one.minutes >= least &&
        customers.some(({ id }) => id === customer),
    ),
  );
  const ticketsKept = tickets.filter(({ minutes }) => minutes >= least);
  const countries = new Set([...ordersKept, ...ticketsKept].map(({ customer }) => countryOf(customer)));
  return [...countries]
    .toSorted((left, right) => (left ?? 'ZZ').localeCompare(right ?? 'ZZ'))
    .map((country) => [
      country === null ? null : member(country),
      sumOf(ordersKept.filter(({ customer }) => countryOf(customer) === country).map(({ weight }) => weight)),
      sumOf(ticketsKept.filter(({ customer }) => countryOf(customer) === country).map(({ minutes }) => minutes)),
    ]);
}

describe('queries over any linked rows', () => {
  test('add up to what going through the rows one by one adds up to', async () => {
    const own = await openWorld();
    const fill = async (table: string, columns: string, values: readonly (readonly unknown[])[]): Promise<void> => {
      await own.run(`create or replace table ${table}(${columns})`, []);
      const text = values.map(
        (row) => `(${row.map((one) => (typeof one === 'string' ? `'${one}'` : String(one))).join(',')})`,
      );
      if (text.length > 0) await own.run(`insert into ${table} values ${text.join(',')}`, []);
    };
    const property = fc.asyncProperty(data, async ({ orders, tickets, customers, least }) => {
      await fill(
        'orders',
        'id bigint, customer bigint, weight double',
        orders.map((one, id) => [id, one.customer, one.weight]),
      );
      await fill(
        'tickets',
        'id bigint, customer bigint, minutes bigint',
        tickets.map((one, id) => [id, one.customer, one.minutes]),
      );
      await fill(
        'customers',
        'id bigint, country varchar',
        customers.map((one) => [one.id, one.country]),
      );
      const rows = await own.answer({
        dimensions: [column('customers.country')],
        measures: [measure('orders.weight', 'sum'), measure('tickets.minutes', 'sum')],
        where: [filter('tickets.minutes', '? >= ?', least)],
      });
      const numbered = <One>(list: readonly One[]) => list.map((one, id) => ({ id, ...one }));
      expect(rows).toEqual(byCountry(numbered(orders), numbered(tickets), customers, least));
    });
    await fc.assert(property, { numRuns: counted(60, 1000) });
    own.close();
  });
});

describe('queries over linked datasets', () => {
  test('a looked-up column adds to rows and never multiplies them, though its key occurs twice', async () => {
    const rows = await world.answer({
      dimensions: [column('customers.country')],
      measures: [measure('orders.amount', 'sum'), rowsIn('orders')],
    });
    expect(rows).toEqual([
      [member('BE'), 130.5, 3],
      [member('FR'), 5.25, 1],
      [null, 7, 2],
    ]);
  });

  test('several looked-up columns come of one row, the first by their values', async () => {
    const rows = await world.answer({
      dimensions: [column('orders.id'), column('customers.name'), column('customers.credit')],
      where: [filter('orders.id', '? in ?', [4, 5])],
      measures: [],
    });
    expect(rows).toEqual([
      [4, member('Cid'), 300],
      [5, null, null],
    ]);
  });

  test('measures of two datasets are each grouped on their own before they stand side by side', async () => {
    const both = await world.answer({
      dimensions: [column('customers.country')],
      measures: [measure('orders.amount', 'sum'), measure('tickets.minutes', 'sum'), rowsIn('tickets')],
    });
    expect(both).toEqual([
      [member('BE'), 130.5, 35, 3],
      [member('FR'), 5.25, 30, 1],
      [member('JP'), null, 40, 1],
      [null, 7, null, 0],
    ]);
    const total = await world.answer({
      measures: [measure('orders.amount', 'sum'), measure('tickets.minutes', 'sum')],
    });
    expect(total).toEqual([[142.75, 105]]);
  });

  test('a formula may divide what two datasets add up to', async () => {
    const formula = 'sum({orders.amount}) / sum({tickets.minutes})';
    const rows = await world.answer({ measures: [{ formula }], dimensions: [column('customers.country')] });
    expect(rows).toEqual([
      [member('BE'), 130.5 / 35],
      [member('FR'), 5.25 / 30],
      [member('JP'), null],
      [null, null],
    ]);
  });

  test('an aggregate may speak of a row and of what it looks up', async () => {
    const rows = await world.answer({ measures: [{ formula: 'sum({orders.weight} * {customers.credit})' }] });
    expect(rows).toEqual([[1 * 100 + 2 * 100 + 4 * 300]]);
  });

  test('a filter on another dataset keeps the rows that have a match and counts each once', async () => {
    const credit = { measures: [measure('customers.credit', 'sum'), rowsIn('customers')] };
    expect(await world.answer({ ...credit, where: [filter('orders.status', '? in ?', ['open', 'done'])] })).toEqual([
      [300, 2],
    ]);
    const orders = { measures: [rowsIn('orders')] };
    expect(await world.answer({ ...orders, where: [filter('customers.country', '? = ?', 'BE')] })).toEqual([[3]]);
    expect(await world.answer({ ...orders, where: [filter('customers.country', '? is null')] })).toEqual([[2]]);
    expect(await world.answer({ ...orders, where: [filter('tickets.minutes', '? > ?', 15)] })).toEqual([[3]]);
  });

  test('one filter may ask of a row or of what it looks up', async () => {
    const where = [{ or: [filter('orders.status', '? = ?', 'done'), filter('customers.country', '? = ?', 'FR')] }];
    expect(await world.answer({ dimensions: [column('orders.id')], where })).toEqual([[2], [3], [6]]);
  });

  test('an exact link keeps only rows with a partner, on both sides', async () => {
    const rows = await world.answer({
      dimensions: [column('customers.country')],
      measures: [measure('budgets.budget', 'sum'), rowsIn('orders')],
    });
    expect(rows).toEqual([
      [member('BE'), 1500, 3],
      [member('FR'), 300, 1],
    ]);
    expect(await world.answer({ dimensions: [column('budgets.team')], measures: [rowsIn('orders')] })).toEqual([
      [member('x'), 4],
      [member('y'), 3],
    ]);
  });

  test('raw rows of two datasets match as often as they match', async () => {
    const rows = await world.answer({
      dimensions: [column('customers.id'), column('budgets.team')],
      measures: [column('budgets.budget')],
      where: [filter('customers.id', '? < ?', 3)],
      order: [column('customers.id'), column('budgets.team')],
      options: { rollup_data: false },
    });
    expect(rows).toEqual([
      [1, member('x'), 1000],
      [1, member('y'), 500],
      [2, member('x'), 300],
    ]);
  });

  test('datasets without linked columns, and filters across matches, are refused in words', () => {
    expect(refusal({ dimensions: [column('apart.x')], measures: [rowsIn('orders')] })).toThrow(
      expect.objectContaining({ code: 'join_missing' }),
    );
    expect(refusal({ measures: [rowsIn('orders'), rowsIn('apart')] })).toThrow(
      expect.objectContaining({ code: 'join_missing' }),
    );
    expect(refusal({ measures: [{ formula: 'sum({orders.weight} * {tickets.minutes})' }] })).toThrow(
      expect.objectContaining({ code: 'join_missing', at: 'measures[0]' }),
    );
    const mixed = { or: [filter('tickets.minutes', '? > ?', 1), filter('orders.id', '? = ?', 1)] };
    expect(refusal({ measures: [rowsIn('orders')], where: [mixed] })).toThrow(
      expect.objectContaining({ code: 'unsupported', at: 'where[0]' }),
    );
  });
});
