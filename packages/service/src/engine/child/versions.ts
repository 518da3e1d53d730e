import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { attach } from './database.ts';
import { textsOf, type Texts } from './same.ts';

/** A version as it is attached: its name, and its columns of text. */
export interface Attached {
  readonly name: string;
  readonly texts: Texts;
}

interface Held {
  readonly path: string;
  readonly ready: Promise<Attached>;
  readers: number;
}

/** Attaches a version under a name. */
export async function attachVersion(connection: DuckDBConnection, path: string, name: string): Promise<Attached> {
  await attach(connection, path, name);
  return { name, texts: await textsOf(connection, name) };
}

/** The dataset versions that a child holds open across queries: attached at the first, detached once replaced. */
export function createVersions(connection: DuckDBConnection): {
  /** The attached version, and what to call when the query is over. */
  readonly open: (path: string) => Promise<{ readonly version: Attached; readonly done: () => void }>;
} {
  const held = new Map<string, Held>();
  let number = 0;

  const open = (path: string): Held => {
    const known = held.get(path);
    if (known !== undefined) return known;
    const name = `v${(number += 1)}`;
    const one: Held = { path, ready: attachVersion(connection, path, name), readers: 0 };
    held.set(path, one);
    one.ready.catch(() => held.delete(path));
    return one;
  };
  /** An older version of the same dataset that nobody reads; what a query finds detached it attaches again. */
  const detachReplaced = async (by: Held): Promise<void> => {
    for (const other of held.values()) {
      if (other === by || other.readers > 0 || dirname(other.path) !== dirname(by.path)) continue;
      held.delete(other.path);
      await other.ready.then(({ name }) => connection.run(`detach ${name}`)).catch(() => undefined);
    }
  };
  return {
    open: async (path) => {
      const one = open(path);
      one.readers += 1;
      try {
        const version = await one.ready;
        void detachReplaced(one);
        return { version, done: () => (one.readers -= 1) };
      } catch (error) {
        one.readers -= 1;
        throw error;
      }
    },
  };
}
