import type { Caller } from '../access/caller.ts';
import { createRecentCosts } from '../concurrency/recent-costs.ts';
import { callOnce } from '../concurrency/release.ts';
import { NoFreePlace } from '../problems/problem.ts';

/** The caller of a request. */
export type AdmittedCaller = Pick<Caller, 'organizationId' | 'authorizationId'>;

/** Where a query runs: in the engine, or at the source with this key. */
export type QueuePlace = 'engine' | `source ${string}`;

/** The queries of an admitted request, which reports their progress with these functions. */
export interface AdmittedQueries {
  /** Call with the place where a query ran and the time that it took there without waiting, in ms; 0 if it did not run. */
  readonly ran: (place: QueuePlace, ms: number) => void;
  /** Call with the index of a query that has been answered. */
  readonly answered: (index: number) => void;
  /** Call when the request waits for no further answers. */
  readonly end: () => void;
}

/** Number of statements that run and wait in a place. */
export interface PlaceLoad {
  readonly running: number;
  readonly waiting: number;
}

export interface AdmissionOptions {
  /** Maximum expected wait of a request for its last answer, in ms. A request that would wait longer is refused. */
  readonly waitMs: number;
  readonly engineLoad: () => PlaceLoad;
  /** Number of statements that run at a source at the same time. */
  readonly sourceSize: number;
  /** Monotonic clock in ms. */
  readonly now: () => number;
}

/**
 * A caller counts as recent for this long after a request, which is how long people are assumed to look at an answer.
 */
const visitMs = 60_000;
const maxVisitors = 10_000;
/**
 * Share of the maximum wait that other callers may cause for a new caller. With the whole wait for everyone and three
 * times as many viewers as the service can serve, every viewer got the first charts, but hardly anyone got them again
 * after a filter change.
 */
const newcomerShare = 1 / 8;

/** Weight of the latest request in the moving average, and upper limit of the ratio of a single request. */
const [latenessWeight, maxLateness] = [0.2, 10];

/**
 * Moving average of the ratio of actual to expected duration of requests. The ratio exceeds 1 because other programs
 * take processor time, and because callers that arrive later may have earlier turns.
 */
class Lateness {
  #factor = 1;

  get factor(): number {
    return this.#factor;
  }

  learn(expectedMs: number, tookMs: number): void {
    if (expectedMs <= 0) return;
    const lateness = Math.min(maxLateness, Math.max(1, tookMs / expectedMs));
    this.#factor += latenessWeight * (lateness - this.#factor);
  }
}

/** Remembers when each caller's last request was admitted. */
class Visitors {
  readonly #now: () => number;
  readonly #last = new Map<string, number>();
  constructor(now: () => number) {
    this.#now = now;
  }

  isHere(caller: string): boolean {
    return this.#now() - (this.#last.get(caller) ?? -Infinity) < visitMs;
  }

  came(caller: string): void {
    this.#last.delete(caller);
    this.#last.set(caller, this.#now());
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxVisitors && oldest !== undefined) this.#last.delete(oldest);
  }
}

const maxRetryAfterS = 30;

interface ExpectedWait {
  readonly allMs: number;
  readonly othersMs: number;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, value) => total + value, 0);

/**
 * Returns the time until one's own work ends if all callers take turns. Each other caller delays the end by at most the
 * duration of one's own work.
 */
const withTurns = (ownMs: number, othersMs: readonly number[]): number =>
  ownMs + sum(othersMs.map((otherMs) => Math.min(otherMs, ownMs)));

const kindsOf = ({ organizationId, authorizationId }: AdmittedCaller): readonly string[] => [
  `${organizationId} ${authorizationId}`,
  organizationId,
  '',
];

/** The pending queries of one place, and what they are expected to cost. */
class PlaceQueue {
  readonly costs = createRecentCosts();
  readonly lateness = new Lateness();
  readonly #load: (pending: number) => PlaceLoad;
  /** Number of pending queries by organization and caller. */
  readonly #organizations = new Map<string, Map<string, number>>();

  constructor(load: (pending: number) => PlaceLoad) {
    this.#load = load;
  }

