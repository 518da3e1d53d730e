import type { Readable } from 'node:stream';
import { bodyTooLarge, Problem } from '../problems/problem.ts';
import type { Pace } from './pace.ts';

/**
 * Reads a body chunk by chunk, as fast as `take` processes the chunks. Returns the size in bytes. Raises Problem: 408
 * `request_timeout` if the body arrives too slowly or incompletely, 413 `body_too_large`, and what `take` raises.
 */
export const readPieces = (
  payload: Readable,
  pace: Pace,
  maxBytes: number,
  take: (piece: Buffer) => Promise<void> | void,
): Promise<number> =>
  new Promise((resolve, reject) => {
    let bytes = 0;
    let taking: Promise<void> = Promise.resolve();
    const pacing = pace.watch(() => fail(new Problem('request_timeout')));
    const settle = (): void => {
      pacing.end();
      payload.off('data', data);
      payload.off('end', end);
      payload.off('error', failOfTimeout);
      payload.off('close', failOfTimeout);
    };
    const fail = (error: unknown): void => {
      settle();
      // Without this listener, a later error of the stream would be an uncaught exception.
      payload.on('error', () => undefined);
      reject(error);
    };
    const failOfTimeout = (): void => fail(new Problem('request_timeout'));
    const end = (): void => {
      settle();
      // Waits for `take`, since the last chunk may still be on its way to a file.
      taking.then(() => resolve(bytes), reject);
    };
    const data = (piece: Buffer): void => {
      bytes += piece.length;
      pacing.came(piece.length);
      if (bytes > maxBytes) return fail(bodyTooLarge(maxBytes));
      const work = take(piece);
      if (work === undefined) return;
      taking = work;
      payload.pause();
      pacing.rest(true);
      taking.then(() => {
        pacing.rest(false);
        payload.resume();
      }, fail);
    };
    payload.on('data', data);
    payload.on('end', end);
    payload.on('error', failOfTimeout);
    payload.on('close', failOfTimeout);
  });

/** Reads a small body into memory. Raises what `readPieces` raises. */
export async function readWhole(payload: Readable, pace: Pace, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const bytes = await readPieces(payload, pace, maxBytes, (piece) => void pieces.push(piece));
  const [onlyPiece] = pieces;
  return onlyPiece !== undefined && pieces.length === 1 ? onlyPiece : Buffer.concat(pieces, bytes);
}
