import type { StorageType, Model, ModelColumn, ModelDataset, Scalar } from '@inlay/query';
import type { Table } from './engines.ts';

/** A column of the world: how it is kept, and what is said of it in the model. `source`: its name in the database. */
export interface WorldColumn {
  readonly source: string;
  readonly storageType: StorageType;
  readonly nativeText?: boolean;
  readonly type: ModelColumn['type'];
  readonly separator?: string;
  readonly joins?: ModelColumn['joins'];
  readonly expression?: string;
}
export interface WorldDataset {
  readonly columns: Readonly<Record<string, WorldColumn>>;
  readonly rows: readonly Readonly<Record<string, Scalar>>[];
}

/** Numbers that look random and are the same in every run (mulberry32). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

export const words = [
  'a',
  'A',
  'a ',
  'á',
  'é',
  'z',
  'Zoë',
  '',
  '%',
  '_',
  '\\',
  '50%',
  'a_b',
  'a\\b',
  "it's",
  '"',
  '`',
  '🦆',
  '￿',
  'ß',
  'hello',
  'Hello world',
  '!',
  'a!b',
  '10',
  '2',
] as const;
export const people = ['Ann', 'ann', 'Ann ', 'Bob', 'Zoë', 'Émile', "O'Neil", '🦆', 'x/y'] as const;
export const places = [
  'Europe/Belgium/Ghent',
  'Europe/Belgium/Bruges',
  'Europe/France',
  'Europe',
  'Asia/Japan/Tokyo',
  'Asia/japan/Osaka',
  'Africa//Cairo',
  '',
] as const;
export const countries = ['BE', 'FR', 'be', 'JP'] as const;
export const teams = ['red', 'blue', 'Red'] as const;

const columns = <Columns extends Readonly<Record<string, WorldColumn>>>(of: Columns): Columns => of;
const number = (source: string, storageType: StorageType = 'integer'): WorldColumn => ({
  source,
  storageType,
  type: 'numeric',
});
const word = (source: string, storageType: StorageType = 'text'): WorldColumn => ({
  source,
  storageType,
  type: 'hierarchy' as const,
  ...(storageType === 'text' && source !== '' ? { nativeText: true } : {}),
});
const time = (source: string, storageType: StorageType): WorldColumn => ({ source, storageType, type: 'datetime' });
const joined = (column: WorldColumn, to: string, type: 'lookup' | 'exact'): WorldColumn => ({
  ...column,
  joins: [{ datasetId: to.split('.')[0] ?? '', columnId: to, type }],
});

/** Names in the databases are chosen to be mistaken: those of aliases, keywords, with quotes in them. */
const salesColumns = columns({
  'sales.id': number('id'),
  'sales.product': joined(number('select'), 'products.id', 'lookup'),
  'sales.customer': joined(word("cust'omer"), 'customers.name', 'lookup'),
  'sales.place': { ...word('place'), separator: '/' },
  'sales.amount': number('amount', 'decimal'),
  'sales.quantity': number('d0'),
  'sales.weight': number('we"ig`ht', 'double'),
  'sales.big': number('q'),
  'sales.at': time('at', 'timestamptz'),
  'sales.made': time('m0', 'timestamp'),
  'sales.day': time('Day of sale', 'date'),
  'sales.paid': word('t', 'boolean'),
  'sales.note': word('c0'),
  'sales.half': { ...number('', 'double'), expression: '{sales.amount} / 2' },
  'sales.label': { ...word(''), expression: "concat({sales.note}, '-', text({sales.quantity}))" },
});
const dayMs = 86_400_000;
const sql = (unixMs: number): string => new Date(unixMs).toISOString().replace('T', ' ').replace('Z', '');

