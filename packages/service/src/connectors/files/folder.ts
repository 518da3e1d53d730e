import { lstat, readdir, realpath } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FileFormat } from '../../engine/engine.ts';
import { SourceProblem } from '../problem.ts';

const formats: Readonly<Record<string, FileFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.parquet': 'parquet',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

const maxEntries = 10_000;
const maxDepth = 4;

/** A file, or a folder whose files have the same format. */
export interface FileTable {
  /** Path within the account's folder, separated by `/`. */
  readonly id: string;
  readonly kind: 'file' | 'folder';
  readonly format: FileFormat;
  readonly paths: readonly string[];
}

const formatOf = (path: string): FileFormat | undefined => formats[extname(path).toLowerCase()];

const missingProblem = (): SourceProblem => new SourceProblem('missing', 'There is no such file or folder.');
const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);

/** True for a relative path without `..`, hidden entries and surrounding spaces. */
const isPlain = (path: string): boolean =>
  path.length <= 1000 &&
  !/[\\\0\p{Cc}:*?[\]{}]/u.test(path) &&
  path.split('/').every((part) => part !== '' && !part.startsWith('.') && part.trim() === part);

/**
 * Returns the real path of an entry of the folder `root`, which must be a real path itself. Never follows symbolic
 * links. Raises SourceProblem `missing` if the entry does not exist or must not be read; the error does not say which.
 */
export async function within(root: string, path: string): Promise<string> {
  if (!isPlain(path)) throw missingProblem();
  const fullPath = join(root, ...path.split('/'));
  const realPath = await realpath(fullPath).catch(() => undefined);
  if (realPath === undefined || realPath !== fullPath || !isInside(root, realPath)) throw missingProblem();
  return realPath;
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
}

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new SourceProblem('grant', 'The folder cannot be read.');
  });
  return entries
    .filter((entry) => isPlain(entry.name) && (entry.isFile() || entry.isDirectory()))
    .map((entry) => ({ path: join(folder, entry.name), isFolder: entry.isDirectory() }))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/**
 * Combines the files directly in a folder to one table. Returns undefined if there are no such files, or if they have
 * different formats.
 */
async function folderTable(root: string, folder: string): Promise<FileTable | undefined> {
  const files = (await entriesOf(folder)).filter(({ isFolder }) => !isFolder);
  const paths = files.map(({ path }) => path).filter((path) => formatOf(path) !== undefined);
  const [format, ...others] = new Set(paths.map(formatOf));
  if (format === undefined || others.length > 0 || folder === root) return undefined;
  return { id: relative(root, folder).split(sep).join('/'), kind: 'folder', format, paths };
}

/** Finds a table by its id. Raises SourceProblem `missing`. */
export async function openTable(root: string, id: string): Promise<FileTable> {
  const path = await within(root, id);
  const stats = await lstat(path);
  const format = formatOf(path);
  if (stats.isFile() && format !== undefined) return { id, kind: 'file', format, paths: [path] };
  const folder = stats.isDirectory() ? await folderTable(root, path) : undefined;
  if (folder === undefined) throw missingProblem();
  return folder;
}

/**
 * Lists all tables in a folder and its subfolders, down to a depth of 4. Raises SourceProblem `limit` if there are more
 * than 10,000 entries.
 */
export async function listFiles(root: string): Promise<readonly FileTable[]> {
  const tables: FileTable[] = [];
  let entryCount = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    const wholeFolder = await folderTable(root, folder);
    if (wholeFolder !== undefined) tables.push(wholeFolder);
    for (const { path, isFolder } of await entriesOf(folder)) {
      entryCount += 1;
      if (entryCount > maxEntries) throw new SourceProblem('limit', 'The folder holds more than 10,000 files.');
      const format = isFolder ? undefined : formatOf(path);
      if (isFolder && depth < maxDepth) await visit(path, depth + 1);
      if (format !== undefined)
        tables.push({ id: relative(root, path).split(sep).join('/'), kind: 'file', format, paths: [path] });
    }
  };
  await visit(root, 0);
  return tables;
}