  /** Number of admitted queries that have no answer yet. */
  get pending(): number {
    return sum([...this.#organizations.values()].flatMap((callers) => [...callers.values()]));
  }

  change({ organizationId, authorizationId }: AdmittedCaller, by: number): void {
    const callers = this.#organizations.get(organizationId) ?? new Map<string, number>();
    const remaining = (callers.get(authorizationId) ?? 0) + by;
    if (remaining > 0) callers.set(authorizationId, remaining);
    else callers.delete(authorizationId);
    if (callers.size > 0) this.#organizations.set(organizationId, callers);
    else this.#organizations.delete(organizationId);
  }

  /** Estimates how long a request would wait for its last answer, and which part of the wait other callers cause. */
  expected(caller: AdmittedCaller, queries: number): ExpectedWait {
    const { running, waiting } = this.#load(this.pending);
    if (waiting === 0) return { allMs: 0, othersMs: 0 };
    const backlogs = [...this.#organizations].map(([organizationId, callers]) => ({
      isOwn: organizationId === caller.organizationId,
      callers: [...callers].map(([authorizationId, count]) => ({
        isOwn: authorizationId === caller.authorizationId,
        ms: this.#pendingMs({ organizationId, authorizationId }, count),
      })),
    }));
    const colleagues = backlogs.flatMap(({ isOwn, callers }) => (isOwn ? callers : []));
    const ownTimes = colleagues.filter(({ isOwn }) => isOwn).map(({ ms }) => ms);
    const colleagueTimes = colleagues.filter(({ isOwn }) => !isOwn).map(({ ms }) => ms);
    const ownMs = this.#pendingMs(caller, queries) + sum(ownTimes);
    const others = backlogs.flatMap(({ isOwn, callers }) => (isOwn ? [] : [sum(callers.map(({ ms }) => ms))]));
    const allMs = withTurns(withTurns(ownMs, colleagueTimes), others);
    return { allMs: allMs / Math.max(1, running), othersMs: (allMs - ownMs) / Math.max(1, running) };
  }

  #pendingMs(caller: AdmittedCaller, queries: number): number {
    return queries * (this.costs.of(kindsOf(caller)) ?? 0);
  }
}

/** Maximum number of sources whose costs are remembered. */
const maxPlaces = 1000;

/** Returns the load of a source: as many of its pending queries run as it has sessions. */
const loadOfSource =
  (size: number) =>
  (pending: number): PlaceLoad => ({ running: Math.min(size, pending), waiting: Math.max(0, pending - size) });

/**
 * Admits a request with all its queries if the expected wait is short enough, in the engine and at each source. The
 * expected wait is calculated from the recent times of callers: callers of an organization take turns, as do
 * organizations. If a place is busy, new callers are refused before recent callers.
 * specification/data-queries#when-the-service-is-busy
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #visitors: Visitors;
  readonly #places = new Map<QueuePlace, PlaceQueue>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#visitors = new Visitors(options.now);
  }

  /** Number of admitted queries that have no answer yet. */
  get pending(): number {
    return sum([...this.#places.values()].map(({ pending }) => pending));
  }

  /** Admits a request with a query in each of these places. Raises NoFreePlace, which says when to retry. */
  admit(caller: AdmittedCaller, places: readonly QueuePlace[]): AdmittedQueries {
    const { now } = this.#options;
    const shares = new Map(
      [...Map.groupBy(places, (place) => place)].map(([place, { length }]) => {
        const queue = this.#queueOf(place);
        return [place, { queue, remaining: length, estimate: queue.expected(caller, length) }];
      }),
    );
    for (const { queue, estimate } of shares.values()) this.#refuseOverload(caller, estimate, queue.lateness.factor);
    this.#visitors.came(caller.authorizationId);
    const beganMs = now();
    for (const { queue, remaining } of shares.values()) queue.change(caller, remaining);
    const unanswered = new Map(places.entries());
    return {
      ran: (place, ms) => this.#queueOf(place).costs.learn(kindsOf(caller), ms),
      answered: (index) => {
        const place = unanswered.get(index);
        const share = place === undefined ? undefined : shares.get(place);
        if (share === undefined) return;
        unanswered.delete(index);
        share.queue.change(caller, -1);
        share.remaining -= 1;
        if (share.remaining === 0) share.queue.lateness.learn(share.estimate.allMs, now() - beganMs);
      },
      end: callOnce(() => {
        for (const place of unanswered.values()) shares.get(place)?.queue.change(caller, -1);
        unanswered.clear();
      }),
    };
  }

  #queueOf(place: QueuePlace): PlaceQueue {
    const { engineLoad, sourceSize } = this.#options;
    const queue = this.#places.get(place) ?? new PlaceQueue(place === 'engine' ? engineLoad : loadOfSource(sourceSize));
    this.#places.delete(place);
    this.#places.set(place, queue);
    for (const [oldest, { pending }] of this.#places) {
      if (this.#places.size <= maxPlaces) break;
      if (pending === 0) this.#places.delete(oldest);
    }
    return queue;
  }

  #refuseOverload({ authorizationId }: AdmittedCaller, estimate: ExpectedWait, factor: number): void {
    const { waitMs } = this.#options;
    const [allMs, othersMs] = [estimate.allMs * factor, estimate.othersMs * factor];
    const isFull = !this.#visitors.isHere(authorizationId) && othersMs > waitMs * newcomerShare;
    if (allMs <= waitMs && !isFull) return;
    const retryAfterS = Math.ceil((isFull ? othersMs : allMs - waitMs / 2) / 1000);
    throw new NoFreePlace({ retryAfterS: Math.min(maxRetryAfterS, Math.max(1, retryAfterS)) });
  }
}
