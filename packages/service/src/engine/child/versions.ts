import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { attach } from './database.ts';
import { EngineProblem } from '../engine.ts';
import { mostDescriptors } from '../messages.ts';
import { partsOf } from '../versions/parts.ts';
import { createPartTexts, rowsOf, rowsOfParts, type PartTexts } from './parts.ts';
import { createTexts, type Texts, type VersionRows } from './same.ts';

/** An attached version. */
export interface AttachedVersion extends VersionRows {
  readonly texts: Texts;
}

interface FileHandle {
  readonly path: string;
  readonly name: string;
  readonly ready: Promise<unknown>;
  readonly texts: Texts;
  readonly part: PartTexts;
  readers: number;
  /** A query found it damaged. */
  isSpoilt: boolean;
}

/** Names under which the files of a version are attached. */
export const attachedNames = (path: string, name: string): readonly string[] =>
  partsOf(path).map((_, index, files) => (index === files.length - 1 ? name : `${name}_${index}`));

/** Attaches a version for good, its own file under this name and its parts under names that begin with it. */
export async function attachVersion(
  connection: DuckDBConnection,
  path: string,
  name: string,
): Promise<AttachedVersion & { readonly parts: readonly string[] }> {
  const files = partsOf(path);
  const names = attachedNames(path, name);
  for (const [index, file] of files.entries()) await attach(connection, file, names[index] ?? name);
  const tables = names.map((one) => `from ${rowsOf(one)}`);
  const relation = tables.length === 1 ? rowsOf(name) : `(${tables.join(' union all by name ')})`;
  return { name, relation, texts: createTexts(), parts: names };
}

/**
 * Files that stay attached while nobody reads them, the last read ones: each holds a descriptor, of which a child may open
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
  /**
   * The attached version, and what to call when the query is over; after damage its files are attached anew, for a whole copy may
   * be there by then. Raises EngineProblem `missing`, and what DuckDB raises.
   */
  readonly open: (
    path: string,
  ) => Promise<{ readonly version: AttachedVersion; readonly done: (isDamaged: boolean) => void }>;
} {
  // In the order of their last query.
  const held = new Map<string, FileHandle>();
  /** Files that are being detached, which cannot be attached before that is over. */
  const leaving = new Map<string, Promise<unknown>>();
  let number = 0;

  const open = (path: string): FileHandle => {
    const known = held.get(path);
    if (known !== undefined) {
      held.delete(path);
      held.set(path, known);
      return known;
    }
    const name = `v${(number += 1)}`;
    const ready = (leaving.get(path) ?? Promise.resolve()).then(() => attach(connection, path, name));
    const one: FileHandle = {
      path,
      name,
      ready,
      texts: createTexts(),
      part: createPartTexts(connection, name),
      readers: 0,
      isSpoilt: false,
    };
    held.set(path, one);
    one.ready.catch(() => {
      if (held.get(path) === one) held.delete(path);
    });
    return one;
  };
  const detach = ({ path, name, texts, part, ready }: FileHandle): void => {
    held.delete(path);
    const left = ready
      .then(async () => {
        await texts.drop(connection);
        await part.drop();
        await connection.run(`detach ${name}`);
      })
      .catch(() => undefined)
      .finally(() => {
        if (leaving.get(path) === left) leaving.delete(path);
      });
    leaving.set(path, left);
  };
  /** Detaches what nobody reads: what is left of older versions of a dataset, and files longest unused where there are too many. */
  const detachIdle = (dataset: string): void => {
    let spare = held.size - most;
    for (const other of held.values()) {
      if (other.readers > 0) continue;
      if (dirname(other.path) === dataset || spare > 0) detach(other);
      spare -= 1;
    }
  };
  return {
    open: async (path) => {
      const paths = partsOf(path);
      // A file that is removed stays open here, and the list of its parts is gone after it.
      if (!existsSync(path)) throw new EngineProblem('missing');
      const files = paths.map(open);
      const own = files.at(-1);
      if (own === undefined) throw new Error('a version without a file');
      const count = (by: number): void => {
        for (const file of files) file.readers += by;
      };
      count(1);
      try {
        await Promise.all(files.map(({ ready }) => ready));
        detachIdle(dirname(path));
        const { name, texts } = own;
        const relation = await rowsOfParts(files.map((file) => ({ name: file.name, texts: file.part })));
        return {
          version: { name, relation, texts },
          done: (isDamaged) => {
            count(-1);
            for (const file of files) {
              file.isSpoilt ||= isDamaged;
              if (file.isSpoilt && file.readers === 0 && held.get(file.path) === file) detach(file);
            }
          },
        };
      } catch (error) {
        count(-1);
        throw error;
      }
    },
  };
}
