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

const mostEntries = 10_000;
const deepest = 4;

/** A file, or a folder all of whose files are of one format. */
export interface FileTable {
  /** Path within the account's folder, with `/` between its parts. */
  readonly id: string;
  readonly kind: 'file' | 'folder';
  readonly format: FileFormat;
  readonly paths: readonly string[];
}

const formatOf = (path: string): FileFormat | undefined => formats[extname(path).toLowerCase()];

const missing = (): SourceProblem => new SourceProblem('missing', 'There is no such file or folder.');
const inside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);

/** Whether a text is a plain relative path: no step up, nothing hidden, nothing absolute. */
const isPlain = (path: string): boolean =>
  path.length <= 1000 &&
  !/[\\\0\p{Cc}:*?[\]{}]/u.test(path) &&
  path.split('/').every((part) => part !== '' && !part.startsWith('.') && part.trim() === part);

/**
 * The real path of something within a folder, which must be a real path itself. Symbolic links are not followed,
 * wherever they lead. Raises SourceProblem `missing`, the same for what is not there and for what is not allowed.
 */
export async function within(root: string, path: string): Promise<string> {
  if (!isPlain(path)) throw missing();
  const full = join(root, ...path.split('/'));
  const real = await realpath(full).catch(() => undefined);
  if (real === undefined || real !== full || !inside(root, real)) throw missing();
  return real;
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
}

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new SourceProblem('grant', 'The folder cannot be read.');
  });
  return found
    .filter((entry) => isPlain(entry.name) && (entry.isFile() || entry.isDirectory()))
    .map((entry) => ({ path: join(folder, entry.name), isFolder: entry.isDirectory() }))
    .toSorted((one, two) => (one.path < two.path ? -1 : 1));
}

/** The files directly in a folder as one table; undefined when there are none or they are of several formats. */
async function folderTable(root: string, folder: string): Promise<FileTable | undefined> {
  const files = (await entriesOf(folder)).filter(({ isFolder }) => !isFolder);
  const paths = files.map(({ path }) => path).filter((path) => formatOf(path) !== undefined);
  const [format, ...others] = new Set(paths.map(formatOf));
  if (format === undefined || others.length > 0 || folder === root) return undefined;
  return { id: relative(root, folder).split(sep).join('/'), kind: 'folder', format, paths };
}

/** One table by its id. Raises SourceProblem `missing`. */
export async function openTable(root: string, id: string): Promise<FileTable> {
  const path = await within(root, id);
  const found = await lstat(path);
  const format = formatOf(path);
  if (found.isFile() && format !== undefined) return { id, kind: 'file', format, paths: [path] };
  const folder = found.isDirectory() ? await folderTable(root, path) : undefined;
  if (folder === undefined) throw missing();
  return folder;
}

/** Every table in a folder and the folders in it, at most 10,000 entries and 4 folders deep. */
export async function listFiles(root: string): Promise<readonly FileTable[]> {
  const tables: FileTable[] = [];
  let seen = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    const whole = await folderTable(root, folder);
    if (whole !== undefined) tables.push(whole);
    for (const { path, isFolder } of await entriesOf(folder)) {
      seen += 1;
      if (seen > mostEntries) throw new SourceProblem('limit', 'The folder holds more than 10,000 files.');
      const format = isFolder ? undefined : formatOf(path);
      if (isFolder && depth < deepest) await visit(path, depth + 1);
      if (format !== undefined)
        tables.push({ id: relative(root, path).split(sep).join('/'), kind: 'file', format, paths: [path] });
    }
  };
  await visit(root, 0);
  return tables;
}
