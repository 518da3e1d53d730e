import { randomUUID } from 'node:crypto';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { createConnection, type Connection } from 'mysql2/promise';
import pg from 'pg';
import { inject } from 'vitest';
import {
  clickhouseFor,
  clickhouseParameter,
  clickhouseSettings,
  duckdb,
  mysqlFor,
  postgres,
  shape,
  trino,
  trinoStatement,
  trinoText,
  type Dialect,
  type StorageType,
  type Scalar,
  type Statement,
} from '@inlay/query';
import { readCell } from '../../packages/service/src/connectors/mysql/types.ts';
import { postgresqlReaders } from '../../packages/service/src/connectors/postgresql/types.ts';
import { haveClickhouse, startClickhouse } from '../support/clickhouse.ts';
import { haveMariadb, startMariadb } from '../support/mariadb.ts';
import { loadZones } from './mariadb-zones.ts';
import { havePostgres, startPostgres } from '../support/postgres.ts';
import type { SharedEngines } from '../support/shared-engines.ts';
import { trinoRows } from '../support/trino.ts';

/** A table to make in every engine: columns by name, and rows of values as JavaScript writes them (times in UTC). */
export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly storageType: StorageType }[];
  readonly rows: readonly (readonly Scalar[])[];
}

/** A real database on which statements of its dialect are run. */
export interface Engine {
  readonly dialect: Dialect;
  create(table: Table): Promise<void>;
  drop(name: string): Promise<void>;
  /** How many statements run at the same time: one where they share a connection. */
  readonly width: number;
  /** Rows as the driver gives them. */
  rows(text: string, params: readonly Scalar[]): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

export const engineNames = ['duckdb', 'postgres', 'mysql', 'clickhouse', 'trino'] as const;
export type EngineName = (typeof engineNames)[number];
/** Named zones that every engine knows; MariaDB's own tables of them are empty at first. */
export const zones = [
  'Europe/Brussels',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'America/St_Johns',
  'Asia/Tokyo',
  'Pacific/Honolulu',
] as const;
const mysql = mysqlFor({ version: '10.11 MariaDB', zones: true });
const clickhouse = clickhouseFor({ lastYear: 9999 });
export const dialects: Readonly<Record<EngineName, Dialect>> = { duckdb, postgres, mysql, clickhouse, trino };

type Types = Readonly<Record<StorageType, string>>;
const columnTypes: Readonly<Record<EngineName, Types>> = {
  duckdb: {
    text: 'VARCHAR',
    integer: 'BIGINT',
    decimal: 'DECIMAL(18, 2)',
    double: 'DOUBLE',
    boolean: 'BOOLEAN',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
    timestamptz: 'TIMESTAMPTZ',
    json: 'VARCHAR',
  },
  postgres: {
    text: 'text',
    integer: 'bigint',
    decimal: 'numeric(18, 2)',
    double: 'double precision',
    boolean: 'boolean',
    date: 'date',
    timestamp: 'timestamp',
    timestamptz: 'timestamptz',
    json: 'text',
  },
  mysql: {
    text: 'varchar(200)',
    integer: 'bigint',
    decimal: 'decimal(18, 2)',
    double: 'double',
    boolean: 'tinyint(1)',
    date: 'date',
    timestamp: 'datetime(6)',
    timestamptz: 'timestamp(6) null',
    json: 'text',
  },
  clickhouse: {
    text: 'String',
    integer: 'Int64',
    decimal: 'Decimal(18, 2)',
    double: 'Float64',
    boolean: 'Bool',
    date: 'Date32',
    timestamp: "DateTime64(6, 'UTC')",
    timestamptz: "DateTime64(3, 'Europe/Brussels')",
    json: 'String',
  },
  trino: {
    text: 'varchar',
    integer: 'bigint',
    decimal: 'decimal(18, 2)',
    double: 'double',
    boolean: 'boolean',
    date: 'date',
    timestamp: 'timestamp(6)',
    timestamptz: 'timestamp(3) with time zone',
    json: 'json',
  },
};

const creating = (name: EngineName, dialect: Dialect, { name: table, columns }: Table): string =>
  `create table ${dialect.quote(table)} (${columns
    .map((column) => `${dialect.quote(column.name)} ${columnTypes[name][column.storageType]}`)
    .join(', ')})`;

/** Returns one statement for all rows: everything as text, cast by the column it goes to. */
const inserting = (dialect: Dialect, { name, columns, rows }: Table): { text: string; params: Scalar[] } => {
  let position = 0;
  const lists = rows.map((row) => `(${row.map(() => dialect.placeholder((position += 1))).join(', ')})`);
  const names = columns.map((column) => dialect.quote(column.name)).join(', ');
  return {
    text: `insert into ${dialect.quote(name)} (${names}) values ${lists.join(', ')}`,
    params: rows.flat(),
  };
};

const openDuckdb = async (): Promise<Engine> => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  const run = async (text: string, params: readonly Scalar[]): Promise<readonly (readonly unknown[])[]> => {
    const values: DuckDBValue[] = [...params];
    return (await connection.runAndReadAll(text, values)).getRowsJson();
  };
  return {
    dialect: duckdb,
    width: 1,
    async create(table) {
      await run(creating('duckdb', duckdb, table), []);
      const { text, params } = inserting(duckdb, table);
      if (table.rows.length > 0) await run(text, params);
    },
    drop: async (name) => void (await run(`drop table if exists ${duckdb.quote(name)}`, [])),
    rows: run,
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

const openPostgres = async (): Promise<Engine> => {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url(), types: postgresqlReaders });
  await client.connect();
  await client.query("set timezone = 'UTC'");
  const run = async (text: string, params: readonly Scalar[]): Promise<readonly (readonly unknown[])[]> =>
    (await client.query<unknown[]>({ text, values: [...params], rowMode: 'array' })).rows;
  return {
    dialect: postgres,
    width: 1,
    async create(table) {
      await run(creating('postgres', postgres, table), []);
      const { text, params } = inserting(postgres, table);
      if (table.rows.length > 0) await run(text, params);
    },
    drop: async (name) => void (await run(`drop table if exists ${postgres.quote(name)}`, [])),
    rows: run,
    async close() {
      await client.end();
      await server.stop();
    },
  };
};

