import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createAppearancePart } from './appearance/serve-appearance.ts';
import type { Config } from './config/config.ts';
import type { Demo } from './demo/demo.ts';
import { createEnvironment } from './environment.ts';
import { createMemoryWatch } from './engine/memory-watch.ts';
import { createDrawingWorker } from './export/drawing/drawing-worker.ts';
import { createExportPart } from './export/serve-export.ts';
import { createRowsExport } from './export/stream-rows.ts';
import { createMetrics, type Gauges } from './http/metrics.ts';
import { createRateLimit } from './http/limits/rate-limit.ts';
import type { ServerParts, Traffic } from './http/parts.ts';
import { buildServer } from './http/server.ts';
import { createSlowReaders } from './http/limits/slow-readers.ts';
import { startMaintenance } from './maintenance.ts';
import type { Connector } from './connectors/connector.ts';
import { createConnectors } from './connectors/index.ts';
import { createAuthorizeAccount } from './accounts/authorize.ts';
import { createPluginConnector } from './connectors/plugin/connector.ts';
import { readPluginTarget, readUser } from './connectors/plugin/load.ts';
import { createPlugins } from './connectors/plugin/plugin.ts';
import { providerOf } from './connectors/properties.ts';
import { createStartingValues } from './data/row-filters/starting-values.ts';
import type { OpenSecret } from './data/row-filters/load-terms.ts';
import { openData } from './data/open.ts';
import type { Engine } from './engine/engine.ts';
import { openEngine } from './engine/open-engine.ts';
import type { KeySettings } from './config/keys.ts';
import { createLoginAttempts } from './login/attempts.ts';
import { createOutbound } from './outbound/index.ts';
import { createPasswords, type Passwords } from './login/passwords.ts';
import type { Command, WriteResult } from './commands/command.ts';
import { handle } from './pipeline/handle.ts';
import type { Service } from './pipeline/service.ts';
import { asksForRows } from './resources/export.ts';
import { tokenHash } from './resources/parts/tokens.ts';
import { checkServed, loadedLater, type ServedParts, type ServedRequest } from './resource/served.ts';
import { openSignOn } from './sso/open.ts';
import { createRowsPart } from './rows/serve-rows.ts';
import { recent } from './store/recent.ts';
import { migrations } from './store/migrations/index.ts';
import type { Store } from './store/store.ts';
import { openBodies } from './body/open.ts';
import { createBudget } from './concurrency/byte-budget.ts';
import { createCounter } from './concurrency/release.ts';
import { createTurns } from './concurrency/turns.ts';
import { anonymousCaller, firstOwnerId } from './write/anonymous.ts';
import { createPerform, isPlannable } from './perform.ts';

/** The file of the embedded store; the key file is not in the same folder, so a copy of the store holds no key. */
export const storeFile = (dataDir: string): string => join(dataDir, 'store', 'inlay.db');

const keySettings = ({ env, dataDir, secretKey, secretKeyPrevious }: Config): KeySettings => ({
  env,
  dataDir,
  secretKey,
  secretKeyPrevious: [...secretKeyPrevious],
});

/**
 * Opens the store the settings name. `onUntrusted` is told when the disk failed to keep what it was given: nothing may be
 * written after that. Raises StoreUnavailable, MigrationRefused, ConfigFault.
 */
export async function openStore(
  config: Config,
  now: () => number = Date.now,
  onUntrusted: (error: unknown) => void = () => undefined,
): Promise<Store<Command, WriteResult>> {
  const keys = keySettings(config);
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./store/postgres/open.ts');
    return openPostgresStore<Command, WriteResult>({
      url: config.databaseUrl,
      perform: createPerform(createEnvironment(keys, now)),
      plannable: isPlannable,
      migrations,
      poolSize: config.postgresPool,
      statementTimeoutMs: config.storeTimeoutMs,
    });
  }
  const performer = { module: new URL('./writer.ts', import.meta.url).href, data: keys };
  const file = storeFile(config.dataDir);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const { openSqliteStore } = await import('./store/sqlite/open.ts');
  return openSqliteStore<Command, WriteResult>({ file, performer, migrations, onUntrusted });
}

/** A running service without a port: what answers, and how to end it. */
export interface App {
  /** The demo, where it is shown. */
  readonly demo: Demo | null;
  readonly server: FastifyInstance;
  readonly service: Service;
  readonly engine: Engine;
  /** Reads the metadata of datasets that is due; gives how many there were. */
  readonly syncMetadata: () => Promise<number>;
  readonly passwords: Passwords;
  /** What requests hold at the moment. */
  readonly gauges: Gauges;
  /** From now on /readyz says no and connections are asked to close. */
  stopServing(): void;
  /** Writes what is still noted and closes the store. The server must be closed first. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly store: Store<Command, WriteResult>;
  readonly now?: () => number;
  /** Counted here; the store looks at it. */
  readonly traffic?: Traffic;
  /** Parts that answer served resources, in place of those of the settings; for tests. */
  readonly served?: ServedParts;
  /** In place of the engine of the settings. */
  readonly engine?: Engine;
  /** Keys that a row filter sends along to another place; for tests. */
  readonly filterKeys?: number;
  readonly onAnswer?: ServerParts['onAnswer'];
}

