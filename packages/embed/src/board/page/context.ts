import type { FilterSet } from '@inlay/contract';

/**
 * Filters that viewers set in an item. `setAt` is the time when the item set its parameters; a larger value is later.
 */
interface SharedSet extends FilterSet {
  readonly setAt?: number;
}

/** A message from one element of a context to all others: the filters that viewers set in the sender. */
interface ContextMessage {
  readonly contextId: string;
  readonly from: EventTarget;
  readonly sets: readonly SharedSet[];
  /** If true, the receivers reply with their own filters. */
  readonly asks: boolean;
}

const eventName = 'inlay-context';

const isMessage = (event: Event): event is CustomEvent<ContextMessage> =>
  event instanceof CustomEvent && event.type === eventName;

export interface ContextMember {
  readonly element: EventTarget;
  /** Returns the filters that viewers set in this element. */
  own(): readonly FilterSet[];
  /** Called when another element changes its filters. */
  changed(): void;
}

/**
 * The membership of one element in a context: the elements of a page with the same context id, which filter each other.
 * Elements communicate by events on `document`, so each may come from a different script.
 */
export class Context {
  readonly #contextId: string;
  readonly #member: ContextMember;
  #others: ReadonlyMap<EventTarget, readonly SharedSet[]> = new Map();
  #own: readonly SharedSet[] = [];
  #times: ReadonlyMap<FilterSet, number> = new Map();
  #latest = 0;
  #told = '[]';

  constructor(contextId: string, member: ContextMember) {
    this.#contextId = contextId;
    this.#member = member;
  }

  /** Starts to listen to the other elements and requests their filters. */
  enter(): void {
    document.addEventListener(eventName, this.#hear);
    this.#say(this.#readOwn(), true);
  }

  /**
   * Returns the filters of the other elements. A parameter is taken only from the element that set it last. The origin
   * of these filters is never an item id, so they apply to every item.
   */
  sets(): readonly FilterSet[] {
    const others = [...this.#others.values()].flat();
    const lastSetAt = new Map<string, number>();
    for (const { parameters = {}, setAt = 0 } of [...this.#own, ...others])
      for (const name of Object.keys(parameters)) lastSetAt.set(name, Math.max(setAt, lastSetAt.get(name) ?? 0));
    return others.map(({ origin, setAt = 0, parameters = {}, ...set }, index) => ({
      ...set,
      parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => setAt === lastSetAt.get(name))),
      origin: `context:${index}:${origin}`,
    }));
  }

  /** Sends the filters of this element to the other elements if they changed. */
  share(): void {
    const ownSets = this.#readOwn();
    if (JSON.stringify(ownSets) !== this.#told) this.#say(ownSets, false);
  }

  /** Reads the filters of this element. New parameters get a later time than all parameters seen so far. */
  #readOwn(): readonly SharedSet[] {
    const ownSets = this.#member.own();
    const isNew = ownSets.some((set) => set.parameters !== undefined && !this.#times.has(set));
    if (isNew) this.#latest = Math.max(performance.now(), this.#latest + 1);
    this.#times = new Map(ownSets.map((set) => [set, this.#times.get(set) ?? this.#latest]));
    this.#own = ownSets.map((set) =>
      set.parameters === undefined ? set : { ...set, setAt: this.#times.get(set) ?? 0 },
    );
    return this.#own;
  }

  leave(): void {
    document.removeEventListener(eventName, this.#hear);
    this.#say([], false);
  }

  #say(sets: readonly SharedSet[], asks: boolean): void {
    this.#told = JSON.stringify(sets);
    const detail: ContextMessage = { contextId: this.#contextId, from: this.#member.element, sets, asks };
    document.dispatchEvent(new CustomEvent(eventName, { detail }));
  }

  readonly #hear = (event: Event): void => {
    if (!isMessage(event)) return;
    const { contextId, from, sets, asks } = event.detail;
    if (contextId !== this.#contextId || from === this.#member.element) return;
    const previousSets = this.#others.get(from) ?? [];
    this.#latest = Math.max(this.#latest, ...sets.map(({ setAt = 0 }) => setAt));
    const others = [...this.#others].filter(([element]) => element !== from);
    this.#others = new Map([...others, ...(sets.length === 0 ? [] : [[from, sets] as const])]);
    if (asks && this.#told !== '[]') this.#say(this.#readOwn(), false);
    if (JSON.stringify(previousSets) !== JSON.stringify(sets)) this.#member.changed();
  };
}
