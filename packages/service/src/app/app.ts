import type { FastifyInstance } from 'fastify';
import { createCheckAccess } from '../data/row-access.ts';
import type { Demo } from '../demo/demo.ts';
import type { Engine } from '../engine/engine.ts';
import type { EndedRequests } from '../http/open-requests.ts';
import type { ServerParts } from '../http/parts.ts';
import { buildServer, builtElements } from '../http/server.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Passwords } from '../login/passwords.ts';
import type { Gauges } from '../metrics/metrics.ts';
import { earlierElement, keepElements } from '../pages/earlier-elements.ts';
import type { Service } from '../pipeline/service.ts';
import type { UnreadableSecrets } from '../store/secrets/unreadable-secrets.ts';
import { createServeTaskFile } from '../tasks/serve-file.ts';
import { buildService, type Components } from './build-service.ts';
import { closeAll, gaugesOf } from './component.ts';
import { openBackground } from './open-background.ts';
import { openDemo } from './open-demo.ts';
import { openPlatform } from './open-platform.ts';
import { openRequestLimits } from './open-request-limits.ts';
import { openServed } from './open-served.ts';
import { openSignIn } from './open-sign-in.ts';
import { openSources } from './open-sources.ts';
import type { AppOptions } from './options.ts';

/** A service that does not listen on a port yet. */
export interface App {
  readonly demo: Demo | null;
  readonly server: FastifyInstance;
  readonly service: Service;
  readonly engine: Engine;
  readonly jobs: JobRunner;
  readonly passwords: Passwords;
  /** Returns the stored secrets that no available key decrypts. */
  readonly unreadableSecrets: () => UnreadableSecrets;
  readonly gauges: Gauges;
  /** Stores the element files of this build for pages that stay open across the next upgrade. */
  readonly keepElements: () => Promise<void>;
  /** Makes /readyz fail and asks connections to close. */
  stopServing(): void;
  /** Answers 503 to requests whose answer has not started. Answers in progress end when their connection is closed. */
  endRequests(): EndedRequests;
  /** Flushes pending writes and closes the store. The server must be closed first. */
  close(): Promise<void>;
}

/** Collects the options of the HTTP server from the components. */
function serverParts({ platform, signIn, served, limits, background }: Components, service: Service) {
  const { config, logger, store, metrics, observations, tracer, openSecret } = platform;
  const { files, unreadableSecrets } = background;
  return {
    ...limits,
    service,
    config,
    logger,
    metrics,
    observations,
    tracer,
    signOn: signIn.signOn,
    serveTaskFile: createServeTaskFile({
      service,
      files,
      checkAccess: createCheckAccess(served.data.queryService),
      openSecret,
    }),
    unreadableSecrets: () => (unreadableSecrets().missingKeys.length === 0 ? null : unreadableSecrets().count),
    earlierElement: (name) => earlierElement(store, name),
  } satisfies Partial<ServerParts>;
}

/** Opens the components of a service and builds its HTTP server. */
export async function buildApp(options: AppOptions): Promise<App> {
  const platform = await openPlatform(options);
  const sources = openSources(platform, options.engine);
  const servedResources = openServed(platform, sources, options);
  const signIn = openSignIn(platform, sources);
  const limits = openRequestLimits(platform, options.traffic);
  const background = await openBackground(platform, sources, servedResources);
  // In the order in which they were opened.
  const components = { platform, sources, served: servedResources, signIn, limits, background };
  const gauges = gaugesOf(Object.values(components));
  platform.metrics.show(gauges);
  const service = buildService(components);
  const pages = await openDemo(components, service);
  background.jobs.start();
  const { onAnswer } = options;
  const server = await buildServer({
    ...serverParts(components, service),
    ...pages,
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });
  const { config, store, now } = platform;
  return {
    demo: pages.demo,
    server,
    service,
    engine: sources.engine,
    jobs: background.jobs,
    passwords: signIn.passwords,
    unreadableSecrets: background.unreadableSecrets,
    gauges,
    keepElements: () => keepElements(store, builtElements, { nowMs: now(), keepDays: config.embedKeepDays }),
    stopServing: () => limits.stopServing(),
    endRequests: () => limits.openRequests.end(),
    close: () => closeAll(Object.values(components)),
  };
}
