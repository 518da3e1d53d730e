import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { attach } from './database.ts';
import { mostDescriptors } from '../messages.ts';
import { textsOf, type Texts } from './same.ts';

/** A version as it is attached: its name, and what is known of its columns of text. */
export interface AttachedVersion {
  readonly name: string;
  readonly texts: Texts;
}

interface VersionHandle {
  readonly path: string;
  readonly ready: Promise<AttachedVersion>;
  readers: number;
}

/** Attaches a version under a name. */
export async function attachVersion(
  connection: DuckDBConnection,
  path: string,
  name: string,
): Promise<AttachedVersion> {
  await attach(connection, path, name);
  return { name, texts: textsOf(name) };
}

/**
 * Versions that stay attached while nobody reads them, the last read ones: each holds a file open, of which a child may open
 * `mostDescriptors`. The rest is for what statements read and spill.
 */
const mostIdle = mostDescriptors / 4;

/**
 * The dataset versions that a child holds open across queries: attached at the first, detached once replaced, or where many
 * others were read since.
 */
export function createVersions(
  connection: DuckDBConnection,
  most = mostIdle,
): {
  /** The attached version, and what to call when the query is over. */
  readonly open: (path: string) => Promise<{ readonly version: AttachedVersion; readonly done: () => void }>;
} {
  // In the order of their last query.
  const held = new Map<string, VersionHandle>();
  /** Files that are being detached, which cannot be attached before that is over. */
  const leaving = new Map<string, Promise<unknown>>();
  let number = 0;

  const open = (path: string): VersionHandle => {
    const known = held.get(path);
    if (known !== undefined) {
      held.delete(path);
      held.set(path, known);
      return known;
    }
    const name = `v${(number += 1)}`;
    const ready = (leaving.get(path) ?? Promise.resolve()).then(() => attachVersion(connection, path, name));
    const one: VersionHandle = { path, ready, readers: 0 };
    held.set(path, one);
    one.ready.catch(() => {
      if (held.get(path) === one) held.delete(path);
    });
    return one;
  };
  const detach = ({ path, ready }: VersionHandle): void => {
    held.delete(path);
    const left = ready
      .then(async ({ name, texts }) => {
        await texts.drop(connection);
        await connection.run(`detach ${name}`);
      })
      .catch(() => undefined)
      .finally(() => {
        if (leaving.get(path) === left) leaving.delete(path);
      });
    leaving.set(path, left);
  };
  /** Detaches what nobody reads: older versions of the same dataset, and those longest unused where there are too many. */
  const detachIdle = (by: VersionHandle): void => {
    let spare = held.size - most;
    for (const other of held.values()) {
      if (other === by || other.readers > 0) continue;
      const isReplaced = dirname(other.path) === dirname(by.path);
      if (isReplaced || spare > 0) detach(other);
      spare -= 1;
    }
  };
  return {
    open: async (path) => {
      const one = open(path);
      one.readers += 1;
      try {
        const version = await one.ready;
        detachIdle(one);
        return { version, done: () => (one.readers -= 1) };
      } catch (error) {
        one.readers -= 1;
        throw error;
      }
    },
  };
}
