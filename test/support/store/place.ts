import { setTimeout as pause } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import type { Sql } from '../../../packages/service/src/store/sql.ts';
import type { Perform } from '../../../packages/service/src/store/store.ts';

/** Statements to run, then one to ask, whose `n` is the answer; `ms`: how long to wait after them. */
export interface PlaceCommand {
  readonly statements: readonly Sql[];
  readonly asks?: Sql;
  readonly ms?: number;
  readonly isUndone?: true;
}

/** Returns a performer that answers on which thread it ran, where it is asked nothing else. */
export const performer =
  (): Perform<PlaceCommand, number> =>
  async (transaction, { statements, asks, ms, isUndone }) => {
    for (const statement of statements) await transaction.run(statement);
    const [asked] = asks === undefined ? [] : await transaction.rows(asks);
    if (ms !== undefined) await pause(ms);
    return { commit: isUndone !== true, answer: asked === undefined ? threadId : Number(asked['n']) };
  };
