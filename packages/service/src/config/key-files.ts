import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { KeyFiles } from './keys.ts';

const codeOf = (fault: unknown): unknown => (fault instanceof Error && 'code' in fault ? fault.code : undefined);

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Replaces a file atomically. Readers see either the old or the new text, even after a power failure. */
export function replaceKeyFile(path: string, text: string): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
  flush(dirname(path));
}

/**
 * Key files on disk. They have mode 0600 in a folder of mode 0700, are written completely or not at all, and are never
 * overwritten.
 */
export const keyFilesOnDisk: KeyFiles = {
  read(path) {
    let handle: number;
    try {
      handle = openSync(path, 'r');
    } catch (fault) {
      if (codeOf(fault) === 'ENOENT') return undefined;
      throw fault;
    }
    try {
      return { text: readFileSync(handle, 'utf8'), mode: fstatSync(handle).mode & 0o777 };
    } finally {
      closeSync(handle);
    }
  },
  create(path, text) {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
    const draft = `${path}.${randomUUID()}`;
    const handle = openSync(draft, 'wx', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    try {
      linkSync(draft, path);
      flush(folder);
    } catch (fault) {
      if (codeOf(fault) !== 'EEXIST') throw fault;
    } finally {
      rmSync(draft);
    }
  },
};
