import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const ending = /\.duckdb$/u;
const pieceBytes = 1024 * 1024;

/** Returns the path of the checksum of a version's own file. The checksum is in the format of `sha256sum --check`. */
export const checksumPath = (path: string): string => path.replace(ending, '.sha256');

/** Formats the checksum of a file. */
export const checksumText = (path: string, sha256: string): string => `${sha256}  ${basename(path)}\n`;

/** Returns the SHA-256 of a file in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) hash.update(piece);
  return hash.digest('hex');
}

/** Reads the stored checksum of a version's own file; null if the file has none, as in earlier releases. */
export async function writtenChecksum(path: string): Promise<string | null> {
  const text = await readFile(checksumPath(path), 'utf8').catch(() => '');
  return /^[0-9a-f]{64}(?= )/u.exec(text)?.[0] ?? null;
}
