import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const ending = /\.duckdb$/u;
const pieceBytes = 1024 * 1024;

/** Where the checksum of a version's own file is, as `sha256sum --check` reads it. */
export const checksumPath = (path: string): string => path.replace(ending, '.sha256');

/** The checksum of a file as it is written. */
export const checksumText = (path: string, sha256: string): string => `${sha256}  ${basename(path)}\n`;

/** SHA-256 of the content of a file, in hexadecimal digits. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) hash.update(piece);
  return hash.digest('hex');
}

/** The checksum that was written with a version's own file; null where there is none, as earlier releases wrote none. */
export async function writtenChecksum(path: string): Promise<string | null> {
  const text = await readFile(checksumPath(path), 'utf8').catch(() => '');
  return /^[0-9a-f]{64}(?= )/u.exec(text)?.[0] ?? null;
}
