import type { Turn } from '../../concurrency/turns.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SourceAsking } from './at-source.ts';
import type { SlowQueries } from './slow-queries.ts';

/** Dependencies for running queries. */
export interface Runners extends SourceAsking {
  readonly engine: Engine;
  readonly slowQueries: SlowQueries;
  /** Maximum number of rows that one query fetches from one source; `fetchBytes` is the maximum size of these rows. */
  readonly fetchRows: number;
  readonly fetchBytes: number;
  /** Lets other requests run between batches of rows. */
  readonly turn: Turn;
}
