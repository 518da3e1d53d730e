import { type JsonObject, writeSteps, type Step, emptySelection, type FilterSelection } from '@inlay/contract';
import type { Mark } from '../charts/frame/mark.ts';

/** One list for every item that nothing was drilled into, so that a card is not shown again for another empty one. */
const noSteps: readonly Step[] = [];

/** What viewers did in items: the marks that are chosen, the levels that were opened, and what filters are set to from outside. */
export class ItemStates {
  #chosen: ReadonlyMap<string, Mark> = new Map();
  #steps: ReadonlyMap<string, readonly Step[]> = new Map();
  #starts: ReadonlyMap<string, FilterSelection> = new Map();

  readonly chosen = (id: string): Mark | null => this.#chosen.get(id) ?? null;
  readonly steps = (id: string): readonly Step[] => this.#steps.get(id) ?? noSteps;
  readonly start = (id: string): FilterSelection => this.#starts.get(id) ?? emptySelection;

  /** Makes a mark the one that is chosen in an item; null chooses none. */
  choose(id: string, mark: Mark | null): void {
    const others = [...this.#chosen].filter(([of]) => of !== id);
    this.#chosen = new Map([...others, ...(mark === null ? [] : [[id, mark] as const])]);
  }

  drill(id: string, steps: readonly Step[]): void {
    this.#steps = new Map([...this.#steps, [id, steps]]);
  }

  begin(id: string, selection: FilterSelection): void {
    this.#starts = new Map([...this.#starts, [id, selection]]);
  }

  clear(): void {
    this.#chosen = new Map();
    this.#steps = new Map();
    this.#starts = new Map();
  }

  /** The levels that were opened, as an export takes them. */
  written(): readonly JsonObject[] {
    return writeSteps(this.#steps);
  }
}
