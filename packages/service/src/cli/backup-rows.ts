import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { partsPath } from '../engine/version-parts.ts';

/** Where the rows of datasets lie beside the backup of a store. */
export const rowsBeside = (file: string): string => `${file}.datasets`;

/** Where the rows of datasets lie in the data directory. */
export const rowsIn = (dataDir: string): string => join(dataDir, 'datasets');

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Copies a file that is not yet there, whole or not at all; answers whether it did. A source that is gone is left out. */
async function copyNew(source: string, target: string): Promise<boolean> {
  if (existsSync(target)) return false;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const part = `${target}.part`;
  try {
    await copyFile(source, part, constants.COPYFILE_FICLONE);
    await rename(part, target);
    return true;
  } catch (error) {
    await rm(part, { force: true });
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Copies the versions of datasets that are not yet there, each whole or not at all; gives how many. Versions never
 * change, so one that is there is the same. A version that is replaced and removed meanwhile is left out.
 */
export async function copyRows(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0;
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  let copied = 0;
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.duckdb')) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, source.slice(from.length));
    // A version without its list of parts would be read as if its own file held all rows: the list goes first.
    await copyNew(partsPath(source), partsPath(target));
    if (await copyNew(source, target)) copied += 1;
  }
  return copied;
}
