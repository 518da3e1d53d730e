import { DuckDBInstance } from '@duckdb/node-api';
import type { Json } from '../../packages/contract/src/index.ts';
import {
  duckdb,
  emit,
  parseQueries,
  plan,
  type QueryContext,
  type StorageType,
  type Model,
  type ModelColumn,
  type ModelDataset,
  type Query,
  type Scalar,
  type Statement,
} from '../../packages/query/src/index.ts';

type Columns = Readonly<Record<string, Partial<ModelColumn> & Pick<ModelColumn, 'type' | 'storageType'>>>;

const dataset = (id: string, columns: Columns): ModelDataset => ({
  id,
  formulas: new Map(),
  columns: new Map(
    Object.entries(columns).map(([name, column]) => [
      `${id}.${name}`,
      {
        id: `${id}.${name}`,
        datasetId: id,
        source: name,
        subtype: null,
        expression: null,
        separator: null,
        joins: [],
        ...column,
      },
    ]),
  ),
});

const lookup = (datasetId: string, column: string) => ({
  joins: [{ datasetId, columnId: `${datasetId}.${column}`, type: 'lookup' as const }],
});
const exact = (datasetId: string, column: string) => ({
  joins: [{ datasetId, columnId: `${datasetId}.${column}`, type: 'exact' as const }],
});
const word = (storageType: StorageType = 'text') => ({ type: 'hierarchy' as const, storageType });
const amount = (storageType: StorageType = 'integer') => ({ type: 'numeric' as const, storageType });
const time = (storageType: StorageType = 'timestamp') => ({ type: 'datetime' as const, storageType });

/** A small shop: orders look up customers, tickets do too, budgets match a customer's country exactly. */
export const model: Model = {
  datasets: new Map(
    [
      dataset('orders', {
        id: amount(),
        customer: { ...amount(), ...lookup('customers', 'id') },
        status: word(),
        place: { ...word(), separator: '/' },
        amount: amount('decimal'),
        weight: amount('double'),
        at: time(),
        day: time('date'),
        paid: word('boolean'),
      }),
      dataset('customers', {
        id: amount(),
        name: word(),
        country: { ...word(), ...exact('budgets', 'country') },
        credit: amount(),
      }),
      dataset('tickets', { id: amount(), customer: { ...amount(), ...lookup('customers', 'id') }, minutes: amount() }),
      dataset('budgets', { country: word(), team: word(), budget: amount() }),
      dataset('apart', { x: amount() }),
    ].map((one) => [one.id, one]),
  ),
};

export const rowsOfWorld = `
create table orders as select * from (values
  (1, 1, 'open', 'Europe/Belgium/Ghent', 10.50::decimal(10,2), 1.0, timestamp '2024-01-31 23:30:00', date '2024-01-31', true),
  (2, 1, 'done', 'Europe/Belgium/Ghent', 20.00, 2.0, timestamp '2024-02-01 10:00:00', date '2024-02-01', false),
  (3, 2, 'open', 'Europe/France', 5.25, null, timestamp '2024-02-15 12:00:00', date '2024-02-15', true),
  (4, 3, 'Open', 'Asia/Japan/Tokyo', 100.00, 4.0, timestamp '2024-03-31 00:30:00', date '2024-03-31', null),
  (5, 9, null, null, 7.00, 0.5, timestamp '2024-03-31 01:30:00', date '2024-03-31', false),
  (6, null, 'done', 'Europe', null, 3.0, null, null, true)
) t(id, customer, status, place, amount, weight, "at", day, paid);
create table customers as select * from (values
  (1, 'Ann', 'BE', 100), (2, 'Bob', 'FR', 200), (3, 'Cid', 'BE', 300), (3, 'Cid again', 'BE', 300), (4, 'Dee', 'JP', 400)
) t(id, name, country, credit);
create table tickets as select * from (values (1, 1, 10), (2, 1, 20), (3, 2, 30), (4, 4, 40), (5, 1, 5)) t(id, customer, minutes);
create table budgets as select * from (values ('BE', 'x', 1000), ('BE', 'y', 500), ('FR', 'x', 300)) t(country, team, budget);
create table apart as select 1 as x;
`;

export const context: QueryContext = {
  nowMs: Date.parse('2024-03-31T12:00:00Z'),
  timeZone: 'UTC',
  weekstart: 1,
  locale: 'en',
  rowLimit: 1000,
  rowFilters: new Map(),
};

export const column = (id: string, more: Readonly<Record<string, Json>> = {}) => ({
  dataset_id: id.split('.')[0] ?? '',
  column_id: id,
  ...more,
});
export const measure = (id: string, type: string, more: Readonly<Record<string, Json>> = {}) =>
  column(id, { aggregation: { type, ...more } });
export const rowsIn = (id: string) => ({ dataset_id: id, column_id: '*', aggregation: { type: 'count' } });
export const filter = (id: string, expression: string, value?: Json, more: Readonly<Record<string, Json>> = {}) => ({
  expression,
  parameters: value === undefined ? [column(id, more)] : [column(id, more), value],
});

export function queryOf(json: Json): Query {
  const { queries, faults } = parseQueries(json);
  const [query] = queries;
  if (faults.length > 0 || query === undefined) throw new Error(JSON.stringify(faults));
  return query;
}

export const statementOf = (json: Json, with_: Partial<QueryContext> = {}): Statement =>
  emit(plan(queryOf(json), model, { ...context, ...with_ }), duckdb, (id) => ({ kind: 'table', path: [id] }), 'json');

export interface World {
  readonly answer: (json: Json, with_?: Partial<QueryContext>) => Promise<readonly Json[]>;
  readonly run: (sql: string, params: readonly Scalar[]) => Promise<readonly (readonly unknown[])[]>;
  readonly close: () => void;
}

/** Creates the shop in a DuckDB in memory. */
export async function openWorld(): Promise<World> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("set timezone = 'UTC'");
  await connection.run(rowsOfWorld);
  const run: World['run'] = async (sql, params) => {
    const reader = await connection.runAndReadAll(sql, [...params]);
    return reader.getRowsJS();
  };
  return {
    run,
    answer: async (json, with_ = {}) => {
      const { sql, params } = statementOf(json, with_);
      const rows = await run(sql, params);
      return rows.map(([text]): Json => JSON.parse(String(text)));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
