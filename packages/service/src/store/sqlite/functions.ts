import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { fold } from '@inlay/contract';
import { foldCase } from '../fold.ts';
import { createLike, indexOfInSteps } from '../like.ts';
import { ReadTooLong } from '../store.ts';

/** Limits of the statements of a connection. */
export interface Limit {
  /** Deadline in ms, as a value of `performance.now()`. */
  endMs: number;
  /** Maximum length of a text to compare before the deadline. A longer text raises ReadTooLong. */
  longestText: number;
  /** Number of bytes of texts passed to and returned from functions since the statement last returned a row. */
  textBytes: number;
}

/**
 * Limit of `textBytes`. Node frees the texts of function calls only when the statement returns a row or ends, so a scan
 * that finds nothing accumulates them.
 */
const maxTextBytes = 160 * 1024 ** 2;
/** Fixed overhead of Node per call, in bytes. */
const bytesOfCall = 40;

const bytesOf = (text: string): number => text.length * (/[^\0-\u00ff]/u.test(text) ? 2 : 1);

/**
 * Adds the functions that the SQLite dialect needs. Returns the limits of these functions; exceeding a limit raises
 * ReadTooLong.
 */
export function addFunctions(database: DatabaseSync): Limit {
  const limit: Limit = {
    endMs: Number.POSITIVE_INFINITY,
    longestText: Number.POSITIVE_INFINITY,
    textBytes: 0,
  };
  const checkTime = (): void => {
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
  const like = createLike(checkTime);
  const textFunction = (change: (text: string) => string) => (value: SQLInputValue) => {
    if (typeof value !== 'string') return value;
    checkLength(value);
    const result = change(value);
    count([value, result]);
    return result;
  };
  database.function('fold_case', { deterministic: true }, textFunction(foldCase));
  database.function('fold', { deterministic: true }, textFunction(fold));
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
    checkTime();
    return indexOfInSteps(value, part, 0, checkTime) < 0 ? 0 : 1;
  });
  // Declared as not deterministic, so that SQLite calls the function for each row.
  database.function('in_time', { deterministic: false }, () => {
    checkTime();
    return 1;
  });
  return limit;
}
