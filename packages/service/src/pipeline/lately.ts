import { recent, type Recent } from '../store/recent.ts';
import type { Store } from '../store/store.ts';

const kept = 1000;
const known = new WeakMap<Store<never, unknown>, Recent<string, string>>();

/** What a store said lately about keys, word for word: what to guess, never what to believe. */
export function latelyOf(store: Store<never, unknown>): Recent<string, string> {
  const held = known.get(store) ?? recent<string, string>(kept);
  known.set(store, held);
  return held;
}
