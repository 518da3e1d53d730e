import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Engine } from '../../packages/service/src/engine/engine.ts';

const signal = new AbortController().signal;

/** Rows of the benchmark: a time, categories of 10, 1,000 and 100,000 members, two numbers. The same for the same number of rows. */
export const rowsOf = (rows: number): string => `select
  timestamp '2020-01-01' + to_seconds((hash(i) % 157680000)::bigint) as ts,
  'region ' || (hash(i + 1) % 10) as region,
  'product ' || (hash(i + 2) % 1000) as product,
  'customer ' || (hash(i + 3) % 100000) as customer,
  ((hash(i + 4) % 100000) / 100.0)::double as revenue,
  (hash(i + 5) % 1000)::bigint as units
from range(${rows}) t(i)`;

async function copy(select: string, path: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB', threads: '2' });
  const connection = await instance.connect();
  await connection.run(`copy (${select}) to '${path}' (format parquet)`);
  connection.closeSync();
  instance.closeSync();
}

/** Writes the rows to a Parquet file. */
export const writeParquet = (path: string, rows: number): Promise<void> => copy(rowsOf(rows), path);

/** Writes the customers that the rows name, each once, to a Parquet file. */
export const writeCustomers = (path: string): Promise<void> =>
  copy(`select 'customer ' || i as code, 'segment ' || (i % 20) as segment from range(100000) t(i)`, path);

/** Takes the rows in as a dataset version the way an upload is; returns its path. */
export async function ingestRows(engine: Engine, folder: string, rows: number, tenant = 'bench'): Promise<string> {
  const scratch = mkdtempSync(join(folder, 'parquet-'));
  const parquet = join(scratch, 'rows.parquet');
  await writeParquet(parquet, rows);
  const spec = { tenant, datasetId: 'rows', version: `v${rows}` };
  const source = { kind: 'file', format: 'parquet', path: parquet } as const;
  for await (const _ of engine.ingest({ ...spec, source }, signal));
  rmSync(scratch, { recursive: true });
  return engine.versionPath(spec.tenant, spec.datasetId, spec.version);
}

/** The five queries, as text of the kind that the query compiler emits: one JSON array per row. */
export const queries = {
  month: `select json_array(strftime(make_date((k // 100)::int, (k % 100)::int, 1), '%Y-%m-%dT00:00:00.000Z'), s)::varchar
    from (select year(ts) * 100 + month(ts) as k, sum(revenue) as s from "rows" group by k order by k)`,
  filtered: `select json_array(product, s)::varchar
    from (select product, sum(revenue) as s from "rows" where region = 'region 3' and units >= 500 group by product order by product)`,
  top: `select json_array(customer, s)::varchar
    from (select customer, sum(revenue) as s from "rows" group by customer order by s desc, customer limit 10)`,
  distinct: `select json_array(region, n)::varchar
    from (select region, count(distinct customer) as n from "rows" group by region order by region)`,
  two: `select json_array(region, y, s, a)::varchar
    from (select region, year(ts) as y, sum(units) as s, avg(revenue) as a from "rows" group by region, y order by region, y)`,
} as const;

/** 100,000 rows as they lie. */
export const manyRows = `select json_array(strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ'), region, product, revenue, units)::varchar as j
  from "rows" limit 100000`;
