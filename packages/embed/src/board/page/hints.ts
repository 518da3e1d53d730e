import type { Failure } from '@inlay/client/transport';

/** Logs advice about failures to the console for developers, each hint once. */
export class Hints {
  readonly #told = new Set<string>();

  tell(id: string | null, { message, hint }: Pick<Failure, 'message' | 'hint'>): void {
    if (hint === '' || this.#told.has(hint)) return;
    this.#told.add(hint);
    // oxlint-disable-next-line no-console -- for developers; visitors see a message in the page
    console.warn(`${id === null ? message : `Item "${id}": ${message}`}\n${hint}`);
  }
}
