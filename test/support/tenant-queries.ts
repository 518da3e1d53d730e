import type { JsonObject } from '@inlay/contract';
import type { Dataset } from './tenants.ts';

/** Chance that can be repeated. */
export interface Random {
  readonly below: (most: number) => number;
  readonly pick: <One>(list: readonly One[]) => One;
  readonly some: <One>(list: readonly One[], most: number) => readonly One[];
}

/** Chance from a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number): number => Math.floor(next() * most);
  const pick = <One>(list: readonly One[]): One => {
    const found = list[below(list.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  };
  return {
    below,
    pick,
    some: (list, most) => Array.from({ length: below(most + 1) }, () => pick(list)),
  };
}

/** The datasets a query speaks of. */
export interface Named {
  readonly orders: Dataset;
  readonly customers: Dataset;
}

type Made = (over: Named) => JsonObject;

const column =
  (table: keyof Named, name: string, more: JsonObject = {}): Made =>
  (over) => ({ dataset_id: over[table].id, column_id: over[table].columns.get(name) ?? '', ...more });

const test =
  (on: Made, expression: string, ...value: readonly JsonObject[string][]): Made =>
  (over) => ({ expression, parameters: [on(over), ...value] });

const tenantTests: readonly Made[] = (['orders', 'customers'] as const).flatMap((table) => {
  const tenant = column(table, 'tenant');
  return [
    test(tenant, '? = ?', 'A'),
    test(tenant, '? = ?', 'B'),
    test(tenant, '? != ?', 'A'),
    test(tenant, '? in ?', ['A', 'B']),
    test(tenant, '? not in ?', ['A']),
    test(tenant, '? is not null'),
    test(tenant, '? like ?', 'B'),
    test(tenant, '? >= ?', 'A'),
  ];
});

const rowTests: readonly Made[] = [
  test(column('orders', 'region'), '? in ?', ['North', 'East', null]),
  test(column('orders', 'region'), '? is null'),
  test(column('orders', 'region'), '? starts with ?', 'S'),
  test(column('orders', 'amount'), '? > ?', 150),
  test(column('orders', 'amount'), '? between ?', [100, 200_000]),
  test(column('orders', 'amount'), '? is null'),
  test(column('orders', 'day'), '? >= ?', '2023-06-01T00:00:00.000Z'),
  test(column('orders', 'day'), '? < ?', '2024-06-01T00:00:00.000Z'),
  test(column('customers', 'name'), '? like ?', 'of B'),
  test(column('customers', 'name'), '? is null'),
  test(column('customers', 'name'), '? ends with ?', 'A'),
];

const measures: readonly Made[] = [
  ...['sum', 'average', 'min', 'max', 'count', 'median', 'distinctcount'].map((type) =>
    column('orders', 'amount', { aggregation: { type } }),
  ),
  column('orders', 'quantity', { aggregation: { type: 'sum' } }),
  column('orders', 'region', { aggregation: { type: 'distinctcount' } }),
  (over) => ({ dataset_id: over.orders.id, column_id: '*' }),
  (over) => ({
    dataset_id: over.orders.id,
    formula: `sum({${over.orders.columns.get('amount') ?? ''}}) / count(*)`,
  }),
];

const dimensions: readonly Made[] = [
  column('orders', 'region'),
  column('customers', 'name'),
  column('orders', 'day', { level: 1 }),
  column('orders', 'day', { level: 3 }),
  column('orders', 'day', { level: 5 }),
  column('orders', 'quantity'),
  column('orders', 'amount', { discretization: { type: 'linear', bins: 3 } }),
];

/** A query, and whether its rows come in a certain order. */
export interface Generated {
  readonly query: (over: Named) => JsonObject;
  readonly ordered: boolean;
}

function testsOf(random: Random, hidden: readonly string[], most: number): readonly Made[] {
  const all = hidden.includes('tenant') ? rowTests : [...rowTests, ...tenantTests];
  return Array.from({ length: random.below(most + 1) }, (): Made => {
    const chosen = [random.pick(all), random.pick(all)];
    const word = random.pick(['one', 'and', 'or', 'or'] as const);
    const [first = random.pick(all)] = chosen;
    return word === 'one' ? first : (over) => ({ [word]: chosen.map((one) => one(over)) });
  });
}

function raw(random: Random, hidden: readonly string[]): Generated {
  const more = hidden.includes('tenant') ? [] : [column('orders', 'tenant'), column('customers', 'tenant')];
  const shown = [...dimensions.slice(0, 2), ...more];
  const asked = random.some(shown, 3);
  const where = testsOf(random, hidden, 2);
  const by = random.pick([null, 5, 1000]);
  return {
    ordered: true,
    query: (over) => ({
      dimensions: [column('orders', 'id')(over), ...asked.map((one) => one(over))],
      measures: [column('orders', 'amount')(over)],
      where: where.map((one) => one(over)),
      order: [column('orders', 'id', { order: random.pick(['asc']) })(over)],
      ...(by === null ? {} : { limit: { by, offset: 0 } }),
      options: { rollup_data: false },
    }),
  };
}

function grouped(random: Random, hidden: readonly string[]): Generated {
  const more = hidden.includes('tenant') ? [] : [column('orders', 'tenant'), column('customers', 'tenant')];
  const groups = random.some([...dimensions, ...more], 2);
  const computed = random.some(measures, 2);
  const asked = groups.length + computed.length === 0 ? measures.slice(0, 1) : computed;
  const where = testsOf(random, hidden, 2);
  const having = random.below(4) === 0 ? [test(random.pick(measures.slice(0, 5)), '? > ?', 300)] : [];
  const isPlain = groups.every((one) => one !== dimensions[6]) && new Set(groups).size === groups.length;
  const limit = isPlain && groups.length > 0 && random.below(3) === 0;
  return {
    ordered: limit,
    query: (over) => ({
      dimensions: groups.map((one) => one(over)),
      measures: asked.map((one) => one(over)),
      where: where.map((one) => one(over)),
      having: having.map((one) => one(over)),
      ...(limit ? { order: groups.map((one) => ({ ...one(over), order: 'desc' })), limit: { by: 3, offset: 0 } } : {}),
    }),
  };
}

/** Returns a query about orders and their customers that tries to get at more than its caller may see. */
export const arbitraryQuery = (random: Random, hidden: readonly string[]): Generated =>
  random.below(3) === 0 ? raw(random, hidden) : grouped(random, hidden);
