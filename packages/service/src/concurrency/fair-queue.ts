import { once } from './release.ts';

/**
 * Waiting items of parties within parties, such as the tokens of organizations. Each party gets the same time as the others beside it,
 * measured by how long its items ran; within the innermost party the first that came is the first served.
 */
export interface FairQueue<Item> {
  /** Adds an item of a party, named from the outside in; gives what takes it out. Null where too many of the outermost party wait. */
  readonly add: (path: readonly string[], item: Item, expectedMs: number) => (() => void) | null;
  /** Offers the items in their order until one is taken. */
  readonly next: <Taken>(offer: (item: Item) => Taken | null) => FairTurn<Item, Taken> | null;
  /** Names of the parties directly within one that have used the queue in the last minute. */
  readonly partiesIn: (path: readonly string[]) => readonly string[];
  /** Time that a party has used in the last seconds; the longer ago, the less it counts. */
  readonly usedLately: (path: readonly string[]) => number;
  readonly waiting: (party?: string) => number;
  /** Takes all items out and gives them. */
  readonly clear: () => readonly Item[];
}

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
  /** Told of an item that makes room for one of a party with fewer of them. */
  readonly refuse: (item: Item) => void;
  readonly now: () => number;
}

interface WaitingItem<Item> {
  readonly item: Item;
  readonly expectedMs: number;
}

interface Party<Item> {
  readonly outer: Party<Item> | null;
  readonly parties: Map<string, Party<Item>>;
  readonly items: WaitingItem<Item>[];
  waiting: number;
  running: number;
  /** Time used, on the clock of the party around it. */
  usedMs: number;
  /** Where those within it stand: the start of the last that was served. A party that comes back starts here. */
  clockMs: number;
  lastMs: number;
  /** Time used until its last item ended, what was used before that fading away. */
  lately: { readonly usedMs: number; readonly atMs: number };
}

/** How much time a long item may count in the order, and how far a party may fall behind: nobody waits longer for others' turns. */
const bounds = { expectedMs: 1000, behindMs: 2000 } as const;

const rememberedMs = 60_000;

/** After this time, what was used counts a third. */
const fadingMs = 1000;

const fadedMs = ({ usedMs, atMs }: { readonly usedMs: number; readonly atMs: number }, nowMs: number): number =>
  usedMs * Math.exp((atMs - nowMs) / fadingMs);

/** A party that wants something again starts where the others stand: it has no credit, and few debts. */
const catchUp = <Item>(party: Party<Item>): void => {
  const clockMs = party.outer?.clockMs ?? 0;
  party.usedMs = Math.min(Math.max(party.usedMs, clockMs), clockMs + bounds.behindMs);
};

const shortestMs = <Item>({ items, parties }: Party<Item>): number =>
  items[0]?.expectedMs ?? Math.min(...[...parties.values()].filter(({ waiting }) => waiting > 0).map(shortestMs));

/** The innermost parties. */
const innermost = <Item>(party: Party<Item>): readonly Party<Item>[] =>
  party.parties.size === 0 ? [party] : [...party.parties.values()].flatMap(innermost);

