import { recent, type RecentMap } from '../../store/recent.ts';
import type { Store } from '../../store/store.ts';

const kept = 1000;
const caches = new WeakMap<Store<never, unknown>, RecentMap<string, string>>();

/** The cache of what a store said about keys, word for word: what to guess, never what to believe. */
export function factsCacheOf(store: Store<never, unknown>): RecentMap<string, string> {
  const held = caches.get(store) ?? recent<string, string>(kept);
  caches.set(store, held);
  return held;
}
