import type * as Card from './card.ts';

/** Loads the code of cards in parallel with the first request. */
export class CardFile {
  #card: typeof Card | null = null;

  /** Loads and registers the card element; calls `failed` if loading fails. */
  async load(failed: () => void): Promise<void> {
    try {
      this.#card ??= await import('./card.ts');
      this.#card.defineCard();
    } catch {
      failed();
    }
  }

  /** The data of an item; null until the code is loaded. */
  readonly dataOf = (...args: Parameters<typeof Card.dataOf>): ReturnType<typeof Card.dataOf> | null =>
    this.#card?.dataOf(...args) ?? null;
}
