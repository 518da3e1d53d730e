import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { attach } from './database.ts';

interface Held {
  readonly path: string;
  readonly ready: Promise<string>;
  readers: number;
}

/** The dataset versions that a child holds open across queries: attached at the first, detached once replaced. */
export function createVersions(connection: DuckDBConnection): {
  /** Name of the attached version, and what to call when the query is over. */
  readonly open: (path: string) => Promise<{ readonly name: string; readonly done: () => void }>;
} {
  const held = new Map<string, Held>();
  let number = 0;

  const open = (path: string): Held => {
    const known = held.get(path);
    if (known !== undefined) return known;
    const name = `v${(number += 1)}`;
    const one: Held = { path, ready: attach(connection, path, name).then(() => name), readers: 0 };
    held.set(path, one);
    one.ready.catch(() => held.delete(path));
    return one;
  };
  /** An older version of the same dataset that nobody reads; what a query finds detached it attaches again. */
  const detachReplaced = async (by: Held): Promise<void> => {
    for (const other of held.values()) {
      if (other === by || other.readers > 0 || dirname(other.path) !== dirname(by.path)) continue;
      held.delete(other.path);
      await other.ready.then((name) => connection.run(`detach ${name}`)).catch(() => undefined);
    }
  };
  return {
    open: async (path) => {
      const one = open(path);
      one.readers += 1;
      try {
        const name = await one.ready;
        void detachReplaced(one);
        return { name, done: () => (one.readers -= 1) };
      } catch (error) {
        one.readers -= 1;
        throw error;
      }
    },
  };
}
