import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeFile } from '../../open-store.ts';
import type { Config } from '../../config/config.ts';
import { backupSqlite, restoreSqlite } from '../../store/backup/backup.ts';
import { postgresContents, sqliteContents, type BackupContents } from '../../store/backup/contents.ts';
import { migrations } from '../../store/migrations/index.ts';
import { backupPostgres, restorePostgres } from '../../store/backup/postgres.ts';
import { readArguments } from '../arguments.ts';
import { copyRows, rowsBeside, rowsIn } from '../backup-rows.ts';
import { CommandRefused } from '../faults.ts';
import type { Host } from '../host.ts';
import { keyFileOf, keysAtHand } from '../keyring.ts';
import { settingsOf } from '../settings.ts';

/** Copies the store to one file while the service runs. */
export async function backup(args: readonly string[], host: Host): Promise<number> {
  const [target = ''] = readArguments(args, {}, ['FILE']).words;
  const config = settingsOf(host);
  const [rows, beside] = [rowsIn(config.dataDir), rowsBeside(target)];
  // Before and after: a version that the copy of the store names was there at one of the two moments.
  let copied = await copyRows(rows, beside);
  if (config.databaseUrl === undefined) await backupSqlite(storeFile(config.dataDir), target);
  else await backupPostgres(config.databaseUrl, target, host.env);
  copied += await copyRows(rows, beside);
  if (copied > 0) host.out(`The rows of datasets are in ${beside} (${copied} files); keep them with the backup.`);
  const keys = keyFileOf(config) ?? 'INLAY_SECRET_KEY and INLAY_SECRET_KEY_PREVIOUS';
  host.out(
    `The backup is in ${target}. Its secrets can be decrypted only with the current keys: store ${keys} in a separate place.`,
  );
  return 0;
}

/** Raises CommandRefused where the restored service could not read its secrets or its schema. */
function requireFit(config: Config, { rowsBySecretKey, schema }: BackupContents): void {
  if (schema > migrations.length) {
    throw new CommandRefused('The backup was made by a newer version of this program: restore it with that version.');
  }
  const held = keysAtHand(config)?.keys;
  for (const [id, count] of rowsBySecretKey) {
    if (held?.has(id) === true) continue;
    const file = keyFileOf(config);
    const how =
      file === undefined ? 'add it to INLAY_SECRET_KEY_PREVIOUS' : `put the key file from that time at ${file}`;
    throw new CommandRefused(
      `The secret key differs: ${count} rows of the backup are encrypted with the key ${id}, which is not available; ${how}. Nothing was restored.`,
    );
  }
}

/** Makes the store from a backup. */
export async function restore(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(args, { replace: { type: 'boolean' } }, ['FILE']);
  const [source = ''] = words;
  const replace = values.replace === true;
  const config = settingsOf(host);
  if (config.databaseUrl === undefined) {
    requireFit(config, await sqliteContents(source));
    const file = storeFile(config.dataDir);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    restoreSqlite(source, file, { replace });
  } else {
    requireFit(config, await postgresContents(source, host.env));
    await restorePostgres(source, config.databaseUrl, host.env, { replace });
  }
  const copied = await copyRows(rowsBeside(source), rowsIn(config.dataDir));
  if (copied > 0) host.out(`Rows of datasets restored: ${copied} files.`);
  host.out('Store restored. Next, run "inlay doctor", then start the service.');
  return 0;
}
