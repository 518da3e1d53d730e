import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  emit,
  parseQueries,
  plan,
  readRowFilter,
  type Condition,
  type Model,
  type RowFilter,
  type Scalar,
  type StorageType,
} from '@inlay/query';
import type { Json } from '@inlay/contract';
import { answerRows, engineNames, missingEngine, openEngine, type Engine } from '../corpus/engines.ts';
import { counted } from '../support/counts.ts';
import { runSeed } from '../support/seed.ts';

/** Numbers that look random and repeat with a seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const tables = ['orders', 'customers', 'regions'] as const;
type TableName = (typeof tables)[number];

/** `key` is looked up by the table before, `next` looks up the table after, `tenant` is filtered. */
interface Row {
  readonly id: number;
  readonly key: Scalar;
  readonly next: Scalar;
  readonly tenant: Scalar;
}

interface Keys {
  readonly types: Readonly<Record<'key' | 'next', StorageType>>;
  readonly values: readonly Scalar[];
}

const keysOf = {
  integers: { types: { key: 'integer', next: 'integer' }, values: [1, 2, 3, 4, null] },
  texts: { types: { key: 'text', next: 'text' }, values: ['a', 'A', 'a ', '', 'é', null] },
  'integers and texts': { types: { key: 'integer', next: 'text' }, values: [1, 2, 3, -4, null] },
  'texts and integers': { types: { key: 'text', next: 'integer' }, values: [1, 2, 3, -4, null] },
  decimals: { types: { key: 'decimal', next: 'decimal' }, values: ['1.50', '2.00', '-3.25', null] },
  days: { types: { key: 'date', next: 'date' }, values: ['2024-01-31', '2024-02-29', null] },
} as const satisfies Readonly<Record<string, Keys>>;

const tenantValues = ['x', 'y', 'X', 'z', null] as const;

interface World {
  readonly keys: Keys;
  readonly rows: Readonly<Record<TableName, readonly Row[]>>;
}

function worldOf(keys: Keys, pick: (below: number) => number): World {
  const one = <Value>(values: readonly Value[]): Value => {
    const value = values[pick(values.length)];
    if (value === undefined) throw new Error('no values');
    return value;
  };
  const asType = (value: Scalar, type: StorageType): Scalar =>
    type === 'text' && value !== null ? String(value) : value;
  const rowsIn = (count: number): readonly Row[] =>
    Array.from({ length: count }, (_, id) => ({
      id,
      key: asType(one(keys.values), keys.types.key),
      next: asType(one(keys.values), keys.types.next),
      // Most rows have the same tenant, so that keys with only visible rows occur beside those with a hidden one.
      tenant: pick(3) > 0 ? 'x' : one(tenantValues),
    }));
  return { keys, rows: { orders: rowsIn(12), customers: rowsIn(pick(9)), regions: rowsIn(pick(7)) } };
}

const columnNames = ['id', 'key', 'next', 'tenant'] as const;

const typeOf = ({ types }: Keys, name: (typeof columnNames)[number]): StorageType =>
  name === 'id' ? 'integer' : name === 'tenant' ? 'text' : types[name];

const modelOf = (keys: Keys): Model => ({
  datasets: new Map(
    tables.map((datasetId) => [
      datasetId,
      {
        id: datasetId,
        formulas: new Map(),
        columns: new Map(
          columnNames.map((source) => [
            `${datasetId}.${source}`,
            {
              id: `${datasetId}.${source}`,
              datasetId,
              source,
              type: source === 'id' ? 'numeric' : 'hierarchy',
              subtype: null,
              storageType: typeOf(keys, source),
              expression: null,
              separator: null,
              joins: [],
            },
          ]),
        ),
      },
    ]),
  ),
});

/** A condition, and which rows pass it. */
interface Tested {
  readonly filter: RowFilter;
  readonly passes: (row: Row) => boolean;
}

function tenantTest(table: TableName, expression: string, value: Json | undefined): Tested {
  const columnRef = { datasetId: table, columnId: `${table}.tenant`, level: null };
  const faults: string[] = [];
  const reading = {
    fault: (at: string, message: string) => void faults.push(`${at} ${message}`),
    parameters: new Map(),
  };
  const filter: Condition | null = readRowFilter({ on: columnRef, expression, value }, 'it', reading);
  if (filter === null) throw new Error(faults.join());
  const passes = ({ tenant }: Row): boolean => {
    if (expression === '? is null') return tenant === null;
    if (expression === '? is not null') return tenant !== null;
    return tenant !== null && (Array.isArray(value) ? value.includes(tenant) : tenant === value);
  };
  return { filter, passes };
}

