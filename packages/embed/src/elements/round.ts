import { Failure, patiently, type Transport } from '../transport.ts';
import { askAll, type ItemRequest } from './answers.ts';
import type { Answer } from './card/card-events.ts';

/** What is asked for beside an item, by which: the lines in its cells, or the period that it is compared with. */
export const secondIdOf = (itemId: string): string => `${itemId}\u0000`;

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

/** Items of one request, so that those that are seen first come first. */
const mostAtOnce = 48;

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
    const { signal } = controller;
    const waiting = new Set(sent.map(({ id }) => id));
    this.#running.set(controller, waiting);
    try {
      for (let at = 0; at < sent.length; at += mostAtOnce) {
        const part = sent.slice(at, at + mostAtOnce);
        await patiently(
          async () => {
            const left = part.filter(({ id }) => waiting.has(id));
            if (left.length === 0) return;
            await askAll(transport, left, (id, answer) => waiting.delete(id) && told.answered(id, answer), signal);
          },
          signal,
          () => told.waits([...waiting]),
        );
      }
    } catch (error) {
      if (!signal.aborted) told.failed(failureOf(error), [...waiting]);
    } finally {
      this.#running.delete(controller);
    }
  }

  /** Whether an item is asked for and not answered yet. */
  waitsFor(id: string): boolean {
    return [...this.#running.values()].some((one) => one.has(id));
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
