import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command, WriteResult } from '../../commands/command.ts';
import type { Config } from '../../config/config.ts';
import type { KeySettings } from '../../config/keys.ts';
import { createEnvironment } from './environment.ts';
import { createPerform, isPlannable } from './perform.ts';
import type { MigrationOptions } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import type { Store } from '../../store/store.ts';

/**
 * Returns the path of the embedded store's file. The key file is in another folder, so that a copy of the store
 * contains no key.
 */
export const storeFile = (dataDir: string): string => join(dataDir, 'store', 'inlay.db');

/** Returns those settings that determine the secret keys. */
export const keySettings = ({ env, dataDir, secretKey, secretKeyPrevious }: Config): KeySettings => ({
  env,
  dataDir,
  secretKey,
  secretKeyPrevious: [...secretKeyPrevious],
});

/**
 * Opens the configured store. Calls `onUntrusted` if the disk has lost a write. No further writes are allowed then.
 * Raises StoreUnavailable, MigrationRefused, ConfigFault.
 */
export async function openStore(
  config: Config,
  now: () => number = Date.now,
  onUntrusted: (error: unknown) => void = () => undefined,
  migrating: MigrationOptions = {},
): Promise<Store<Command, WriteResult>> {
  const keys = keySettings(config);
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('../../store/postgres/open.ts');
    return openPostgresStore<Command, WriteResult>({
      url: config.databaseUrl,
      perform: createPerform(createEnvironment(keys, now)),
      plannable: isPlannable,
      migrations,
      migrating,
      poolSize: config.postgresPool,
      statementTimeoutMs: config.storeTimeoutMs,
      // Half of the limit, since a request has already waited in the request queue before it waits here.
      longestWaitMs: config.maxEventLoopDelayMs / 2,
    });
  }
  const performer = { module: new URL('./writer.ts', import.meta.url).href, data: keys };
  const file = storeFile(config.dataDir);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const { openSqliteStore } = await import('../../store/sqlite/open.ts');
  return openSqliteStore<Command, WriteResult>({ file, performer, migrations, migrating, onUntrusted });
}
