import { type JsonObject, writeSteps, type Step, emptySelection, type FilterSelection } from '@inlay/contract';
import type { Mark } from '../charts/frame/mark.ts';

/** All items without drill steps share this array, so that their cards do not render again for a new empty array. */
const noSteps: readonly Step[] = [];

/**
 * What the viewer did with each item: the selected mark and the drill path. Also the filter values that the page or
 * token set.
 */
export class ItemStates {
  #chosen: ReadonlyMap<string, Mark> = new Map();
  #steps: ReadonlyMap<string, readonly Step[]> = new Map();
  #starts: ReadonlyMap<string, FilterSelection> = new Map();

  readonly chosen = (id: string): Mark | null => this.#chosen.get(id) ?? null;
  readonly steps = (id: string): readonly Step[] => this.#steps.get(id) ?? noSteps;
  readonly start = (id: string): FilterSelection => this.#starts.get(id) ?? emptySelection;

  /** Selects a mark of an item; null clears the selection. */
  choose(id: string, mark: Mark | null): void {
    const others = [...this.#chosen].filter(([itemId]) => itemId !== id);
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

  /** Returns the drill paths in the format of an export request. */
  written(): readonly JsonObject[] {
    return writeSteps(this.#steps);
  }
}
