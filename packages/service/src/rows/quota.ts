import type { Engine } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';

/** Checks uploads against the remaining quota of an organization. */
export interface Quota {
  /**
   * Starts metering one upload. `came` of the meter raises Problem `quota_exceeded` once the upload exceeds the quota.
   */
  readonly begin: (organizationId: string, datasetId: string | null) => Promise<UploadMeter>;
}

export interface UploadMeter {
  readonly came: (bytes: number) => void;
  readonly end: () => void;
}

const unboundedMeter: UploadMeter = { came: () => undefined, end: () => undefined };

/**
 * Creates a quota that counts stored versions and uploads in progress on this instance. There is no limit if
 * `quotaBytes` is undefined.
 */
export function createQuota(engine: Pick<Engine, 'usedBytes'>, quotaBytes: number | undefined): Quota {
  const comingBytes = new Map<string, number>();
  const count = (organizationId: string, by: number): number => {
    const now = (comingBytes.get(organizationId) ?? 0) + by;
    if (now > 0) comingBytes.set(organizationId, now);
    else comingBytes.delete(organizationId);
    return now;
  };
  return {
    begin: async (organizationId, datasetId) => {
      if (quotaBytes === undefined) return unboundedMeter;
      const usedBytes = await engine.usedBytes(organizationId, datasetId);
      let receivedBytes = 0;
      const onBytes = (bytes: number): void => {
        const now = count(organizationId, bytes - receivedBytes);
        receivedBytes = bytes;
        if (usedBytes + now > quotaBytes) throw new Problem('quota_exceeded');
      };
      onBytes(0);
      return {
        came: onBytes,
        end: () => {
          count(organizationId, -receivedBytes);
          receivedBytes = 0;
        },
      };
    },
  };
}
