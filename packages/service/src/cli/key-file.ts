import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { keyFilesOnDisk, replaceKeyFile } from '../config/key-files.ts';
import { decodeKey, keyId } from '../config/keys.ts';
import { CommandRefused } from './faults.ts';

const linesOf = (path: string): readonly string[] => (keyFilesOnDisk.read(path)?.text ?? '').split('\n');

/** Prepends a new key to the key file, so that new secrets are sealed with it. Returns the id of the key. */
export function addKey(path: string): string {
  const key = randomBytes(32);
  replaceKeyFile(path, [key.toString('base64'), ...linesOf(path)].join('\n'));
  return keyId(key);
}

/** Removes all keys except one from the key file. Comments stay. */
export function keepOnly(path: string, id: string): void {
  const lines = linesOf(path).filter((line) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return true;
    const decodedKey = decodeKey(text);
    return 'key' in decodedKey && keyId(decodedKey.key) === id;
  });
  replaceKeyFile(path, lines.join('\n'));
}

/**
 * Runs work under an exclusive lock on the key file. The lock is that of an SQLite file, because the system releases it
 * when the process is killed. Raises CommandRefused if another process has the lock.
 */
export async function holding<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 0 });
  try {
    chmodSync(`${path}.lock`, 0o600);
    try {
      lock.exec('begin exclusive');
    } catch (error) {
      throw new CommandRefused('Another rotation is running: wait until it has finished.', { cause: error });
    }
    return await work();
  } finally {
    lock.close();
  }
}
