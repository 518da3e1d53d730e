import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Server } from 'node:net';
import pino, { type Logger } from 'pino';
import { uuidV7 } from '@inlay/contract';
import { buildApp, type App } from '../../app/app.ts';
import { leasedStore } from '../../app/store/leased-store.ts';
import { openStore } from '../../app/store/open-store.ts';
import { unreadableWords } from '../../store/secrets/unreadable-secrets.ts';
import { migrations } from '../../store/migrations/index.ts';
import type { Config } from '../../config/config.ts';
import type { NewOrganization } from '../../commands/organization.ts';
import { StoreUnavailable } from '../../store/store.ts';
import { nextRound } from '../../concurrency/turns.ts';
import { addressOf, curlOf } from '../address.ts';
import { forceOption, readArguments } from '../arguments.ts';
import { programVersion } from '../../config/program-version.ts';
import { redaction } from '../redaction.ts';
import { takePort, type TakenPort } from '../port.ts';
import type { Host } from '../host.ts';
import { keysAtHand } from '../../config/keyring.ts';
import { settingsOf } from '../settings.ts';

interface FirstCredentials {
  readonly first: NewOrganization;
  /** The token to print; null if the operator configured the token. */
  readonly token: string | null;
}

async function firstOf(config: Config, app: App): Promise<FirstCredentials> {
  const token = config.bootstrapToken ?? randomBytes(32).toString('base64url');
  const password = config.bootstrapPassword;
  const organization: NewOrganization = {
    organizationName: 'My organization',
    owner: {
      email: config.bootstrapEmail ?? 'owner@localhost.invalid',
      name: 'Owner',
      passwordHash: password === undefined ? null : await app.passwords.hash(password),
      level: 3,
    },
    key: config.bootstrapKey ?? null,
    tokenHash: createHash('sha256').update(token).digest('base64url'),
  };
  return { first: organization, token: config.bootstrapToken === undefined ? token : null };
}

/** The credentials that the first start prints. */
interface FirstKey {
  readonly key: string;
  readonly token: string;
}

interface ServeOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** True if the store is migrated even while older instances are running. */
  readonly force: boolean;
  /** Called if the disk has lost a write. */
  readonly distrust: (error: unknown) => void;
}

/** Interval for noting that files of the elements are in use, as long as a program of their build runs. */
const keepElementsEveryMs = 12 * 3_600_000;

const bootstrapPatienceMs = 60_000;

/** Creates the first organization in an empty store and returns its key and token, to be printed once. */
async function bootstrap(config: Config, app: App): Promise<FirstKey | null> {
  const until = performance.now() + bootstrapPatienceMs;
  for (;;) {
    try {
      return await tryBootstrap(config, app);
    } catch (error) {
      // Retries: another instance may be creating the organization right now, and hold the lock for longer than a
      // request may wait.
      if (!(error instanceof StoreUnavailable) || performance.now() > until) throw error;
      await pause(250);
    }
  }
}

async function tryBootstrap(config: Config, app: App): Promise<FirstKey | null> {
  const [bootstrapRow] = await app.service.store.rows({
    parts: ["select value from setting where name = 'bootstrapped'"],
    values: [],
  });
  if (bootstrapRow !== undefined) return null;
  const { first, token } = await firstOf(config, app);
  const result = await app.service.store.write({ kind: 'bootstrap', first });
  return result.kind !== 'done' || result.count === 0 || result.id === null || token === null
    ? null
    : { key: result.id, token };
}

/** Prints to standard error, separate from the log on standard output. */
function printFirst({ key, token }: FirstKey, address: string, host: Host): void {
  host.error('');
  host.error('First organization created. Its key and token are shown only once:');
  host.error(`  key    ${key}`);
  host.error(`  token  ${token}`);
  host.error('Try it:');
  host.error(`  ${curlOf(address, 'organization', { key, token, find: {} })}`);
  host.error('');
}

