import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../problems/disk-full.ts';
import { Problem } from '../problems/problem.ts';
import { callOnce } from '../concurrency/release.ts';

/**
 * The file of a body. It is already unlinked: the operating system frees it when it is closed, even if the process
 * dies.
 */
export interface SpooledFile {
  readonly fd: number;
  readonly write: (piece: Uint8Array) => Promise<void>;
  /** Runs work on the file. After a call of `close`, the file is closed once the last work has ended. */
  readonly use: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Accepts no further work, and closes the file once the last work has ended. */
  readonly close: () => void;
}

export interface Spool {
  /** Opens a new file. Raises Problem 503 `disk_full`. */
  readonly open: () => Promise<SpooledFile>;
  /** Removes files of a process that died between creating and unlinking them. */
  readonly sweep: () => Promise<void>;
  /** Returns the number of open files. */
  readonly count: () => number;
}

const orFull = (error: unknown): never => {
  throw isDiskFull(error) ? new Problem('disk_full', { retryAfterS: 60 }) : error;
};

function spooled(file: FileHandle, onClose: () => void): SpooledFile {
  let users = 0;
  let isClosing = false;
  const end = callOnce(() => {
    void file.close().then(onClose, onClose);
  });
  const leave = (): void => {
    users -= 1;
    if (isClosing && users === 0) end();
  };
  const use: SpooledFile['use'] = async (work) => {
    if (isClosing) throw new Problem('client_gone');
    users += 1;
    return work().finally(leave);
  };
  return {
    fd: file.fd,
    use,
    write: (piece) => use(() => file.appendFile(piece)).catch(orFull),
    close: () => {
      isClosing = true;
      if (users === 0) end();
    },
  };
}

/** Creates a spool, which stores large bodies in files of a folder instead of in memory. */
export function createSpool(folder: string): Spool {
  let count = 0;
  return {
    open: async () => {
      const path = join(folder, randomUUID());
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const file = await open(path, 'wx+', 0o600);
        await rm(path, { force: true });
        count += 1;
        return spooled(file, () => {
          count -= 1;
        });
      } catch (error) {
        return orFull(error);
      }
    },
    sweep: async () => {
      for (const name of await readdir(folder).catch(() => [])) await rm(join(folder, name), { force: true });
    },
    count: () => count,
  };
}
