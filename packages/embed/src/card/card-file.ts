import type * as Card from './card.ts';

/** The file of the cards, loaded while the service is asked what to show. */
export class CardFile {
  #card: typeof Card | null = null;

  /** Loads it and makes cards known to the page; `failed` is told where it cannot be loaded. */
  async load(failed: () => void): Promise<void> {
    try {
      this.#card ??= await import('./card.ts');
      this.#card.defineCard();
    } catch {
      failed();
    }
  }

  /** What an item shows; null before the file is there. */
  readonly dataOf = (...shown: Parameters<typeof Card.dataOf>): ReturnType<typeof Card.dataOf> | null =>
    this.#card?.dataOf(...shown) ?? null;
}
