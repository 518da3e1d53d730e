import { once } from './release.ts';

/** An item whose turn it is, with what it was taken as. */
export interface FairTurn<Item, Taken> {
  readonly item: Item;
  readonly taken: Taken;
  /** Notes how long it ran, once. */
  readonly ran: (ms: number) => void;
}

export interface FairQueueOptions<Item> {
  /** Items of one outermost party that may wait. */
  readonly waiting: number;
  /** Called with an item that makes room for one of a party with fewer of them. */
  readonly refuse: (item: Item) => void;
  readonly now: () => number;
}

interface WaitingItem<Item> {
  readonly item: Item;
  readonly expectedMs: number;
}

/**
 * `expectedMs` caps the expected time by which a waiting item is ordered. `behindMs` caps how far the used time of a party may be ahead
 * of the clock of its group, so that past use delays it no longer than that.
 */
const bounds = { expectedMs: 1000, behindMs: 2000 } as const;

const rememberedMs = 60_000;

/** After this time, used time counts a third. */
const fadingMs = 1000;

/** A party of a fair queue: its items, or the parties within it. */
class Party<Item> {
  readonly outer: Party<Item> | null;
  readonly parties = new Map<string, Party<Item>>();
  readonly items: WaitingItem<Item>[] = [];
  #waiting = 0;
  #running = 0;
  /** Time used, on the clock of the outer party. */
  #usedMs: number;
  /** Position of the parties within: the start of the last that was served. A party that comes back starts here. */
  #clockMs = 0;
  #lastMs: number;
  /** Used time when the last item ended; older use has faded. */
  #recent: { readonly usedMs: number; readonly atMs: number };

