import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { backupFolder } from '../../engine/versions/files.ts';
import { checksumPath, checksumText, sha256Of, writtenChecksum } from '../../engine/versions/checksums.ts';
import { partsOf, partsPath } from '../../engine/versions/parts.ts';
import type { StoredVersion } from '../../store/stored-versions.ts';
import { filesBeside, versionFile, type FaultyVersion, type VersionFault } from './version-check.ts';

/** Returns the folder of dataset rows that belongs to the backup of a store. */
export const rowsBeside = (file: string): string => `${file}.datasets`;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Creates a hard link to a file, or a copy if the file system does not support links. Returns false if the file does
 * not exist.
 */
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
 * Pins versions during a backup by hard-linking their files into a backup folder, so that the service can keep
 * appending, replacing and removing rows.
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

  /**
   * Creates the folder for pinned files. `fallback` is the start of its path if the folder of the datasets is not
   * writable.
   */
  static async open(datasets: string, fallback: string): Promise<HeldVersions> {
    const within = join(datasets, backupFolder, randomUUID());
    const isCreated = existsSync(datasets)
      ? await mkdir(within, { recursive: true, mode: 0o700 }).then(
          () => true,
          () => false,
        )
      : false;
    const heldVersions = new HeldVersions(datasets, isCreated ? within : `${fallback}.${randomUUID()}.part`);
    await mkdir(heldVersions.folder, { recursive: true, mode: 0o700 });
    return heldVersions;
  }

  /** The versions of the last call of `hold`. */
  get versions(): readonly StoredVersion[] {
    return this.#versions;
  }

  /**
   * Pins the versions that a store names. Returns false if a version was removed meanwhile, because the store now names
   * a newer one. A version that is missing in two consecutive calls is lost, and no longer makes the result false.
   */
  async hold(versions: readonly StoredVersion[]): Promise<boolean> {
    this.#versions = versions;
    let isWhole = true;
    for (const version of versions) {
      if (await this.#holdVersion(version)) continue;
      if (this.#gone.get(version.datasetId) !== version.version) isWhole = false;
      this.#gone.set(version.datasetId, version.version);
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
    // Links the files beside the main file first. If the pinned main file lacks such a file, the source never had it.
    for (const [index, path] of filesBeside(source).entries()) await hold(path, filesBeside(target)[index] ?? '');
    if (!(await hold(source, target))) return false;
    this.#held.add(target);
    return true;
  }
}

export interface CopiedVersions {
  readonly written: readonly string[];
  readonly faults: readonly FaultyVersion[];
  /** Number of files that could not be verified, because they come from earlier releases and have no checksum. */
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

/**
 * Copies the files of versions from one folder of datasets to another. Copies each file once, and verifies each copy
 * against its checksum.
 */
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

  /** Raises errors of the file system. */
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
      // Copies the parts list first. Without it, the main file would be read as if it had all rows.
      if (existsSync(partsPath(source))) await copyFile(partsPath(source), partsPath(target));
      await writeFile(checksumPath(target), checksumText(target, sha256), { mode: 0o600 });
      for (const path of filesBeside(target)) if (existsSync(path)) await flush(path);
      await rename(part, target);
      await flush(dirname(target));
      this.written.push(target);
      return null;
    } finally {
      await rm(part, { force: true });
    }
  }
}

/** Copies versions with their parts and checksums, skipping versions with a fault. Raises errors of the file system. */
export async function copyVersions(
  from: string,
  to: string,
  versions: readonly StoredVersion[],
): Promise<CopiedVersions> {
  const copy = new VersionCopy(from, to);
  const faults: FaultyVersion[] = [];
  for (const version of versions) {
    const fault = await copy.copy(version);
    if (fault !== null) faults.push({ ...fault, of: version });
    // Marks the folder as used, since a running service removes backup folders that were not touched for a day.
    await utimes(from, new Date(), new Date()).catch(() => undefined);
  }
  return { written: copy.written, faults, unchecked: copy.unchecked };
}

/** Removes the files that a copy has written, with their checksums. */
export async function removeCopies({ written }: Pick<CopiedVersions, 'written'>): Promise<void> {
  for (const path of written)
    for (const file of [path, ...filesBeside(path)]) await rm(file, { force: true }).catch(() => undefined);
}
