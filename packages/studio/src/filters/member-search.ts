import { Failure } from '@inlay/client/transport';
import { readItem, textOn, writeCondition, type Json } from '@inlay/contract';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { CatalogueColumn } from '../data/catalogue.ts';
import type { FilterAccess } from './filter-access.ts';

/** How many members a list shows. */
export const mostMembers = 50;
const restMs = 300;

/** Finds members of a column while a person types. A further search cancels the one before. */
export class MemberSearch implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #column: CatalogueColumn | null = null;
  #text = '';
  #cells: readonly Json[] = [];
  #state: 'idle' | 'waits' | 'found' = 'idle';
  #problem = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | null = null;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.clear();
  }

  get text(): string {
    return this.#text;
  }

  /** The members found last, as cells of an answer: at most `mostMembers`. */
  get cells(): readonly Json[] {
    return this.#cells.slice(0, mostMembers);
  }

  get hasMore(): boolean {
    return this.#cells.length > mostMembers;
  }

  get isWaiting(): boolean {
    return this.#state === 'waits';
  }

  /** What the service said where the members could not be found; empty if they could. */
  get problem(): string {
    return this.#problem;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    [this.#running, this.#column, this.#text, this.#cells, this.#state] = [null, null, '', [], 'idle'];
    this.#problem = '';
  }

  /** Shows the members of a column from now on. */
  open(access: FilterAccess, column: CatalogueColumn): void {
    if (this.#column?.id === column.id) return;
    this.clear();
    this.#column = column;
    void this.#find(access);
  }

  /** Searches for a text once the person has stopped typing. */
  search(access: FilterAccess, text: string): void {
    this.#text = text;
    this.#state = 'waits';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#find(access), restMs);
    this.#host.requestUpdate();
  }

  async #find(access: FilterAccess): Promise<void> {
    const column = this.#column;
    if (column === null) return;
    this.#running?.abort();
    const running = new AbortController();
    [this.#running, this.#state] = [running, 'waits'];
    this.#host.requestUpdate();
    const entry = { columnId: column.id, datasetId: column.datasetId };
    const content = readItem({ type: 'search-filter', slots: [{ name: 'dimension', content: [entry] }] })?.slots[0]
      ?.content[0];
    const condition = textOn(content ?? null, this.#text.trim());
    try {
      const written = condition === null ? null : writeCondition(condition);
      const cells = await access.members(column, written, mostMembers + 1, running.signal);
      if (running.signal.aborted) return;
      [this.#cells, this.#state, this.#problem] = [cells, 'found', ''];
    } catch (error) {
      if (running.signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      [this.#cells, this.#state, this.#problem] = [[], 'found', error.message];
    }
    this.#host.requestUpdate();
  }
}