const rowsOf = async (
  connection: Connection,
  sql: string,
  params: readonly Scalar[],
): Promise<readonly (readonly unknown[])[]> => {
  const [rows] = await connection.execute({ sql, rowsAsArray: true }, [...params]);
  return Array.isArray(rows) ? rows.flatMap((row: unknown) => (Array.isArray(row) ? [row] : [])) : [];
};

const openMariadb = async (): Promise<Engine> => {
  const server = await startMariadb();
  const connection = await createConnection({
    host: '127.0.0.1',
    port: server.port,
    user: server.user,
    database: await server.createDatabase(),
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    timezone: 'Z',
    jsonStrings: true,
    charset: 'utf8mb4',
    typeCast: readCell,
    disableEval: true,
  });
  await connection.query("set time_zone = '+00:00'");
  await loadZones(connection, zones);
  return {
    dialect: mysql,
    width: 1,
    async create(table) {
      await connection.query(`${creating('mysql', mysql, table)} character set utf8mb4 collate utf8mb4_general_ci`);
      const { text, params } = inserting(mysql, table);
      if (table.rows.length > 0) await rowsOf(connection, text, params);
    },
    drop: async (name) => void (await connection.query(`drop table if exists ${mysql.quote(name)}`)),
    rows: (text, params) => rowsOf(connection, text, params),
    async close() {
      await connection.end();
      await server.stop();
    },
  };
};