/** Fair queueing by virtual time: the party whose next item would end first, had each its share. */
export function createFairQueue<Item>({ waiting, refuse, now }: FairQueueOptions<Item>): FairQueue<Item> {
  const made = (outer: Party<Item> | null): Party<Item> => ({
    outer,
    parties: new Map(),
    items: [],
    waiting: 0,
    running: 0,
    usedMs: outer?.clockMs ?? 0,
    clockMs: 0,
    lastMs: now(),
    lately: { usedMs: 0, atMs: now() },
  });
  const root = made(null);
  let sweptMs = now();

  const sweep = (party: Party<Item>): void => {
    for (const [name, one] of party.parties) {
      sweep(one);
      const isIdle = one.waiting === 0 && one.running === 0;
      if (isIdle && one.lastMs + rememberedMs < now()) party.parties.delete(name);
    }
  };
  const upwards = (from: Party<Item>, change: (party: Party<Item>) => void): void => {
    for (let party: Party<Item> | null = from; party !== null; party = party.outer) change(party);
  };
  const at = (path: readonly string[]): Party<Item> =>
    path.reduce((party, name) => {
      const one = party.parties.get(name) ?? made(party);
      party.parties.set(name, one);
      return one;
    }, root);
  const known = (path: readonly string[]): Party<Item> | undefined =>
    path.reduce<Party<Item> | undefined>((party, name) => party?.parties.get(name), root);
  const remove = (party: Party<Item>, one: WaitingItem<Item>): boolean => {
    const index = party.items.indexOf(one);
    if (index < 0) return false;
    party.items.splice(index, 1);
    upwards(party, (each) => (each.waiting -= 1));
    return true;
  };
  const start = (party: Party<Item>, { expectedMs }: WaitingItem<Item>): ((ranMs: number) => void) => {
    upwards(party, (each) => {
      if (each.outer !== null) each.outer.clockMs = Math.max(each.outer.clockMs, each.usedMs);
      each.usedMs += expectedMs;
      each.running += 1;
    });
    let isOver = false;
    return (ranMs) => {
      if (isOver) return;
      isOver = true;
      upwards(party, (each) => {
        each.usedMs += ranMs - expectedMs;
        catchUp(each);
        each.running -= 1;
        each.lastMs = now();
        each.lately = { usedMs: fadedMs(each.lately, now()) + ranMs, atMs: now() };
      });
    };
  };
  const visit = <Taken>(party: Party<Item>, offer: (item: Item) => Taken | null): FairTurn<Item, Taken> | null => {
    const [first] = party.items;
    if (first !== undefined) {
      const taken = offer(first.item);
      if (taken === null) return null;
      remove(party, first);
      return { item: first.item, taken, ran: start(party, first) };
    }
    const ready = [...party.parties.values()].filter((one) => one.waiting > 0);
    const order = ready
      .map((one) => ({ one, endMs: one.usedMs + shortestMs(one) }))
      .sort((left, right) => left.endMs - right.endMs);
    for (const { one } of order) {
      const started = visit(one, offer);
      if (started !== null) return started;
    }
    return null;
  };
  /** Whether there is room for one more, if need be by refusing the last item of the party with the most. */
  const hasRoom = (outermost: Party<Item>, party: Party<Item>): boolean => {
    if (outermost.waiting < waiting) return true;
    const most = innermost(outermost).reduce((left, right) => (right.waiting > left.waiting ? right : left));
    const last = most.items.at(-1);
    if (last === undefined || most.waiting <= party.waiting + 1) return false;
    remove(most, last);
    refuse(last.item);
    return true;
  };
  return {
    add: (path, item, expectedMs) => {
      if (sweptMs + rememberedMs < now()) {
        sweptMs = now();
        sweep(root);
      }
      const party = at(path);
      if (!hasRoom(at(path.slice(0, 1)), party)) return null;
      const one = { item, expectedMs: Math.min(expectedMs, bounds.expectedMs) };
      party.items.push(one);
      upwards(party, (each) => {
        if (each.waiting === 0) catchUp(each);
        each.waiting += 1;
        each.lastMs = now();
      });
      return once(() => void remove(party, one));
    },
    next: (offer) => visit(root, offer),
    partiesIn: (path) => [...(known(path)?.parties.keys() ?? [])],
    usedLately: (path) => {
      const lately = known(path)?.lately;
      return lately === undefined ? 0 : fadedMs(lately, now());
    },
    waiting: (party) => (party === undefined ? root : root.parties.get(party))?.waiting ?? 0,
    clear: () => {
      const all: Item[] = [];
      while (visit(root, (item) => all.push(item)) !== null);
      return all;
    },
  };
}
