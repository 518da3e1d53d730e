import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Problem } from '../problems/problem.ts';

/** A file on its way in. */
export interface IncomingFile {
  readonly stream: Readable;
  readonly format: FileKind;
}

export const fileKinds = {
  csv: ['text/csv', 'application/csv', 'text/tab-separated-values'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  parquet: ['application/vnd.apache.parquet', 'application/x-parquet'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
} as const;
export type FileKind = keyof typeof fileKinds;

const names: readonly FileKind[] = ['csv', 'ndjson', 'parquet', 'xlsx'];

/** The format of a file by its content type; null where it is none that is read. */
export const fileKindOf = (contentType: string): FileKind | null => {
  const bare = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return names.find((name) => fileKinds[name].some((type) => type === bare)) ?? null;
};

/** A file that came in whole. */
export interface Received {
  readonly path: string;
  readonly bytes: number;
  /** Removes it. */
  readonly drop: () => Promise<void>;
}

/** A sender that is silent for so long is given up. */
const silentMs = 60_000;

/**
 * Writes a file to `folder` as it comes; memory does not grow with it, and a slow disk slows the sender. Nothing is left
 * where it does not come whole. Raises Problem: 413 `body_too_large`, 400 `rows_invalid` where it ends early; the
 * reason of the signal; and what the disk says, such as that it is full.
 */
export async function receive(
  { stream, format }: IncomingFile,
  folder: string,
  name: string,
  mostBytes: number,
  signal: AbortSignal,
  came: (bytes: number) => void,
): Promise<Received> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.${format}`);
  const file = createWriteStream(path, { mode: 0o600, highWaterMark: 1024 * 1024 });
  const failed = new Promise<never>((_resolve, reject) => file.on('error', reject));
  // A disk may fail while nothing waits for it.
  failed.catch(() => undefined);
  const drop = (): Promise<void> => rm(path, { force: true });
  let bytes = 0;
  const silent = setTimeout(() => stream.destroy(new Error('silent')), silentMs);
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted();
      if (!(chunk instanceof Uint8Array)) continue;
      silent.refresh();
      bytes += chunk.byteLength;
      if (bytes > mostBytes) throw new Problem('body_too_large');
      if (file.errored !== null) throw file.errored;
      if (!file.write(chunk)) await Promise.race([failed, new Promise<void>((resolve) => file.once('drain', resolve))]);
      came(bytes);
    }
    if (bytes === 0) throw new Problem('rows_invalid', { message: 'The file is empty.' });
    await Promise.race([failed, new Promise<void>((resolve) => file.once('finish', () => resolve()).end())]);
    return { path, bytes, drop };
  } catch (error) {
    file.destroy();
    await drop();
    signal.throwIfAborted();
    if (error instanceof Problem || error === file.errored) throw error;
    throw new Problem('rows_invalid', { message: 'The file did not come whole.' });
  } finally {
    clearTimeout(silent);
  }
}
