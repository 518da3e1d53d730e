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
  /** True after a query found that the file is damaged. */
  isDamaged: boolean;
}

/** An open version; call `done` when the query has ended. */
interface OpenVersion {
  readonly version: AttachedVersion;
  readonly done: (isDamaged: boolean) => void;
}

/** Returns the names under which the files of a version are attached, in the order of their rows. */
export const attachedNames = (path: string, name: string): readonly string[] =>
  partsOf(path).map((_, index, files) => (index === files.length - 1 ? name : `${name}_${index}`));

/**
 * Attaches a version permanently. The version's own file is attached under `name`, its parts under names with that
 * prefix.
 */
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
 * Number of files that stay attached without readers; the most recently used files stay. Each file occupies a file
 * descriptor. A child may open `maxDescriptors`, but statements need most of them for files that they read and spill.
 */
const maxIdleFiles = maxDescriptors / 4;

/**
 * Dataset versions that stay attached across queries. A version is attached on first use. It is detached when a newer
 * version replaces it, or when too many files are attached and it was used least recently.
 */
export class OpenVersions {
  readonly #connection: DuckDBConnection;
  readonly #maxIdle: number;
  /** Attached files by path, in the order of last use. */
  readonly #files = new Map<string, FileHandle>();
  /** Files that are being detached. A file can be attached again only when this is done. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  #count = 0;

  constructor(connection: DuckDBConnection, maxIdle = maxIdleFiles) {
    this.#connection = connection;
    this.#maxIdle = maxIdle;
  }

  /**
   * Attaches a version. A damaged file is attached anew once its readers have ended, since an intact copy may have
   * replaced it. Raises EngineProblem `missing`, and errors of DuckDB.
   */
  async open(path: string): Promise<OpenVersion> {
    const paths = partsOf(path);
    // DuckDB can still read a deleted file that is attached. But the list of the version's parts is deleted too.
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

  /**
   * Detaches files without readers: files of other versions of the dataset, and if too many files are attached, those
   * used least recently.
   */
  #detachIdle(dataset: string): void {
    let spareFiles = this.#files.size - this.#maxIdle;
    for (const file of this.#files.values()) {
      if (file.readers > 0) continue;
      if (dirname(file.path) === dataset || spareFiles > 0) this.#detach(file);
      spareFiles -= 1;
    }
  }
}
