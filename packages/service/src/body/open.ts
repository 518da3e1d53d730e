import { createBudget, type Budget } from '../concurrency/byte-budget.ts';
import { createPace, type Pace } from './pace.ts';
import { createSpool, type Spool } from './spool.ts';
import { BodyThread } from './thread.ts';

/** What the service needs to read request bodies. */
export interface Bodies {
  /**
   * Memory for bodies. Half of it is reserved for authenticated senders, so that anonymous senders cannot use up all of
   * it.
   */
  readonly room: { readonly known: Budget; readonly unknown: Budget };
  readonly pace: Pace;
  readonly spool: Spool;
  readonly thread: BodyThread;
  readonly close: () => Promise<void>;
}

export interface BodiesOptions {
  readonly folder: string;
  readonly totalBytes: number;
  readonly addressBytes: number;
  /** Called with the reason if a body could not be read for a reason that is not the sender's fault. */
  readonly failed: (reason: string) => void;
}

/** How long a body waits for memory, in ms. */
const waitMs = 10_000;

export function openBodies({ folder, totalBytes, addressBytes, failed }: BodiesOptions): Bodies {
  const spool = createSpool(folder);
  const pace = createPace({ bytesPerS: 65_536, stillS: 10, tickMs: 1000 });
  const thread = new BodyThread(failed);
  spool.sweep().catch((error: unknown) => failed(String(error)));
  const halfBudget = (message: string): Budget =>
    createBudget({ totalBytes: totalBytes / 2, ownerBytes: addressBytes, waitMs, message });
  return {
    room: {
      known: halfBudget('Too many large bodies are being read. Try again after Retry-After.'),
      unknown: halfBudget(
        'Too many large bodies are being read. Try again after Retry-After, or with the credentials in the header, where bodies of others do not count.',
      ),
    },
    pace,
    spool,
    thread,
    close: async () => {
      pace.close();
      await thread.close();
    },
  };
}
