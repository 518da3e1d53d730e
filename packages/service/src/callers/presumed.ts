import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import { combineSingle, hinted, rebind } from '../store/sql.ts';
import type { Reader, Snapshots } from '../store/store.ts';
import { credential, currentCaller, factsIn, readFacts, type KnownCaller } from './facts.ts';

function matches(token: string, expected: Buffer): boolean {
  const actualHash = hash('sha256', token, 'buffer');
  return expected.length === actualHash.length && timingSafeEqual(expected, actualHash);
}

/** Returns the caller that cached facts describe. The store must still confirm the facts. */
export function presumeCaller(facts: string, token: string, nowMs: number): KnownCaller | null {
  const presumedFacts = readFacts(facts);
  return matches(token, presumedFacts.tokenHash) ? currentCaller(presumedFacts, nowMs) : null;
}

/** Returns the caller that facts describe at a time; null if the authorization has ended. */
export const callerOfFacts = (facts: string, nowMs: number): Caller | null =>
  currentCaller(readFacts(facts), nowMs)?.caller ?? null;

/** The facts about a presumed caller have changed. */
export class StaleCaller extends Error {}

/** A reader that reads the facts about a key together with its first statement. */
export interface ConfirmingReader extends Reader {
  /** Returns the facts read in this request; null for an unknown key. Raises StoreUnavailable. */
  facts(): Promise<string | null>;
}

/** Creates a reader that confirms the caller of a key in the same round trip as the first rows. */
export function confirming(reader: Reader, key: string): ConfirmingReader {
  let facts: Promise<string | null> | undefined;
  const statement = rebind(credential(reader.dialect), key);
  const take = (rows: ReturnType<Reader['rows']>): void => {
    facts = rows.then(([row]) => factsIn(row));
    // Prevents an unhandled rejection: `facts()` raises this error, and a write detects the failure itself.
    facts.catch(() => undefined);
  };
  const readOnce = (): void => {
    if (facts === undefined) take(reader.rows(hinted(statement, { single: true })));
  };
  const { long: longReads, snapshots } = reader;
  const confirmingSnapshots = ({ near, apart }: Snapshots): Snapshots => ({
    near: (work) => {
      readOnce();
      return near(work);
    },
    apart,
  });
  return {
    dialect: reader.dialect,
    ...(longReads === undefined ? {} : { long: longReads }),
    ...(snapshots === undefined ? {} : { snapshots: confirmingSnapshots(snapshots) }),
    async rows(firstStatement) {
      if (facts !== undefined) return reader.rows(firstStatement);
      if (firstStatement.hints?.single !== true) {
        readOnce();
        return reader.rows(firstStatement);
      }
      const combinedRows = reader.rows(hinted(combineSingle(statement, firstStatement), { single: true }));
      take(combinedRows);
      return (await combinedRows).filter((row) => row['found'] === 1);
    },
    async facts() {
      readOnce();
      return (await facts) ?? null;
    },
  };
}
