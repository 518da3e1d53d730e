import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Rows } from '../secrets/sealed-keys.ts';
import { StoreRefused } from '../refused.ts';
import { connectSqlite } from '../sqlite/connection.ts';

/** A refused backup or restore; the message has the reason. Existing files are unchanged. */
export class BackupRefused extends StoreRefused {}

const ours = `select count(*) as n from sqlite_schema where type = 'table' and name = 'schema_migration'`;
/**
 * Number of pages to copy per step: all. With smaller steps, SQLite restarts the copy whenever another connection
 * writes.
 */
const allPages = 2 ** 31 - 1;
const sidecars = ['-wal', '-shm', '-journal'];

export const newPath = (target: string): string => `${target}.${randomUUID()}.part`;

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives a finished file its final name. Raises BackupRefused if a file with that name exists. */
export function publish(part: string, target: string): void {
  chmodSync(part, 0o600);
  flush(part);
  try {
    linkSync(part, target);
  } catch (error) {
    throw new BackupRefused(
      `${target} exists already or cannot be made: name another file in a folder that can be written`,
      { cause: error },
    );
  }
  flush(dirname(target));
}

/** Raises BackupRefused unless the file is an intact SQLite store of this program. */
function check(file: string, fileName: string): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    const integrity = database.prepare('pragma integrity_check').get()?.['integrity_check'];
    if (integrity !== 'ok') throw new BackupRefused(`${fileName} is damaged: ${String(integrity)}`);
    if (database.prepare(ours).get()?.['n'] !== 1)
      throw new BackupRefused(`${fileName} is not a store of this program`);
    // Turns off the write-ahead log, so that this file alone is the complete store. The store turns the log on again.
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw new BackupRefused(`${fileName} is not a SQLite file, or cannot be read`, { cause: error });
  } finally {
    database?.close();
  }
}

/** Deletes an unfinished file and the sidecar files of SQLite. */
export function removePart(part: string): void {
  for (const end of ['', ...sidecars]) rmSync(part + end, { force: true });
}

/** Files that the store refers to and that are part of its backup. */
export interface NamedFiles {
  /**
   * Protects the files to which a snapshot of the store refers from deletion. Returns false if one of them is already
   * deleted; the caller then retries with a later snapshot.
   */
  readonly hold: (store: Rows) => Promise<boolean>;
  /** Copies the files. Called after the copy of the store is written, but before that copy gets its final name. */
  readonly copy: () => Promise<void>;
}

export const noFiles: NamedFiles = { hold: async () => true, copy: async () => undefined };

const holdPatienceMs = 600_000;

/**
 * Calls `attempt` until it returns true, which means that all files are protected. Raises BackupRefused after ten
 * minutes.
 */
export async function untilHeld(attempt: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + holdPatienceMs;
  while (!(await attempt()))
    if (performance.now() > until)
      throw new BackupRefused(
        'rows of datasets are replaced faster than they can be copied: repeat it at a quieter time',
      );
}

/**
 * Copies the store in `file` to the new file `target` from a consistent snapshot, while others read and write. Verifies
 * the copy. Only the owner of the copy can read it. Raises BackupRefused.
 */
export async function backupSqlite(file: string, target: string, files: NamedFiles = noFiles): Promise<void> {
  if (!existsSync(file)) throw new BackupRefused(`there is no store at ${file}`);
  if (existsSync(target)) throw new BackupRefused(`${target} exists already: name another file`);
  const part = newPath(target);
  const source = connectSqlite(file, { readOnly: true, busyMs: 5_000 });
  try {
    closeSync(openSync(part, 'wx', 0o600));
    await untilHeld(async () => {
      source.keyword('begin');
      if (await files.hold({ rows: async (statement) => source.rows(statement) })) return true;
      source.keyword('rollback');
      return false;
    });
    // The copy contains what the open transaction sees.
    await backup(source.database, part, { rate: allPages });
    source.keyword('rollback');
    check(part, 'the copy');
    await files.copy();
    publish(part, target);
  } finally {
    source.close();
    removePart(part);
  }
}

/** Raises BackupRefused if another process has the store open; otherwise checkpoints the write-ahead log. */
function checkUnused(file: string): void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive');
    database.exec('begin exclusive; commit');
  } catch (error) {
    throw new BackupRefused(inUse(file), { cause: error });
  } finally {
    database.close();
  }
}

/** Message if the place of a restore already has a store. */
export const inTheWay = (place: string): string =>
  `${place} exists already. Stop the service, then run the command again with --replace, which overwrites it`;
/** Message if the store to replace is in use. */
export const inUse = (place: string): string =>
  `${place} is in use. Stop the service, then run the command again with --replace`;

/**
 * Restores the store `file` from a backup. Replaces an existing store only with `replace`, and only if no process uses
 * it. Raises BackupRefused.
 */
export function restoreSqlite(source: string, file: string, { replace = false }: { replace?: boolean } = {}): void {
  if (!existsSync(source)) throw new BackupRefused(`there is no backup at ${source}`);
  const isTaken = existsSync(file);
  if (isTaken && !replace) throw new BackupRefused(inTheWay(file));
  const part = newPath(file);
  try {
    closeSync(openSync(part, 'wx', 0o600));
    copyFileSync(source, part, constants.COPYFILE_FICLONE);
    check(part, source);
    if (!isTaken) return publish(part, file);
    checkUnused(file);
    chmodSync(part, 0o600);
    flush(part);
    // SQLite would apply a leftover log to the restored file.
    for (const end of sidecars) rmSync(file + end, { force: true });
    renameSync(part, file);
    flush(dirname(file));
  } finally {
    removePart(part);
  }
}
