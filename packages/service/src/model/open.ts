import type { Command, WriteResult } from '../commands/command.ts';
import type { Config } from '../config/config.ts';
import { createBreaker } from '../outbound/breaker.ts';
import { fetchFrom, type Outbound } from '../outbound/index.ts';
import type { Store } from '../store/store.ts';
import { ModelClient } from './client.ts';
import { ModelHealth, type ModelReport } from './health.ts';
import { createLedger } from './ledger.ts';
import type { Endpoint } from './send.ts';

/** The settings of the model. */
export type ModelSettings = Pick<Config, 'aiBaseUrl' | 'aiPrivateHost' | 'aiKey' | 'aiModel'>;

/** A model that can be called. */
export interface CallableModel {
  readonly endpoint: Endpoint;
  readonly outbound: Pick<Outbound, 'fetch'>;
}

/**
 * Returns the configured model; null if none is configured. Where the operator allows the model a private address, it
 * is reached by calls of its own, so that nothing else reaches one.
 */
export function configuredModel(
  { aiBaseUrl, aiPrivateHost, aiKey, aiModel }: ModelSettings,
  outbound: Pick<Outbound, 'fetch'>,
): CallableModel | null {
  if (aiBaseUrl === undefined || aiModel === undefined) return null;
  return {
    endpoint: { baseUrl: aiBaseUrl, key: aiKey, model: aiModel },
    outbound: aiPrivateHost ? fetchFrom(new URL(aiBaseUrl).origin) : outbound,
  };
}

export interface ModelOptions {
  readonly config: ModelSettings & Pick<Config, 'aiTimeoutS' | 'aiDailyRequests'>;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly store: Store<Command, WriteResult>;
  readonly failed: (what: string, error: unknown) => void;
  readonly report: ModelReport;
}

const clock = (): number => performance.now();
/** Failures in a row after which the model counts as failing. */
const failures = 5;

/** Creates the client of the configured model; null if none is configured. */
export function openModel({ config, outbound, store, failed, report }: ModelOptions): ModelClient | null {
  const model = configuredModel(config, outbound);
  if (model === null) return null;
  return new ModelClient({
    ...model,
    clock,
    ledger: createLedger(store, config.aiDailyRequests, failed),
    breaker: createBreaker({ failures, pauseMs: 30_000, atOnce: 16, now: clock }),
    health: new ModelHealth(report, failures),
    timeoutMs: config.aiTimeoutS * 1000,
  });
}
