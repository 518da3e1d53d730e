import type { DuckDBConnection } from '@duckdb/node-api';
import { windowBytes } from '../messages.ts';
import type { NextBatch } from './write/stage-rows.ts';

/** State of a running request, and the input that it receives from the service. */
export interface RunningRequest {
  /** Counts sent bytes, and waits until the flow control window has room for them. */
  readonly spend: (bytes: number) => Promise<void>;
  readonly credit: (bytes: number) => void;
  readonly next: (table: number) => NextBatch;
  /** Delivers a requested batch; an empty text marks the end of the batches. */
  readonly batch: (text: string) => void;
  readonly interrupt: () => void;
  /** Sets the connection whose statement `interrupt` stops. */
  readonly use: (connection: DuckDBConnection) => void;
}

/** Creates the state of one request. `requestBatch` asks the service for the next batch of a table. */
export function createRunning(requestBatch: (table: number) => void): RunningRequest {
  let remaining = windowBytes;
  let room: (() => void) | null = null;
  let take: ((text: string | null) => void) | null = null;
  let connection: DuckDBConnection | null = null;
  let stopped = false;
  const refuse = (): void => {
    if (stopped) throw new Error('INTERRUPT Error: Interrupted!');
  };
  return {
    spend: async (bytes) => {
      remaining -= bytes;
      if (remaining < 0) await new Promise<void>((resolve) => (room = resolve));
      refuse();
    },
    credit: (bytes) => {
      remaining += bytes;
      if (remaining >= 0) room?.();
    },
    next: (table) => async () => {
      refuse();
      const text = await new Promise<string | null>((resolve) => {
        take = resolve;
        requestBatch(table);
      });
      refuse();
      return text;
    },
    batch: (text) => take?.(text === '' ? null : text),
    interrupt: () => {
      stopped = true;
      connection?.interrupt();
      room?.();
      take?.(null);
    },
    use: (entry) => {
      refuse();
      connection = entry;
    },
  };
}
