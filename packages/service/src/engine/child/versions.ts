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
  isDamaged: boolean;
}

/** An open version, and what to call when its query is over. */
interface OpenVersion {
  readonly version: AttachedVersion;
  readonly done: (isDamaged: boolean) => void;
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
export class OpenVersions {
  readonly #connection: DuckDBConnection;
  readonly #maxIdle: number;
  /** By path, in the order of their last query. */
  readonly #files = new Map<string, FileHandle>();
  /** Files that are being detached, which cannot be attached before that is over. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  #count = 0;

  constructor(connection: DuckDBConnection, maxIdle = mostIdle) {
    this.#connection = connection;
    this.#maxIdle = maxIdle;
  }

  /**
   * Attaches a version. After damage its files are attached anew, since a whole copy may be there by then. Raises EngineProblem `missing`,
   * and what DuckDB raises.
   */
  async open(path: string): Promise<OpenVersion> {
    const paths = partsOf(path);
    // A file that is removed stays open here, and the list of its parts is gone after it.
    if (!existsSync(path)) throw new EngineProblem('missing');
    const files = paths.map((part) => this.#handleOf(part));
    for (const file of files) file.readers += 1;
    try {
      await Promise.all(files.map(({ ready }) => ready));
      this.#detachIdle(dirname(path));
      return { version: await this.#versionOf(files), done: (isDamaged) => this.#close(files, isDamaged) };
    } catch (error) {
      for (const file of files) file.readers -= 1;
      throw error;
    }
  }

  async #versionOf(files: readonly FileHandle[]): Promise<AttachedVersion> {
    const own = files.at(-1);
    if (own === undefined) throw new Error('a version without a file');
    const { name, texts } = own;
    const relation = await rowsOfParts(files.map((file) => ({ name: file.name, texts: file.part })));
    return { name, relation, texts };
  }

  #close(files: readonly FileHandle[], isDamaged: boolean): void {
    for (const file of files) file.readers -= 1;
    for (const file of files) {
      file.isDamaged ||= isDamaged;
      if (file.isDamaged && file.readers === 0 && this.#files.get(file.path) === file) this.#detach(file);
    }
  }

  #handleOf(path: string): FileHandle {
    const known = this.#files.get(path);
    if (known === undefined) return this.#attach(path);
    this.#files.delete(path);
    this.#files.set(path, known);
    return known;
  }

  #attach(path: string): FileHandle {
    this.#count += 1;
    const name = `v${this.#count}`;
    const file: FileHandle = {
      path,
      name,
      ready: (this.#leaving.get(path) ?? Promise.resolve()).then(() => attach(this.#connection, path, name)),
      texts: createTexts(),
      part: createPartTexts(this.#connection, name),
      readers: 0,
      isDamaged: false,
    };
    this.#files.set(path, file);
    file.ready.catch(() => {
      if (this.#files.get(path) === file) this.#files.delete(path);
    });
    return file;
  }

  #detach({ path, name, texts, part, ready }: FileHandle): void {
    this.#files.delete(path);
    const left = ready
      .then(async () => {
        await texts.drop(this.#connection);
        await part.drop();
        await this.#connection.run(`detach ${name}`);
      })
      .catch(() => undefined)
      .finally(() => {
        if (this.#leaving.get(path) === left) this.#leaving.delete(path);
      });
    this.#leaving.set(path, left);
  }

  /** Detaches what nobody reads: older versions of a dataset, and the files longest unused where there are too many. */
  #detachIdle(dataset: string): void {
    let spare = this.#files.size - this.#maxIdle;
    for (const file of this.#files.values()) {
      if (file.readers > 0) continue;
      if (dirname(file.path) === dataset || spare > 0) this.#detach(file);
      spare -= 1;
    }
  }
}
