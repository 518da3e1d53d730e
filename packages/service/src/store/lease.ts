import { sql, type Sql } from './sql.ts';
import type { Dialect } from './dialect.ts';
import { StoreNewer, type Row } from './store.ts';

/** A running instance, registered in the store until its lease expires. */
export interface Lease {
  /** Time-ordered id, which contains the start time of the instance. */
  readonly id: string;
  /** Version of the program. */
  readonly version: string;
  /** Number of the last migration that the program knows. */
  readonly schema: number;
}

/** How long a lease is valid after its last renewal. */
const leaseMs = 30_000;

/** Statements that create the tables about running programs. They run at every migration. */
export const leaseTables: readonly string[] = [
  'create table if not exists schema_lease (id text primary key, version text not null, schema integer not null, until text not null)',
  'create table if not exists schema_compatible (compatible_from integer not null)',
];

/** Current time of the store, as ISO 8601. */
export const storeClock: Readonly<Record<Dialect['name'], Sql>> = {
  sqlite: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  postgres: sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** Current time of the store plus some milliseconds. */
export const storeClockAfter = (dialect: Dialect['name'], ms: number): Sql =>
  dialect === 'sqlite'
    ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`+${ms / 1000} seconds`})`
    : sql`to_char((now() + cast(${`${ms} milliseconds`} as interval)) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns SQL that acquires or renews a lease. */
export const leaseTaken = (dialect: Dialect['name'], { id, version, schema }: Lease): Sql =>
  sql`insert into schema_lease (id, version, schema, until) values (${id}, ${version}, ${schema}, ${storeClockAfter(dialect, leaseMs)})
    on conflict (id) do update set until = excluded.until`;

/** Returns SQL that ends a lease, and deletes expired leases of crashed instances. */
export const leaseEnded = (dialect: Dialect['name'], id: string): Sql =>
  sql`delete from schema_lease where id = ${id} or until < ${storeClock[dialect]}`;

/** Selects the ids of the leases of all running instances. */
export const liveLeases = (dialect: Dialect['name']): Sql =>
  sql`select id from schema_lease where until >= ${storeClock[dialect]}`;

/** Selects the leases of running instances whose program only knows schemas before `schema`. */
export const leasesBefore = (dialect: Dialect['name'], schema: number): Sql =>
  sql`select version, schema from schema_lease where until >= ${storeClock[dialect]} and schema < ${schema} order by schema, version`;

/** Selects the oldest schema that a program must know to write to the store. */
export const compatibleFrom: Sql = sql`select max(compatible_from) as compatible_from from schema_compatible`;

/** Reads the result of `compatibleFrom`; null if the store does not have this information. */
export function compatibleIn([row]: readonly Row[]): number | null {
  return typeof row?.['compatible_from'] === 'number' ? row['compatible_from'] : null;
}

/**
 * Raises StoreNewer if the result of `compatibleFrom` is later than `schema`, the last schema that the program knows.
 */
export function requireCompatible(rows: readonly Row[], schema: number): void {
  const compatibleSchema = compatibleIn(rows) ?? 0;
  if (compatibleSchema > schema)
    throw new StoreNewer(`the store needs a program that knows schema ${compatibleSchema}; this one knows ${schema}`);
}

const tableCounts: Readonly<Record<Dialect['name'], (table: string) => Sql>> = {
  sqlite: (table) => sql`select count(*) as n from sqlite_schema where type = 'table' and name = ${table}`,
  postgres: (table) =>
    sql`select count(*) as n from pg_tables where schemaname = any (current_schemas(false)) and tablename = ${table}`,
};

/** Returns SQL that counts the tables with this name: 0 or 1. */
export const tableCount = (dialect: Dialect['name'], table: string): Sql => tableCounts[dialect](table);
