import type * as Card from './card.ts';

/** Loads the code of cards while the first rows are requested. */
export class CardFile {
  #card: typeof Card | null = null;

  /** Loads the card element and registers it. Calls `failed` if the code cannot be loaded. */
  async load(failed: () => void): Promise<void> {
    try {
      this.#card ??= await import('./card.ts');
      this.#card.defineCard();
    } catch {
      failed();
    }
  }

  /** Returns the data of an item; null until the code of cards is loaded. */
  readonly dataOf = (...args: Parameters<typeof Card.dataOf>): ReturnType<typeof Card.dataOf> | null =>
    this.#card?.dataOf(...args) ?? null;
}
