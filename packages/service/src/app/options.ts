import type { FastifyBaseLogger } from 'fastify';
import type { Command, WriteResult } from '../commands/command.ts';
import type { Config } from '../config/config.ts';
import type { Engine } from '../engine/engine.ts';
import type { ServerParts, Traffic } from '../http/parts.ts';
import type { ServedHandlers } from '../resource/served.ts';
import type { Store } from '../store/store.ts';

/** Options of a service. */
export interface AppOptions {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly store: Store<Command, WriteResult>;
  readonly now?: () => number;
  /** Counter of requests, shared with the store, which reads it. */
  readonly traffic?: Traffic;
  /** Handlers of served resources that replace the usual ones; for tests. */
  readonly served?: ServedHandlers;
  /** An engine that replaces the configured one. */
  readonly engine?: Engine;
  /** Maximum number of keys of a row filter that is sent to another source; for tests. */
  readonly filterKeys?: number;
  readonly onAnswer?: ServerParts['onAnswer'];
}
