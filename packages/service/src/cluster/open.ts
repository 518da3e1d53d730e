import type { Command, WriteResult } from '../commands/command.ts';
import type { Config } from '../config/config.ts';
import type { ClusterSchema } from './connect.ts';
import type { Engine } from '../engine/engine.ts';
import type { JobType } from '../jobs/job.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { publishJob } from '../commands/publication.ts';
import { openPublishedFiles, type FilesConfig } from './open-files.ts';
import { planPublications } from './plan.ts';
import { TableNames } from './publication-names.ts';
import { createPublishJob, type PublicationPlaces } from './publish.ts';
import { sweepPublications } from './sweep.ts';
import { ClusterTables } from './tables.ts';

export interface PublicationsContext {
  readonly config: FilesConfig & Pick<Config, 'clusterRows'>;
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Returns the name of this store at the cluster. The first call of any instance chooses it. */
async function storeName({ store, newId }: Pick<PublicationsContext, 'store' | 'newId'>): Promise<string> {
  const stored = sql`select value from setting where name = 'cluster_name'`;
  const [row] = await store.rows(stored);
  if (row !== undefined) return String(row['value']);
  await store.write({ kind: 'publication', step: 'name', name: newId().replaceAll('-', '').slice(-8) });
  const [named] = await store.rows(stored);
  return String(named?.['value']);
}

/** Returns where the publications of this store are. */
export async function publicationPlaces(
  context: Pick<PublicationsContext, 'config' | 'store' | 'newId'>,
  cluster: ClusterSchema,
): Promise<PublicationPlaces> {
  const name = await storeName(context);
  return {
    files: await openPublishedFiles(context.config, name),
    tables: new ClusterTables(cluster, new TableNames(cluster, name)),
  };
}

/** Publishes the rows of large datasets at the cluster. */
export interface Publications {
  readonly job: JobType;
  /** `plan` queues missing publications, `sweep` deletes obsolete ones; null without a cluster. */
  readonly upkeep: { readonly plan: () => Promise<unknown>; readonly sweep: () => Promise<unknown> } | null;
}

/** The job on an instance without a cluster: what an earlier setting has planned is given up. */
const noPublishing: JobType = { name: publishJob, slots: 1, timeoutMs: 1000, maxAttempts: 1, run: async () => null };

const sweepMs = 1_800_000;

/** Opens the publications. Every instance plans and sweeps them; each step may be repeated. */
export function openPublications(context: PublicationsContext, cluster: ClusterSchema | null): Publications {
  if (cluster === null) return { job: noPublishing, upkeep: null };
  const { config, store, engine, now, newId } = context;
  let opened: Promise<PublicationPlaces> | undefined;
  const places = (): Promise<PublicationPlaces> => {
    opened ??= publicationPlaces(context, cluster);
    opened.catch(() => (opened = undefined));
    return opened;
  };
  const leastRows = config.clusterRows;
  return {
    job: createPublishJob({ store, engine, newId, places, leastRows }),
    upkeep: {
      plan: () => planPublications({ store, leastRows, now }),
      sweep: () => sweepPublications({ store, places, now }, AbortSignal.timeout(sweepMs)),
    },
  };
}
