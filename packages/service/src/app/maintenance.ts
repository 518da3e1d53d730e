import { join } from 'node:path';
import { timestamp } from '@inlay/contract';
import type { Publications } from '../cluster/open.ts';
import { publishingFolder } from '../cluster/open-files.ts';
import type { Config } from '../config/config.ts';
import type { Engine } from '../engine/engine.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import type { Observations } from '../observations/observations.ts';
import type { Service } from '../pipeline/service.ts';
import { resultFolder } from '../jobs/result-file.ts';
import { sweepRows } from '../rows/sweep.ts';
import type { Store } from '../store/store.ts';

/** `last_used_at` is accurate to 10 s and stored every 5 s. Inactivity timeouts have the same precision. */
const touchEveryMs = 5000;
const noteAfterMs = 10_000;
const sweepRowsEveryMs = 3_600_000;
/** Delay of the first sweep of rows, in ms. By then, the lease of a killed instance has expired. */
const sweepRowsFirstMs = 45_000;
const sortEveryMs = 10_000;
const copyUsesEveryMs = 10_000;
const publicationsEveryMs = 60_000;
const publicationsFirstMs = 5000;
const sweepPublicationsEveryMs = 600_000;
const observationsEveryMs = 60_000;
const secretsEveryMs = 60_000;

/**
 * Timers for work on the memory and local files of a running service. Work on the store is done by jobs of the queue.
 */
export interface Maintenance {
  /** Records the use of a token, which is stored shortly afterwards. */
  readonly used: Service['used'];
  /** Stops the timers and stores what is pending. */
  readonly stop: () => Promise<void>;
}

export interface MaintenanceContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly config: Config;
  readonly now: () => number;
  readonly observations: Observations;
  /** Stores which accelerations have answered queries, and plans refreshes of outdated copies. */
  readonly noteCopyUses: () => Promise<void>;
  /** Proposes rollups for the queries of copies. */
  readonly proposeRollups: () => Promise<void>;
  /** Adds a job that sorts the stored rows of a dataset, if any dataset would benefit. */
  readonly proposeSort: () => Promise<void>;
  /** Publishes large datasets to the cluster, and deletes obsolete publications; null without a cluster. */
  readonly publications: Publications['upkeep'];
  /** Counts the secrets that cannot be decrypted. */
  readonly lookAtSecrets: () => Promise<void>;
  /** Called when a run fails. */
  readonly failed: (what: string, error: unknown) => void;
}

/** Skips a run while the previous one is in progress. */
function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  let inProgress = false;
  return async () => {
    if (inProgress) return;
    inProgress = true;
    await work().finally(() => (inProgress = false));
  };
}

/** Starts the timers. They do not keep the process alive. */
export function startMaintenance({
  store,
  engine,
  config,
  now,
  observations,
  noteCopyUses,
  proposeRollups,
  proposeSort,
  publications,
  lookAtSecrets,
  failed,
}: MaintenanceContext): Maintenance {
  const lastUses = new Map<string, string>();
  const flush = async (): Promise<void> => {
    if (lastUses.size === 0) return;
    const uses = [...lastUses].map(([id, at]) => ({ id, at }));
    lastUses.clear();
    await store.write({ kind: 'touch', used: uses });
  };
  const startedMs = now();
  const sweepFiles = oneAtATime(() =>
    sweepRows({
      reader: store,
      engine,
      now,
      startedMs,
      datasets: join(config.dataDir, 'datasets'),
      passing: [
        join(config.dataDir, 'uploads'),
        join(config.dataDir, 'work', 'exports'),
        publishingFolder(config.dataDir),
      ],
      results: resultFolder(config.dataDir),
      spills: join(config.dataDir, 'work', 'engine'),
    }),
  );
  const attempt = (work: () => Promise<void>): void =>
    void work().catch((error: unknown) => failed('housekeeping failed; it is tried again', error));
  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout => setInterval(() => attempt(work), ms).unref();
  const timers = [every(touchEveryMs, flush), every(sweepRowsEveryMs, sweepFiles)];
  timers.push(every(copyUsesEveryMs, oneAtATime(noteCopyUses)));
  timers.push(every(copyUsesEveryMs, oneAtATime(proposeRollups)));
  timers.push(setTimeout(() => attempt(sweepFiles), sweepRowsFirstMs).unref());
  timers.push(every(observationsEveryMs, async () => observations.save()));
  timers.push(every(secretsEveryMs, oneAtATime(lookAtSecrets)));
  if (publications !== null) {
    const plan = oneAtATime(publications.plan);
    timers.push(setTimeout(() => attempt(plan), publicationsFirstMs).unref(), every(publicationsEveryMs, plan));
    timers.push(every(sweepPublicationsEveryMs, oneAtATime(publications.sweep)));
  }
  if (config.sortRows) timers.push(every(sortEveryMs, oneAtATime(proposeSort)));
  return {
    used: (id, lastUsedMs) => {
      if (lastUses.has(id)) return;
      const at = now();
      if (lastUsedMs === null || at - lastUsedMs > noteAfterMs) lastUses.set(id, timestamp(at));
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      try {
        observations.save();
      } catch (error) {
        failed('what was observed was not kept', error);
      }
      await flush().catch((error: unknown) => failed('last uses were not noted', error));
      await noteCopyUses().catch((error: unknown) => failed('uses of accelerations were not noted', error));
    },
  };
}