function portOf(app: App, config: Config): number {
  const listening = app.server.server.address();
  return typeof listening === 'object' && listening !== null ? listening.port : config.port;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How long idle connections may send a last request. Its answer asks the client to close the connection. */
const lingerMs = 800;

/** Maximum time for accepting pending connections, in ms. */
const takingMs = 500;

/** An iteration of the event loop shorter than this, in ms, counts as an up-to-date view of the accept queue. */
const shortTurnMs = 1;

/**
 * Resolves once a short iteration of the event loop has accepted no connection, since closing the port resets
 * connections in the accept queue. An iteration accepts a single connection (libuv 1.45), so connections of a busy
 * service queue up.
 */
async function takeWaiting(server: Server): Promise<void> {
  let isQuiet = false;
  const onConnection = (): void => void (isQuiet = false);
  server.on('connection', onConnection);
  const until = performance.now() + takingMs;
  for (let from = performance.now(); !isQuiet && from < until;) {
    // Skips the current iteration, which may have polled the port already.
    await nextRound();
    isQuiet = true;
    from = performance.now();
    await nextRound();
    if (performance.now() - from > shortTurnMs) isQuiet = false;
  }
  server.off('connection', onConnection);
}

/**
 * Stops the service without failing requests: refuses new requests, answers those in flight, then closes connections.
 */
async function stop(app: App, config: Config, logger: Logger): Promise<void> {
  app.stopServing();
  await pause(config.readyGraceMs);
  const { server } = app.server;
  await takeWaiting(server);
  // Closes only the port. The `close` of `http.Server` would also end idle connections with requests in transit.
  Server.prototype.close.call(server);
  const lingerUntil = performance.now() + lingerMs;
  const deadline = performance.now() + config.stopTimeoutS * 1000;
  const connectionsUntil = async (untilMs: number): Promise<void> => {
    for (;;) {
      const openCount = await new Promise<number>((resolve) =>
        server.getConnections((_error, count) => resolve(count)),
      );
      if (openCount === 0 || performance.now() > untilMs) return;
      await pause(20);
      if (performance.now() > lingerUntil) server.closeIdleConnections();
    }
  };
  await connectionsUntil(deadline - 500);
  const endedCounts = app.endRequests();
  if (endedCounts.refused + endedCounts.cut > 0)
    logger.warn(
      { ...endedCounts, stop_timeout_s: config.stopTimeoutS },
      'the stop ended requests that were still in progress after INLAY_STOP_TIMEOUT_S: answered 503, or cut where their answer had begun',
    );
  // Waits, since the last answers are still in transit.
  if (endedCounts.refused > 0) await connectionsUntil(deadline - 250);
  server.closeAllConnections();
  await app.server.close();
  await app.close();
}

/** Opens the store and serves the port. Raises errors of the store. */
async function serve(
  port: TakenPort,
  { config, logger, force, distrust }: ServeOptions,
): Promise<{ readonly app: App; readonly first: FirstKey | null }> {
  const lease = { id: uuidV7(Date.now(), randomUUID()), version: programVersion(), schema: migrations.length };
  const openedStore = await openStore(config, Date.now, distrust, { lease, force });
  const store = leasedStore(openedStore, lease, (what, error) => logger.error({ reason: String(error) }, what));
  const app = await buildApp({ config, logger, store });
  // Runs before the first answer, so that the printed credentials work from the start.
  const firstKey = await bootstrap(config, app);
  await app.server.ready();
  await port.passTo(app.server.server);
  return { app, first: firstKey };
}

/** Runs the service until a stop signal. */
export async function start(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, forceOption);
  const config = settingsOf(host);
  // Fails the start on a weak key, or a key file that others may read, instead of the first use of a secret.
  keysAtHand(config);
  const logger = pino(
    { level: config.logLevel, redact: redaction, base: null },
    pino.destination({ fd: 1, sync: false, minLength: 0 }),
  );
  host.onDefect((error) => logger.error({ err: error }, 'unhandled error'));
  const distrustMessage = Promise.withResolvers<string>();
  const distrust = (error: unknown): void => {
    logger.fatal({ reason: String(error) }, 'the disk lost a write; stopping');
    distrustMessage.resolve('untrusted disk');
  };
  // Takes the port before the migration, so that a start with an unavailable port changes nothing.
  const port = await takePort(config);
  const force = values.force === true;
  const { app, first } = await serve(port, { config, logger, force, distrust }).catch(async (error: unknown) => {
    await port.refuse();
    throw error;
  });
  const address = addressOf(config, portOf(app, config));
  if (first !== null) printFirst(first, address, host);
  const secrets = app.unreadableSecrets();
  if (secrets.missingKeys.length > 0) host.error(`WARNING: ${unreadableWords(secrets)}.`);
  host.out(`Inlay listens on ${address}  (docs: ${address}/docs)`);
  if (app.demo !== null) {
    host.out(`The demo is at ${address}/`);
    void app.demo.load();
  }
  const keepElements = (): void =>
    void app
      .keepElements()
      .catch((error: unknown) => logger.warn({ reason: String(error) }, 'files of the elements were not stored'));
  keepElements();
  setInterval(keepElements, keepElementsEveryMs).unref();
  const signal = await Promise.race([host.stopSignal(), distrustMessage.promise]);
  logger.info({ signal }, 'stopping');
  await stop(app, config, logger);
  logger.flush();
  return signal === 'untrusted disk' ? 1 : 0;
}
