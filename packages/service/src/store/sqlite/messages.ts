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

/** What the writing thread is started with. */
export interface WriterStart {
  readonly file: string;
  readonly performer: PerformerSource;
  /** The number of the last migration that the program knows. */
  readonly schema: number;
}

/** To the writing thread, as JSON, which crosses faster than a tree of objects: a command to perform, a sign of life to give, or the end. */
export type ToWriter<Command> =
  | { readonly kind: 'write'; readonly id: number; readonly command: Command }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'close' };

/** From the writing thread. `unsynced`: the disk can no longer be trusted and nothing is written from here on. */
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

/** A raised error as plain data: an error's class does not survive the way between threads. */
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

/** The reply for how a command ended. */
export const replyOf = <Answer>(id: number, ending: CommandOutcome<Answer>): Reply<Answer> => ({
  id,
  ending: 'answer' in ending ? ending : { fault: faultOf(ending.raised) },
});

/** The error that a fault stands for, with its class and the stack of the writing thread. */
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