const openClickhouse = async (): Promise<Engine> => {
  const server = await startClickhouse();
  const settings = {
    ...clickhouseSettings,
    date_time_input_format: 'best_effort',
    date_time_output_format: 'iso',
    default_format: 'JSONCompactEachRow',
    output_format_json_quote_64bit_integers: '1',
    output_format_json_quote_decimals: '1',
  };
  const rowsIn = (text: string): readonly (readonly unknown[])[] => {
    const rows: unknown = JSON.parse(`[${text.trim().replaceAll('\n', ',')}]`);
    return Array.isArray(rows) ? rows.flatMap((row: unknown) => (Array.isArray(row) ? [row] : [])) : [];
  };
  return {
    dialect: clickhouse,
    width: 4,
    async create({ name, columns, rows }) {
      // Columns without nulls are not Nullable, as in most tables of ClickHouse.
      const types = columns.map(({ storageType }, index) => {
        const type = columnTypes.clickhouse[storageType];
        return rows.every((row) => row[index] !== null) ? type : `Nullable(${type})`;
      });
      const list = columns.map((column, index) => `${clickhouse.quote(column.name)} ${types[index]}`).join(', ');
      const table = clickhouse.quote(name);
      await server.run(`create table ${table} (${list}) engine = MergeTree order by tuple()`);
      const asInserted = (value: Scalar, index: number): Scalar =>
        columns[index]?.storageType === 'timestamptz' && value !== null ? `${String(value)}Z` : value;
      const lines = rows.map((row) => JSON.stringify(row.map(asInserted)));
      if (rows.length > 0)
        await server.run(`insert into ${table} format JSONCompactEachRow\n${lines.join('\n')}`, settings);
    },
    drop: async (name) => void (await server.run(`drop table if exists ${clickhouse.quote(name)}`)),
    async rows(text, params) {
      const values = params.map((value, index) => [`param_p${index + 1}`, clickhouseParameter(value)]);
      return rowsIn(await server.run(text, settings, Object.fromEntries(values)));
    },
    close: () => server.stop(),
  };
};

const sharedEngines = (): SharedEngines | undefined => inject('sharedEngines');

/** Opens a schema of its own in the cluster that all tests of a run share. */
const openTrino = async (): Promise<Engine> => {
  const { trino: url = '' } = sharedEngines() ?? {};
  const schema = `s${randomUUID().replaceAll('-', '')}`;
  const run = (text: string): Promise<readonly (readonly unknown[])[]> => trinoRows(url, text, schema);
  const cellOf = (value: Scalar, type: StorageType): string => {
    const text = value === null ? 'null' : trinoText(String(value));
    return `cast(${type === 'timestamptz' && value !== null ? `${text} || ' UTC'` : text} as ${columnTypes.trino[type]})`;
  };
  await run(`create schema memory.${schema}`);
  return {
    dialect: trino,
    width: 8,
    async create(table) {
      await run(creating('trino', trino, table));
      const rows = table.rows.map(
        (row) =>
          `(${row.map((value, index) => cellOf(value, table.columns[index]?.storageType ?? 'text')).join(', ')})`,
      );
      if (rows.length > 0) await run(`insert into ${trino.quote(table.name)} values ${rows.join(', ')}`);
    },
    drop: async (name) => void (await run(`drop table if exists ${trino.quote(name)}`)),
    async rows(sql, params) {
      const explain = sql.startsWith('explain ') ? 'explain ' : '';
      return run(`${explain}${trinoStatement({ sql: sql.slice(explain.length), params })}`);
    },
    close: async () => void (await run(`drop schema memory.${schema} cascade`)),
  };
};

const missing: Readonly<Record<EngineName, () => string | undefined>> = {
  duckdb: () => undefined,
  postgres: havePostgres,
  mysql: haveMariadb,
  clickhouse: haveClickhouse,
  trino: () => (sharedEngines() === undefined ? 'only "npm run test:engines" starts Trino' : undefined),
};
const opening: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  duckdb: openDuckdb,
  postgres: openPostgres,
  mysql: openMariadb,
  clickhouse: openClickhouse,
  trino: openTrino,
};

/** Returns why an engine cannot be started here; null when it can. */
export const missingEngine = (name: EngineName): string | null => missing[name]() ?? null;

export const openEngine = (name: EngineName): Promise<Engine> => opening[name]();

/** Does the work for each value, for several at a time if the engine runs statements at the same time. */
export async function forEach<Value>(
  { width }: Engine,
  values: Iterable<Value>,
  work: (value: Value) => Promise<unknown>,
): Promise<void> {
  const remaining = values[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = remaining.next(); next.done !== true; next = remaining.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Runs a statement in `rows` output and returns the wire rows. */
export const answerRows = async (engine: Engine, statement: Statement, locale = 'en'): Promise<readonly unknown[]> => {
  const rows = await engine.rows(statement.sql, statement.params);
  const shaped: unknown = JSON.parse(`[${shape(rows, statement.columns, locale)}]`);
  return Array.isArray(shaped) ? shaped : [];
};

/** Runs a statement in `json` output. */
export const answerJson = async (engine: Engine, statement: Statement): Promise<readonly unknown[]> =>
  (await engine.rows(statement.sql, statement.params)).map(([text]): unknown => JSON.parse(String(text)));
