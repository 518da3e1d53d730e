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

/** One step of the schema. Steps are numbered from 1 without gaps and never change once released. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /**
   * Whether programs of the schema before go on working on the store, and what they write is whole for those of this one.
   * Such a step is applied while they run; any other only once they have stopped.
   */
  readonly addsOnly?: true;
  /** The statements, one per string, for one of the stores. */
  readonly statements: (dialect: 'sqlite' | 'postgres') => readonly string[];
}

/** The schema found is not one this program can run on; the message says why. */
export class MigrationRefused extends StoreRefused {}

/** What a migration works with: a transaction that no other instance can hold at the same time. */
export interface MigrationContext {
  readonly dialect: 'sqlite' | 'postgres';
  rows(statement: Sql): Promise<readonly Row[]>;
  execute(statement: string): Promise<void>;
  /** Waits for the writes that are under way, and lets others wait until the commit. */
  excludeWriters(): Promise<void>;
  /** Raises when rows refer to nothing; PostgreSQL sees to that itself. */
  verify(): Promise<void>;
  /** Whether a program that takes no lease uses the store: one of a release before leases. */
  isUsedWithoutLease(): Promise<boolean>;
}

/** Runs work in such a transaction, waiting for other instances, and commits unless it raises. */
export type Exclusively = <Result>(work: (context: MigrationContext) => Promise<Result>) => Promise<Result>;

/** Who migrates. */
export interface MigrationOptions {
  /** Taken with the last step; none where nothing runs on afterwards. */
  readonly lease?: Lease;
  /** Migrates although older instances run, which then write what this program may not find. */
  readonly force?: boolean;
}

const register = `create table if not exists schema_migration (id integer primary key, name text not null, applied_at text not null)`;

function checkOrder(migrations: readonly Migration[]): void {
  migrations.forEach(({ id, name }, index) => {
    if (id !== index + 1) throw new MigrationRefused(`migration ${name} has the number ${id}, expected ${index + 1}`);
  });
}

function checkApplied(applied: readonly Row[], migrations: readonly Migration[], compatible: number | null): void {
  const mayBeNewer = compatible !== null && compatible <= migrations.length;
  applied.forEach(({ id, name }, index) => {
    const known = migrations[index];
    if (known === undefined) {
      if (mayBeNewer) return;
      throw new MigrationRefused(
        `the store is newer than this program: it has migration ${id} (${name}), the program knows ${migrations.length}; start a newer version or restore a backup`,
      );
    }
    if (known.id !== id || known.name !== name) {
      throw new MigrationRefused(
        `the store has migration ${id} (${name}) where this program has ${known.id} (${known.name})`,
      );
    }
  });
}

/**
 * The migrations that a store with these applied ones still needs, in order. `compatible`: the oldest schema that a program must
 * know to run on it; null where the store does not say. Raises MigrationRefused.
 */
export function migrationsAfter(
  applied: readonly Row[],
  migrations: readonly Migration[],
  compatible: number | null = null,
): readonly Migration[] {
  checkOrder(migrations);
  checkApplied(applied, migrations, compatible);
  return migrations.slice(applied.length);
}

/** The oldest schema that a program must know once these are applied. */
const compatibleAfter = (migrations: readonly Migration[]): number =>
  migrations.findLast(({ addsOnly }) => addsOnly !== true)?.id ?? 0;

const stopThem = 'stop them and start again; --force migrates all the same, see docs/guides/deploying.md';

async function hasTable(store: Rows, dialect: Dialect['name'], table: string): Promise<boolean> {
  const [row] = await store.rows(tableCount(dialect, table));
  return Number(row?.['n']) > 0;
}

/** The oldest schema that a program must know to write to the store; null where it does not say. */
export async function storedCompatible(store: Rows, dialect: Dialect['name']): Promise<number | null> {
  if (!(await hasTable(store, dialect, 'schema_compatible'))) return null;
  return compatibleIn(await store.rows(compatibleFrom));
}

/** Raises MigrationRefused where an instance runs that could not go on after these migrations. */
async function refuseBesideOlder(context: MigrationContext, pending: readonly Migration[]): Promise<void> {
  if (!(await hasTable(context, context.dialect, 'schema_lease'))) {
    if (!(await context.isUsedWithoutLease())) return;
    throw new MigrationRefused(
      `the store has to be migrated, and a program of an earlier version uses it: ${stopThem}. Nothing was changed`,
    );
  }
  const older = await context.rows(leasesBefore(context.dialect, compatibleAfter(pending)));
  if (older.length === 0) return;
  const versions = older.map(({ version, schema }) => `${String(version)} (schema ${String(schema)})`);
  throw new MigrationRefused(
    `the store has to be migrated, and instances of an earlier version run on it: ${versions.join(', ')}; ${stopThem}. Nothing was changed`,
  );
}

/** Notes which programs may write from now on, and that this one runs. */
async function noteProgram(context: MigrationContext, applied: readonly Migration[], lease?: Lease): Promise<void> {
  const compatible = Math.max(compatibleAfter(applied), (await storedCompatible(context, context.dialect)) ?? 0);
  await context.execute('delete from schema_compatible');
  await context.rows(
    sql`insert into schema_compatible (compatible_from) values (${compatible}) returning compatible_from`,
  );
  if (lease === undefined) return;
  await context.rows(sql`${leaseEnded(context.dialect, lease.id)} returning id`);
  await context.rows(sql`${leaseTaken(context.dialect, lease)} returning id`);
}

/**
 * Brings the schema up to date, forward only; each migration and its row are one transaction, so an instance killed at any
 * point is continued by the next start. Gives the numbers applied by this call. Raises MigrationRefused.
 */
export async function migrate(
  exclusively: Exclusively,
  migrations: readonly Migration[],
  { lease, force = false }: MigrationOptions = {},
): Promise<readonly number[]> {
  checkOrder(migrations);
  const mine: number[] = [];
  for (;;) {
    const applied = await exclusively(async (context) => {
      await context.execute(register);
      const found = await context.rows(sql`select id, name from schema_migration order by id`);
      const compatible = await storedCompatible(context, context.dialect);
      const pending = migrationsAfter(found, migrations, compatible);
      const [next] = pending;
      if (next !== undefined && found.length > 0 && mine.length === 0 && !force)
        await refuseBesideOlder(context, pending);
      for (const table of leaseTables) await context.execute(table);
      if (next === undefined) {
        await noteProgram(context, migrations, lease);
        return undefined;
      }
      // What an older program writes is whole before its tables change, or refused after it.
      if (compatibleAfter(migrations) > (compatible ?? 0)) await context.excludeWriters();
      for (const statement of next.statements(context.dialect)) await context.execute(statement);
      await context.verify();
      await context.rows(
        sql`insert into schema_migration (id, name, applied_at)
          values (${next.id}, ${next.name}, ${storeClock[context.dialect]}) returning id`,
      );
      // Of all that are pending: no older program may start between two of them.
      await noteProgram(context, migrations);
      return next.id;
    });
    if (applied === undefined) return mine;
    mine.push(applied);
  }
}
