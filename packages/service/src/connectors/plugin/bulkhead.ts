import { onEnd } from '../../concurrency/release.ts';
import { createBreaker, type Breaker } from '../../outbound/breaker.ts';
import { PluginFault, type PluginFaultKind } from './fault.ts';

/**
 * Bulkhead: limits the concurrent calls of each plugin. Circuit breaker: pauses the calls of a plugin that keeps
 * failing.
 */
export interface Bulkhead {
  /**
   * Waits for a free slot. Call the returned function to free the slot; if the call failed, pass its fault. Raises
   * PluginFault `busy`, `resting`.
   */
  enter(target: string, signal: AbortSignal): Promise<(fault?: unknown) => void>;
  /** Number of running and waiting calls, for metrics. */
  held(): number;
}

const atOnce = 8;
const mayWait = 32;
const breakAfter = 10;
const pauseMs = 5000;

/** Kinds of faults that count against the plugin. Other faults may concern only one account or query. */
const countsAgainst: ReadonlySet<PluginFaultKind> = new Set<PluginFaultKind>(['timeout', 'unreachable', 'status']);

interface Place {
  readonly breaker: Breaker;
  readonly waiting: (() => void)[];
  taken: number;
}

export function createBulkhead(now: () => number): Bulkhead {
  const places = new Map<string, Place>();
  const placeOf = (target: string): Place => {
    for (const [name, place] of places) {
      if (name !== target && place.taken === 0 && place.waiting.length === 0 && place.breaker.isFresh())
        places.delete(name);
    }
    const existing = places.get(target) ?? {
      breaker: createBreaker({ failures: breakAfter, pauseMs, now }),
      waiting: [],
      taken: 0,
    };
    places.set(target, existing);
    return existing;
  };
  const wait = (place: Place, signal: AbortSignal): Promise<void> => {
    if (place.waiting.length >= mayWait) throw new PluginFault('busy', 'has too many calls waiting for it');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = place.waiting.indexOf(enterPlace);
        if (at >= 0) place.waiting.splice(at, 1);
        reject(new PluginFault('busy', 'answers too slowly: too many calls wait for it'));
      };
      const enterPlace = (): void => {
        unsubscribe();
        resolve();
      };
      place.waiting.push(enterPlace);
      const unsubscribe = onEnd(signal, leave);
    });
  };
  return {
    held: () => [...places.values()].reduce((sum, { taken, waiting }) => sum + taken + waiting.length, 0),
    async enter(target, signal) {
      const place = placeOf(target);
      if (place.taken >= atOnce) await wait(place, signal);
      else place.taken += 1;
      const releasePlace = (): void => {
        // Gives the slot directly to the next waiting call.
        const nextWaiter = place.waiting.shift();
        if (nextWaiter === undefined) place.taken -= 1;
        else nextWaiter();
      };
      if (!place.breaker.admits()) {
        releasePlace();
        throw new PluginFault('resting', 'failed repeatedly and is not called for a moment');
      }
      let isIn = true;
      return (fault) => {
        if (!isIn) return;
        isIn = false;
        if (fault === undefined) place.breaker.succeeded();
        else if (fault instanceof PluginFault && countsAgainst.has(fault.kind)) place.breaker.failed();
        else place.breaker.released();
        releasePlace();
      };
    },
  };
}
