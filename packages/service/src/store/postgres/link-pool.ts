import { createExpectedWait } from '../../concurrency/expected-wait.ts';
import { StoreBusy, StoreUnavailable } from '../store.ts';

/**
 * Lends links, the least loaded first. Whoever is expected to wait too long is refused at once, and whoever still waits after
 * `patienceMs` is refused then.
 */
export interface LinkPool<Link> {
  /** Raises StoreBusy, StoreUnavailable. */
  take(): Promise<Link>;
  give(link: Link): void;
}

/**
 * `capacity`: how many may use one link at the same time. `longestWaitMs`: how long somebody may be expected to wait. `together`: how many who ask in one turn of the event loop get the
 * same one, since what is said to a link in one turn is sent at once.
 */
export function linkPool<Link>(
  links: readonly Link[],
  {
    capacity,
    patienceMs,
    longestWaitMs,
    together = 1,
  }: { capacity: number; patienceMs: number; longestWaitMs: number; together?: number },
): LinkPool<Link> {
  const load = new Map(links.map((link) => [link, 0]));
  const waiting = new Set<(link: Link) => void>();
  const expected = createExpectedWait();
  let lately: { readonly link: Link; left: number } | undefined;

  const again = (): Link | undefined => {
    if (lately === undefined || lately.left === 0) return undefined;
    const { link } = lately;
    const used = load.get(link) ?? capacity;
    if (used >= capacity) return undefined;
    lately.left -= 1;
    load.set(link, used + 1);
    return link;
  };

  const lend = (): Link | undefined => {
    const same = again();
    if (same !== undefined) return same;
    let chosen: Link | undefined;
    let least = capacity;
    for (const [link, used] of load) {
      if (used < least) {
        chosen = link;
        least = used;
      }
    }
    if (chosen === undefined) return undefined;
    load.set(chosen, least + 1);
    if (together > 1) {
      if (lately === undefined) setImmediate(() => (lately = undefined));
      lately = { link: chosen, left: together - 1 };
    }
    return chosen;
  };

  const wait = (): Promise<Link> =>
    new Promise((resolve, reject) => {
      const serve = (link: Link): void => {
        clearTimeout(timer);
        resolve(link);
      };
      const timer = setTimeout(() => {
        waiting.delete(serve);
        reject(new StoreUnavailable('no link to the store became free in time'));
      }, patienceMs);
      waiting.add(serve);
    });

  return {
    async take() {
      if (waiting.size === 0) {
        const link = lend();
        if (link !== undefined) return link;
        expected.begin();
      }
      if (expected.behindMs(waiting.size) > longestWaitMs) throw new StoreBusy('too many are waiting for a connection');
      return wait();
    },
    give(link) {
      load.set(link, (load.get(link) ?? 1) - 1);
      const [first] = waiting;
      const lent = first === undefined ? undefined : lend();
      if (first === undefined || lent === undefined) return;
      waiting.delete(first);
      expected.started();
      first(lent);
    },
  };
}
