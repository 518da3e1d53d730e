import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObservationKind, Tally } from './kinds.ts';

/** Runtime events that suggest a change of configuration, for the doctor command. */
export interface Observations {
  /** Counts an event. `ms` is its duration, if it has one. */
  readonly note: (kind: ObservationKind, key: string, ms?: number) => void;
  /** Writes new observations to disk. Raises file system errors. */
  readonly save: () => void;
}

/** Maximum number of keys per kind. The least recently noted key is evicted. */
const maxKeys = 500;
const longestKey = 300;
export const observedDays = 7;
const dayMs = 24 * 3_600_000;

/** Collects the observations of an instance in a separate file. */
export function createObservations(folder: string, id: string, now: () => number): Observations {
  const kinds = new Map<ObservationKind, Map<string, Tally>>();
  let isChanged = false;
  const removeOld = (): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (now() - statSync(path).mtimeMs > observedDays * dayMs) rmSync(path, { force: true });
    }
  };
  return {
    note: (kind, key, ms = 0) => {
      if (key.length > longestKey) return;
      const tallies = kinds.get(kind) ?? new Map<string, Tally>();
      kinds.set(kind, tallies);
      const { count, totalMs } = tallies.get(key) ?? { count: 0, totalMs: 0 };
      tallies.delete(key);
      tallies.set(key, { count: count + 1, totalMs: totalMs + ms });
      const [oldest] = tallies.keys();
      if (tallies.size > maxKeys && oldest !== undefined) tallies.delete(oldest);
      isChanged = true;
    },
    save: () => {
      if (!isChanged) return;
      isChanged = false;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${id}.json`);
      const text = JSON.stringify(
        Object.fromEntries([...kinds].map(([kind, tallies]) => [kind, Object.fromEntries(tallies)])),
      );
      writeFileSync(`${path}.part`, text, { mode: 0o600 });
      renameSync(`${path}.part`, path);
      removeOld();
    },
  };
}
