import { recent, type Recent } from '../../store/recent.ts';
import type { Store } from '../../store/store.ts';

const kept = 1000;
const caches = new WeakMap<Store<never, unknown>, Recent<string, string>>();

/** The cache of what a store said about keys, word for word: what to guess, never what to believe. */
export function factsCacheOf(store: Store<never, unknown>): Recent<string, string> {
  const held = caches.get(store) ?? recent<string, string>(kept);
  caches.set(store, held);
  return held;
}
