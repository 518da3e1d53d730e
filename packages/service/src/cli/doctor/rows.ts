import type { Config } from '../../config/config.ts';
import type { Rows } from '../../store/secrets/sealed-keys.ts';
import { storedVersions } from '../../store/stored-versions.ts';
import { describeFaults, rowsIn, VersionCheck, type FaultyVersion } from '../rows/version-check.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const rounds = 20;

/**
 * Returns faults of versions that are still stored after the check, since a running service may replace versions
 * meanwhile. New versions are checked again.
 */
async function lastingFaults(store: Rows, check: VersionCheck, folder: string): Promise<readonly FaultyVersion[]> {
  const faultsToReport: FaultyVersion[] = [];
  let suspects = await storedVersions(store);
  for (let round = 0; round < rounds && suspects.length > 0; round += 1) {
    const faults = await check.faultsIn(folder, suspects);
    if (faults.length === 0) break;
    const versionByDataset = new Map((await storedVersions(store)).map((version) => [version.datasetId, version]));
    faultsToReport.push(...faults.filter(({ of }) => versionByDataset.get(of.datasetId)?.version === of.version));
    suspects = faults.flatMap(({ of }) => {
      const currentVersion = versionByDataset.get(of.datasetId);
      return currentVersion === undefined || currentVersion.version === of.version ? [] : [currentVersion];
    });
  }
  return faultsToReport;
}

/** Checks that every stored version has its parts, and that every file matches its checksum. */
export async function checkVersions(store: Rows, config: Config): Promise<readonly Finding[]> {
  const check = new VersionCheck();
  const faults = await lastingFaults(store, check, rowsIn(config.dataDir));
  const { length: count } = await storedVersions(store);
  if (faults.length > 0)
    return [
      fail(
        'stored rows',
        describeFaults(faults),
        'Put a whole copy of these files back, for example from the folder of a backup; the service needs no restart.',
      ),
    ];
  if (check.unchecked > 0)
    return [
      warn(
        'stored rows',
        `all rows of ${count} datasets are there; ${check.unchecked} files were written by an earlier release without a checksum`,
        'They get one when their rows are stored again.',
      ),
    ];
  return [ok('stored rows', `all rows of ${count} datasets are there and match their checksums`)];
}
