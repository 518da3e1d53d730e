import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { backupFolder } from '../../engine/versions/files.ts';
import { checksumPath, checksumText, sha256Of, writtenChecksum } from '../../engine/versions/checksums.ts';
import { partsOf, partsPath } from '../../engine/versions/parts.ts';
import type { StoredVersion } from '../../store/stored-versions.ts';
import { filesBeside, versionFile, type FaultyVersion, type VersionFault } from './version-check.ts';

/** Where the rows of datasets are beside the backup of a store. */
export const rowsBeside = (file: string): string => `${file}.datasets`;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Gives a file a second name, or copies it where the file system cannot; says whether the file was there. */
async function hold(source: string, target: string): Promise<boolean> {
  if (existsSync(target)) return true;
  const part = `${target}.${randomUUID()}.part`;
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
  }
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
 * Versions that stay while a backup runs: their files get a second name in a folder of the backup, so that the service may
 * go on to append and replace rows, and to remove what it no longer names.
 */
export class HeldVersions {
  readonly #datasets: string;
  readonly folder: string;
  readonly #held = new Set<string>();
  readonly #gone = new Map<string, string>();
  #versions: readonly StoredVersion[] = [];

  private constructor(datasets: string, folder: string) {
    this.#datasets = datasets;
    this.folder = folder;
  }

  /** `otherwise` is used where the folder of the datasets cannot be written. */
  static async open(datasets: string, otherwise: string): Promise<HeldVersions> {
    const within = join(datasets, backupFolder, randomUUID());
    const made = existsSync(datasets)
      ? await mkdir(within, { recursive: true, mode: 0o700 }).then(
          () => true,
          () => false,
        )
      : false;
    const held = new HeldVersions(datasets, made ? within : `${otherwise}.${randomUUID()}.part`);
    await mkdir(held.folder, { recursive: true, mode: 0o700 });
    return held;
  }

  /** The versions that were named last. */
  get versions(): readonly StoredVersion[] {
    return this.#versions;
  }

  /**
   * Holds the versions that a store names. False where one of them was removed before it could be held: the store names
   * another one by now. A version that is named again and is not there is lost, and is not waited for.
   */
  async hold(versions: readonly StoredVersion[]): Promise<boolean> {
    this.#versions = versions;
    let isWhole = true;
    for (const one of versions) {
      if (await this.#holdVersion(one)) continue;
      if (this.#gone.get(one.datasetId) !== one.version) isWhole = false;
      this.#gone.set(one.datasetId, one.version);
    }
    return isWhole;
  }

  async release(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #holdVersion(version: StoredVersion): Promise<boolean> {
    if (!(await this.#holdFile(versionFile(this.folder, version)))) return false;
    for (const path of partsOf(versionFile(this.folder, version))) if (!(await this.#holdFile(path))) return false;
    return true;
  }

  async #holdFile(target: string): Promise<boolean> {
    if (this.#held.has(target)) return true;
    const source = join(this.#datasets, relative(this.folder, target));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // Before the file itself: where they are missing and the file is there, it never had any.
    for (const [index, beside] of filesBeside(source).entries()) await hold(beside, filesBeside(target)[index] ?? '');
    if (!(await hold(source, target))) return false;
    this.#held.add(target);
    return true;
  }
}

/** What a copy of versions did. */
export interface CopiedVersions {
  /** Files that were written. */
  readonly written: readonly string[];
  readonly faults: readonly FaultyVersion[];
  /** Files whose content could not be checked: the release that wrote them wrote no checksum. */
  readonly unchecked: number;
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies the files of versions from one folder of datasets to another, each once, and compares each copy with its checksum. */
class VersionCopy {
  readonly #from: string;
  readonly #to: string;
  readonly #done = new Set<string>();
  readonly written: string[] = [];
  unchecked = 0;

  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** Raises what the file system raises. */
  async copy(version: StoredVersion): Promise<VersionFault | null> {
    for (const path of partsOf(versionFile(this.#from, version))) {
      const fault = this.#done.has(path) ? null : await this.#copyFile(path);
      if (fault !== null) return fault;
      this.#done.add(path);
    }
    return null;
  }

  async #copyFile(source: string): Promise<VersionFault | null> {
    if (!existsSync(source)) return { kind: 'missing', path: source };
    const target = join(this.#to, relative(this.#from, source));
    const expected = await writtenChecksum(source);
    if (expected === null) this.unchecked += 1;
    if (expected !== null && existsSync(target) && (await sha256Of(target)) === expected) return null;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const part = `${target}.${randomUUID()}.part`;
    try {
      await copyFile(source, part, constants.COPYFILE_FICLONE);
      const sha256 = await sha256Of(part);
      if (expected !== null && sha256 !== expected) return { kind: 'damaged', path: source };
      await flush(part);
      // A version without its list of parts would be read as if its own file had all rows: the list goes first.
      if (existsSync(partsPath(source))) await copyFile(partsPath(source), partsPath(target));
      await writeFile(checksumPath(target), checksumText(target, sha256), { mode: 0o600 });
      for (const beside of filesBeside(target)) if (existsSync(beside)) await flush(beside);
      await rename(part, target);
      await flush(dirname(target));
      this.written.push(target);
      return null;
    } finally {
      await rm(part, { force: true });
    }
  }
}

/** Copies versions with their parts and checksums. A version with a fault is left out. Raises what the file system raises. */
export async function copyVersions(
  from: string,
  to: string,
  versions: readonly StoredVersion[],
): Promise<CopiedVersions> {
  const copy = new VersionCopy(from, to);
  const faults: FaultyVersion[] = [];
  for (const of of versions) {
    const fault = await copy.copy(of);
    if (fault !== null) faults.push({ ...fault, of });
    // A running service removes folders of backups that were not touched for a day.
    await utimes(from, new Date(), new Date()).catch(() => undefined);
  }
  return { written: copy.written, faults, unchecked: copy.unchecked };
}

/** Removes the files that a copy wrote, and their checksums. */
export async function removeCopies({ written }: Pick<CopiedVersions, 'written'>): Promise<void> {
  for (const path of written)
    for (const one of [path, ...filesBeside(path)]) await rm(one, { force: true }).catch(() => undefined);
}
