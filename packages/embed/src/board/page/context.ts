import type { FilterSet } from '@inlay/contract';

/** What viewers set with one item, and when they set its parameters; later is more. */
interface SharedSet extends FilterSet {
  readonly setAt?: number;
}

/** What elements of a context tell each other: the filters that viewers set in one of them. */
interface ContextMessage {
  readonly contextId: string;
  readonly from: EventTarget;
  readonly sets: readonly SharedSet[];
  /** Whether the others are asked for theirs. */
  readonly asks: boolean;
}

const eventName = 'inlay-context';

const isMessage = (event: Event): event is CustomEvent<ContextMessage> =>
  event instanceof CustomEvent && event.type === eventName;

/** What a context needs of the element that takes part in it. */
export interface ContextMember {
  readonly element: EventTarget;
  /** The filters that viewers set in the element. */
  own(): readonly FilterSet[];
  /** Called when filters of another element changed. */
  changed(): void;
}

/** The elements of a page with one context id, which filter each other. They find each other by events on `document`, whichever script made them. */
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

  /** Begins to hear of the others, and asks what is set in them. */
  enter(): void {
    document.addEventListener(eventName, this.#hear);
    this.#say(this.#readOwn(), true);
  }

  /** Filters of the other elements, and the parameters that they set last. No item goes by these names, so that each is narrowed by them. */
  sets(): readonly FilterSet[] {
    const others = [...this.#others.values()].flat();
    const last = new Map<string, number>();
    for (const { parameters = {}, setAt = 0 } of [...this.#own, ...others])
      for (const name of Object.keys(parameters)) last.set(name, Math.max(setAt, last.get(name) ?? 0));
    return others.map(({ origin, setAt = 0, parameters = {}, ...set }, index) => ({
      ...set,
      parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => setAt === last.get(name))),
      origin: `context:${index}:${origin}`,
    }));
  }

  /** Tells the others the filters of this element, where they changed. */
  share(): void {
    const own = this.#readOwn();
    if (JSON.stringify(own) !== this.#told) this.#say(own, false);
  }

  /** The filters of this element. A set of parameters that was not there before is later than all that is known. */
  #readOwn(): readonly SharedSet[] {
    const own = this.#member.own();
    const isNew = own.some((set) => set.parameters !== undefined && !this.#times.has(set));
    if (isNew) this.#latest = Math.max(performance.now(), this.#latest + 1);
    this.#times = new Map(own.map((set) => [set, this.#times.get(set) ?? this.#latest]));
    this.#own = own.map((set) => (set.parameters === undefined ? set : { ...set, setAt: this.#times.get(set) ?? 0 }));
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
    const before = this.#others.get(from) ?? [];
    this.#latest = Math.max(this.#latest, ...sets.map(({ setAt = 0 }) => setAt));
    const others = [...this.#others].filter(([element]) => element !== from);
    this.#others = new Map([...others, ...(sets.length === 0 ? [] : [[from, sets] as const])]);
    if (asks && this.#told !== '[]') this.#say(this.#readOwn(), false);
    if (JSON.stringify(before) !== JSON.stringify(sets)) this.#member.changed();
  };
}
