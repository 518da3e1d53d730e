import {
  compatibleFrom,
  compatibleIn,
  leaseEnded,
  leasesBefore,
  leaseTables,
  leaseTaken,
  storeClock,
  tableCount,
  type Lease,
} from './lease.ts';
import type { Dialect } from './dialect.ts';
import type { Rows } from './secrets/sealed-keys.ts';
import { sql, type Sql } from './sql.ts';
import type { Row } from './store.ts';
import { StoreRefused } from './refused.ts';

/** One migration of the schema. Numbers are consecutive from 1; a released migration never changes. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /**
   * True if programs that know only the previous schema can still use the store, and write data that newer programs can
   * read. Such a migration may run beside these programs. Any other migration requires that they have stopped.
   */
  readonly addsOnly?: true;
  /** Returns the SQL statements for one of the stores. */
  readonly statements: (dialect: 'sqlite' | 'postgres') => readonly string[];
}

/** This program cannot run on the schema of the store. The message has the reason. */
export class MigrationRefused extends StoreRefused {}

/** Access to the store during a migration: a transaction that excludes other migrating instances. */
export interface MigrationContext {
  readonly dialect: 'sqlite' | 'postgres';
  rows(statement: Sql): Promise<readonly Row[]>;
  execute(statement: string): Promise<void>;
  /** Waits for running writes, and blocks new writes until the commit. */
  excludeWriters(): Promise<void>;
  /** Raises an error for dangling references. Does nothing in PostgreSQL, which enforces references itself. */
  verify(): Promise<void>;
  /** True if a release that has no leases uses the store. */
  isUsedWithoutLease(): Promise<boolean>;
}

/**
 * Waits until no other instance migrates, then runs work in an exclusive transaction. Commits unless the work throws.
 */
export type Exclusively = <Result>(work: (context: MigrationContext) => Promise<Result>) => Promise<Result>;

/** Options of a migration. */
export interface MigrationOptions {
  /**
   * Lease of the instance, which it acquires after the last migration. Omitted if no instance starts after the
   * migration.
   */
  readonly lease?: Lease;
  /** If true, migrates even if older instances are running. They may then write data that this program cannot read. */
  readonly force?: boolean;
}

const register = `create table if not exists schema_migration (id integer primary key, name text not null, applied_at text not null)`;

function checkOrder(migrations: readonly Migration[]): void {
  migrations.forEach(({ id, name }, index) => {
    if (id !== index + 1) throw new MigrationRefused(`migration ${name} has the number ${id}, expected ${index + 1}`);
  });
}

function checkApplied(
  appliedRows: readonly Row[],
  migrations: readonly Migration[],
  compatibleSchema: number | null,
): void {
  const mayBeNewer = compatibleSchema !== null && compatibleSchema <= migrations.length;
  appliedRows.forEach(({ id, name }, index) => {
    const migration = migrations[index];
    if (migration === undefined) {
      if (mayBeNewer) return;
      throw new MigrationRefused(
        `the store is newer than this program: it has migration ${id} (${name}), the program knows ${migrations.length}; start a newer version or restore a backup`,
      );
    }
    if (migration.id !== id || migration.name !== name) {
      throw new MigrationRefused(
        `the store has migration ${id} (${name}) where this program has ${migration.id} (${migration.name})`,
      );
    }
  });
}

/**
 * Returns the pending migrations in order. `compatibleSchema` is the oldest schema that a program must know to use the
 * store; null if unknown. Raises MigrationRefused.
 */
export function migrationsAfter(
  appliedRows: readonly Row[],
  migrations: readonly Migration[],
  compatibleSchema: number | null = null,
): readonly Migration[] {
  checkOrder(migrations);
  checkApplied(appliedRows, migrations, compatibleSchema);
  return migrations.slice(appliedRows.length);
}

/** Returns the oldest schema that a program must know once these migrations have been applied. */
const compatibleAfter = (migrations: readonly Migration[]): number =>
  migrations.findLast(({ addsOnly }) => addsOnly !== true)?.id ?? 0;

const stopThem = 'stop them and start again; --force migrates all the same, see docs/guides/deploying.md';

