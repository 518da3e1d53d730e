import type { IncomingFile } from '../resource/incoming/file.ts';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyTooLarge, Problem } from '../problems/problem.ts';

/** A file that came in whole. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  /** Removes it. */
  readonly drop: () => Promise<void>;
}

/** A sender that is silent for so long is given up. */
const silentMs = 60_000;

/** What is written at once; twice as much is held of a file. */
const writeBytes = 512 * 1024;

/** Gives the memory of a piece back at once: left to the collector, pieces of 64 KB set off marking the whole heap, three times as long as the upload. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0);
}

/** Writes what comes behind each other: one buffer fills while the other is on its way to the disk. */
function createSpool(file: FileHandle): {
  readonly take: (piece: Uint8Array) => Promise<void>;
  readonly end: () => Promise<void>;
} {
  let filling = Buffer.allocUnsafeSlow(writeBytes);
  let leaving = Buffer.allocUnsafeSlow(writeBytes);
  let filled = 0;
  let written: Promise<void> = Promise.resolve();
  const leave = async (): Promise<void> => {
    await written;
    [filling, leaving] = [leaving, filling];
    written = file.appendFile(leaving.subarray(0, filled));
    // A disk may fail while nothing waits for it.
    written.catch(() => undefined);
    filled = 0;
  };
  return {
    take: async (piece) => {
      for (let from = 0; from < piece.length;) {
        const part = piece.subarray(from, from + writeBytes - filled);
        filling.set(part, filled);
        filled += part.length;
        from += part.length;
        if (filled === writeBytes) await leave();
      }
      free(piece);
    },
    end: async () => {
      await leave();
      await written;
    },
  };
}

/**
 * Writes a file to `folder` as it comes; memory does not grow with it, and a slow disk slows the sender. Nothing is left
 * where it does not come whole. The pieces of the stream cannot be used afterwards. Raises Problem: 413 `body_too_large`, 400
 * `rows_invalid` where it ends early; the reason of the signal; and what the disk says, such as that it is full.
 */
export async function receive(
  { stream, format }: IncomingFile,
  folder: string,
  name: string,
  mostBytes: number,
  signal: AbortSignal,
  came: (bytes: number) => void,
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
      if (bytes > mostBytes) throw bodyTooLarge(mostBytes);
      await onDisk(spool.take(chunk));
      came(bytes);
    }
    if (bytes === 0) throw new Problem('rows_invalid', { message: 'The file is empty.' });
    await onDisk(spool.end());
    await file.close();
    return { path, bytes, drop };
  } catch (error) {
    // What is left of a file that is refused is read to nowhere, so that its connection can be used again.
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
