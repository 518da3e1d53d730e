import { noteCopyUses } from '../accelerations/open.ts';
import { RollupProposals } from '../accelerations/rollup-proposals.ts';
import { keysAtHand } from '../config/keyring.ts';
import { openJobs } from '../jobs/open.ts';
import { ResultFiles } from '../jobs/result-file.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { SecretsWatch, unreadableWords, type UnreadableSecrets } from '../store/secrets/unreadable-secrets.ts';
import { createTaskJobs } from '../tasks/task-job.ts';
import type { Component } from './component.ts';
import { startMaintenance, type Maintenance } from './maintenance.ts';
import type { Platform } from './open-platform.ts';
import type { ServedResources } from './open-served.ts';
import type { Sources } from './open-sources.ts';
import { isStored } from '../declare/declaration.ts';

/** Background work: the job queue, and timers for memory and local files. */
export interface Background extends Component {
  /** The job queue. It runs jobs only after the caller has started it. */
  readonly jobs: JobRunner;
  /** Result files of tasks. */
  readonly files: ResultFiles;
  /** Records the use of a token, which is stored shortly afterwards. */
  readonly used: Maintenance['used'];
  /** Returns the stored secrets that no available key decrypts. */
  readonly unreadableSecrets: () => UnreadableSecrets;
}

function openQueue(
  platform: Platform,
  { handlers, data, sortRows, accelerationJobs, publications }: ServedResources,
  files: ResultFiles,
): JobRunner {
  const { config, store, registry, now, id, failed, metrics } = platform;
  return openJobs({
    config,
    store,
    now,
    id,
    failed,
    recorder: metrics,
    syncJob: data.syncJob,
    sortJob: sortRows.job,
    accelerationJobs,
    publishJob: publications.job,
    taskJobs: createTaskJobs({
      reader: store,
      registry,
      served: handlers,
      files,
      now,
      timeoutMs: config.exportTimeoutS * 1000,
    }),
  });
}

const watchSecrets = ({ config, store, registry, logger }: Platform): SecretsWatch =>
  new SecretsWatch({
    reader: store,
    tables: registry.resources.filter(isStored).map(({ name }) => name),
    keyIds: () => new Set(keysAtHand(config)?.keys.keys()),
    changed: (secrets) => {
      const counts = { unreadable_secrets: secrets.count, missing_keys: secrets.missingKeys };
      if (secrets.missingKeys.length > 0) logger.error(counts, unreadableWords(secrets));
      else logger.info(counts, 'all stored secrets can be opened again');
    },
  });

/** Opens the job queue and starts the timers. */
export async function openBackground(
  platform: Platform,
  { engine }: Sources,
  served: ServedResources,
): Promise<Background> {
  const { config, store, now, failed, observations } = platform;
  const files = new ResultFiles({
    dataDir: config.dataDir,
    quotaBytes: config.taskFilesMb * 1024 * 1024,
  });
  const jobs = openQueue(platform, served, files);
  const secrets = watchSecrets(platform);
  const lookAtSecrets = (): Promise<void> =>
    secrets.look().catch((error: unknown) => failed('secrets that cannot be opened were not counted', error));
  await lookAtSecrets();
  const { models, rollupDemand: demand } = served.data.queryService;
  const proposals = new RollupProposals({ store, engine, models, demand });
  const maintenance = startMaintenance({
    store,
    engine,
    config,
    now,
    failed,
    observations,
    noteCopyUses: () => noteCopyUses(store, served.data.queryService.copyUses, now),
    proposeRollups: () => proposals.run(),
    proposeSort: async () => {
      const proposedJob = await served.sortRows.propose();
      if (proposedJob !== null) await jobs.add(proposedJob);
    },
    publications: served.publications.upkeep,
    lookAtSecrets,
  });
  return {
    jobs,
    files,
    used: maintenance.used,
    unreadableSecrets: () => secrets.last,
    gauges: {
      inlay_secrets_unreadable: () => secrets.last.count,
      inlay_jobs_due: () => jobs.state.due,
      inlay_jobs_oldest_due_seconds: () => Math.max(0, (now() - (jobs.state.oldestDueMs ?? now())) / 1000),
      inlay_jobs_running: () => jobs.running,
      inlay_jobs_dead: () => jobs.state.dead,
    },
    close: async () => {
      await jobs.stop();
      await maintenance.stop();
    },
  };
}