const nextOf = { orders: 'customers', customers: 'regions', regions: null } as const;

function lookup(world: World, table: TableName, to: TableName, of: readonly Tested[]): Tested {
  const isVisible = (row: Row): boolean => {
    const matches = world.rows[to].filter(({ key }) => key !== null && String(key) === String(row.next));
    return row.next !== null && matches.length > 0 && matches.every((match) => of.every(({ passes }) => passes(match)));
  };
  return {
    filter: {
      kind: 'lookup',
      from: { datasetId: table, columnId: `${table}.next` },
      to: { datasetId: to, columnId: `${to}.key` },
      of: of.map(({ filter }) => filter),
    },
    passes: isVisible,
  };
}

function randomTest(world: World, table: TableName, pick: (below: number) => number): Tested {
  const further = nextOf[table];
  const kind = pick(further === null ? 6 : 10);
  const inner = (): readonly Tested[] =>
    Array.from({ length: 1 + pick(2) }, () => randomTest(world, further ?? table, pick));
  if (kind < 2) return tenantTest(table, '? = ?', 'x');
  if (kind === 2) return tenantTest(table, '? in ?', ['x', 'X']);
  if (kind === 3) return tenantTest(table, pick(2) === 0 ? '? is null' : '? is not null', undefined);
  if (kind < 6) {
    const of = [randomTest(world, table, pick), randomTest(world, table, pick)];
    const isAny = kind === 5;
    return {
      filter: { kind: isAny ? 'any' : 'all', of: of.map(({ filter }) => filter) },
      passes: (row) => (isAny ? of.some(({ passes }) => passes(row)) : of.every(({ passes }) => passes(row))),
    };
  }
  return lookup(world, table, further ?? table, inner());
}

describe.each(engineNames)('rows behind a link on %s', (name) => {
  // Each query on Trino takes long.
  const worlds = name === 'trino' ? counted(1, 30) : counted(8, 300);
  describe.skipIf(missingEngine(name) !== null)('with keys that occur several times, or not at all', () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine(name);
    });
    afterAll(() => engine.close());

    test.each(Object.entries(keysOf))('are visible exactly if each row of their key is: %s', async (kind, keys) => {
      let [hidden, visible] = [0, 0];
      for (let turn = 0; turn < worlds; turn += 1) {
        const seed = runSeed + turn;
        const pick = randomFrom(seed);
        const world = worldOf(keys, pick);
        for (const table of tables) {
          await engine.drop(table);
          const columns = columnNames.map((column) => ({ name: column, storageType: typeOf(keys, column) }));
          const rows = world.rows[table].map((row) => columnNames.map((column) => row[column]));
          await engine.create({ name: table, columns, rows });
        }
        for (let query = 0; query < 6; query += 1) {
          const inner = Array.from({ length: 1 + pick(2) }, () => randomTest(world, 'customers', pick));
          const tested = lookup(world, 'orders', 'customers', inner);
          const find = {
            dimensions: [{ dataset_id: 'orders', column_id: 'orders.id' }],
            options: { rollup_data: false },
          };
          const [parsed] = parseQueries(find).queries;
          if (parsed === undefined) throw new Error('no query');
          const planned = plan(parsed, modelOf(keys), {
            nowMs: 0,
            timeZone: 'UTC',
            weekstart: 1,
            locale: 'en',
            rowLimit: 100,
            rowFilters: new Map([['orders', [tested.filter]]]),
          });
          const statement = emit(planned, engine.dialect, (id) => ({ kind: 'table', path: [id] }), 'rows');
          const ids = (await answerRows(engine, statement)).flat().map(Number);
          const expected = world.rows.orders.filter(tested.passes).map(({ id }) => id);
          expect(
            ids.toSorted((left, right) => left - right),
            `${kind}, seed ${seed}, query ${query}`,
          ).toEqual(expected);
          visible += expected.length;
          hidden += world.rows.orders.length - expected.length;
        }
      }
      expect(Math.min(hidden, visible)).toBeGreaterThan(0);
    });
  });
});
