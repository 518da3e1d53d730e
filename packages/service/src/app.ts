import { basename, dirname, resolve } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createAuthorizeAccount } from './accounts/authorize.ts';
import { openBodies } from './body/open.ts';
import { keysAtHand } from './cli/keyring.ts';
import { programVersion } from './cli/program-version.ts';
import type { Command, WriteResult } from './commands/command.ts';
import { createBudget, type Budget } from './concurrency/byte-budget.ts';
import { createCounter } from './concurrency/release.ts';
import { createTurns } from './concurrency/turns.ts';
import type { Config } from './config/config.ts';
import { SlowQueries } from './data/run/slow-queries.ts';
import { createCheckAccess } from './data/row-access.ts';
import type { OpenSecret } from './data/row-filters/load-terms.ts';
import type { Demo } from './demo/demo.ts';
import { earlierElement, keepElements } from './earlier-elements.ts';
import type { Engine } from './engine/engine.ts';
import { createEnvironment } from './environment.ts';
import { gaugesOf, processGaugesOf, type ServiceGauges } from './gauges.ts';
import { createAcceptedCredentials } from './http/limits/accepted-credentials.ts';
import { createRateLimit } from './http/limits/rate-limit.ts';
import { createSlowReaders } from './http/limits/slow-readers.ts';
import { OpenRequests, type EndedRequests } from './http/open-requests.ts';
import type { ServerParts, Traffic } from './http/parts.ts';
import { buildServer, builtElements } from './http/server.ts';
import { openJobs } from './jobs/open.ts';
import { ResultFiles } from './jobs/result-file.ts';
import type { JobRunner } from './jobs/runner.ts';
import { createLoginAttempts } from './login/attempts.ts';
import { createPasswords, type Passwords } from './login/passwords.ts';
import { startMaintenance } from './maintenance.ts';
import { measuredPasswords, measuredStore } from './measured.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createObservations } from './observations/observations.ts';
import { openParts } from './open-parts.ts';
import { openSources } from './open-sources.ts';
import { openTracer } from './tracing/open.ts';
import { keySettings } from './open-store.ts';
import { mayBeReached } from './outbound/index.ts';
import type { AnswerHolder, Service } from './pipeline/service.ts';
import type { Registry } from './resource/registry.ts';
import { checkServed, type ServedParts } from './resource/served.ts';
import { tokenHash } from './resources/parts/tokens.ts';
import { openSignOn } from './sso/open.ts';
import { createRequestLater } from './tasks/request-task.ts';
import { createServeTaskFile } from './tasks/serve-file.ts';
import { createTaskJobs } from './tasks/task-job.ts';
import { SecretsWatch, unreadableWords, type UnreadableSecrets } from './store/secrets/unreadable-secrets.ts';
import type { Store } from './store/store.ts';
import { CallerCache } from './callers/caller-cache.ts';
import { callerOfFirstOwner } from './callers/caller-of.ts';

/** A service without a port. */
export interface App {
  readonly demo: Demo | null;
  readonly server: FastifyInstance;
  readonly service: Service;
  readonly engine: Engine;
  readonly jobs: JobRunner;
  readonly passwords: Passwords;
  /** Stored secrets that no available key opens. */
  readonly unreadableSecrets: () => UnreadableSecrets;
  /** Resources in use by requests. */
  readonly gauges: ServiceGauges;
  /** Stores the element files of this build for pages that stay open across the next upgrade. */
  readonly keepElements: () => Promise<void>;
  /** Makes /readyz fail and asks connections to close. */
  stopServing(): void;
  /** Answers 503 to requests without a started answer; answers in progress end with their connection. */
  endRequests(): EndedRequests;
  /** Flushes pending writes and closes the store. The server must be closed first. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly store: Store<Command, WriteResult>;
  readonly now?: () => number;
  /** Shared counter, which the store reads. */
  readonly traffic?: Traffic;
  /** Overrides handlers of served resources; for tests. */
  readonly served?: ServedParts;
  /** Overrides the configured engine. */
  readonly engine?: Engine;
  /** Maximum keys of a row filter sent to another source; for tests. */
  readonly filterKeys?: number;
  readonly onAnswer?: ServerParts['onAnswer'];
}

const megabyte = 1024 * 1024;

/** Memory for large answers, shared by organizations. */
const answerBudget = ({ answerMb }: Config): Budget =>
  createBudget({
    totalBytes: 2 * answerMb * megabyte,
    ownerBytes: answerMb * megabyte,
    waitMs: 10_000,
    message: 'Too many large answers are being sent. Try again after Retry-After.',
  });

