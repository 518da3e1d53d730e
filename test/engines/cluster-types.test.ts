import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { duckdb, emit, parseQueries, plan, shape, type Model, type ModelColumn } from '@inlay/query';
import { TableNames } from '../../packages/service/src/cluster/publication-names.ts';
import { ClusterTables } from '../../packages/service/src/cluster/tables.ts';
import { publishedDialect, publishedRelation } from '../../packages/service/src/data/cluster/cluster.ts';
import type { Publication } from '../../packages/service/src/data/model/parts.ts';
import { clusterSettings, openCluster } from '../support/cluster.ts';
import { jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';

const schema = 'types';
const limits = { rowLimit: 100_000, byteLimit: 100_000_000, deadlineMs: 120_000 };

/** Values of each type, as DuckDB writes them. */
const values: Readonly<Record<string, readonly [type: string, ...string[]]>> = {
  words: ['VARCHAR', "'a'", "'A'", "''", "'🦆'", "'it''s'", `'"'`, 'chr(10)', "' a '"],
  whole: ['BIGINT', '0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993'],
  large: ['HUGEINT', '0', '99999999999999999999999999999999999999', '-99999999999999999999999999999999999999'],
  exact: ['DECIMAL(38, 10)', '0', '0.1', '-1234567890123456789012345678.0123456789', '9999999999.9999999999'],
  short: ['DECIMAL(4, 2)', '0', '99.99', '-0.01'],
  ratio: ['DOUBLE', '0', '0.1', '1e308', '-1e308', '5e-324', "'Infinity'", "'-Infinity'"],
  odd: ['DOUBLE', "'-0'", "'NaN'", "'Infinity'"],
  single: ['FLOAT', '0.5', '-2', '16777216'],
  yes: ['BOOLEAN', 'true', 'false'],
  day: ['DATE', "'0001-01-01'", "'1582-10-10'", "'1969-12-31'", "'2024-02-29'", "'9999-12-31'"],
  time: ['TIMESTAMP', "'0001-01-01 00:00:00.000001'", "'1969-12-31 23:59:59.999999'", "'9999-12-31 23:59:59.999999'"],
  seen: ['TIMESTAMPTZ', "'1969-12-31 23:59:59.999999+00'", "'2024-03-31 01:30:00.123456+00'"],
  more: ['JSON', `'{"b": 1, "a": [1, 2.50, null]}'`, "'[]'", `'"text"'`, "'1e2'"],
};

describe('values of every type on trino', () => {
  const engines = inject('sharedEngines');
  const engine = startTestEngine();
  let cluster: ReturnType<typeof openCluster>;
  let publication: Publication;
  let model: Model;

  beforeAll(async () => {
    if (engines === undefined) throw new Error('the cluster is not there');
    await clusterSettings(engines, schema);
    cluster = openCluster(engines, schema);
    const path = join(engine.dataDir, 'uploads', 'values.parquet');
    mkdirSync(join(engine.dataDir, 'uploads'), { recursive: true });
    const count = Math.max(...Object.values(values).map((each) => each.length));
    const rows = Array.from({ length: count }, (_, row) =>
      [String(row), ...Object.values(values).map(([type, ...each]) => `cast(${each[row] ?? 'null'} as ${type})`)].join(
        ', ',
      ),
    );
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    const columnNames = ['id', ...Object.keys(values)].join(', ');
    await connection.run(
      `copy (select * from (values ${rows.map((row) => `(${row})`).join(', ')}) v(${columnNames})) to '${path}' (format parquet)`,
    );
    connection.closeSync();
    instance.closeSync();
    const written = await engine.write({ version: 'v', source: { kind: 'file', format: 'parquet', path } });
    if (written.kind !== 'done') throw new Error('the version is not written');
    const folder = join(engines.lake, schema, 'ds');
    mkdirSync(folder, { recursive: true });
    const spec = { tenant: 'here', datasetId: 'ds', version: 'v', folder, order: ['words'] };
    const files = await engine.writeParquet(spec, () => undefined, never);
    const tables = new ClusterTables(cluster, new TableNames(cluster, 'types'));
    const place = ['lake', schema, 'values_of_types'];
    await tables.drop(place, never);
    await tables.create(place, `local:///${schema}/ds`, files, never);
    publication = { id: 'ds', place, columns: files.columns.map(({ name }) => name) };
    const columns = written.columns.map(({ name, storageType }): ModelColumn => ({
      id: name,
      datasetId: 'ds',
      source: name,
      type: ['integer', 'decimal', 'double'].includes(storageType)
        ? 'numeric'
        : ['date', 'timestamp', 'timestamptz'].includes(storageType)
          ? 'datetime'
          : 'hierarchy',
      subtype: null,
      storageType,
      expression: null,
      separator: null,
      joins: [],
    }));
    const byId = new Map(columns.map((column) => [column.id, column]));
    model = { datasets: new Map([['ds', { id: 'ds', columns: byId, formulas: new Map() }]]) };
  });
  afterAll(async () => {
    await cluster.close();
    await engine.stop();
  });

  /** Returns the answers of the engine and of the cluster. */
  async function answers(find: Json): Promise<readonly [engine: unknown, cluster: unknown]> {
    const { queries, faults } = parseQueries(find);
    const [query] = queries;
    if (query === undefined) throw new Error(JSON.stringify(faults));
    const context = { nowMs: 0, timeZone: 'UTC', weekstart: 1, locale: 'en', rowLimit: 1000, rowFilters: new Map() };
    const planned = plan(query, model, context);
    const inEngine = emit(planned, duckdb, (id) => ({ kind: 'table', path: [id] }), 'json');
    const ofEngine = await rowsOf(engine.query(jobOver(engine, 'v', inEngine.sql, { params: inEngine.params }), never));
    const { sql, params, columns } = emit(planned, publishedDialect, () => publishedRelation(publication), 'rows');
    const { rows } = await cluster.connector.run(cluster.params, { sql, params }, limits, never);
    const ofCluster: unknown[] = [];
    for await (const batch of rows) {
      const shaped: Json = JSON.parse(`[${shape(batch, columns, 'en')}]`);
      if (isList(shaped)) ofCluster.push(...shaped);
    }
    return [ofEngine, ofCluster];
  }
  const slot = (name: string, more: object = {}): Json =>
    JSON.parse(JSON.stringify({ dataset_id: 'ds', column_id: name, ...more }));

  const names = Object.keys(values).filter((name) => name !== 'odd');
  test.each(names)('of the column "%s" are the same in the rows', async (name) => {
    const [ofEngine, ofCluster] = await answers({
      dimensions: [slot('id'), slot(name)],
      measures: [],
      order: [slot('id', { order: 'asc' })],
      options: { rollup_data: false },
    });
    expect(ofCluster).toEqual(ofEngine);
    expect(ofEngine).not.toEqual([]);
  });

  test.each(names)('of the column "%s" form the same groups', async (name) => {
    const find = { dimensions: [slot(name)], measures: [slot('*', { aggregation: { type: 'count' } })] };
    const [ofEngine, ofCluster] = await answers(find);
    expect(ofCluster).toEqual(ofEngine);
  });

  test('read NaN as infinity and -0 as 0, as rows at a source on Trino do', async () => {
    const [ofEngine, ofCluster] = await answers({
      dimensions: [slot('odd')],
      measures: [slot('*', { aggregation: { type: 'count' } })],
      where: [{ expression: '? < ?', parameters: [slot('id'), 3] }],
      order: [slot('odd', { order: 'asc' })],
    });
    expect(ofEngine).toEqual([
      [-0, 1],
      [null, 1],
      [null, 1],
    ]);
    expect(ofCluster).toEqual([
      [0, 1],
      [null, 2],
    ]);
  });
});
