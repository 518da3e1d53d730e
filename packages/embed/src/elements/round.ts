import type { ItemQuery } from '@inlay/contract';
import { Failure, type Transport } from '../transport.ts';
import { askAll } from './answers.ts';
import type { Answer } from './card/card-events.ts';

/** An item to ask for. */
export interface ItemRequest {
  readonly id: string;
  readonly query: ItemQuery;
}

/** What is told of a request. */
export interface RoundListener {
  answered(id: string, answer: Answer): void;
  /** The service is busy; these items are asked for again by themselves. */
  waits(ids: readonly string[]): void;
  /** What became of the items that were still waited for. */
  failed(failure: Failure, ids: readonly string[]): void;
}

/** What a refusal or an error means. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('failed', 0, error instanceof Error ? error.message : String(error));

/** Items of one request, so that those that are seen first come first; and how long a busy service is waited for. */
const mostAtOnce = 48;
const waitMostMs = 60_000;

/** Waits, or raises what the signal was aborted with. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop);
  });

/**
 * Asks for rows. An item that is asked for again is no longer answered by what was asked before, and a request that
 * nothing is waited from ends.
 */
export class Rounds {
  readonly #running = new Map<AbortController, Set<string>>();

  async ask(transport: Transport, sent: readonly ItemRequest[], told: RoundListener): Promise<void> {
    this.leave(sent.map(({ id }) => id));
    if (sent.length === 0) return;
    const controller = new AbortController();
    const waiting = new Set(sent.map(({ id }) => id));
    this.#running.set(controller, waiting);
    try {
      for (let at = 0; at < sent.length; at += mostAtOnce)
        await this.#part(transport, sent.slice(at, at + mostAtOnce), waiting, told, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) told.failed(failureOf(error), [...waiting]);
    } finally {
      this.#running.delete(controller);
    }
  }

  /** Asks for some items in one request, again where the service is busy. */
  async #part(
    transport: Transport,
    sent: readonly ItemRequest[],
    waiting: Set<string>,
    told: RoundListener,
    signal: AbortSignal,
  ): Promise<void> {
    const until = Date.now() + waitMostMs;
    for (;;) {
      const left = sent.filter(({ id }) => waiting.has(id));
      if (left.length === 0) return;
      try {
        return await askAll(
          transport,
          left.map(({ query }) => query),
          (index, answer) => {
            const id = left[index]?.id;
            if (id !== undefined && waiting.delete(id)) told.answered(id, answer);
          },
          signal,
        );
      } catch (error) {
        const { status, retryAfterS } = failureOf(error);
        // Pages that were refused together do not come back together.
        const ms = (retryAfterS ?? 0) * 1000 * (1 + Math.random() / 2);
        if (status !== 503 || retryAfterS === null || Date.now() + ms > until) throw error;
        signal.throwIfAborted();
        told.waits([...waiting]);
        await pause(ms, signal);
      }
    }
  }

  /** No longer waits for some items, or for any. */
  leave(ids?: readonly string[]): void {
    for (const [controller, waiting] of this.#running) {
      for (const id of ids ?? [...waiting]) waiting.delete(id);
      if (waiting.size > 0) continue;
      this.#running.delete(controller);
      controller.abort();
    }
  }
}