/** The tenant charged for a large answer. */
const ownerOf = ({ incoming, caller }: AnswerHolder): string => caller?.organizationId ?? incoming.address;

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

const bodiesOf = (config: Config, logger: FastifyBaseLogger): ReturnType<typeof openBodies> =>
  openBodies({
    folder: resolve(config.dataDir, 'work', 'bodies'),
    totalBytes: config.bodiesMb * megabyte,
    addressBytes: config.bodiesPerAddressMb * megabyte,
    failed: (reason) => logger.warn({ reason }, 'a body was not read'),
  });

/** Dependencies of the six steps of a request. */
interface ServiceParts extends Required<Pick<AppOptions, 'config' | 'logger' | 'store' | 'now'>> {
  readonly registry: Registry;
  readonly open: OpenSecret;
  readonly sources: ReturnType<typeof openSources>;
  readonly parts: ReturnType<typeof openParts>;
  readonly served: ServedParts;
  readonly passwords: Passwords;
  readonly attempts: Service['attempts'];
  readonly answers: Budget;
  readonly maintenance: ReturnType<typeof startMaintenance>;
  readonly jobs: JobRunner;
}

/** A store whose writes to tasks, such as a cancellation, wake the queue of this instance. */
const wakingStore = (store: ServiceParts['store'], jobs: JobRunner): ServiceParts['store'] => ({
  ...store,
  write: async (command) => {
    const result = await store.write(command);
    if (command.kind === 'write' && command.resource === 'task') jobs.wake();
    return result;
  },
});

function buildService({ config, logger, store, now, registry, open, ...given }: ServiceParts): Service {
  const { sources, parts, served, passwords, attempts, answers, maintenance, jobs } = given;
  return {
    registry,
    store: wakingStore(store, jobs),
    reader: store,
    passwords,
    attempts,
    served,
    now,
    ...limitsOf(config),
    callers: new CallerCache(store),
    confirmCaller: async () => undefined,
    authorizeAccount: createAuthorizeAccount({
      reader: store,
      plugins: sources.plugins,
      open,
      allowPrivateHosts: config.allowPrivateHosts,
    }),
    readMetadata: parts.data.readMetadata,
    reserveAnswer: async (request, bytes) => {
      request.incoming.hold(await answers.reserve(ownerOf(request), bytes, request.incoming.hold));
    },
    reserveAnswerNow: (request, bytes) => {
      const release = answers.reserveNow(ownerOf(request), bytes);
      if (release !== null) request.incoming.hold(release);
      return release !== null;
    },
    audit: (what, about) => logger.info(about, what),
    used: maintenance.used,
    requestLater: createRequestLater(store, jobs),
    anonymous: async () => (config.devAnonymousOwner ? callerOfFirstOwner(store) : null),
  };
}

