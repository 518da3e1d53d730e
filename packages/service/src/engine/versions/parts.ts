import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject, textOr } from '@inlay/contract';

const ending = /\.duckdb$/u;

/**
 * Returns the path of a version's parts list. The list names the versions whose rows precede those of the version's own
 * file.
 */
export const partsPath = (path: string): string => path.replace(ending, '.parts');

/** A file of a version with its number of rows. */
export interface VersionPart {
  readonly path: string;
  readonly rows: number;
}

/** Serializes a parts list. */
export const partsText = (parts: readonly VersionPart[]): string =>
  JSON.stringify(parts.map(({ path, rows }) => ({ version: basename(path).replace(ending, ''), rows })));

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Returns the parts of a version, in the order of their rows. The parts list is created before the file of the version
 * and deleted after it. A version without a list is a single file.
 */
export function listedParts(path: string): readonly VersionPart[] {
  const listPath = partsPath(path);
  // Most versions have no list, and an error takes longer to create than this test.
  if (!existsSync(listPath)) return [];
  try {
    const list: unknown = JSON.parse(readFileSync(listPath, 'utf8'));
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

/** Returns the files of a version in the order of their rows, its own file last. */
export const partsOf = (path: string): readonly string[] => [...listedParts(path).map((part) => part.path), path];
