import { join } from 'node:path';
import { timestamp } from '@inlay/contract';
import type { Config } from './config/config.ts';
import type { Engine } from './engine/engine.ts';
import type { Command, WriteResult } from './commands/command.ts';
import { sweepBatch } from './commands/upkeep.ts';
import type { Observations } from './observations/observations.ts';
import type { Service } from './pipeline/service.ts';
import { sweepRows } from './rows/sweep.ts';
import type { Store } from './store/store.ts';

/** Times of last use are noted to within ten seconds and written every five: an inactive token ends that exactly. */
const touchEveryMs = 5000;
const noteAfterMs = 10_000;
const dayMs = 24 * 3_600_000;
const sweepEveryMs = 600_000;
const sweepRowsEveryMs = 3_600_000;
/** Also once soon after the start: by then the lease of an instance that was killed before has ended. */
const sweepRowsFirstMs = 45_000;
const syncEveryMs = 60_000;
const sortEveryMs = 10_000;
const observationsEveryMs = 60_000;
const secretsEveryMs = 60_000;

/** What is done from time to time while the service runs. */
export interface Maintenance {
  /** Notes that a token was used; written a little later. */
  readonly used: Service['used'];
  /** Ends the timers and writes what is still noted. */
  readonly stop: () => Promise<void>;
}

export interface MaintenanceContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly config: Config;
  readonly now: () => number;
  readonly observations: Observations;
  /** Reads the metadata of datasets that is due. */
  readonly syncMetadata: () => Promise<unknown>;
  readonly sortRows: () => Promise<unknown>;
  /** Counts the secrets that cannot be opened. */
  readonly lookAtSecrets: () => Promise<void>;
  /** Told of work that failed, and what became of it. */
  readonly failed: (what: string, error: unknown) => void;
}

/** Work that is left out while it is still being done. */
function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  const under = { way: false };
  return async () => {
    if (under.way) return;
    under.way = true;
    await work().finally(() => (under.way = false));
  };
}

/** Sweeps batch after batch, so that other writes come in between, until one is not full. Raises what the store raises. */
export async function sweepStore(
  store: Store<Command, WriteResult>,
  command: Command & { readonly kind: 'sweep' },
): Promise<void> {
  for (;;) {
    const result = await store.write(command);
    if (result.kind !== 'done' || result.count < sweepBatch) return;
  }
}

/** Starts what is done from time to time; none of its timers keeps the process alive. */
export function startMaintenance({
  store,
  engine,
  config,
  now,
  observations,
  syncMetadata,
  sortRows,
  lookAtSecrets,
  failed,
}: MaintenanceContext): Maintenance {
  const noted = new Map<string, string>();
  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const used = [...noted].map(([id, at]) => ({ id, at }));
    noted.clear();
    await store.write({ kind: 'touch', used });
  };
  const sweep = async (): Promise<void> => {
    const answersBefore = timestamp(now() - config.idempotencyHours * 3_600_000);
    await sweepStore(store, {
      kind: 'sweep',
      answersBefore,
      loginsBefore: timestamp(now() - 7 * dayMs),
      requestsBeforeMs: now() - config.aiRequestDays * dayMs,
    });
  };
  const startedMs = now();
  const sweepFiles = oneAtATime(() =>
    sweepRows({
      reader: store,
      engine,
      now,
      startedMs,
      datasets: join(config.dataDir, 'datasets'),
      passing: [join(config.dataDir, 'uploads'), join(config.dataDir, 'work', 'exports')],
      spills: join(config.dataDir, 'work', 'engine'),
    }),
  );
  const attempt = (work: () => Promise<void>): void =>
    void work().catch((error: unknown) => failed('housekeeping failed; it is tried again', error));
  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout => setInterval(() => attempt(work), ms).unref();
  const timers = [
    every(touchEveryMs, flush),
    every(sweepEveryMs, oneAtATime(sweep)),
    every(sweepRowsEveryMs, sweepFiles),
  ];
  timers.push(setTimeout(() => attempt(sweepFiles), sweepRowsFirstMs).unref());
  timers.push(every(observationsEveryMs, async () => observations.save()));
  timers.push(every(secretsEveryMs, oneAtATime(lookAtSecrets)));
  if (config.sortRows) timers.push(every(sortEveryMs, oneAtATime(sortRows)));
  if (config.syncMetadata) timers.push(every(syncEveryMs, oneAtATime(syncMetadata)));
  return {
    used: (id, lastUsedMs) => {
      if (noted.has(id)) return;
      const at = now();
      if (lastUsedMs === null || at - lastUsedMs > noteAfterMs) noted.set(id, timestamp(at));
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      try {
        observations.save();
      } catch (error) {
        failed('what was observed was not kept', error);
      }
      await flush().catch((error: unknown) => failed('last uses were not noted', error));
    },
  };
}
