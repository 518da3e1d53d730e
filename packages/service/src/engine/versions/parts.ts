import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject, textOr } from '@inlay/contract';

const ending = /\.duckdb$/u;

/** Where the names of those versions are listed whose rows come before the ones in a version's own file. */
export const partsPath = (path: string): string => path.replace(ending, '.parts');

/** A file of a version that lists it, and its rows. */
export interface VersionPart {
  readonly path: string;
  readonly rows: number;
}

/** The list of parts as it is written. */
export const partsText = (parts: readonly VersionPart[]): string =>
  JSON.stringify(parts.map(({ path, rows }) => ({ version: basename(path).replace(ending, ''), rows })));

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * The parts of a version whose rows come before those in its own file, in the order of their rows. Their list is there before the file
 * of the version and as long as that is: where there is none, the version is one file.
 */
export function listedParts(path: string): readonly VersionPart[] {
  try {
    const list: unknown = JSON.parse(readFileSync(partsPath(path), 'utf8'));
    return (Array.isArray(list) ? list : []).flatMap((part: unknown) =>
      isObject(part)
        ? [{ path: join(dirname(path), `${textOr(part['version'], '')}.duckdb`), rows: Number(part['rows']) }]
        : [],
    );
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The files of a version in the order of their rows, its own one last. */
export const partsOf = (path: string): readonly string[] => [...listedParts(path).map((part) => part.path), path];