export async function buildApp(options: AppOptions): Promise<App> {
  const { config, logger, now = Date.now, traffic = { inFlight: 0 }, filterKeys = 100_000, onAnswer } = options;
  const metrics = createMetrics();
  const store = measuredStore(options.store, metrics);
  const environment = createEnvironment(keySettings(config), now);
  const { registry, seals } = environment;
  const failed = (what: string, error: unknown): void => logger.warn({ reason: String(error) }, what);
  const open: OpenSecret = (place, sealed) => seals.openText(place, sealed);
  const turn = createTurns();
  const id = (): string => environment.id(now());
  const tracer = await openTracer(config, { version: programVersion(), recorder: metrics, failed });
  const observations = createObservations(resolve(config.dataDir, 'work', 'observations'), id(), now);
  const damaged = (files: readonly string[]): void => {
    for (const file of files)
      logger.error(
        { dataset: basename(dirname(file)), file },
        'rows of a dataset are damaged; put a whole copy of the file back',
      );
  };
  const sources = openSources(
    config,
    store,
    { open, turn, failed, damaged, recorder: metrics, observations },
    options.engine,
  );
  const parts = openParts({
    config,
    store,
    registry,
    sources,
    open,
    turn,
    now,
    id,
    filterKeys,
    failed,
    recorder: metrics,
    slowQueries: new SlowQueries({
      thresholdMs: config.slowQueryMs,
      plans: config.slowQueryPlans,
      log: (line) => logger.warn(line, 'slow query'),
    }),
    observations,
  });
  const served = { ...parts.served, ...options.served };
  checkServed(registry, served);
  const passwords = measuredPasswords(
    createPasswords({ concurrency: config.passwordThreads, queueLimit: 64 }),
    metrics,
  );
  const attempts = createLoginAttempts(config.loginFailures, () => performance.now());
  const { outbound, engine } = sources;
  const files = new ResultFiles(config.dataDir);
  const jobs = openJobs({
    config,
    store,
    now,
    id,
    failed,
    recorder: metrics,
    syncJob: parts.data.syncJob,
    sortJob: parts.sortRows.job,
    taskJobs: createTaskJobs({
      reader: store,
      registry,
      served,
      files,
      now,
      timeoutMs: config.exportTimeoutS * 1000,
    }),
  });
  const signOn = openSignOn(
    { store, open, passwords, attempts, recorder: metrics, now, outbound, clock: () => performance.now() },
    config,
    keySettings(config),
  );
  const secrets = new SecretsWatch({
    reader: store,
    tables: registry.resources.filter(({ unstored }) => unstored !== true).map(({ name }) => name),
    keyIds: () => new Set(keysAtHand(config)?.keys.keys()),
    changed: (now_) => {
      const about = { unreadable_secrets: now_.count, missing_keys: now_.missingKeys };
      if (now_.missingKeys.length > 0) logger.error(about, unreadableWords(now_));
      else logger.info(about, 'all stored secrets can be opened again');
    },
  });
  const lookAtSecrets = (): Promise<void> =>
    secrets.look().catch((error: unknown) => failed('secrets that cannot be opened were not counted', error));
  await lookAtSecrets();
  const maintenance = startMaintenance({
    store,
    engine,
    config,
    now,
    failed,
    observations,
    proposeSort: async () => {
      const proposed = await parts.sortRows.propose();
      if (proposed !== null) await jobs.add(proposed);
    },
    lookAtSecrets,
  });
  const answers = answerBudget(config);
  const service = buildService({
    config,
    logger,
    store,
    now,
    registry,
    open,
    sources,
    parts,
    served,
    passwords,
    attempts,
    answers,
    maintenance,
    jobs,
  });
  const demo = config.demo
    ? new (await import('./demo/demo.ts')).Demo({
        dataDir: config.dataDir,
        service,
        random: environment.random,
        tokenHash,
        now,
      })
    : null;
  const gallery = config.demo ? await import('./gallery/serve-gallery.ts') : null;
  const addGallery: ServerParts['addGallery'] =
    gallery === null ? null : (to) => gallery.addGallery(to, parts.drawingWorker);
  const slowReaders = createSlowReaders({ bytesPerS: 65_536, graceS: 30, tickMs: 1000 });
  const bodies = bodiesOf(config, logger);
  const unknownSenders = createCounter();
  const acceptedCredentials = createAcceptedCredentials(() => performance.now());
  const { exportsInProgress } = parts;
  const { pendingQueries } = parts.data;
  const gauges = gaugesOf({
    store,
    traffic,
    unknownSenders,
    bodies,
    answers,
    slowReaders,
    sources,
    exportsInProgress,
    pendingQueries,
    passwords,
  });
  metrics.show({
    inlay_secrets_unreadable: () => secrets.last.count,
    ...gauges,
    ...processGaugesOf(sources, parts.data.queryService.cache, jobs, now),
  });
  jobs.start();
  const openRequests = new OpenRequests();
  let serving = true;
  const server = await buildServer({
    service,
    config,
    logger,
    traffic,
    unknownSenders,
    acceptedCredentials,
    bodies,
    slowReaders,
    signOn,
    serveTaskFile: createServeTaskFile({
      service,
      files,
      checkAccess: createCheckAccess(parts.data.queryService),
      openSecret: open,
    }),
    demo,
    addGallery,
    metrics,
    observations,
    tracer,
    unreadableSecrets: () => (secrets.last.missingKeys.length === 0 ? null : secrets.last.count),
    tokens: createRateLimit(config.rateLimit, config.rateBurst, () => performance.now()),
    logins: createRateLimit(config.loginRateLimit / 60, Math.max(1, config.loginRateLimit), () => performance.now()),
    openRequests,
    earlierElement: (name) => earlierElement(store, name),
    isServing: () => serving,
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });
  return {
    demo,
    server,
    service,
    engine,
    passwords,
    gauges,
    unreadableSecrets: () => secrets.last,
    jobs,
    keepElements: () => keepElements(store, builtElements, { nowMs: now(), keepDays: config.embedKeepDays }),
    endRequests: () => openRequests.end(),
    stopServing: () => {
      serving = false;
    },
    close: async () => {
      await jobs.stop();
      await maintenance.stop();
      slowReaders.close();
      await bodies.close();
      await parts.close();
      await sources.close();
      await tracer.close();
      await store.close();
    },
  };
}
