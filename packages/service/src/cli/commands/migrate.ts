import { existsSync } from 'node:fs';
import { openStore, storeFile } from '../../app/store/open-store.ts';
import type { Config } from '../../config/config.ts';
import { migrationsAfter, storedCompatible, type Migration } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { sql } from '../../store/sql.ts';
import { forceOption, readArguments } from '../arguments.ts';
import type { Host } from '../host.ts';
import { dialectOf, hasSchema, readStore } from '../read-store.ts';
import { settingsOf } from '../settings.ts';

/** Returns the pending migrations. If there is no store yet, returns all migrations. Raises MigrationRefused. */
async function pendingOf(config: Config): Promise<readonly Migration[]> {
  if (config.databaseUrl === undefined && !existsSync(storeFile(config.dataDir))) return migrations;
  const store = readStore(config);
  try {
    if (!(await hasSchema(store, config))) return migrations;
    const appliedRows = await store.rows(sql`select id, name from schema_migration order by id`);
    return migrationsAfter(appliedRows, migrations, await storedCompatible(store, dialectOf(config)));
  } finally {
    await store.close();
  }
}

/** Migrates the schema of the store without starting the service; `--dry-run` only lists the migrations. */
export async function migrateStore(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, { 'dry-run': { type: 'boolean' }, ...forceOption });
  const config = settingsOf(host);
  const pendingMigrations = await pendingOf(config);
  if (pendingMigrations.length === 0) {
    host.out(`The schema is up to date: version ${migrations.length}.`);
    return 0;
  }
  for (const { id, name } of pendingMigrations) host.out(`  ${id}  ${name}`);
  if (values['dry-run'] === true) {
    host.out(
      `${pendingMigrations.length} migrations to apply. Nothing was changed; make a backup, then run: inlay migrate`,
    );
    return 0;
  }
  await (await openStore(config, Date.now, () => undefined, { force: values.force === true })).close();
  host.out(`${pendingMigrations.length} migrations applied: version ${migrations.length}.`);
  return 0;
}
