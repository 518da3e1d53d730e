import { callOnce } from './release.ts';

/** An item that was taken from the queue, and what `offer` returned for it. */
export interface FairTurn<Item, Taken> {
  readonly item: Item;
  readonly taken: Taken;
  /** Must be called once with the time that the item ran, in ms. */
  readonly ran: (ms: number) => void;
}

export interface FairQueueOptions<Item> {
  /** Maximum number of waiting items per outermost party. */
  readonly waiting: number;
  /** Called with an item that is dropped to make room for an item of a party with fewer items. */
  readonly refuse: (item: Item) => void;
  readonly now: () => number;
}

interface WaitingItem<Item> {
  readonly item: Item;
  readonly expectedMs: number;
}

/**
 * `expectedMs` caps the expected run time by which a waiting item is ordered. `behindMs` caps how far the used time of
 * a party may be ahead of the virtual clock of its siblings, which limits the delay that past use can cause.
 */
const bounds = { expectedMs: 1000, behindMs: 2000 } as const;

const rememberedMs = 60_000;

/** Decay constant in ms: after this time, usage counts about a third. */
const fadingMs = 1000;

/** A party of a fair queue, with either items or inner parties. */
class Party<Item> {
  readonly outer: Party<Item> | null;
  readonly parties = new Map<string, Party<Item>>();
  readonly items: WaitingItem<Item>[] = [];
  #waiting = 0;
  #running = 0;
  /** Virtual time of the party: its usage, measured on the clock of the outer party. */
  #usedMs: number;
  /**
   * Virtual clock of the inner parties: the start of the inner party that was served last. A party that becomes active
   * again starts at this time.
   */
  #clockMs = 0;
  #lastMs: number;
  /** Usage with exponential decay, as of the end of the last item. */
  #recent: { readonly usedMs: number; readonly atMs: number };

  constructor(parent: Party<Item> | null, nowMs: number) {
    this.outer = parent;
    this.#usedMs = parent === null ? 0 : parent.#clockMs;
    this.#lastMs = nowMs;
    this.#recent = { usedMs: 0, atMs: nowMs };
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Returns the inner party with a name. Creates the party if it does not exist. */
  within(name: string, nowMs: number): Party<Item> {
    const party = this.parties.get(name) ?? new Party(this, nowMs);
    this.parties.set(name, party);
    return party;
  }

  add(item: WaitingItem<Item>, nowMs: number): void {
    this.items.push(item);
    for (const party of this.#upwards()) {
      if (party.#waiting === 0) party.#catchUp();
      party.#waiting += 1;
      party.#lastMs = nowMs;
    }
  }

  /** Removes a waiting item. Returns false if it is no longer waiting. */
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

  /** Replaces the expected run time of an item, which was charged in advance, by the actual one. */
  end(expectedMs: number, ranMs: number, nowMs: number): void {
    for (const party of this.#upwards()) {
      party.#usedMs += ranMs - expectedMs;
      party.#catchUp();
      party.#running -= 1;
      party.#lastMs = nowMs;
      party.#recent = { usedMs: party.usedRecently(nowMs) + ranMs, atMs: nowMs };
    }
  }

  /** Returns the recent usage with exponential decay, in ms. */
  usedRecently(nowMs: number): number {
    return this.#recent.usedMs * Math.exp((this.#recent.atMs - nowMs) / fadingMs);
  }

  /** Returns the inner parties that have waiting items, ordered by the virtual end of their next item. */
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

  /** Removes parties that have long been idle. */
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

  /** Moves a party that becomes active to the current clock. Idle time earns no credit, and debt is limited. */
  #catchUp(): void {
    const clockMs = this.outer === null ? 0 : this.outer.#clockMs;
    this.#usedMs = Math.min(Math.max(this.#usedMs, clockMs), clockMs + bounds.behindMs);
  }

  #shortestMs(): number {
    const waitingParties = [...this.parties.values()].filter(({ waiting }) => waiting > 0);
    return this.items[0]?.expectedMs ?? Math.min(...waitingParties.map((party) => party.#shortestMs()));
  }
}

/**
 * Fair queueing by virtual time over nested parties, such as organizations and their tokens. Sibling parties get equal
 * shares of run time. Items within an innermost party are served in order of arrival.
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

  /**
   * Adds an item. `path` names its party, outermost first. Returns a function that removes the item, or null if the
   * outermost party has too many waiting items.
   */
  add(path: readonly string[], item: Item, expectedMs: number): (() => void) | null {
    const nowMs = this.#options.now();
    this.#sweep(nowMs);
    const party = path.reduce((parent, name) => parent.within(name, nowMs), this.#root);
    const [outermost = ''] = path;
    if (!this.#hasRoom(this.#root.within(outermost, nowMs), party)) return null;
    const waiter = { item, expectedMs: Math.min(expectedMs, bounds.expectedMs) };
    party.add(waiter, nowMs);
    return callOnce(() => void party.remove(waiter));
  }

  /** Offers items in fair order until `offer` takes one. */
  next<Taken>(offer: (item: Item) => Taken | null): FairTurn<Item, Taken> | null {
    return this.#visit(this.#root, offer);
  }

  /** Returns the names of the direct inner parties of a party that were active in the last minute. */
  partiesIn(path: readonly string[]): readonly string[] {
    return [...(this.#known(path)?.parties.keys() ?? [])];
  }

  /** Returns the run time of a party in the last seconds, with exponential decay, in ms. */
  usedRecently(path: readonly string[]): number {
    return this.#known(path)?.usedRecently(this.#options.now()) ?? 0;
  }

  waiting(party?: string): number {
    return (party === undefined ? this.#root : this.#root.parties.get(party))?.waiting ?? 0;
  }

  /** Removes and returns all items. */
  clear(): readonly Item[] {
    const items: Item[] = [];
    while (this.next((item) => items.push(item)) !== null);
    return items;
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
    const [firstItem] = party.items;
    if (firstItem !== undefined) return this.#offer(party, firstItem, offer);
    for (const readyParty of party.ready()) {
      const turn = this.#visit(readyParty, offer);
      if (turn !== null) return turn;
    }
    return null;
  }

  #offer<Taken>(
    party: Party<Item>,
    waitingItem: WaitingItem<Item>,
    offer: (item: Item) => Taken | null,
  ): FairTurn<Item, Taken> | null {
    const { item, expectedMs } = waitingItem;
    const result = offer(item);
    if (result === null) return null;
    party.remove(waitingItem);
    party.start(expectedMs);
    let isOver = false;
    const recordRun = (ms: number): void => {
      if (isOver) return;
      isOver = true;
      party.end(expectedMs, ms, this.#options.now());
    };
    return { item, taken: result, ran: recordRun };
  }

  /**
   * True if another item of `party` fits. If necessary, drops the last item of the party with the most items to make
   * room.
   */
  #hasRoom(outermost: Party<Item>, party: Party<Item>): boolean {
    if (outermost.waiting < this.#options.waiting) return true;
    const largest = outermost.innermost().reduce((left, right) => (right.waiting > left.waiting ? right : left));
    const lastItem = largest.items.at(-1);
    if (lastItem === undefined || largest.waiting <= party.waiting + 1) return false;
    largest.remove(lastItem);
    this.#options.refuse(lastItem.item);
    return true;
  }
}
