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
  /** Shared counter, which the store reads. */
  readonly traffic?: Traffic;
  /** Overrides handlers of served resources; for tests. */
  readonly served?: ServedHandlers;
  /** Overrides the configured engine. */
  readonly engine?: Engine;
  /** Maximum keys of a row filter sent to another source; for tests. */
  readonly filterKeys?: number;
  readonly onAnswer?: ServerParts['onAnswer'];
}