async function hasTable(store: Rows, dialect: Dialect['name'], table: string): Promise<boolean> {
  const [row] = await store.rows(tableCount(dialect, table));
  return Number(row?.['n']) > 0;
}

/**
 * Returns the oldest schema that a program must know to write to the store; null if the store does not have this
 * information.
 */
export async function storedCompatible(store: Rows, dialect: Dialect['name']): Promise<number | null> {
  if (!(await hasTable(store, dialect, 'schema_compatible'))) return null;
  return compatibleIn(await store.rows(compatibleFrom));
}

/** Raises MigrationRefused if a running instance could not use the store after these migrations. */
async function refuseBesideOlder(context: MigrationContext, pendingMigrations: readonly Migration[]): Promise<void> {
  if (!(await hasTable(context, context.dialect, 'schema_lease'))) {
    if (!(await context.isUsedWithoutLease())) return;
    throw new MigrationRefused(
      `the store has to be migrated, and a program of an earlier version uses it: ${stopThem}. Nothing was changed`,
    );
  }
  const olderLeases = await context.rows(leasesBefore(context.dialect, compatibleAfter(pendingMigrations)));
  if (olderLeases.length === 0) return;
  const versions = olderLeases.map(({ version, schema }) => `${String(version)} (schema ${String(schema)})`);
  throw new MigrationRefused(
    `the store has to be migrated, and instances of an earlier version run on it: ${versions.join(', ')}; ${stopThem}. Nothing was changed`,
  );
}

/**
 * Records which programs may write to the store from now on. If `lease` is given, also records the lease of this
 * program.
 */
async function noteProgram(context: MigrationContext, appliedRows: readonly Migration[], lease?: Lease): Promise<void> {
  const compatibleSchema = Math.max(
    compatibleAfter(appliedRows),
    (await storedCompatible(context, context.dialect)) ?? 0,
  );
  await context.execute('delete from schema_compatible');
  await context.rows(
    sql`insert into schema_compatible (compatible_from) values (${compatibleSchema}) returning compatible_from`,
  );
  if (lease === undefined) return;
  await context.rows(sql`${leaseEnded(context.dialect, lease.id)} returning id`);
  await context.rows(sql`${leaseTaken(context.dialect, lease)} returning id`);
}

/**
 * Applies pending migrations. Each migration and the record that it was applied are one transaction, so the next start
 * continues correctly after a crash. Returns the numbers of the applied migrations. Raises MigrationRefused.
 */
export async function migrate(
  exclusively: Exclusively,
  migrations: readonly Migration[],
  { lease, force = false }: MigrationOptions = {},
): Promise<readonly number[]> {
  checkOrder(migrations);
  const ownIds: number[] = [];
  for (;;) {
    const appliedId = await exclusively(async (context) => {
      await context.execute(register);
      const appliedRows = await context.rows(sql`select id, name from schema_migration order by id`);
      const compatibleSchema = await storedCompatible(context, context.dialect);
      const pendingMigrations = migrationsAfter(appliedRows, migrations, compatibleSchema);
      const [nextMigration] = pendingMigrations;
      if (nextMigration !== undefined && appliedRows.length > 0 && ownIds.length === 0 && !force)
        await refuseBesideOlder(context, pendingMigrations);
      for (const table of leaseTables) await context.execute(table);
      if (nextMigration === undefined) {
        await noteProgram(context, migrations, lease);
        return undefined;
      }
      // Waits for running writes of an older program before changing its tables. Its later writes are refused.
      if (compatibleAfter(migrations) > (compatibleSchema ?? 0)) await context.excludeWriters();
      for (const statement of nextMigration.statements(context.dialect)) await context.execute(statement);
      await context.verify();
      await context.rows(
        sql`insert into schema_migration (id, name, applied_at)
          values (${nextMigration.id}, ${nextMigration.name}, ${storeClock[context.dialect]}) returning id`,
      );
      // Already recorded with the first migration, so that no older program can start between two migrations.
      await noteProgram(context, migrations);
      return nextMigration.id;
    });
    if (appliedId === undefined) return ownIds;
    ownIds.push(appliedId);
  }
}
