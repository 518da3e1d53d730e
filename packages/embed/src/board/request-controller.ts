import { Failure, patiently, type Transport } from '@inlay/client/transport';
import type { Answer } from '../card/card-events.ts';
import { askAll, type ItemRequest } from './answers.ts';

/** Request key of an item's second query, which is for its sparklines or its comparison period. */
export const comparisonKey = (itemId: string): string => `${itemId}\u0000`;

export interface RequestListener {
  answered(id: string, answer: Answer): void;
  /** Called when the service is busy. The items are requested again automatically. */
  waits(ids: readonly string[]): void;
  /** Called when a request failed. `ids` are the items of the request that have no answer yet. */
  failed(failure: Failure, ids: readonly string[]): void;
}

export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('failed', 0, error instanceof Error ? error.message : String(error));

/** Maximum number of items per request. Small requests let the top of a view arrive first. */
const maxItems = 48;

/**
 * Requests rows. A new request for an item replaces the previous one. A request is aborted when none of its items is
 * needed any more.
 */
export class RequestController {
  readonly #running = new Map<AbortController, Set<string>>();

  async ask(transport: Transport, requests: readonly ItemRequest[], listener: RequestListener): Promise<void> {
    this.abandon(requests.map(({ id }) => id));
    if (requests.length === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    const openIds = new Set(requests.map(({ id }) => id));
    this.#running.set(controller, openIds);
    try {
      for (let start = 0; start < requests.length; start += maxItems) {
        const part = requests.slice(start, start + maxItems);
        await patiently(
          async () => {
            const pendingRequests = part.filter(({ id }) => openIds.has(id));
            if (pendingRequests.length === 0) return;
            await askAll(
              transport,
              pendingRequests,
              (id, answer) => openIds.delete(id) && listener.answered(id, answer),
              signal,
            );
          },
          signal,
          () => listener.waits([...openIds]),
        );
      }
    } catch (error) {
      if (!signal.aborted) listener.failed(failureOf(error), [...openIds]);
    } finally {
      this.#running.delete(controller);
    }
  }

  waitsFor(id: string): boolean {
    return [...this.#running.values()].some((openIds) => openIds.has(id));
  }

  /** Cancels the requests for some items, or for all items if `ids` is undefined. */
  abandon(ids?: readonly string[]): void {
    for (const [controller, openIds] of this.#running) {
      for (const id of ids ?? [...openIds]) openIds.delete(id);
      if (openIds.size > 0) continue;
      this.#running.delete(controller);
      controller.abort();
    }
  }
}
