import type { Sql } from '../../../packages/service/src/store/sql.ts';
import { StoreConflict, StoreUnavailable, type Perform, type Row } from '../../../packages/service/src/store/store.ts';

/** A command of the tests: statements to run in turn, and how to end. */
export interface TestCommand {
  readonly statements: readonly Sql[];
  readonly end?: 'commit' | 'undo' | 'throw' | 'unavailable' | 'conflict' | 'crash' | 'swallow';
}

/** Rows of the last statement that gave any, and the number of rows that the others changed. */
export interface TestAnswer {
  readonly rows: readonly Row[];
  readonly changed: number;
}

const endings = {
  commit: () => true,
  swallow: () => true,
  undo: () => false,
  throw: () => {
    throw new TypeError('as told');
  },
  unavailable: () => {
    throw new StoreUnavailable('as told');
  },
  conflict: () => {
    throw new StoreConflict('thing', 'a,b');
  },
  crash: () => process.exit(3),
} as const satisfies Record<NonNullable<TestCommand['end']>, () => boolean>;

/** Returns the performer of the tests, loaded by the writing thread of SQLite and called directly for PostgreSQL. */
export const performer =
  (data: unknown): Perform<TestCommand, TestAnswer> =>
  async (transaction, { statements, end = 'commit' }) => {
    if (data !== 'data of the suite') throw new Error('the data did not arrive');
    let rows: readonly Row[] = [];
    let changed = 0;
    for (const statement of statements) {
      try {
        if (/^select|returning/u.test(statement.parts.join(''))) rows = await transaction.rows(statement);
        else changed += await transaction.run(statement);
      } catch (error) {
        if (end !== 'swallow') throw error;
      }
    }
    return { commit: endings[end](), answer: { rows, changed } };
  };
