import type { JsonObject } from '@inlay/contract';
import type { HeldJob } from './job.ts';

/**
 * Notes the state of a refresh on its acceleration. Returns a count of 0 and changes nothing if the lease of the job was
 * lost, because the refresh was cancelled or another instance has taken it over.
 */
export interface RefreshCommand {
  readonly kind: 'refresh';
  readonly held: HeldJob;
  readonly id: string;
  readonly fields: JsonObject;
  /** Time of the next refresh. A time that was requested during the refresh takes precedence; undefined to keep it. */
  readonly nextRunAt?: string | null;
}

/** Adds to the numbers of queries that copies have answered, and of those that read rollups. */
export interface HitsCommand {
  readonly kind: 'hits';
  readonly hits: readonly { readonly id: string; readonly count: number; readonly rollups: number }[];
}

/**
 * Requests a refresh by the hash of the secret of its address, unless one is requested already. Returns a count of 0 if
 * there is no such address.
 */
export interface WebhookCommand {
  readonly kind: 'webhook';
  readonly hash: string;
}

/** Stores which rollups would answer recent queries. `shapes` has their shapes by id, as JSON. */
export interface ProposeRollupsCommand {
  readonly kind: 'propose rollups';
  readonly id: string;
  readonly proposals: readonly JsonObject[];
  readonly shapes: JsonObject;
}

/** Stops rollups of an acceleration because of a wrong answer. Returns a count of 0 if they were stopped before. */
export interface StopRollupsCommand {
  readonly kind: 'stop rollups';
  readonly id: string;
  readonly rollupIds: readonly string[];
}

export interface AccelerationCommands {
  readonly refresh: RefreshCommand;
  readonly hits: HitsCommand;
  readonly webhook: WebhookCommand;
  readonly 'propose rollups': ProposeRollupsCommand;
  readonly 'stop rollups': StopRollupsCommand;
}
