import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../problems/problem.ts';

/** Returns the folder of task results. Instances share it, as part of the data folder. */
export const resultFolder = (dataDir: string): string => join(dataDir, 'results');

/** Identifies a file by its task, and by a name that each attempt chooses anew. */
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

/**
 * Derives the nonce of a block from its index and from whether it is the last block. Each file has its own key, so no
 * nonce is used twice with the same key.
 */
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

/** Fills the buffer, or reads to the end of the file. Returns the number of bytes. */
async function fill(file: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let filledBytes = 0;
  while (filledBytes < buffer.length) {
    const { bytesRead } = await file.read(buffer, filledBytes, buffer.length - filledBytes, position + filledBytes);
    if (bytesRead === 0) break;
    filledBytes += bytesRead;
  }
  return filledBytes;
}

/** Decrypts a block. Raises Error if it was changed, moved or truncated. */
function unseal(key: Buffer, id: ResultFileId, index: number, sealed: Buffer, isLast: boolean): Buffer {
  const tagStart = sealed.length - tagBytes;
  try {
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv(algorithm, key, nonceOf(index, isLast), options).setAAD(additional(id));
    decipher.setAuthTag(sealed.subarray(tagStart));
    return Buffer.concat([decipher.update(sealed.subarray(0, tagStart)), decipher.final()]);
  } catch (cause) {
    throw new Error('the file of a task was changed or cut', { cause });
  }
}

/** Splits a stream into blocks of equal size. The last block is shorter, or empty. */
async function* blocksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    bytes += chunk.byteLength;
    if (bytes < blockBytes) continue;
    const joinedChunks = Buffer.concat(chunks);
    let start = 0;
    for (; bytes - start >= blockBytes; start += blockBytes) yield joinedChunks.subarray(start, start + blockBytes);
    chunks = [joinedChunks.subarray(start)];
    bytes -= start;
  }
  yield Buffer.concat(chunks);
}

export interface ResultFilesOptions {
  readonly dataDir: string;
  /** Disk quota for the files of one organization, in bytes. */
  readonly quotaBytes: number;
}

/**
 * Number of written bytes after which the free space is measured again, since other instances and tasks write files
 * too.
 */
const recountBytes = 64 * 1024 * 1024;

const quotaExceeded = (): Problem => new Problem('task_quota_exceeded', { retryAfterS: 3600 });

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/**
 * Encrypted task results. They are encrypted with AES-256-GCM in blocks of 64 KB. The order of the blocks and the end
 * of the file are authenticated.
 */
export class ResultFiles {
  readonly #folder: string;
  readonly #quotaBytes: number;

  constructor({ dataDir, quotaBytes }: ResultFilesOptions) {
    this.#folder = resultFolder(dataDir);
    this.#quotaBytes = quotaBytes;
  }

  /** Raises Problem `task_quota_exceeded` if the organization's quota is used up. */
  async requireSpace(organizationId: string): Promise<void> {
    if ((await this.#freeBytes(organizationId)) <= 0) throw quotaExceeded();
  }

  /** Returns the free part of the quota in bytes. Unfinished files count with their current size. */
  async #freeBytes(organizationId: string): Promise<number> {
    const folder = join(this.#folder, organizationId);
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))));
    return sizes.reduce((freeBytes, size) => freeBytes - size, this.#quotaBytes);
  }

  #path({ organizationId, taskId, name }: ResultFileId): string {
    return join(this.#folder, organizationId, `${taskId}.${name}`);
  }

  /**
   * Writes a file. Resolves with its key and its size in bytes once the file is complete and synced to disk. Raises
   * Problem `task_quota_exceeded`, and errors of `body`.
   */
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
   * Returns the decrypted blocks of a file. The file is opened for the first block, and further blocks are read as they
   * are consumed. Raises Problem `not_found` if the file does not exist. Iterating raises Error if the file was
   * modified.
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
