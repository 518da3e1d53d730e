import { createReadStream } from 'node:fs';

/** The bytes of a file from a place on, a mebibyte at a time. */
export async function* chunksOf(path: string, start = 0): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { start, highWaterMark: 1024 * 1024 }))
    if (Buffer.isBuffer(chunk)) yield chunk;
}
