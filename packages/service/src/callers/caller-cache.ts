import { recent } from '../store/recent.ts';
import type { Reader } from '../store/store.ts';
import type { KnownCaller } from './facts.ts';
import { identifyCaller } from './identify.ts';
import { presumeCaller } from './presumed.ts';

const maxCallers = 1000;

/**
 * Identifies callers and caches facts about them, so that later requests can presume the caller. Cached facts alone
 * never authorize an answer.
 */
export class CallerCache {
  readonly #reader: Reader;
  readonly #facts = recent<string, string>(maxCallers);
  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Returns the caller of a key and token; null if there is none. */
  async identify(key: string, token: string, nowMs: number): Promise<KnownCaller | null> {
    const knownCaller = await identifyCaller(this.#reader, key, token, nowMs);
    if (knownCaller === null) this.forget(key);
    else this.#facts.set(key, knownCaller.facts);
    return knownCaller;
  }

  /** Returns the presumed caller of a key and token from facts of an earlier request; null if no facts are cached. */
  presume(key: string, token: string, nowMs: number): KnownCaller | null {
    const facts = this.#facts.get(key) ?? '';
    return facts === '' ? null : presumeCaller(facts, token, nowMs);
  }

  forget(key: string): void {
    if (this.#facts.get(key) !== undefined) this.#facts.set(key, '');
  }
}
