import { DuckDBInstance } from '@duckdb/node-api';
import { isList, type Json, type JsonObject } from '@inlay/contract';
import {
  duckdb,
  emit,
  parseQueries,
  plan,
  shape,
  type ColumnType,
  type Model,
  type ModelColumn,
  type Query,
  type StorageType,
} from '@inlay/query';
import { withAllMembers, withOthers } from '../../../packages/service/src/dashboards/stored-items/others.ts';

/** A row of the dataset that items are drawn of. */
export interface Visit {
  readonly name: string | null;
  readonly kind: string;
  /** Milliseconds since 1970; null if nobody knows. */
  readonly at: number | null;
  /** A date without time, as midnight in UTC. */
  readonly day: number;
  /** Quarters, so that sums and means are exact. */
  readonly amount: number | null;
  readonly units: number | null;
}

/** The columns of the dataset: as queries name them, and as DuckDB stores them. */
const columns: Readonly<
  Record<keyof Visit, { readonly type: ColumnType; readonly sql: string; readonly storageType: StorageType }>
> = {
  name: { type: 'hierarchy', sql: 'varchar', storageType: 'text' },
  kind: { type: 'hierarchy', sql: 'varchar', storageType: 'text' },
  at: { type: 'datetime', sql: 'timestamp', storageType: 'timestamp' },
  day: { type: 'datetime', sql: 'date', storageType: 'date' },
  amount: { type: 'numeric', sql: 'double', storageType: 'double' },
  units: { type: 'numeric', sql: 'bigint', storageType: 'integer' },
};

const model: Model = {
  datasets: new Map([
    [
      'visits',
      {
        id: 'visits',
        formulas: new Map(),
        columns: new Map(
          Object.entries(columns).map(([id, { type, storageType }]): [string, ModelColumn] => [
            id,
            {
              id,
              type,
              storageType,
              datasetId: 'visits',
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

type Rows = readonly (readonly Json[])[];

/** Answers queries over visits as the service does, on DuckDB in memory. */
export interface VisitsEngine {
  readonly fill: (visits: readonly Visit[]) => Promise<void>;
  readonly rowsOf: (query: JsonObject, timeZone: string) => Promise<Rows>;
  readonly close: () => void;
}

const literal = (value: number | string | null): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
const stamp = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().slice(0, 19));

/** Opens the engine without rows. */
export async function openVisits(): Promise<VisitsEngine> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  await connection.run('set threads = 1');
  const declared = Object.entries(columns).map(([id, { sql }]) => `"${id}" ${sql}`);
  const rowsAt = async (query: Query, timeZone: string): Promise<Rows> => {
    const context = { nowMs: 0, timeZone, weekstart: 1, locale: 'en', rowLimit: 10_000, rowFilters: new Map() };
    const relations = (id: string) => ({ kind: 'table' as const, path: [id] });
    const statement = emit(plan(query, model, context), duckdb, relations, 'rows');
    const found = (await connection.runAndReadAll(statement.sql, [...statement.params])).getRowsJson();
    const shaped: Json = JSON.parse(`[${shape(found, statement.columns, 'en')}]`);
    return isList(shaped) ? shaped.filter(isList) : [];
  };
  return {
    async fill(visits) {
      await connection.run(`create or replace table visits (${declared.join(', ')})`);
      const values = visits.map(({ name, kind, at, day, amount, units }) =>
        [name, kind, stamp(at), stamp(day)?.slice(0, 10) ?? null, amount, units].map(literal).join(', '),
      );
      if (values.length > 0) await connection.run(`insert into visits values (${values.join('), (')})`);
    },
    async rowsOf(query, timeZone) {
      const asked: Json = JSON.parse(JSON.stringify(query));
      const { queries, faults } = parseQueries(asked);
      const [parsed] = queries;
      if (parsed === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));
      const answer = (one: Query): Promise<Rows> => rowsAt(one, timeZone);
      return parsed.limit.others === true
        ? withOthers(parsed, { rows: await answer(withAllMembers(parsed)), isTruncated: false, at: 'find' }, answer)
        : answer(parsed);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
