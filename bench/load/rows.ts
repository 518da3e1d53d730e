import { DuckDBInstance } from '@duckdb/node-api';

export const tenants = 1000;
export const customers = 100_000;

export const tenantName = (index: number): string => `tenant ${String(index % tenants).padStart(4, '0')}`;

/** Name of a tenant by a number. Tenants differ in size: the largest has about eleven times as many rows as the median. */
const tenantOf = (number: string): string =>
  `'tenant ' || lpad(cast(floor(${tenants} * pow(((hash(${number}) % 1000000) / 1000000.0), 1.4)) as integer)::varchar, 4, '0')`;

const facts = `timestamp '2024-01-01' + to_seconds((hash(i) % 63072000)::bigint) as at,
  'region ' || (hash(i + 1) % 12) as region,
  'product ' || (hash(i + 2) % 300) as product,
  'status ' || (hash(i + 3) % 5) as status,
  ((hash(i + 4) % 100000) / 100.0)::double as revenue,
  ((hash(i + 5) % 70000) / 100.0)::double as cost,
  (hash(i + 6) % 20)::integer as units`;

const factColumns = `at timestamp, region text, product text, status text, revenue double precision, cost double precision,
  units integer`;

/** A table: the statement that generates its rows in DuckDB, and its definition in PostgreSQL. */
export interface LoadTable {
  readonly name: string;
  readonly rows: number;
  readonly select: string;
  readonly definition: string;
  readonly indexes: readonly string[];
}

export const visitsTable = (rows: number): LoadTable => ({
  name: 'visits',
  rows,
  select: `select ${tenantOf('i + 9')} as tenant, ${facts} from range(${rows}) t(i)`,
  definition: `tenant text, ${factColumns}`,
  indexes: ['tenant'],
});

/** Orders with the tenant of their customer, so that a filter on either table shows the same orders. */
export const ordersTable = (rows: number): LoadTable => ({
  name: 'orders',
  rows,
  select: `select i as id, customer_id, ${tenantOf('customer_id + 9')} as tenant, ${facts}
    from (select i, (hash(i + 7) % ${customers})::integer as customer_id from range(${rows}) t(i))`,
  definition: `id bigint primary key, customer_id integer, tenant text, ${factColumns}`,
  indexes: ['tenant', 'customer_id'],
});

export const customersTable: LoadTable = {
  name: 'customers',
  rows: customers,
  select: `select i::integer as id, ${tenantOf('i::integer + 9')} as tenant, 'segment ' || (hash(i) % 8) as segment
    from range(${customers}) t(i)`,
  definition: 'id integer primary key, tenant text, segment text',
  indexes: ['tenant'],
};

export async function writeRows(path: string, { select }: LoadTable, format: 'parquet' | 'csv'): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB', threads: '2' });
  const connection = await instance.connect();
  await connection.run(`copy (${select}) to '${path}' (format ${format})`);
  connection.closeSync();
  instance.closeSync();
}
