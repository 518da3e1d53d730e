import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { isList, type Item, type ItemQuery, type Json } from '@inlay/contract';
import { duckdb, emit, parseQueries, plan, shape, type Model, type ModelColumn } from '@inlay/query';
import { columns } from './columns.ts';

/** The moment at which pictures are drawn: the day after the last sale. */
export const nowMs = Date.parse('2025-02-24T00:00:00.000Z');

const countries = ['Japan', 'France', 'Spain', 'Italy', 'Chile'] as const;
const channels = ['Online shop', 'Stores', 'Marketplace'] as const;
const products = ['Backpack', 'Shirt', 'Shoes', 'Tent', 'Bottle', 'Socks', 'Jacket', 'Stove'] as const;

const dayMs = 86_400_000;
const day = (number: number): string => new Date(Date.parse('2024-01-01') + number * dayMs).toISOString().slice(0, 10);

/** Sales of each week, country and channel: numbers that look like a business and are the same each time. */
const rows: readonly (readonly (string | number)[])[] = Array.from({ length: 60 }, (_, week) =>
  countries.flatMap((country, place) =>
    channels.map((channel, row) => {
      const season = 1 + 0.3 * Math.sin(week * 0.5 + row) + 0.12 * Math.sin(week * 1.7 + place * 2) + week * 0.006;
      const product = (week + place + row) % products.length;
      const revenue = Math.round(((36_000 - 3400 * product) * season) / (place + 1.4) / (row + 1));
      const orders = Math.round(revenue / (52 + 6 * place));
      return [
        day(week * 7),
        day(week * 7 + 120),
        country,
        channel,
        products[product] ?? '',
        revenue,
        Math.round(revenue * (0.3 - 0.13 * place)),
        orders,
        20 + 9 * place + (week % 7),
        0.42 - 0.05 * place + 0.01 * row,
        2400 + 1900 * place + 60 * (week % 5),
        orders * 1_900_000,
      ];
    }),
  ),
).flat();

const sqlTypes = { timestamp: 'timestamp', text: 'varchar', double: 'double' } as const;

const model: Model = {
  datasets: new Map([
    [
      'sales',
      {
        id: 'sales',
        formulas: new Map(),
        columns: new Map(
          Object.entries(columns).map(([id, { type, storageType }]): [string, ModelColumn] => [
            id,
            {
              id,
              type,
              storageType,
              datasetId: 'sales',
              source: id,
              subtype: null,
              expression: null,
              separator: null,
              joins: [],
            },
          ]),
        ),
      },
    ],
  ]),
};

/** The dataset of the pictures, in memory. */
export interface Sales {
  /** The rows of the answer to the query of an item. Raises Error where it is no query. */
  readonly rowsOf: (item: Item, query: ItemQuery) => Promise<readonly (readonly Json[])[]>;
  readonly close: () => void;
}

const literal = (value: string | number): string => (typeof value === 'number' ? String(value) : `'${value}'`);

async function fill(connection: DuckDBConnection): Promise<void> {
  await connection.run("set TimeZone = 'UTC'");
  await connection.run('set threads = 1');
  const declared = Object.entries(columns).map(([id, { storageType }]) => `"${id}" ${sqlTypes[storageType]}`);
  await connection.run(`create table sales (${declared.join(', ')})`);
  const values = rows.map((row) => `(${row.map(literal).join(', ')})`);
  await connection.run(`insert into sales values ${values.join(', ')}`);
}

/** Makes the dataset. Queries are planned and written as the service does. */
export async function openSales(): Promise<Sales> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await fill(connection);
  return {
    async rowsOf(item, { query }) {
      const asked: Json = JSON.parse(JSON.stringify(query));
      const { queries, faults } = parseQueries(asked);
      const [parsed] = queries;
      if (parsed === undefined || faults.length > 0) throw new Error(`${item.type}: ${JSON.stringify(faults)}`);
      const context = { nowMs, timeZone: 'UTC', weekstart: 1, locale: 'en', rowLimit: 10_000, rowFilters: new Map() };
      const relations = (id: string) => ({ kind: 'table' as const, path: [id] });
      const statement = emit(plan(parsed, model, context), duckdb, relations, 'rows');
      const found = (await connection.runAndReadAll(statement.sql, [...statement.params])).getRowsJson();
      const shaped: Json = JSON.parse(`[${shape(found, statement.columns, 'en')}]`);
      return isList(shaped) ? shaped.filter(isList) : [];
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
