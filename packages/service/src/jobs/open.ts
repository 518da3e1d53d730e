import type { Command, WriteResult } from '../commands/command.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import type { JobType } from './job.ts';
import { JobRunner, type JobRunnerContext } from './runner.ts';
import { createSweepJob } from './sweep-records.ts';

interface JobsOptions extends Pick<JobRunnerContext, 'now' | 'id' | 'recorder' | 'failed'> {
  readonly config: Config;
  readonly store: Store<Command, WriteResult>;
  readonly syncJob: JobType;
  readonly sortJob: JobType;
  readonly accelerationJobs: readonly JobType[];
  readonly publishJob: JobType;
  readonly taskJobs: readonly JobType[];
}

/** Opens the job queue with all types of jobs. Settings may exclude types from this instance. */
export function openJobs({
  config,
  syncJob,
  sortJob,
  accelerationJobs,
  publishJob,
  taskJobs,
  ...context
}: JobsOptions): JobRunner {
  return new JobRunner({
    ...context,
    random: () => Math.random(),
    types: [
      syncJob,
      sortJob,
      createSweepJob(context.store, config, context.now),
      ...accelerationJobs,
      publishJob,
      ...taskJobs,
    ],
    leaves: [...(config.syncMetadata ? [] : [syncJob.name]), ...(config.sortRows ? [] : [sortJob.name])],
  });
}
