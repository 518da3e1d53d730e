import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { attach } from './database.ts';
import { EngineProblem } from '../engine.ts';
import { maxDescriptors } from '../messages.ts';
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
  /** True after a query detected damage. */
  isDamaged: boolean;
}

/** An open version; call `done` when the query has ended. */
interface OpenVersion {
  readonly version: AttachedVersion;
  readonly done: (isDamaged: boolean) => void;
}

/** Returns the names under which the files of a version are attached. */
export const attachedNames = (path: string, name: string): readonly string[] =>
  partsOf(path).map((_, index, files) => (index === files.length - 1 ? name : `${name}_${index}`));

/** Attaches a version permanently: the own file of the version under this name, its parts under names with this prefix. */
export async function attachVersion(
  connection: DuckDBConnection,
  path: string,
  name: string,
): Promise<AttachedVersion & { readonly parts: readonly string[] }> {
  const files = partsOf(path);
  const names = attachedNames(path, name);
  for (const [index, file] of files.entries()) await attach(connection, file, names[index] ?? name);
  const tables = names.map((entry) => `from ${rowsOf(entry)}`);
  const relation = tables.length === 1 ? rowsOf(name) : `(${tables.join(' union all by name ')})`;
  return { name, relation, texts: createTexts(), parts: names };
}

/**
 * Files that stay attached without readers, by last use. Each occupies a file descriptor, of which a child may open
 * `maxDescriptors`; the rest is for files that statements read and spill.
 */
const maxIdleFiles = maxDescriptors / 4;

/**
 * Dataset versions that stay attached across queries: attached on first use, detached when replaced or least recently
 * used.
 */
export class OpenVersions {
  readonly #connection: DuckDBConnection;
  readonly #maxIdle: number;
  /** Attached files by path, in the order of last use. */
  readonly #files = new Map<string, FileHandle>();
  /** Files being detached, which cannot be reattached until that is done. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  #count = 0;

  constructor(connection: DuckDBConnection, maxIdle = maxIdleFiles) {
    this.#connection = connection;
    this.#maxIdle = maxIdle;
  }

  /**
   * Attaches a version. Reattaches the files of a damaged version, since they may have been replaced by an intact copy.
   * Raises EngineProblem `missing`, and errors of DuckDB.
   */
  async open(path: string): Promise<OpenVersion> {
    const paths = partsOf(path);
    // A deleted file is still readable here while attached, but the list of its parts is gone.
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
    const ownFile = files.at(-1);
    if (ownFile === undefined) throw new Error('a version without a file');
    const { name, texts } = ownFile;
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
    const knownFile = this.#files.get(path);
    if (knownFile === undefined) return this.#attach(path);
    this.#files.delete(path);
    this.#files.set(path, knownFile);
    return knownFile;
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
    const remaining = ready
      .then(async () => {
        await texts.drop(this.#connection);
        await part.drop();
        await this.#connection.run(`detach ${name}`);
      })
      .catch(() => undefined)
      .finally(() => {
        if (this.#leaving.get(path) === remaining) this.#leaving.delete(path);
      });
    this.#leaving.set(path, remaining);
  }

  /** Detaches unused files: those of older versions of a dataset, and the least recently used above the limit. */
  #detachIdle(dataset: string): void {
    let spareFiles = this.#files.size - this.#maxIdle;
    for (const file of this.#files.values()) {
      if (file.readers > 0) continue;
      if (dirname(file.path) === dataset || spareFiles > 0) this.#detach(file);
      spareFiles -= 1;
    }
  }
}