const megabyte = 1024 * 1024;

/** Builds a service from its settings and its open store. */
export async function buildApp({
  config,
  logger,
  store,
  now = Date.now,
  traffic = { inFlight: 0 },
  filterKeys = 100_000,
  onAnswer,
  served: given = {},
  engine: givenEngine,
}: AppOptions): Promise<App> {
  const environment = createEnvironment(keySettings(config), now);
  const { registry, seals } = environment;
  const failed = (what: string, error: unknown): void => logger.warn({ reason: String(error) }, what);
  const outbound = createOutbound({
    policy: { allowPrivateHosts: config.allowPrivateHosts, allowHosts: config.allowHosts },
  });
  const plugins = createPlugins(outbound, () => performance.now());
  const open: OpenSecret = (place, sealed) => seals.openText(place, sealed);
  const watch = createMemoryWatch();
  const engine =
    givenEngine ??
    openEngine({
      watch,
      dataDir: config.dataDir,
      memoryMb: config.engineMemoryMb,
      children: config.engineChildren,
      threads: config.engineThreads,
      spillMb: config.engineSpillMb,
      deadlineMs: config.queryTimeoutS * 1000,
    });
  const databases = createConnectors({
    outbound,
    size: config.sourceConnections,
    filesDir: config.filesDir,
    describe: (what, signal) => engine.describe(what, signal),
  });
  const turn = createTurns();
  const pluginConnector = createPluginConnector(plugins, () => performance.now(), turn);
  const byProvider: Readonly<Record<string, Connector>> = {
    postgresql: databases.postgresql,
    mysql: databases.mysql,
    duckdb: databases.duckdb,
    plugin: pluginConnector,
  };
  const data = openData({
    store,
    registry,
    engine,
    now,
    open,
    connectors: (provider) => {
      const name = providerOf(provider) ?? provider;
      return Object.hasOwn(byProvider, name) ? byProvider[name] : undefined;
    },
    pluginOf: async (pluginId, userId, person) => {
      const target = await readPluginTarget(store, open, pluginId);
      return target === null ? undefined : { target, user: person ?? (await readUser(store, userId)) };
    },
    failed,
    cacheBytes: config.answerCacheMb * megabyte,
    limits: { rows: config.resultRows, bytes: config.resultMb * megabyte, keys: filterKeys },
    fetchRows: config.sourceRows,
    fetchBytes: config.sourceMb * megabyte,
    turn,
    describeMs: Math.min(30_000, config.queryTimeoutS * 1000),
  });
  const id = (): string => environment.id(now());
  const rows = createRowsPart({
    ...{ store, engine, registry, models: data.models, newId: id, version: id },
    // Absolute: the engine's children read it, and they work elsewhere.
    folder: resolve(config.dataDir, 'uploads'),
    mostBytes: config.uploadMb * megabyte,
    ...(config.organizationMb === undefined ? {} : { quotaBytes: config.organizationMb * megabyte }),
  });
  const worker = createDrawingWorker({
    folder: resolve(config.dataDir, 'work', 'exports'),
    watch,
    failed: (reason) => logger.warn({ reason }, 'a file was not drawn'),
  });
  const exportDashboard = createExportPart({ reader: store, registry, data: data.served.data, drawingWorker: worker });
  const { exportRows: mostRows, exportsAtOnce: atOnce } = config;
  const exportsUnderWay = createCounter();
  const exportRows = createRowsExport({ answering: data.answering, mostRows, atOnce, underWay: exportsUnderWay });
  const ofData = {
    data: (request: ServedRequest) => (request.operation === 'create' ? rows : data.served.data)(request),
    appearance: createAppearancePart({ reader: store, registry }, createStartingValues(store, open)),
    export: (request: ServedRequest) => (asksForRows(request.asked) ? exportRows : exportDashboard)(request),
  };
  const served = {
    ...data.served,
    ...ofData,
    aichart: loadedLater(async () => {
      const { openAichart } = await import('./aichart/open.ts');
      return openAichart({ config, outbound, store, failed });
    }),
    ...given,
  };
  checkServed(registry, served);
  const passwords = createPasswords({ concurrency: config.passwordThreads, queueLimit: 64 });
  const attempts = createLoginAttempts(config.loginFailures, () => performance.now());
  const signOn = openSignOn(
    { store, open, passwords, attempts, now, outbound, clock: () => performance.now() },
    config,
    keySettings(config),
  );
  const housekeeping = startMaintenance({
    ...{ store, engine, config, now, failed },
    syncMetadata: data.sync,
  });
  const answers = createBudget({
    totalBytes: 2 * config.answerMb * 1024 ** 2,
    ownerBytes: config.answerMb * 1024 ** 2,
    waitMs: 10_000,
    message: 'Too many large answers are being sent. Try again after Retry-After.',
  });
  const service: Service = {
    registry,
    store,
    reader: store,
    callerFacts: recent(1000),
    passwords,
    attempts,
    authorizeAccount: createAuthorizeAccount({
      reader: store,
      plugins,
      open,
      allowPrivateHosts: config.allowPrivateHosts,
    }),
    readMetadata: data.readMetadata,
    served,
    deadlineMs: config.queryTimeoutS * 1000,
    uploadMs: config.uploadTimeoutS * 1000,
    exportMs: config.exportTimeoutS * 1000,
    signup: config.signup,
    allowPrivateHosts: config.allowPrivateHosts,
    tokenHours: config.tokenHours,
    answerLimits: { bytes: config.answerMb * 1024 ** 2, includedRows: 100_000 },
    reserveAnswer: async ({ incoming, caller }, bytes) => {
      incoming.hold(await answers.reserve(caller?.organizationId ?? incoming.address, bytes, incoming.hold));
    },
    idempotencyHours: config.idempotencyHours,
    now,
    audit: (what, about) => logger.info(about, what),
    used: housekeeping.used,
    anonymous: async () => {
      if (!config.devAnonymousOwner) return null;
      const owner = await firstOwnerId(store);
      return owner === null ? null : anonymousCaller(store, owner);
    },
  };
  const demo = config.demo
    ? (await import('./demo/demo.ts')).createDemo({
        dataDir: config.dataDir,
        store,
        handle: (incoming) => handle(service, incoming),
        random: environment.random,
        tokenHash,
        now,
      })
    : null;
  const slowReaders = createSlowReaders({ bytesPerS: 65_536, graceS: 30, tickMs: 1000 });
  const bodies = openBodies({
    folder: resolve(config.dataDir, 'work', 'bodies'),
    totalBytes: config.bodiesMb * megabyte,
    addressBytes: config.bodiesPerAddressMb * megabyte,
    failed: (reason) => logger.warn({ reason }, 'a body was not read'),
  });
  const gauges: Gauges = {
    inlay_store_writes_pending: { help: 'Writes waiting or running.', value: () => store.pending() },
    inlay_requests_in_flight: { help: 'Requests being answered.', value: () => traffic.inFlight },
    inlay_requests_unknown_sender: {
      help: 'Requests under way whose sender is not known yet.',
      value: () => unknownSenders.total(),
    },
    inlay_bodies_reading: { help: 'Bodies being read.', value: () => bodies.pace.count() },
    inlay_bodies_reserved_bytes: {
      help: 'Room taken by bodies.',
      value: () => bodies.room.known.reserved() + bodies.room.unknown.reserved(),
    },
    inlay_answers_reserved_bytes: { help: 'Room taken by large answers.', value: () => answers.reserved() },
    inlay_answers_waiting: { help: 'Large answers that wait for room.', value: () => answers.waiting() },
    inlay_answers_sending: {
      help: 'Answers that are not wholly taken yet, those that are being made among them.',
      value: () => slowReaders.count(),
    },
    inlay_bodies_waiting: {
      help: 'Bodies that wait for room.',
      value: () => bodies.room.known.waiting() + bodies.room.unknown.waiting(),
    },
    inlay_bodies_on_disk: { help: 'Bodies that lie in a file.', value: () => bodies.spool.count() },
    inlay_bodies_work: { help: 'Work on large bodies that waits or is under way.', value: () => bodies.thread.count() },
    inlay_engine_running: {
      help: 'Statements under way in the engine.',
      value: () => engine.held().running,
    },
    inlay_engine_waiting: {
      help: 'Statements that wait for the engine.',
      value: () => engine.held().waiting,
    },
    inlay_exports: { help: 'Exports of rows under way.', value: () => exportsUnderWay.total() },
    inlay_source_connections_held: {
      help: 'Connections to sources that are lent out or waited for.',
      value: () => databases.held(),
    },
    inlay_plugin_calls: { help: 'Calls of plugins under way or waiting.', value: () => plugins.held() },
    inlay_passwords_pending: { help: 'Passwords being hashed or waiting.', value: () => passwords.pending() },
  };
  let serving = true;
  const unknownSenders = createCounter();
  const server = await buildServer({
    service,
    config,
    logger,
    traffic,
    metrics: createMetrics(gauges),
    tokens: createRateLimit(config.rateLimit, config.rateBurst, () => performance.now()),
    logins: createRateLimit(config.loginRateLimit / 60, Math.max(1, config.loginRateLimit), () => performance.now()),
    unknownSenders,
    bodies,
    slowReaders,
    isServing: () => serving,
    signOn,
    demo,
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });
  return {
    demo,
    server,
    service,
    engine,
    syncMetadata: data.sync,
    passwords,
    gauges,
    stopServing: () => {
      serving = false;
    },
    close: async () => {
      await housekeeping.stop();
      slowReaders.close();
      await bodies.close();
      databases.close();
      await worker.close();
      await engine.close();
      await outbound.close();
      await store.close();
    },
  };
}
