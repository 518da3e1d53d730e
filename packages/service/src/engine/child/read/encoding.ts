import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { EngineProblem } from '../../engine.ts';
import { chunksOf } from './chunks.ts';

/**
 * Assumed encoding of a file that is not UTF-8 and has no declared encoding: the default of Western European
 * spreadsheets.
 */
const guess = 'windows-1252';

const marks = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns how many bytes at the end belong to an incomplete UTF-8 character. */
function openBytes(bytes: Uint8Array): number {
  for (let distance = 1; distance <= Math.min(3, bytes.length); distance += 1) {
    const byte = bytes[bytes.length - distance] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > distance ? distance : 0;
  }
  return 0;
}

async function isAllUtf8(path: string): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const wholeBytes = bytes.length - openBytes(bytes);
    if (!isUtf8(bytes.subarray(0, wholeBytes))) return false;
    rest = bytes.subarray(wholeBytes);
  }
  return rest.length === 0;
}

/**
 * Raises EngineProblem `input` for a file that mixes UTF-8 characters with invalid bytes: such a file is damaged or
 * truncated UTF-8, not a file in another encoding.
 */
async function mustBeNoUtf8(path: string): Promise<void> {
  let line = 1;
  let fault: number | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let hasCharacters = false;
  for await (const chunk of chunksOf(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (byte === 0x0a) line += 1;
      const length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (at + length > bytes.length && bytes.length - at < 4) break;
      const isCharacter = isUtf8(bytes.subarray(at, at + length));
      if (isCharacter && length > 1) hasCharacters = true;
      if (!isCharacter) fault ??= line;
      at += isCharacter ? length : 1;
    }
    rest = bytes.subarray(at);
  }
  const isCut = fault === null;
  if (hasCharacters || isCut)
    throw new EngineProblem(
      'input',
      `line ${fault ?? line}: ${isCut ? 'the file ends within a character of UTF-8; it may be cut off' : 'not UTF-8'}; a file in another encoding names it in its content type, such as text/csv; charset=${guess}`,
    );
}

/**
 * Detects UTF-16 and UTF-32 without a byte order mark by zero bytes in the first characters; otherwise returns null.
 */
function unmarkedOf([first, second, third, fourth]: Uint8Array): string | null {
  if (first === 0 && third === 0 && second !== 0) return 'utf-16be';
  return second === 0 && fourth === 0 && first !== 0 ? 'utf-16le' : null;
}

/**
 * Returns the encoding of a text file, and whether it was guessed. Raises EngineProblem `input` if the encoding is
 * unclear.
 */
async function encodingOf(
  path: string,
  charset: string | null,
  mayGuess: boolean,
): Promise<{ readonly encoding: string; readonly isGuess: boolean }> {
  const head = await headOf(path);
  const markedEncoding = marks.find(([, mark]) => mark.every((byte, at) => head[at] === byte))?.[0];
  if (markedEncoding !== undefined && markedEncoding !== 'utf-8') return { encoding: markedEncoding, isGuess: false };
  if (charset !== null && charset !== 'utf-8') return { encoding: charset, isGuess: false };
  const unmarkedEncoding = unmarkedOf(head);
  if (unmarkedEncoding !== null)
    throw new EngineProblem(
      'input',
      `it is UTF-16 without a byte order mark; name it in the content type, such as text/csv; charset=${unmarkedEncoding}`,
    );
  if (!mayGuess || (await isAllUtf8(path))) return { encoding: 'utf-8', isGuess: false };
  if (charset === null && markedEncoding === undefined) await mustBeNoUtf8(path);
  else
    throw new EngineProblem(
      'input',
      'it is not UTF-8, which its content type or its byte order mark says; name another charset',
    );
  return { encoding: guess, isGuess: true };
}

/** A text file in UTF-8. */
export interface Utf8File {
  readonly path: string;
  /** The guessed original encoding; null if the encoding is UTF-8 or was not guessed. */
  readonly guessed: string | null;
}

/**
 * Converts a text file to UTF-8, at the path `to`. `charset` is the declared encoding or null. A UTF-8 file stays as it
 * is, as does a file of undeclared encoding unless `mayGuess`. Raises EngineProblem `input` if the file is invalid in
 * its encoding.
 */
export async function utf8File(path: string, charset: string | null, mayGuess: boolean, to: string): Promise<Utf8File> {
  const { encoding, isGuess } = await encodingOf(path, charset, mayGuess);
  if (encoding === 'utf-8') return { path, guessed: null };
  const decoder = new TextDecoder(encoding, { fatal: true });
  const file = await open(to, 'w', 0o600);
  try {
    for await (const chunk of chunksOf(path)) await file.appendFile(decoder.decode(chunk, { stream: true }));
    await file.appendFile(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError)
      throw new EngineProblem(
        'input',
        `it has bytes that are no characters of its encoding ${encoding}; it may be cut off`,
      );
    throw error;
  } finally {
    await file.close();
  }
  return { path: to, guessed: isGuess ? encoding : null };
}
