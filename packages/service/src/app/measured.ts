import type { Command, WriteResult } from '../commands/command.ts';
import { PasswordsBusy, type Passwords } from '../login/passwords.ts';
import type { Recorder } from '../metrics/metrics.ts';
import { ReadTooLong, StoreBusy, StoreUnavailable, type LongReads, type Store } from '../store/store.ts';

type ServiceStore = Store<Command, WriteResult>;

/** A store that measures its operations. */
export interface MeasuredStore extends ServiceStore {
  /** Returns the number of reads and searches that wait or run. */
  readonly reads: () => number;
}

/** Measures the time of each read, search and write, and counts failures. */
export function measuredStore(store: ServiceStore, { count, observe }: Recorder): MeasuredStore {
  let reads = 0;
  const timed = async <Result>(
    operation: 'read' | 'search' | 'write',
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const startedMs = performance.now();
    if (operation !== 'write') reads += 1;
    try {
      return await work();
    } catch (error) {
      const isDown = error instanceof StoreUnavailable && !(error instanceof StoreBusy);
      if (isDown || error instanceof ReadTooLong) count('inlay_store_failures_total', { operation });
      throw error;
    } finally {
      if (operation !== 'write') reads -= 1;
      observe('inlay_store_duration_seconds', { operation }, (performance.now() - startedMs) / 1000);
    }
  };
  const longReads: LongReads | undefined = store.long && {
    ...store.long,
    rows: (statement, tenant) => timed('search', async () => store.long?.rows(statement, tenant) ?? []),
  };
  return {
    ...store,
    ...(longReads === undefined ? {} : { long: longReads }),
    reads: () => reads,
    rows: (statement) => timed('read', () => store.rows(statement)),
    write: (command) => timed('write', () => store.write(command)),
  };
}

export const measuredPasswords = (passwords: Passwords, { count }: Recorder): Passwords => ({
  ...passwords,
  verify: async (password, storedHash, sender) => {
    const countSignIn = (outcome: string): void => count('inlay_sign_ins_total', { method: 'password', outcome });
    try {
      const isRight = await passwords.verify(password, storedHash, sender);
      countSignIn(isRight ? 'ok' : 'password_wrong');
      return isRight;
    } catch (error) {
      countSignIn(error instanceof PasswordsBusy ? 'busy' : 'failed');
      throw error;
    }
  },
});
