import type { Engine } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';

/** Watches what an organization sends against the room that it has left. */
export interface Quota {
  /** For one file: tells how much of it has come, and that it is over. Raises Problem `quota_exceeded`. */
  readonly begin: (organizationId: string, datasetId: string | null) => Promise<UploadMeter>;
}

export interface UploadMeter {
  readonly came: (bytes: number) => void;
  readonly end: () => void;
}

const unbounded: UploadMeter = { came: () => undefined, end: () => undefined };

/** Counts the versions on the disk and what is coming in on this instance; `quotaBytes` undefined is no bound. */
export function createQuota(engine: Pick<Engine, 'usedBytes'>, quotaBytes: number | undefined): Quota {
  const coming = new Map<string, number>();
  const count = (organizationId: string, by: number): number => {
    const now = (coming.get(organizationId) ?? 0) + by;
    if (now > 0) coming.set(organizationId, now);
    else coming.delete(organizationId);
    return now;
  };
  return {
    begin: async (organizationId, datasetId) => {
      if (quotaBytes === undefined) return unbounded;
      const used = await engine.usedBytes(organizationId, datasetId);
      let received = 0;
      const came = (bytes: number): void => {
        const now = count(organizationId, bytes - received);
        received = bytes;
        if (used + now > quotaBytes) throw new Problem('quota_exceeded');
      };
      came(0);
      return {
        came,
        end: () => {
          count(organizationId, -received);
          received = 0;
        },
      };
    },
  };
}
