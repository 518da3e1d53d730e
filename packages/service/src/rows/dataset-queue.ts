import { onEnd } from '../concurrency/release.ts';
import { EngineProblem, type Batch, type EngineCause, type IngestSpec, type RowsColumn } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';
import {
  holdRows,
  storeRows,
  type HeldRows,
  type RowsRequest,
  type RowStoreContext,
  type StoredRows,
} from './store-rows.ts';

/** Limits for combining appends: requests per version, and bytes per combined batch. */
const combineLimits = { most: 64, bytes: 262_144 } as const;

type RowsSource = Extract<IngestSpec['source'], { readonly kind: 'rows' }>;

interface Waiter {
  readonly request: RowsRequest;
  readonly answer: (stored: StoredRows) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * True if rows can be combined with the rows of other requests. The request must be an append that keeps the existing
 * column types and refuses cells that do not match.
 */
const mayShare = ({ request }: Waiter): boolean =>
  request.isPushed &&
  request.mode === 'append' &&
  request.onInvalid === 'refuse' &&
  request.overrides.size === 0 &&
  Object.keys(request.forms).length === 0 &&
  !request.updateMetadata;

const textOf = (batch: Batch): string => (typeof batch === 'string' ? batch : JSON.stringify(batch)).slice(1, -1);

/** Concatenates the rows of several requests and combines small batches. */
async function* joined(sources: readonly RowsSource[]): AsyncGenerator<Batch> {
  let parts: string[] = [];
  let bytes = 0;
  for (const { rows } of sources)
    for await (const batch of rows) {
      const text = textOf(batch);
      if (text === '') continue;
      if (bytes > 0 && bytes + text.length > combineLimits.bytes) {
        yield `[${parts.join(',')}]`;
        [parts, bytes] = [[], 0];
      }
      parts.push(text);
      bytes += text.length;
    }
  if (bytes > 0) yield `[${parts.join(',')}]`;
}

const rowsSource = (source: IngestSpec['source']): RowsSource => {
  if (source.kind !== 'rows') throw new Error('these rows are in a file');
  return source;
};

const kindsOf = (columns: readonly (RowsColumn | undefined)[]): number =>
  columns.reduce((allKinds, column) => allKinds | (column?.kinds ?? 0), 0);

/** Combines the rows of several requests to one source. Raises Problem if their columns differ. */
function sourceOfAll(requests: readonly RowsRequest[], heldRows: HeldRows | null): RowsSource {
  const sources = requests.map(({ source }) => rowsSource(source(heldRows)));
  const [firstSource] = sources;
  const names = JSON.stringify(firstSource?.columns.map(({ name }) => name));
  if (sources.some(({ columns }) => JSON.stringify(columns.map(({ name }) => name)) !== names))
    throw new Problem('rows_changed');
  const columns = (firstSource?.columns ?? []).map((column, index) => ({
    ...column,
    kinds: kindsOf(sources.map((source) => source.columns[index])),
  }));
  const counts = sources.flatMap(({ count = null }) => (count === null ? [] : [count]));
  const count = counts.reduce((sum, value) => sum + value, 0);
  return { kind: 'rows', columns, rows: joined(sources), ...(counts.length === sources.length ? { count } : {}) };
}

/** Returns a signal that aborts once all signals have aborted. */
function signalOfAll(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  let remaining = signals.length;
  for (const signal of signals)
    onEnd(signal, () => {
      remaining -= 1;
      if (remaining === 0) controller.abort(signal.reason);
    });
  return controller.signal;
}

/**
 * Causes that may concern a single request. Combined rows are then stored one request at a time, so that only the
 * faulty request fails.
 */
const ofOne: readonly EngineCause[] = ['input', 'sql', 'quota', 'memory', 'failed'];
const mayBeOfOne = (error: unknown): boolean =>
  error instanceof Problem || (error instanceof EngineProblem && ofOne.includes(error.cause));

/**
 * Serializes the writes of rows to each dataset. Waiting appends are stored together as one version, and each request
 * is answered once that version is durable. If the version cannot be stored, the appends are stored one at a time, so
 * that each request gets the faults of its own rows.
 */
export class DatasetQueue {
  readonly #context: RowStoreContext;
  readonly #newId: () => string;
  /** Waiting requests by dataset. */
  readonly #queues = new Map<string, Waiter[]>();

  constructor(context: RowStoreContext, newId: () => string) {
    this.#context = context;
    this.#newId = newId;
  }

  /** Stores the rows of a request. Raises errors of `storeRows`. */
  store(request: RowsRequest): Promise<StoredRows> {
    const { securableId } = request;
    if (securableId === null) return storeRows(this.#context, request, this.#newId);
    return new Promise((answer, refuse) => {
      const queue = this.#queues.get(securableId) ?? [];
      queue.push({ request, answer, refuse });
      if (this.#queues.has(securableId)) return;
      this.#queues.set(securableId, queue);
      void this.#work(securableId, queue);
    });
  }

  async #work(id: string, queue: Waiter[]): Promise<void> {
    for (let firstWaiter = queue[0]; firstWaiter !== undefined; firstWaiter = queue[0]) {
      const unsharedIndex = queue.findIndex((waiter) => !mayShare(waiter));
      const sharedCount = Math.min(unsharedIndex < 0 ? queue.length : unsharedIndex, combineLimits.most);
      if (sharedCount > 1) await this.#storeAll(queue.splice(0, sharedCount), id);
      else await this.#storeOne(queue.shift() ?? firstWaiter);
    }
    this.#queues.delete(id);
  }

  async #storeOne({ request, answer, refuse }: Waiter): Promise<void> {
    try {
      request.signal.throwIfAborted();
      answer(await storeRows(this.#context, request, this.#newId));
    } catch (error) {
      refuse(error);
    }
  }

  async #storeAll(waiters: readonly Waiter[], id: string): Promise<void> {
    const soundWaiters = await this.#sound(waiters, id);
    const [first, ...others] = soundWaiters;
    if (first === undefined) return;
    if (others.length === 0) return this.#storeOne(first);
    const requests = soundWaiters.map(({ request }) => request);
    const combinedRequest: RowsRequest = {
      ...first.request,
      signal: signalOfAll(requests.map(({ signal }) => signal)),
      source: (heldRows) => sourceOfAll(requests, heldRows),
    };
    try {
      const storedRows = await storeRows(this.#context, combinedRequest, this.#newId, requests.slice(1));
      for (const { answer } of soundWaiters) answer(storedRows);
    } catch (error) {
      if (!mayBeOfOne(error)) for (const { refuse } of soundWaiters) refuse(error);
      else for (const waiter of soundWaiters) await this.#storeOne(waiter);
    }
  }

  /**
   * Returns the requests whose caller may store rows and whose rows match the columns of the dataset. Rejects all other
   * requests.
   */
  async #sound(waiters: readonly Waiter[], id: string): Promise<readonly Waiter[]> {
    const soundWaiters: Waiter[] = [];
    for (const waiter of waiters)
      try {
        waiter.request.signal.throwIfAborted();
        const heldRows = await holdRows(this.#context, waiter.request, id);
        if (heldRows.version === null) await this.#storeOne(waiter);
        else {
          waiter.request.source(heldRows);
          soundWaiters.push(waiter);
        }
      } catch (error) {
        waiter.refuse(error);
      }
    return soundWaiters;
  }
}
