import type { IncomingFile } from '../resource/incoming/file.ts';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyTooLarge, Problem } from '../problems/problem.ts';

/** A file that was received completely. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  /** Deletes the file. */
  readonly drop: () => Promise<void>;
}

/** Time in ms after which an upload without data is aborted. */
const silentMs = 60_000;

/** Number of bytes per write. Each upload has two buffers of this size. */
const writeBytes = 512 * 1024;

/**
 * Frees the memory of a chunk immediately. If 64 KB chunks were left to the garbage collector, they would cause full
 * heap marking, which took three times as long as the upload.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0);
}

/** Double-buffered writes: one buffer fills while the other is written. */
function createSpool(file: FileHandle): {
  readonly take: (piece: Uint8Array) => Promise<void>;
  readonly end: () => Promise<void>;
} {
  let fillBuffer = Buffer.allocUnsafeSlow(writeBytes);
  let writeBuffer = Buffer.allocUnsafeSlow(writeBytes);
  let filledBytes = 0;
  let pendingWrite: Promise<void> = Promise.resolve();
  const leave = async (): Promise<void> => {
    await pendingWrite;
    [fillBuffer, writeBuffer] = [writeBuffer, fillBuffer];
    pendingWrite = file.appendFile(writeBuffer.subarray(0, filledBytes));
    // Prevents an unhandled rejection: the disk may fail while nothing awaits the write. The next `take` reports the
    // error.
    pendingWrite.catch(() => undefined);
    filledBytes = 0;
  };
  return {
    take: async (piece) => {
      for (let from = 0; from < piece.length;) {
        const part = piece.subarray(from, from + writeBytes - filledBytes);
        fillBuffer.set(part, filledBytes);
        filledBytes += part.length;
        from += part.length;
        if (filledBytes === writeBytes) await leave();
      }
      free(piece);
    },
    end: async () => {
      await leave();
      await pendingWrite;
    },
  };
}

/**
 * Streams an upload to a file in `folder` with constant memory and backpressure. Deletes the file if the upload does
 * not complete. Chunks of the stream are unusable afterwards. Raises Problem: 413 `body_too_large`, and 400
 * `rows_invalid` if the upload ends early. Also raises the reason of the signal, and file system errors, such as a full
 * disk.
 */
export async function receive(
  { stream, format }: IncomingFile,
  folder: string,
  name: string,
  maxBytes: number,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<ReceivedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.${format}`);
  const drop = (): Promise<void> => rm(path, { force: true });
  const file = await open(path, 'w', 0o600);
  const spool = createSpool(file);
  let bytes = 0;
  let disk: unknown = null;
  const onDisk = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      disk = error;
      throw error;
    });
  const silent = setTimeout(() => stream.destroy(new Error('silent')), silentMs);
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      signal.throwIfAborted();
      if (!(chunk instanceof Uint8Array)) continue;
      silent.refresh();
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
      await onDisk(spool.take(chunk));
      onBytes(bytes);
    }
    if (bytes === 0) throw new Problem('rows_invalid', { message: 'The file is empty.' });
    await onDisk(spool.end());
    await file.close();
    return { path, bytes, drop };
  } catch (error) {
    // Reads the rest of a refused upload, so that its connection can be reused.
    stream.resume();
    await file.close().catch(() => undefined);
    await drop();
    signal.throwIfAborted();
    if (error instanceof Problem || error === disk) throw error;
    throw new Problem('rows_invalid', { message: 'The file did not come whole.' });
  } finally {
    clearTimeout(silent);
  }
}
