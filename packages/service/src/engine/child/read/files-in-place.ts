import { access, constants, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EngineProblem, type FilesSource } from '../../engine.ts';
import { literals } from '../quote.ts';
import { linesOfJson } from './lines-of-json.ts';
import { csvNames, dialectOf, plainCsv, type PlainCsv } from './read-file.ts';

/** Files ready to be read in place. */
export interface OpenFiles {
  /** Returns the relation that reads the files of a source. */
  readonly relationOf: (source: FilesSource) => string;
  /** Paths that DuckDB may open. */
  readonly paths: readonly string[];
  readonly close: () => Promise<void>;
}

/** Result of scanning a CSV file, kept until the file changes. */
interface KnownCsv {
  /** Identifies the state of the file: it changes when the file changes. */
  readonly stamp: string;
  readonly plain: PlainCsv;
}

const maxKnown = 10_000;

const relations = {
  parquet: (paths) => `read_parquet(${paths}, union_by_name = true)`,
  ndjson: (paths) => `read_json(${paths}, ${linesOfJson}, union_by_name = true)`,
} as const satisfies Partial<Record<FilesSource['format'], (paths: string) => string>>;

const csvOptions = ({ form, end }: PlainCsv): string =>
  [...dialectOf(form, end), `names = ${literals(csvNames(form, null))}`, 'union_by_name = true'].join(', ');

/**
 * Reads files of the same format and header in one call, so that DuckDB infers types from all of them, and thousands of
 * files need little memory.
 */
function csvRelation(files: readonly PlainCsv[]): string {
  const reads = [...Map.groupBy(files, csvOptions)].map(
    ([options, files]) => `read_csv(${literals(files.map(({ path }) => path))}, ${options})`,
  );
  return reads.length === 1 ? (reads[0] ?? '') : `(from ${reads.join(' union all by name from ')})`;
}

/** Raises EngineProblem `input` that names the first file that cannot be read. */
async function mustBeReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await access(path, constants.R_OK).catch(() => {
      throw new EngineProblem('input', `${basename(path)} is gone, or the user of the service may not read it`);
    });
}

/**
 * Prepares files of an operator for reading in place. Detects the format of a CSV file from all its bytes. Never
 * modifies these files: converts a file in an unsupported format to a copy.
 */
export class FilesInPlace {
  readonly #folder: string;
  readonly #known = new Map<string, KnownCsv>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Raises EngineProblem `input` that names file, line and column. */
  async open(sources: readonly FilesSource[]): Promise<OpenFiles> {
    const bySource = new Map<FilesSource, string>();
    const paths: string[] = [];
    const copies: string[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(copies.map((path) => rm(path, { force: true })));
    };
    try {
      for (const source of sources) {
        await mustBeReadable(source.paths);
        paths.push(...source.paths);
        if (source.format !== 'csv') {
          bySource.set(source, relations[source.format](literals(source.paths)));
          continue;
        }
        const plainFiles: PlainCsv[] = [];
        for (const path of source.paths) {
          const copy = join(this.#folder, `csv-${copies.length}`);
          copies.push(`${copy}.utf8`, `${copy}.csv`);
          const plainFile = await this.#plain(path, copy);
          if (plainFile.path !== path) paths.push(plainFile.path);
          plainFiles.push(plainFile);
        }
        bySource.set(source, csvRelation(plainFiles));
      }
    } catch (error) {
      await close();
      throw error;
    }
    return { relationOf: (source) => bySource.get(source) ?? '', paths, close };
  }

  async #plain(path: string, copy: string): Promise<PlainCsv> {
    const { size, ctimeMs, ino } = await stat(path);
    // Copying programs may restore mtime, but never ctime.
    const stamp = `${ino} ${size} ${ctimeMs}`;
    const knownFile = this.#known.get(path);
    if (knownFile?.stamp === stamp) return knownFile.plain;
    const plainFile = await plainCsv({ path, charset: null, header: null, names: null }, copy, true).catch(
      (error: unknown) => {
        throw error instanceof EngineProblem && error.cause === 'input'
          ? new EngineProblem('input', `${basename(path)}, ${error.detail ?? ''}`)
          : error;
      },
    );
    if (this.#known.size >= maxKnown) this.#known.clear();
    if (plainFile.path === path) this.#known.set(path, { stamp, plain: plainFile });
    return plainFile;
  }
}
