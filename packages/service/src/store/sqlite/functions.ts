import type { DatabaseSync } from 'node:sqlite';
import { fold } from '@inlay/contract';
import { foldCase } from '../fold.ts';
import { createLike } from '../like.ts';
import { ReadTooLong } from '../store.ts';

/** Until when the statements of a connection may run. */
export interface Limit {
  /** In milliseconds of `performance.now()`. */
  endMs: number;
  /** A longer text is not looked into before then. */
  longestText: number;
}

/** Adds what the dialect of SQLite needs to a connection; whatever runs past the limit raises ReadTooLong. */
export function addFunctions(database: DatabaseSync): Limit {
  const limit: Limit = { endMs: Number.POSITIVE_INFINITY, longestText: Number.POSITIVE_INFINITY };
  const look = (): void => {
    if (performance.now() > limit.endMs) throw new ReadTooLong('the read took longer than it may');
  };
  const isLong = (text: string): void => {
    if (text.length > limit.longestText) throw new ReadTooLong('a text is longer than it may be here');
  };
  const like = createLike(look);
  database.function('fold_case', { deterministic: true }, (value) => {
    if (typeof value !== 'string') return value;
    isLong(value);
    return foldCase(value);
  });
  database.function('fold', { deterministic: true }, (value) => {
    if (typeof value !== 'string') return value;
    isLong(value);
    return fold(value);
  });
  database.function('text_like', { deterministic: true }, (value, pattern) => {
    if (value === null || pattern === null) return null;
    const text = String(value);
    isLong(text);
    return like(text, String(pattern)) ? 1 : 0;
  });
  // Asked again for each row.
  database.function('in_time', { deterministic: false }, () => {
    look();
    return 1;
  });
  return limit;
}
