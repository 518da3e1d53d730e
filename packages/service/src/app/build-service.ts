import { createAuthorizeAccount } from '../accounts/authorize.ts';
import { CallerCache } from '../callers/caller-cache.ts';
import { callerOfFirstOwner } from '../callers/caller-of.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import type { Budget } from '../concurrency/byte-budget.ts';
import type { Config } from '../config/config.ts';
import { createExplain } from '../explanation/explain.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { mayBeReached } from '../outbound/index.ts';
import type { AnswerHolder, Service } from '../pipeline/service.ts';
import type { Store } from '../store/store.ts';
import { taskCreator } from '../tasks/create-task.ts';
import type { Background } from './open-background.ts';
import type { Platform } from './open-platform.ts';
import type { RequestLimits } from './open-request-limits.ts';
import type { ServedResources } from './open-served.ts';
import type { SignIn } from './open-sign-in.ts';
import type { Sources } from './open-sources.ts';

/** The components of a service. */
export interface Components {
  readonly platform: Platform;
  readonly sources: Sources;
  readonly served: ServedResources;
  readonly signIn: SignIn;
  readonly limits: RequestLimits;
  readonly background: Background;
}

const megabyte = 1024 * 1024;

/** Limits for the steps of a request. */
const limitsOf = (config: Config) =>
  ({
    deadlineMs: config.queryTimeoutS * 1000,
    uploadMs: config.uploadTimeoutS * 1000,
    exportMs: config.exportTimeoutS * 1000,
    signup: config.signup,
    mayBeReached: (address: string) => mayBeReached(address, config),
    tokenHours: config.tokenHours,
    answerLimits: { bytes: config.answerMb * megabyte, includedRows: 100_000 },
    idempotencyHours: config.idempotencyHours,
  }) satisfies Partial<Service>;

/** Returns the tenant to whom the memory for a large answer is charged. */
const ownerOf = ({ incoming, caller }: AnswerHolder): string => caller?.organizationId ?? incoming.address;

/** Reserves memory for large answers. */
const reservationsOf = (answers: Budget): Pick<Service, 'reserveAnswer' | 'reserveAnswerNow'> => ({
  reserveAnswer: async (request, bytes) => {
    request.incoming.hold(await answers.reserve(ownerOf(request), bytes, request.incoming.hold));
  },
  reserveAnswerNow: (request, bytes) => {
    const release = answers.reserveNow(ownerOf(request), bytes);
    if (release !== null) request.incoming.hold(release);
    return release !== null;
  },
});

/** Resources whose writes add or cancel jobs. */
const resourcesOfJobs = new Set(['task', 'acceleration']);

/** Returns a store whose writes that concern jobs, such as a cancellation, wake the queue of this instance. */
const wakingStore = (store: Store<Command, WriteResult>, jobs: JobRunner): Store<Command, WriteResult> => ({
  ...store,
  write: async (command) => {
    const result = await store.write(command);
    const concernsJobs = command.kind === 'write' ? resourcesOfJobs.has(command.resource) : command.kind === 'webhook';
    if (concernsJobs) jobs.wake();
    return result;
  },
});

/** Builds the context of the six steps of a request. */
export function buildService({ platform, sources, served, signIn, limits, background }: Components): Service {
  const { config, logger, store, now, registry, openSecret } = platform;
  return {
    registry,
    store: wakingStore(store, background.jobs),
    reader: store,
    passwords: signIn.passwords,
    attempts: signIn.attempts,
    served: served.handlers,
    now,
    ...limitsOf(config),
    ...reservationsOf(limits.answers),
    callers: new CallerCache(store),
    confirmCaller: async () => undefined,
    authorizeAccount: createAuthorizeAccount({
      reader: store,
      plugins: sources.plugins,
      open: openSecret,
      allowPrivateHosts: config.allowPrivateHosts,
    }),
    readMetadata: served.data.readMetadata,
    audit: (what, about) => logger.info(about, what),
    used: background.used,
    explain: createExplain({ reader: store, registry, now, explainRows: served.data.explainRows }),
    createTask: taskCreator(store, background.jobs, background.files),
    anonymous: async () => (config.devAnonymousOwner ? callerOfFirstOwner(store) : null),
  };
}
