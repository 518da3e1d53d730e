import type { Command, WriteResult } from '../commands/command.ts';
import type { Config } from '../config/config.ts';
import { createBreaker } from '../outbound/breaker.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Store } from '../store/store.ts';
import { ModelClient } from './client.ts';
import { createLedger } from './ledger.ts';

export interface ModelOptions {
  readonly config: Pick<Config, 'aiBaseUrl' | 'aiKey' | 'aiModel' | 'aiTimeoutS' | 'aiDailyRequests'>;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly store: Store<Command, WriteResult>;
  readonly failed: (what: string, error: unknown) => void;
}

const clock = (): number => performance.now();

/** Creates the client of the configured model; null if none is configured. */
export function openModel({ config, outbound, store, failed }: ModelOptions): ModelClient | null {
  const { aiBaseUrl, aiKey, aiModel, aiTimeoutS, aiDailyRequests } = config;
  if (aiBaseUrl === undefined || aiModel === undefined) return null;
  return new ModelClient({
    outbound,
    clock,
    endpoint: { baseUrl: aiBaseUrl, key: aiKey, model: aiModel },
    ledger: createLedger(store, aiDailyRequests, failed),
    breaker: createBreaker({ failures: 5, pauseMs: 30_000, atOnce: 16, now: clock }),
    timeoutMs: aiTimeoutS * 1000,
  });
}
