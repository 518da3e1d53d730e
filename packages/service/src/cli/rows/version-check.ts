import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checksumPath, sha256Of, writtenChecksum } from '../../engine/versions/checksums.ts';
import { partsOf, partsPath } from '../../engine/versions/parts.ts';
import type { StoredVersion } from '../../store/stored-versions.ts';

/** Returns the folder of dataset rows in the data directory. */
export const rowsIn = (dataDir: string): string => join(dataDir, 'datasets');

/** Returns the main file of a version in a folder of datasets. */
export const versionFile = (datasets: string, { tenant, datasetId, version }: StoredVersion): string =>
  join(datasets, tenant, datasetId, `${version}.duckdb`);

/** Returns the paths of a main file's metadata files. They are written before the main file and removed after it. */
export const filesBeside = (path: string): readonly string[] => [partsPath(path), checksumPath(path)];

export interface VersionFault {
  readonly kind: 'missing' | 'damaged';
  readonly path: string;
}

/** A version whose rows are incomplete or damaged. */
export interface FaultyVersion extends VersionFault {
  readonly of: StoredVersion;
}

/** Describes faults with one entry per dataset. At most ten are described, and the rest is counted. */
export function describeFaults(faults: readonly FaultyVersion[]): string {
  const descriptions = faults.slice(0, 10).map(({ of, kind, path }) => `dataset ${of.datasetId}: ${path} is ${kind}`);
  if (faults.length > descriptions.length) descriptions.push(`and ${faults.length - descriptions.length} more`);
  return descriptions.join('; ');
}

/** Checks files of versions in a folder. Versions may share files; each file is read only once. */
export class VersionCheck {
  readonly #whole = new Set<string>();
  #unchecked = 0;

  /** Number of files without a checksum, which come from earlier releases. */
  get unchecked(): number {
    return this.#unchecked;
  }

  /** Returns the versions whose rows in a folder of datasets are missing or damaged. */
  async faultsIn(datasets: string, versions: readonly StoredVersion[]): Promise<readonly FaultyVersion[]> {
    const faults: FaultyVersion[] = [];
    for (const version of versions) {
      const fault = await this.faultOf(versionFile(datasets, version));
      if (fault !== null) faults.push({ ...fault, of: version });
    }
    return faults;
  }

  /** Returns the first file of a version that is missing or fails its checksum; null if all rows are intact. */
  async faultOf(path: string): Promise<VersionFault | null> {
    for (const file of partsOf(path)) {
      if (this.#whole.has(file)) continue;
      if (!existsSync(file)) return { kind: 'missing', path: file };
      const recordedChecksum = await writtenChecksum(file);
      if (recordedChecksum === null) this.#unchecked += 1;
      else if ((await sha256Of(file).catch(() => null)) !== recordedChecksum)
        return { kind: existsSync(file) ? 'damaged' : 'missing', path: file };
      this.#whole.add(file);
    }
    return null;
  }
}