  constructor(outer: Party<Item> | null, nowMs: number) {
    this.outer = outer;
    this.#usedMs = outer === null ? 0 : outer.#clockMs;
    this.#lastMs = nowMs;
    this.#recent = { usedMs: 0, atMs: nowMs };
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** The inner party of a name, created if there is none. */
  within(name: string, nowMs: number): Party<Item> {
    const known = this.parties.get(name) ?? new Party(this, nowMs);
    this.parties.set(name, known);
    return known;
  }

  add(item: WaitingItem<Item>, nowMs: number): void {
    this.items.push(item);
    for (const party of this.#upwards()) {
      if (party.#waiting === 0) party.#catchUp();
      party.#waiting += 1;
      party.#lastMs = nowMs;
    }
  }

  /** Takes an item out; false if it is not there any more. */
  remove(item: WaitingItem<Item>): boolean {
    const index = this.items.indexOf(item);
    if (index < 0) return false;
    this.items.splice(index, 1);
    for (const party of this.#upwards()) party.#waiting -= 1;
    return true;
  }

  start(expectedMs: number): void {
    for (const party of this.#upwards()) {
      if (party.outer !== null) party.outer.#clockMs = Math.max(party.outer.#clockMs, party.#usedMs);
      party.#usedMs += expectedMs;
      party.#running += 1;
    }
  }

  /** Corrects the expected time of an item by the time that it ran. */
  end(expectedMs: number, ranMs: number, nowMs: number): void {
    for (const party of this.#upwards()) {
      party.#usedMs += ranMs - expectedMs;
      party.#catchUp();
      party.#running -= 1;
      party.#lastMs = nowMs;
      party.#recent = { usedMs: party.usedRecently(nowMs) + ranMs, atMs: nowMs };
    }
  }

  /** Used time that fades with its age. */
  usedRecently(nowMs: number): number {
    return this.#recent.usedMs * Math.exp((this.#recent.atMs - nowMs) / fadingMs);
  }

  /** The parties within that have waiting items, by when their next item would end. */
  ready(): readonly Party<Item>[] {
    return [...this.parties.values()]
      .filter(({ waiting }) => waiting > 0)
      .map((party) => ({ party, endMs: party.#usedMs + party.#shortestMs() }))
      .sort((left, right) => left.endMs - right.endMs)
      .map(({ party }) => party);
  }

  innermost(): readonly Party<Item>[] {
    return this.parties.size === 0 ? [this] : [...this.parties.values()].flatMap((party) => party.innermost());
  }

  /** Forgets parties that have been idle for long. */
  sweep(nowMs: number): void {
    for (const [name, party] of this.parties) {
      party.sweep(nowMs);
      const isIdle = party.#waiting === 0 && party.#running === 0;
      if (isIdle && party.#lastMs + rememberedMs < nowMs) this.parties.delete(name);
    }
  }

  *#upwards(): Generator<Party<Item>> {
    yield this;
    if (this.outer !== null) yield* this.outer.#upwards();
  }

  /** A party that wants something again starts where the others are: it has no credit, and few debts. */
  #catchUp(): void {
    const clockMs = this.outer === null ? 0 : this.outer.#clockMs;
    this.#usedMs = Math.min(Math.max(this.#usedMs, clockMs), clockMs + bounds.behindMs);
  }

  #shortestMs(): number {
    const inner = [...this.parties.values()].filter(({ waiting }) => waiting > 0);
    return this.items[0]?.expectedMs ?? Math.min(...inner.map((party) => party.#shortestMs()));
  }
}

/**
 * Fair queueing by virtual time over parties within parties, such as the tokens of organizations. Each party gets the same time as the
 * others next to it, measured by how long its items ran; within the innermost party items are served in order of arrival.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions<Item>;
  readonly #root: Party<Item>;
  #sweptMs: number;

  constructor(options: FairQueueOptions<Item>) {
    this.#options = options;
    this.#sweptMs = options.now();
    this.#root = new Party<Item>(null, this.#sweptMs);
  }

  /** Adds an item of a party, named from the outside in; gives what takes it out. Null where too many of the outermost party wait. */
  add(path: readonly string[], item: Item, expectedMs: number): (() => void) | null {
    const nowMs = this.#options.now();
    this.#sweep(nowMs);
    const party = path.reduce((outer, name) => outer.within(name, nowMs), this.#root);
    const [outermost = ''] = path;
    if (!this.#hasRoom(this.#root.within(outermost, nowMs), party)) return null;
    const added = { item, expectedMs: Math.min(expectedMs, bounds.expectedMs) };
    party.add(added, nowMs);
    return once(() => void party.remove(added));
  }

  /** Offers the items in their order until one is taken. */
  next<Taken>(offer: (item: Item) => Taken | null): FairTurn<Item, Taken> | null {
    return this.#visit(this.#root, offer);
  }

  /** Names of the parties directly within one that have used the queue in the last minute. */
  partiesIn(path: readonly string[]): readonly string[] {
    return [...(this.#known(path)?.parties.keys() ?? [])];
  }

  /** Time that a party has used in the last seconds; the older, the less it counts. */
  usedRecently(path: readonly string[]): number {
    return this.#known(path)?.usedRecently(this.#options.now()) ?? 0;
  }

  waiting(party?: string): number {
    return (party === undefined ? this.#root : this.#root.parties.get(party))?.waiting ?? 0;
  }

  /** Takes all items out and gives them. */
  clear(): readonly Item[] {
    const all: Item[] = [];
    while (this.next((item) => all.push(item)) !== null);
    return all;
  }

  #known(path: readonly string[]): Party<Item> | undefined {
    return path.reduce<Party<Item> | undefined>((party, name) => party?.parties.get(name), this.#root);
  }

  #sweep(nowMs: number): void {
    if (this.#sweptMs + rememberedMs >= nowMs) return;
    this.#sweptMs = nowMs;
    this.#root.sweep(nowMs);
  }

  #visit<Taken>(party: Party<Item>, offer: (item: Item) => Taken | null): FairTurn<Item, Taken> | null {
    const [first] = party.items;
    if (first !== undefined) return this.#offer(party, first, offer);
    for (const inner of party.ready()) {
      const turn = this.#visit(inner, offer);
      if (turn !== null) return turn;
    }
    return null;
  }

  #offer<Taken>(
    party: Party<Item>,
    waiting: WaitingItem<Item>,
    offer: (item: Item) => Taken | null,
  ): FairTurn<Item, Taken> | null {
    const { item, expectedMs } = waiting;
    const taken = offer(item);
    if (taken === null) return null;
    party.remove(waiting);
    party.start(expectedMs);
    let isOver = false;
    const ran = (ms: number): void => {
      if (isOver) return;
      isOver = true;
      party.end(expectedMs, ms, this.#options.now());
    };
    return { item, taken, ran };
  }

  /** Whether there is room for one more, if need be by refusing the last item of the party with the most. */
  #hasRoom(outermost: Party<Item>, party: Party<Item>): boolean {
    if (outermost.waiting < this.#options.waiting) return true;
    const largest = outermost.innermost().reduce((left, right) => (right.waiting > left.waiting ? right : left));
    const last = largest.items.at(-1);
    if (last === undefined || largest.waiting <= party.waiting + 1) return false;
    largest.remove(last);
    this.#options.refuse(last.item);
    return true;
  }
}
