import { createBudget, type Budget } from '../byte-budget.ts';
import { createPace, type Pace } from './pace.ts';
import { createSpool, type Spool } from './spool.ts';
import { createBodyThread, type BodyThread } from './thread.ts';

/** What bodies are read with. */
export interface Bodies {
  readonly budget: Budget;
  readonly pace: Pace;
  readonly spool: Spool;
  readonly thread: BodyThread;
  readonly close: () => Promise<void>;
}

export interface BodiesOptions {
  readonly folder: string;
  readonly totalBytes: number;
  readonly addressBytes: number;
  /** Told why a body was not read, where it is no fault of its sender. */
  readonly failed: (reason: string) => void;
}

/** How long a body waits for room. */
const waitMs = 10_000;

export function openBodies({ folder, totalBytes, addressBytes, failed }: BodiesOptions): Bodies {
  const spool = createSpool(folder);
  const pace = createPace({ bytesPerS: 65_536, stillS: 10, tickMs: 1000 });
  const thread = createBodyThread(failed);
  spool.sweep().catch((error: unknown) => failed(String(error)));
  return {
    budget: createBudget({
      totalBytes,
      ownerBytes: addressBytes,
      waitMs,
      message: 'Too many large bodies are being read. Try again after Retry-After.',
    }),
    pace,
    spool,
    thread,
    close: async () => {
      pace.close();
      await thread.close();
    },
  };
}
