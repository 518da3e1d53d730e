import type { JsonObject } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { Problem } from '../problems/problem.ts';
import type { Store } from '../store/store.ts';

/** Records of requests to a model. They are also used to limit the requests of an organization per day. */
export interface Ledger {
  /**
   * Stores a request before it is sent. Resolves to the id of the record, or null if the daily budget is exhausted.
   * Raises Problem `ai_disabled` if the organization has switched AI off.
   */
  note(organizationId: string, fields: JsonObject): Promise<string | null>;
  /** Adds the outcome of a request to its record, in the background. */
  close(id: string, fields: JsonObject): void;
}

export const createLedger = (
  store: Pick<Store<Command, WriteResult>, 'write'>,
  budget: number,
  failed: (what: string, error: unknown) => void,
): Ledger => ({
  note: async (organizationId, fields) => {
    const result = await store.write({ kind: 'airequest', organizationId, fields, budget });
    if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
    return result.kind === 'done' ? result.id : null;
  },
  close: (id, fields) => {
    store
      .write({ kind: 'note', resource: 'airequest', id, fields })
      .catch((error: unknown) => failed('how a request to the AI provider went was not kept', error));
  },
});
