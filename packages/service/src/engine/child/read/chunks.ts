import { createReadStream } from 'node:fs';

/** Reads a file from an offset on in chunks of 1 MiB. */
export async function* chunksOf(path: string, start = 0): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { start, highWaterMark: 1024 * 1024 }))
    if (Buffer.isBuffer(chunk)) yield chunk;
}
