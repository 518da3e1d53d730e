import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { fold } from '@inlay/contract';
import { foldCase } from '../fold.ts';
import { createLike, indexOfInSteps } from '../like.ts';
import { ReadTooLong } from '../store.ts';

/** What the statements of a connection may use. */
export interface Limit {
  /** In milliseconds of `performance.now()`. */
  endMs: number;
  /** A longer text is not compared before then. */
  longestText: number;
  /** Bytes of texts that functions have received and returned since the statement last gave a row. */
  textBytes: number;
}

/** Node frees the texts of function calls when the statement gives a row or ends, so a scan without a match holds all of them. */
const maxTextBytes = 160 * 1024 ** 2;
/** What Node holds for a call whatever its texts are. */
const bytesOfCall = 40;

const bytesOf = (text: string): number => text.length * (/[^\0-\u00ff]/u.test(text) ? 2 : 1);

/** Adds what the dialect of SQLite needs to a connection; a statement that exceeds the limit raises ReadTooLong. */
export function addFunctions(database: DatabaseSync): Limit {
  const limit: Limit = {
    endMs: Number.POSITIVE_INFINITY,
    longestText: Number.POSITIVE_INFINITY,
    textBytes: 0,
  };
  const look = (): void => {
    if (performance.now() > limit.endMs) throw new ReadTooLong('the read took longer than it may');
  };
  const count = (texts: readonly string[]): void => {
    limit.textBytes += bytesOfCall;
    for (const text of texts) limit.textBytes += bytesOf(text);
    if (limit.textBytes > maxTextBytes) throw new ReadTooLong('the read compares more texts than it may');
  };
  const checkLength = (text: string): void => {
    if (text.length > limit.longestText) throw new ReadTooLong('a text is longer than it may be here');
  };
  const like = createLike(look);
  const changed = (change: (text: string) => string) => (value: SQLInputValue) => {
    if (typeof value !== 'string') return value;
    checkLength(value);
    const result = change(value);
    count([value, result]);
    return result;
  };
  database.function('fold_case', { deterministic: true }, changed(foldCase));
  database.function('fold', { deterministic: true }, changed(fold));
  database.function('text_like', { deterministic: true }, (value, pattern) => {
    if (value === null || pattern === null) return null;
    const [text, source] = [String(value), String(pattern)];
    checkLength(text);
    count([text, source]);
    return like(text, source) ? 1 : 0;
  });
  database.function('has_fragment', { deterministic: true }, (value, fragment) => {
    if (typeof value !== 'string') return 0;
    checkLength(value);
    const part = String(fragment);
    count([value, part]);
    look();
    return indexOfInSteps(value, part, 0, look) < 0 ? 0 : 1;
  });
  // Asked again for each row.
  database.function('in_time', { deterministic: false }, () => {
    look();
    return 1;
  });
  return limit;
}
