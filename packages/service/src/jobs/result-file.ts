import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../problems/problem.ts';

/** The folder of the files that tasks have made; instances share it with the data folder. */
export const resultFolder = (dataDir: string): string => join(dataDir, 'results');

/** Identifies one file: the task, and the attempt that wrote it. */
export interface ResultFileId {
  readonly organizationId: string;
  readonly taskId: string;
  /** A UUID. */
  readonly name: string;
}

const algorithm = 'aes-256-gcm';
const tagBytes = 16;
const blockBytes = 64 * 1024;
const sealedBytes = blockBytes + tagBytes;

/** Places a block in its file: its number and whether it is the last. A key seals one file, so no nonce comes twice. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

const additional = ({ organizationId, taskId, name }: ResultFileId): Buffer =>
  Buffer.from(JSON.stringify(['inlay result v1', organizationId, taskId, name]));

function seal(key: Buffer, id: ResultFileId, index: number, block: Uint8Array, isLast: boolean): Buffer {
  const options = { authTagLength: tagBytes };
  const cipher = createCipheriv(algorithm, key, nonceOf(index, isLast), options).setAAD(additional(id));
  return Buffer.concat([cipher.update(block), cipher.final(), cipher.getAuthTag()]);
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Fills the buffer as far as the file goes; gives how many bytes there were. */
async function fill(file: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Raises an Error for a block that was changed, moved or cut. */
function unseal(key: Buffer, id: ResultFileId, index: number, sealed: Buffer, isLast: boolean): Buffer {
  const cut = sealed.length - tagBytes;
  try {
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv(algorithm, key, nonceOf(index, isLast), options).setAAD(additional(id));
    decipher.setAuthTag(sealed.subarray(cut));
    return Buffer.concat([decipher.update(sealed.subarray(0, cut)), decipher.final()]);
  } catch (cause) {
    throw new Error('the file of a task was changed or cut', { cause });
  }
}

/** Blocks of one size; the last is shorter, or empty. */
async function* blocksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    waiting.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    bytes += chunk.byteLength;
    if (bytes < blockBytes) continue;
    const whole = Buffer.concat(waiting);
    let start = 0;
    for (; bytes - start >= blockBytes; start += blockBytes) yield whole.subarray(start, start + blockBytes);
    waiting = [whole.subarray(start)];
    bytes -= start;
  }
  yield Buffer.concat(waiting);
}

export interface ResultFilesOptions {
  readonly dataDir: string;
  /** Disk space for the files of one organization. */
  readonly quotaBytes: number;
}

/** Other instances and tasks write files, too: the space that is left is looked up again after so many bytes of a file. */
const recountBytes = 64 * 1024 * 1024;

const quotaExceeded = (): Problem => new Problem('task_quota_exceeded', { retryAfterS: 3600 });

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Encrypted files of tasks: AES-256-GCM by blocks of 64 KB, with their order and the end of the file authenticated. */
export class ResultFiles {
  readonly #folder: string;
  readonly #quotaBytes: number;

  constructor({ dataDir, quotaBytes }: ResultFilesOptions) {
    this.#folder = resultFolder(dataDir);
    this.#quotaBytes = quotaBytes;
  }

  /** Raises Problem `task_quota_exceeded` if the files of an organization take up all their space. */
  async requireSpace(organizationId: string): Promise<void> {
    if ((await this.#freeBytes(organizationId)) <= 0) throw quotaExceeded();
  }

  /** The space that is left; unfinished files count with what they have so far. */
  async #freeBytes(organizationId: string): Promise<number> {
    const folder = join(this.#folder, organizationId);
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))));
    return sizes.reduce((free, size) => free - size, this.#quotaBytes);
  }

  #path({ organizationId, taskId, name }: ResultFileId): string {
    return join(this.#folder, organizationId, `${taskId}.${name}`);
  }

  /** Writes a file that is whole and on disk once this resolves; gives its key and its size in bytes. Raises Problem `task_quota_exceeded`, and what `body` raises. */
  async write(
    id: ResultFileId,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<{ readonly key: string; readonly bytes: number }> {
    const key = randomBytes(32);
    const path = this.#path(id);
    const part = `${path}.part`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(part, 'wx', 0o600);
    try {
      const bytes = await this.#writeBlocks(file, key, id, body, signal);
      await file.sync();
      await file.close();
      await rename(part, path);
      return { key: key.toString('base64url'), bytes };
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(part, { force: true });
      throw error;
    }
  }

  async #writeBlocks(
    file: FileHandle,
    key: Buffer,
    id: ResultFileId,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<number> {
    let [index, bytes, freeBytes, recountAt] = [0, 0, 0, 0];
    for await (const block of blocksOf(body)) {
      signal.throwIfAborted();
      if (bytes >= recountAt) {
        freeBytes = await this.#freeBytes(id.organizationId);
        recountAt += recountBytes;
      }
      const sealed = seal(key, id, index, block, block.length < blockBytes);
      freeBytes -= sealed.length;
      if (freeBytes < 0) throw quotaExceeded();
      await file.writeFile(sealed);
      index += 1;
      bytes += block.length;
    }
    return bytes;
  }

  /**
   * Returns the decrypted blocks of a file, which is opened with the first of them and read as they are consumed. Raises Problem
   * `not_found` if the file is gone; iterating raises Error if it was changed.
   */
  async read(id: ResultFileId, key: string): Promise<AsyncIterable<Uint8Array>> {
    await access(this.#path(id)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      throw new Problem('not_found', { message: 'The file of this task is gone. Request it again.' });
    });
    return this.#blocks(id, Buffer.from(key, 'base64url'));
  }

  async *#blocks(id: ResultFileId, key: Buffer): AsyncGenerator<Uint8Array> {
    const file = await open(this.#path(id), 'r');
    try {
      for (let index = 0; ; index += 1) {
        const buffer = Buffer.allocUnsafe(sealedBytes);
        const bytesRead = await fill(file, buffer, index * sealedBytes);
        const isLast = bytesRead < sealedBytes;
        yield unseal(key, id, index, buffer.subarray(0, bytesRead), isLast);
        if (isLast) return;
      }
    } finally {
      await file.close();
    }
  }
}
