import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeFile } from '../../app/store/open-store.ts';
import type { Config } from '../../config/config.ts';
import { backupSqlite, restoreSqlite, type NamedFiles } from '../../store/backup/backup.ts';
import { postgresContents, sqliteContents, type BackupContents } from '../../store/backup/contents.ts';
import { migrations } from '../../store/migrations/index.ts';
import { backupPostgres, restorePostgres } from '../../store/backup/postgres.ts';
import type { Rows } from '../../store/secrets/sealed-keys.ts';
import { storedVersions, type StoredVersion } from '../../store/stored-versions.ts';
import { readArguments } from '../arguments.ts';
import { copyVersions, HeldVersions, removeCopies, rowsBeside, type CopiedVersions } from '../rows/backup-rows.ts';
import { CommandRefused } from '../faults.ts';
import type { Host } from '../host.ts';
import { keyFileOf, keysAtHand } from '../../config/keyring.ts';
import { settingsOf } from '../settings.ts';
import { describeFaults, rowsIn, VersionCheck } from '../rows/version-check.ts';

/** Dataset rows of a backup. They are pinned while the store is copied, and then copied and verified. */
class BackupRows implements NamedFiles {
  readonly #held: HeldVersions;
  readonly #beside: string;
  readonly #isPartial: boolean;
  copied: CopiedVersions = { written: [], faults: [], unchecked: 0 };

  constructor(versions: HeldVersions, folder: string, isPartial: boolean) {
    this.#held = versions;
    this.#beside = folder;
    this.#isPartial = isPartial;
  }

  async hold(store: Rows): Promise<boolean> {
    return this.#held.hold(await storedVersions(store));
  }

  async copy(): Promise<void> {
    this.copied = await copyVersions(this.#held.folder, this.#beside, this.#held.versions);
    if (this.copied.faults.length === 0 || this.#isPartial) return;
    throw new CommandRefused(
      `Rows of datasets are missing or damaged: ${describeFaults(this.copied.faults)}. No backup was made. Put a whole copy of these files back, replace the rows or delete the datasets; --partial makes a backup without them.`,
    );
  }
}

const isPartialOption = { partial: { type: 'boolean' } } as const;

/** Backs up the store to a file, and the dataset rows to a folder, while the service runs. */
export async function backup(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(args, isPartialOption, ['FILE']);
  const [target = ''] = words;
  const config = settingsOf(host);
  const folder = rowsBeside(target);
  const wasThere = existsSync(folder);
  const versions = await HeldVersions.open(rowsIn(config.dataDir), folder);
  const rows = new BackupRows(versions, folder, values.partial === true);
  try {
    if (config.databaseUrl === undefined) await backupSqlite(storeFile(config.dataDir), target, rows);
    else await backupPostgres(config.databaseUrl, target, host.env, rows);
  } catch (error) {
    if (!wasThere) rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await versions.release();
  }
  const { written: files, faults, unchecked } = rows.copied;
  if (files.length > 0)
    host.out(`The rows of datasets are in ${folder} (${files.length} files); keep them with the backup.`);
  if (unchecked > 0)
    host.out(
      `${unchecked} of them were written by an earlier release without a checksum: they are copied as they are.`,
    );
  if (faults.length > 0) host.error(`Rows that are not in the backup: ${describeFaults(faults)}.`);
  const keys = keyFileOf(config) ?? 'INLAY_SECRET_KEY and INLAY_SECRET_KEY_PREVIOUS';
  host.out(
    `The backup is in ${target}. Its secrets can be decrypted only with the current keys: store ${keys} in a separate place.`,
  );
  return 0;
}

/** Raises CommandRefused if the restored service could not read its secrets or its schema. */
function requireFit(config: Config, { rowsBySecretKey, schema }: BackupContents): void {
  if (schema > migrations.length) {
    throw new CommandRefused('The backup was made by a newer version of this program: restore it with that version.');
  }
  const availableKeys = keysAtHand(config)?.keys;
  for (const [id, count] of rowsBySecretKey) {
    if (availableKeys?.has(id) === true) continue;
    const file = keyFileOf(config);
    const advice =
      file === undefined ? 'add it to INLAY_SECRET_KEY_PREVIOUS' : `put the key file from that time at ${file}`;
    throw new CommandRefused(
      `The secret key differs: ${count} rows of the backup are encrypted with the key ${id}, which is not available; ${advice}. Nothing was restored.`,
    );
  }
}

/** Raises CommandRefused if the backup folder lacks rows. */
async function requireRows(folder: string, versions: readonly StoredVersion[]): Promise<void> {
  const faults = await new VersionCheck().faultsIn(folder, versions);
  if (faults.length === 0) return;
  throw new CommandRefused(
    `Rows of datasets are missing or damaged in the backup: ${describeFaults(faults)}. Nothing was restored. --partial restores everything else; these datasets then answer rows_missing until their rows are stored again.`,
  );
}

export async function restore(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(args, { replace: { type: 'boolean' }, ...isPartialOption }, ['FILE']);
  const [source = ''] = words;
  const replace = values.replace === true;
  const config = settingsOf(host);
  const { databaseUrl } = config;
  const contents = databaseUrl === undefined ? await sqliteContents(source) : await postgresContents(source, host.env);
  requireFit(config, contents);
  const folder = rowsBeside(source);
  if (values.partial !== true) await requireRows(folder, contents.versions);
  // Restores rows before the store that refers to them, so that an interrupted restore leaves no dataset without rows.
  const copiedVersions = await copyVersions(folder, rowsIn(config.dataDir), contents.versions);
  try {
    if (databaseUrl === undefined) {
      const file = storeFile(config.dataDir);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      restoreSqlite(source, file, { replace });
    } else await restorePostgres(source, databaseUrl, host.env, { replace });
  } catch (error) {
    await removeCopies(copiedVersions);
    throw error;
  }
  const { written: files, faults, unchecked } = copiedVersions;
  if (files.length > 0) host.out(`Rows of datasets restored: ${files.length} files.`);
  if (unchecked > 0) host.out(`${unchecked} of them have no checksum: they are restored as they are.`);
  if (faults.length > 0) host.error(`Rows that were not restored: ${describeFaults(faults)}.`);
  host.out('Store restored. Next, run "inlay doctor", then start the service.');
  return 0;
}
