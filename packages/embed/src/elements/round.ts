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
  /** What became of the items that were still waited for. */
  failed(failure: Failure, ids: readonly string[]): void;
}

/** What a refusal or an error means. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('failed', 0, error instanceof Error ? error.message : String(error));

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
      await askAll(
        transport,
        sent.map(({ query }) => query),
        (index, answer) => {
          const id = sent[index]?.id;
          if (id !== undefined && waiting.delete(id)) told.answered(id, answer);
        },
        controller.signal,
      );
    } catch (error) {
      if (!controller.signal.aborted) told.failed(failureOf(error), [...waiting]);
    } finally {
      this.#running.delete(controller);
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
