import type { Turn } from '../../concurrency/turns.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SourceAsking } from './at-source.ts';
import type { SlowQueries } from './slow-queries.ts';

/** Components that run queries. */
export interface Runners extends SourceAsking {
  readonly engine: Engine;
  readonly slowQueries: SlowQueries;
  /** Limits of rows fetched from one source for one query. */
  readonly fetchRows: number;
  readonly fetchBytes: number;
  /** Yields to other requests between batches of rows. */
  readonly turn: Turn;
}
