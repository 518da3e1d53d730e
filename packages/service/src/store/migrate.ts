import { sql, type Sql } from './sql.ts';
import type { Row } from './store.ts';

/** One step of the schema. Steps are numbered from 1 without gaps and never change once released. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /** The statements, one per string, for one of the stores. */
  readonly statements: (dialect: 'sqlite' | 'postgres') => readonly string[];
}

/** The schema found is not one this program can run on; the message says why. */
export class MigrationRefused extends Error {}

/** What a migration works with: a transaction that no other instance can hold at the same time. */
export interface MigrationContext {
  readonly dialect: 'sqlite' | 'postgres';
  rows(statement: Sql): Promise<readonly Row[]>;
  execute(statement: string): Promise<void>;
  /** Raises when rows refer to nothing; PostgreSQL sees to that itself. */
  verify(): Promise<void>;
}

/** Runs work in such a transaction, waiting for other instances, and commits unless it raises. */
export type Exclusively = <Result>(work: (context: MigrationContext) => Promise<Result>) => Promise<Result>;

const register = `create table if not exists schema_migration (id integer primary key, name text not null, applied_at text not null)`;

const clock = {
  sqlite: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  postgres: sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
} as const;

function checkOrder(migrations: readonly Migration[]): void {
  migrations.forEach(({ id, name }, index) => {
    if (id !== index + 1) throw new MigrationRefused(`migration ${name} has the number ${id}, expected ${index + 1}`);
  });
}

function checkApplied(applied: readonly Row[], migrations: readonly Migration[]): void {
  applied.forEach(({ id, name }, index) => {
    const known = migrations[index];
    if (known === undefined) {
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

/** The migrations that a store with these applied ones still needs, in order. Raises MigrationRefused. */
export function migrationsAfter(applied: readonly Row[], migrations: readonly Migration[]): readonly Migration[] {
  checkOrder(migrations);
  checkApplied(applied, migrations);
  return migrations.slice(applied.length);
}

/**
 * Brings the schema up to date, forward only; each migration and its row are one transaction, so an instance killed at any
 * point is continued by the next start. Gives the numbers applied by this call. Raises MigrationRefused.
 */
export async function migrate(exclusively: Exclusively, migrations: readonly Migration[]): Promise<readonly number[]> {
  checkOrder(migrations);
  const mine: number[] = [];
  for (;;) {
    const applied = await exclusively(async (context) => {
      await context.execute(register);
      const found = await context.rows(sql`select id, name from schema_migration order by id`);
      const [next] = migrationsAfter(found, migrations);
      if (next === undefined) return undefined;
      for (const statement of next.statements(context.dialect)) await context.execute(statement);
      await context.verify();
      await context.rows(
        sql`insert into schema_migration (id, name, applied_at)
          values (${next.id}, ${next.name}, ${clock[context.dialect]}) returning id`,
      );
      return next.id;
    });
    if (applied === undefined) return mine;
    mine.push(applied);
  }
}
