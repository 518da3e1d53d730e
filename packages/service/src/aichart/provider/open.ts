import type { Config } from '../../config/config.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Command, WriteResult } from '../../commands/command.ts';
import { Problem } from '../../problems/problem.ts';
import type { Store } from '../../store/store.ts';
import type { Consult } from '../serve.ts';
import { createBreaker } from '../../outbound/breaker.ts';
import { createConsult, type Ledger } from './consult.ts';

/** What charts from questions work with. */
export interface ProviderContext {
  readonly config: Pick<Config, 'aiBaseUrl' | 'aiKey' | 'aiModel' | 'aiTimeoutS' | 'aiDailyRequests'>;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly store: Store<Command, WriteResult>;
  readonly failed: (what: string, error: unknown) => void;
}

const clock = (): number => performance.now();

/** The outside model of the settings; null where none is set: charts are then made here and nothing is sent. */
export function openProvider({ config, outbound, store, failed }: ProviderContext): Consult | null {
  const { aiBaseUrl, aiKey, aiModel, aiTimeoutS, aiDailyRequests } = config;
  if (aiBaseUrl === undefined || aiModel === undefined) return null;
  const ledger: Ledger = {
    note: async (organizationId, fields) => {
      const result = await store.write({ kind: 'airequest', organizationId, fields, budget: aiDailyRequests });
      if (result.kind === 'problem') throw new Problem(result.problem.code, result.problem);
      return result.kind === 'done' ? result.id : null;
    },
    close: (id, fields) => {
      store
        .write({ kind: 'note', resource: 'airequest', id, fields })
        .catch((error: unknown) => failed('how a request to the AI provider went was not kept', error));
    },
  };
  return createConsult({
    outbound,
    endpoint: { baseUrl: aiBaseUrl, key: aiKey, model: aiModel },
    ledger,
    breaker: createBreaker({ failures: 5, pauseMs: 30_000, atOnce: 16, now: clock }),
    timeoutMs: aiTimeoutS * 1000,
    clock,
  });
}
