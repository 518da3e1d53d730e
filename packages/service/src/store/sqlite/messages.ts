import {
  OutcomeUnknown,
  ReadTooLong,
  StoreConflict,
  StoreDamaged,
  StoreFull,
  StoreNewer,
  StoreUnavailable,
} from '../store.ts';
import type { CommandOutcome } from './batch.ts';
import type { PerformerSource } from './performer.ts';

/** Start parameters of the writer thread. */
export interface WriterStart {
  readonly file: string;
  readonly performer: PerformerSource;
  /** Number of the last migration that the program knows. */
  readonly schema: number;
}

/** Messages to the writer thread. They are sent as JSON text, because that is faster than cloning a tree of objects. */
export type ToWriter<Command> =
  | { readonly kind: 'write'; readonly id: number; readonly command: Command }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'close' };

/** Messages from the writer thread. `unsynced`: a flush failed, and the thread refuses all further writes. */
export type FromWriter<Answer> =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'done';
      readonly replies: readonly Reply<Answer>[];
      readonly unsynced: boolean;
    };

export interface Reply<Answer> {
  readonly id: number;
  readonly ending: { readonly answer: Answer } | { readonly fault: Fault };
}

/** An error as plain data, since an error loses its class when it is sent between threads. */
export type Fault =
  | { readonly kind: 'conflict'; readonly table: string; readonly columns: string }
  | {
      readonly kind: 'full' | 'damaged' | 'newer' | 'unavailable' | 'unknown' | 'late' | 'defect';
      readonly message: string;
      readonly stack: string;
    };

const kindOf = (raised: unknown): Exclude<Fault['kind'], 'conflict'> => {
  if (raised instanceof StoreFull) return 'full';
  if (raised instanceof StoreDamaged) return 'damaged';
  if (raised instanceof StoreNewer) return 'newer';
  if (raised instanceof StoreUnavailable) return 'unavailable';
  if (raised instanceof ReadTooLong) return 'late';
  return raised instanceof OutcomeUnknown ? 'unknown' : 'defect';
};

export function faultOf(raised: unknown): Fault {
  if (raised instanceof StoreConflict) return { kind: 'conflict', table: raised.table, columns: raised.columns };
  const { message, stack } = raised instanceof Error ? raised : new Error(String(raised));
  return { kind: kindOf(raised), message, stack: stack ?? message };
}

/** Builds the reply for the outcome of a command. */
export const replyOf = <Answer>(id: number, ending: CommandOutcome<Answer>): Reply<Answer> => ({
  id,
  ending: 'answer' in ending ? ending : { fault: faultOf(ending.raised) },
});

/** Converts a fault back to an error of its class, with the stack of the writer thread. */
export function errorOf(fault: Fault): Error {
  if (fault.kind === 'conflict') return new StoreConflict(fault.table, fault.columns);
  const error = {
    full: () => new StoreFull(fault.message),
    damaged: () => new StoreDamaged(fault.message),
    newer: () => new StoreNewer(fault.message),
    unavailable: () => new StoreUnavailable(fault.message),
    unknown: () => new OutcomeUnknown(fault.message),
    late: () => new ReadTooLong(fault.message),
    defect: () => new Error(fault.message),
  }[fault.kind]();
  error.stack = fault.stack;
  return error;
}