const build = (seed: number): Readonly<Record<string, WorldDataset>> => {
  const random = randomFrom(seed);
  const upTo = (count: number): number => Math.floor(random() * count);
  const pick = <Of>(from: readonly Of[]): Of | null => from[upTo(from.length)] ?? null;
  const maybe = <Of>(value: Of, nulls = 0.12): Of | null => (random() < nulls ? null : value);
  const times = [
    '2024-03-31T00:30:00Z',
    '2024-03-31T01:30:00Z',
    '2024-10-27T00:15:00Z',
    '2024-10-27T01:15:00Z',
    '2023-12-31T23:59:59.999Z',
    '2024-01-01T00:00:00Z',
    '2024-02-29T12:00:00Z',
    '2024-12-30T08:00:00Z',
  ].map((text) => Date.parse(text));
  const moment = (): number =>
    random() < 0.4
      ? (pick(times) ?? 0)
      : Date.parse('2023-06-01T00:00:00Z') + upTo(600) * dayMs + upTo(86_400) * 1000 + upTo(4) * 250;
  const rows = (count: number, row: (index: number) => Readonly<Record<string, Scalar>>) =>
    Array.from({ length: count }, (_, index) => row(index));
  return {
    sales: {
      columns: salesColumns,
      rows: rows(70, (index) => ({
        'sales.id': index + 1,
        'sales.product': maybe(upTo(10) + 1),
        'sales.customer': random() < 0.1 ? 'Nobody' : maybe(pick(people)),
        'sales.place': maybe(pick(places)),
        'sales.amount': maybe((upTo(20_000) / 100 - 50).toFixed(2)),
        'sales.quantity': maybe(upTo(12) - 2),
        'sales.weight': maybe(upTo(40) / 4 - 2),
        'sales.big': maybe(String(9_007_199_254_740_993n * BigInt(upTo(3)) + BigInt(upTo(3)))),
        'sales.at': maybe(sql(moment())),
        'sales.made': maybe(sql(moment())),
        'sales.day': maybe(sql(moment()).slice(0, 10)),
        'sales.paid': maybe(random() < 0.5, 0.2),
        'sales.note': maybe(pick(words)),
      })),
    },
    products: {
      columns: columns({
        'products.id': number('id'),
        'products.name': word('name'),
        'products.category': word('group'),
        'products.price': number('price', 'decimal'),
        'products.since': time('since', 'date'),
      }),
      rows: rows(8, (index) => ({
        'products.id': index + 1,
        'products.name': `P${index + 1}`,
        'products.category': maybe(pick(['tea', 'Tea', 'coffee'])),
        'products.price': maybe((upTo(5000) / 100).toFixed(2)),
        'products.since': maybe(sql(moment()).slice(0, 10)),
      })),
    },
    customers: {
      columns: columns({
        'customers.name': word('name'),
        'customers.country': joined(word('k'), 'budgets.country', 'exact'),
        'customers.tier': number('tier'),
      }),
      rows: people.map((name) => ({
        'customers.name': name,
        'customers.country': maybe(pick(countries)),
        'customers.tier': maybe(upTo(4)),
      })),
    },
    tickets: {
      columns: columns({
        'tickets.id': number('id'),
        'tickets.customer': joined(word('customer'), 'customers.name', 'lookup'),
        'tickets.minutes': number('minutes'),
        'tickets.opened': time('opened', 'timestamp'),
      }),
      rows: rows(40, (index) => ({
        'tickets.id': index + 1,
        'tickets.customer': maybe(pick(people)),
        'tickets.minutes': maybe(upTo(90)),
        'tickets.opened': maybe(sql(moment())),
      })),
    },
    budgets: {
      columns: columns({
        'budgets.country': word('country'),
        'budgets.team': word('team'),
        'budgets.budget': number('budget'),
      }),
      rows: rows(9, () => ({
        'budgets.country': maybe(pick(countries)),
        'budgets.team': maybe(pick(teams)),
        'budgets.budget': maybe(upTo(50) * 100),
      })),
    },
  };
};

/** A small company: sales look up products and customers, tickets customers, whose country may have several budgets. */
export const world = build(20240506);

export const nowMs = Date.parse('2024-05-06T07:08:09.000Z');

export const worldModel: Model = {
  datasets: new Map(
    Object.entries(world).map(([id, dataset]): [string, ModelDataset] => [
      id,
      {
        id,
        formulas: new Map(),
        columns: new Map(
          Object.entries(dataset.columns).map(([columnId, column]): [string, ModelColumn] => [
            columnId,
            {
              id: columnId,
              datasetId: id,
              source: column.source,
              type: column.type,
              storageType: column.storageType,
              subtype: null,
              expression: column.expression ?? null,
              separator: column.separator ?? null,
              joins: column.joins ?? [],
              ...(column.nativeText === true ? { nativeText: true } : {}),
            },
          ]),
        ),
      },
    ]),
  ),
};

/** The world as tables to make. */
export const worldTables: readonly Table[] = Object.entries(world).map(([name, { columns: all, rows }]) => {
  const own = Object.entries(all).filter(([, column]) => column.expression === undefined);
  return {
    name,
    columns: own.map(([, { source, storageType }]) => ({ name: source, storageType })),
    rows: rows.map((row) => own.map(([id]) => row[id] ?? null)),
  };
});
