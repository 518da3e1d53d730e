import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTurns, type Turn } from '../concurrency/turns.ts';
import type { Config } from '../config/config.ts';
import type { KeySettings } from '../config/keys.ts';
import { programVersion } from '../config/program-version.ts';
import type { OpenSecret } from '../data/row-filters/load-terms.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { createObservations, type Observations } from '../observations/observations.ts';
import type { Registry } from '../resource/registry.ts';
import { openTracer } from '../tracing/open.ts';
import type { Tracer } from '../tracing/trace.ts';
import type { Component } from './component.ts';
import { measuredStore, type MeasuredStore } from './measured.ts';
import type { AppOptions } from './options.ts';
import { createEnvironment } from './store/environment.ts';
import { keySettings } from './store/open-store.ts';

/** Dependencies of all components: settings, store, clock, ids, logs and metrics. */
export interface Platform extends Component {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly store: MeasuredStore;
  readonly registry: Registry;
  readonly keys: KeySettings;
  /** Decrypts a stored secret. */
  readonly openSecret: OpenSecret;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Returns a new UUID. */
  readonly id: () => string;
  /** Returns a random text with this many bits of entropy. */
  readonly random: (bits: number) => string;
  readonly turn: Turn;
  readonly metrics: Metrics;
  readonly observations: Observations;
  readonly tracer: Tracer;
  /** Called when background work fails. */
  readonly failed: (what: string, error: unknown) => void;
}

/** Opens the platform. Closing the platform also closes the store. */
export async function openPlatform({
  config,
  logger,
  store: openedStore,
  now = Date.now,
}: AppOptions): Promise<Platform> {
  const keys = keySettings(config);
  const { registry, seals, random, id: idAt } = createEnvironment(keys, now);
  const metrics = createMetrics();
  const store = measuredStore(openedStore, metrics);
  const id = (): string => idAt(now());
  const warnOfFailure = (what: string, error: unknown): void => logger.warn({ reason: String(error) }, what);
  const tracer = await openTracer(config, { version: programVersion(), recorder: metrics, failed: warnOfFailure });
  return {
    config,
    logger,
    store,
    registry,
    keys,
    openSecret: (place, sealed) => seals.openText(place, sealed),
    now,
    clock: () => performance.now(),
    id,
    random,
    turn: createTurns(),
    metrics,
    observations: createObservations(resolve(config.dataDir, 'work', 'observations'), id(), now),
    tracer,
    failed: warnOfFailure,
    gauges: {
      inlay_store_reads_pending: () => store.reads(),
      inlay_store_writes_pending: () => store.pending(),
    },
    close: async () => {
      await tracer.close();
      await store.close();
    },
  };
}
