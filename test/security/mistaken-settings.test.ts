import { inWords, isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { oneStore, type Credential } from '../support/service.ts';
import { randomOf, type Random } from '../support/tenant-queries.ts';
import { part, text } from '../support/world.ts';

type Cell = string | number | null;
const customers: readonly (readonly Cell[])[] = [
  [1, 'acme', 'Ghent'],
  [2, 'bolt', 'Lyon'],
  [3, 'acme', null],
  [4, null, 'Bruges'],
  [5, 'acme, bolt', '1'],
];
const orders: readonly (readonly Cell[])[] = [
  [10, 1, 100],
  [11, 2, 200],
  [12, 3, 300],
  [13, 4, 400],
  [14, 5, 500],
  [15, null, 600],
];

/** What a comparison says of a cell, for the expressions below. */
const compares: Readonly<Record<string, (cell: Cell, value: Json) => boolean>> = {
  '? = ?': (cell, value) => (value === null ? cell === null : cell !== null && String(cell) === inWords(value)),
  '? != ?': (cell, value) => (value === null ? cell !== null : cell === null || String(cell) !== inWords(value)),
  '? in ?': (cell, value) =>
    (isList(value) ? value : [value]).some(
      (one) => one === cell || (one !== null && cell !== null && inWords(one) === String(cell)),
    ),
  '? is null': (cell) => cell === null,
  '? is not null': (cell) => cell !== null,
  '? like ?': (cell, value) =>
    cell !== null && (value === '%' || (typeof value === 'string' && String(cell).includes(value))),
  '? starts with ?': (cell, value) => cell !== null && String(cell).startsWith(inWords(value)),
};

describe.each([oneStore])('a mistake in a row filter on %s', (store) => {
  const api = useApi(store);
  const ids: Record<string, string> = {};
  const foreign: string[] = [];

  async function dataset(name: string, names: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void> {
    const options = { header: true, name: { en: name } };
    ids[name] = (await api.create('data', { type: 'create', data: [names, ...rows], options })).id;
    for (const column of await api.find('column', { where: { securable_id: ids[name] } }))
      ids[`${name}.${text(column, 'source_name')}`] = text(column, 'id');
  }
  beforeAll(async () => {
    await dataset('customers', ['id', 'tenant', 'city'], customers);
    await dataset('orders', ['id', 'customer', 'amount'], orders);
    await api.associate('column', ids['orders.customer'], 'Joins', ids['customers.id']);
    const stranger = await api.stranger();
    const options = { header: true, name: { en: 'Theirs' } };
    const theirs = await api.create('data', { type: 'create', data: [['tenant'], ['acme']], options }, stranger.login);
    foreign.push(theirs.id, ...(await api.findIds('column', { where: { securable_id: theirs.id } }, stranger.login)));
  });

  const right = (): JsonObject => ({
    securable_id: ids['customers'] ?? '',
    column_id: ids['customers.tenant'] ?? '',
    clause: 'where',
    origin: 'global',
    expression: '? = ?',
    value: 'acme',
  });
  const odd: readonly Json[] = [
    null,
    true,
    0,
    -1,
    1e300,
    '',
    ' ',
    'acme ',
    'ACME',
    '%',
    "' or 1=1 --",
    '01890a5d-ac96-774b-bcce-b302099a8057',
    [],
    {},
    ['acme'],
    ['acme', null],
    [['acme']],
    { id: 'acme' },
    { parameter: 'metadata.none' },
    { parameter: 7 },
  ];
  const expressions = [...Object.keys(compares), '? == ?', '= ?', '', 'and', 'last_now', '__proto__'];

  /** Returns one change to a filter, or two. */
  function mutated(random: Random): Json {
    const filter: Record<string, Json> = { ...right() };
    for (let left = 1 + random.below(2); left > 0; left -= 1) {
      const names = ['securable_id', 'column_id', 'clause', 'origin', 'expression', 'value', 'propagate', 'level'];
      const name = random.pick(names);
      const kind = random.below(4);
      if (kind === 0) delete filter[name];
      else if (kind === 1) filter[name] = random.pick(odd);
      else if (name === 'expression') filter[name] = random.pick(expressions);
      else if (name.endsWith('_id')) filter[name] = random.pick([...Object.values(ids), ...foreign]);
      else if (kind === 2) filter[`${name}x`] = filter[name] ?? null;
      else filter[name] = random.pick([...odd, 'bolt', 'Ghent', 1]);
    }
    return filter;
  }

  /**
   * Returns the amounts of orders that a filter lets through where it is right in itself; null if nobody can say.
   */
  function allowed(filter: Json): readonly number[] | null {
    const {
      securable_id,
      column_id,
      expression,
      value: given = null,
      propagate = true,
    } = isObject(filter) ? filter : {};
    // A member as answers have it stands for its id.
    const value = isObject(given) ? (given['id'] ?? given) : given;
    const [name] = Object.entries(ids).find(([key, id]) => key.includes('.') && id === column_id) ?? [];
    const compare =
      typeof expression === 'string' && Object.hasOwn(compares, expression) ? compares[expression] : undefined;
    if (name === undefined || compare === undefined || isObject(value)) return null;
    const [table = '', column = ''] = name.split('.');
    if (ids[table] !== securable_id) return null;
    const names = table === 'orders' ? ['id', 'customer', 'amount'] : ['id', 'tenant', 'city'];
    const passes = (row: readonly Cell[]): boolean => compare(row[names.indexOf(column)] ?? null, value);
    const amounts = (rows: readonly (readonly Cell[])[]) => rows.map((row) => Number(row[2]));
    if (table === 'orders') return amounts(orders.filter(passes));
    if (propagate === false) return amounts(orders);
    return amounts(orders.filter((row) => customers.some((one) => one[0] === row[1] && passes(one))));
  }

  const on = (name: string) => ({ dataset_id: ids[name.split('.')[0] ?? ''] ?? '', column_id: ids[name] ?? '' });
  /** Returns the amounts that a token sees on each path that reads rows; null if it is refused on it. */
  async function seen(by: Credential): Promise<readonly (readonly number[] | null)[]> {
    const numbers = (cells: readonly Json[]): readonly number[] =>
      cells.map(Number).toSorted((one, other) => one - other);
    const raw = { measures: [on('orders.amount')], dimensions: [], options: { rollup_data: false } };
    const groups = { dimensions: [on('orders.amount')], measures: [] };
    const found = [];
    for (const find of [raw, groups]) {
      const { status, body } = await api.call('data', { action: 'get', find }, by);
      expect([200, 400, 403], JSON.stringify(body)).toContain(status);
      const rows = part(body, 'data');
      found.push(isList(rows) ? numbers(rows.flatMap((row) => (isList(row) ? [row[0] ?? null] : []))) : null);
    }
    const file = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ ...by, action: 'create', properties: { type: 'csv', query: raw } }),
    });
    const lines = file.body.match(/\b\d{3}\b/gu) ?? [];
    found.push(file.statusCode === 200 ? numbers(lines) : null);
    return found;
  }

  const asked = { type: 'embed', username: 'ada' };
  const access = () => ({ datasets: [{ id: ids['orders'] ?? '', rights: 'use' }] });
  const of = (made: unknown): Credential => ({ key: text(made, 'id'), token: text(made, 'token') });

  it('is refused, or lets through what the filter says and nothing else', async () => {
    let taken = 0;
    for (let seed = 1; seed <= counted(150, 6000); seed += 1) {
      const filter = mutated(randomOf(seed));
      const { status, body } = await api.call('authorization', {
        action: 'create',
        properties: { ...asked, access: access(), filters: [filter] },
      });
      expect([200, 400], JSON.stringify(filter)).toContain(status);
      if (status !== 200) continue;
      const expected = allowed(filter);
      for (const found of await seen(of(body))) {
        if (found === null) continue;
        expect(expected, `seed ${seed}: ${JSON.stringify(filter)}`).not.toBeNull();
        expect(found, `seed ${seed}: ${JSON.stringify(filter)}`).toEqual(expected);
        taken += 1;
      }
    }
    expect(taken).toBeGreaterThan(10);
  }, 1_200_000);

  it('that was stored before it was checked is refused, or lets through what the filter says', async () => {
    let refused = 0;
    for (let seed = 1; seed <= counted(60, 4000); seed += 1) {
      const filter = mutated(randomOf(1_000_000 + seed));
      const made = await api.create('authorization', { ...asked, access: access(), filters: [right()] });
      await api.overwrite('authorization', made.id, { filters: [filter] }, {});
      const expected = allowed(filter);
      const shown = (await seen(of(made))).filter((found) => found !== null);
      refused += 3 - shown.length;
      for (const found of shown)
        if (found.length > 0) expect(found, `seed ${seed}: ${JSON.stringify(filter)}`).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(10);
  }, 1_200_000);
});
