import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ending = /\.duckdb$/u;

/** Where the names of those versions are listed whose rows come before the ones in a version's own file. */
export const partsPath = (path: string): string => path.replace(ending, '.parts');

/** The list of parts as it is written, of the paths of their files. */
export const partsText = (paths: readonly string[]): string =>
  JSON.stringify(paths.map((path) => basename(path).replace(ending, '')));

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * The files of a version in the order of their rows, its own one last. The list is there before the file of its version and as long as
 * that is: where there is none, the version is one file.
 */
export function partsOf(path: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(partsPath(path), 'utf8'));
    const list = Array.isArray(names) ? names : [];
    return [...list.map((name) => join(dirname(path), `${String(name)}.duckdb`)), path];
  } catch (error) {
    if (isMissing(error)) return [path];
    throw error;
  }
}
