import { StoreUnavailable } from './store.ts';

/** Lends links, the least loaded first. Who waits longer than the patience is refused and no longer served. */
export interface LinkPool<Link> {
  /** Raises StoreUnavailable. */
  take(): Promise<Link>;
  give(link: Link): void;
}

/** `capacity`: how many may use one link at the same time. */
export function linkPool<Link>(links: readonly Link[], capacity: number, patienceMs: number): LinkPool<Link> {
  const load = new Map(links.map((link) => [link, 0]));
  const waiting = new Set<(link: Link) => void>();

  const lend = (): Link | undefined => {
    let chosen: Link | undefined;
    let least = capacity;
    for (const [link, used] of load) {
      if (used < least) {
        chosen = link;
        least = used;
      }
    }
    if (chosen !== undefined) load.set(chosen, least + 1);
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
      return (waiting.size === 0 ? lend() : undefined) ?? wait();
    },
    give(link) {
      load.set(link, (load.get(link) ?? 1) - 1);
      const [first] = waiting;
      const lent = first === undefined ? undefined : lend();
      if (first === undefined || lent === undefined) return;
      waiting.delete(first);
      first(lent);
    },
  };
}
