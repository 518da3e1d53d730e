import { parseObject, timestamp, type JsonObject } from '@inlay/contract';
import { toProblem } from '../data/problems.ts';
import { shapesIn } from '../data/rollups/stored.ts';
import type { JobType } from '../jobs/job.ts';
import { Problem } from '../problems/problem.ts';
import { nextRunAt } from '../resources/parts/acceleration/rules.ts';
import { list, sql } from '../store/sql.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import type { CopyUses } from '../data/copies/copy-uses.ts';
import type { Reader, Store } from '../store/store.ts';
import { retryAt } from './refresh-plan.ts';
import { KeysDoubled, Refresh, refreshMs, type RefreshContext, type StoredAcceleration } from './refresh.ts';

async function readAcceleration(reader: Reader, id: string): Promise<StoredAcceleration | null> {
  const [row] = await reader.rows(
    sql`select organization_id, record, copy_version, copy_of, rollup_shapes from acceleration where id = ${id}`,
  );
  if (row === undefined) return null;
  const { copy_version: version, copy_of: of, rollup_shapes: shapes } = row;
  return {
    id,
    organizationId: String(row['organization_id']),
    record: parseObject(String(row['record'])),
    copyVersion: typeof version === 'string' ? version : null,
    copyOf: typeof of === 'string' ? of : null,
    rollupShapes: shapesIn(typeof shapes === 'string' ? shapes : null),
  };
}

/** Returns the error of a refresh for its acceleration. */
function errorOf({ failed }: RefreshContext, id: string, error: unknown): JsonObject {
  const problem = toProblem(error, '');
  // Errors that users can act on are not logged: their messages may name values of rows.
  if (!(problem instanceof Problem)) failed(`acceleration ${id} was not refreshed`, error);
  const { code, message } = problem instanceof Problem ? problem.data : new Problem('internal').data;
  return { code, message };
}

/**
 * Refreshes a copy. A failure is noted on the acceleration and tried again later; the copy that was in use before stays
 * in use. Raises what the store raises, and the reason of the signal.
 */
async function refresh(context: RefreshContext, acceleration: StoredAcceleration, run: Parameters<JobType['run']>[0]) {
  const attempt = new Refresh(context, acceleration, run);
  const { record } = acceleration;
  const now = timestamp(context.now());
  if (!(await attempt.note({ status: 'refreshing', bytes_read: 0, next_run_at: null }))) return;
  try {
    await attempt.run(nextRunAt(record['schedule'], now));
  } catch (error) {
    run.signal.throwIfAborted();
    const failures = Number(record['failures'] ?? 0) + 1;
    const againMs = retryAt(failures, record['schedule'], context.now());
    await attempt.note(
      {
        status: 'failed',
        bytes_read: null,
        failures,
        last_error: errorOf(context, acceleration.id, error),
        doubled_keys: error instanceof KeysDoubled ? error.keys : [],
      },
      againMs === null ? null : timestamp(againMs),
    );
  }
}

/** Creates the jobs that refresh accelerations and delete the copies of deleted ones. */
export const createAccelerationJobs = (context: RefreshContext): readonly JobType[] => [
  {
    name: 'refresh',
    slots: 2,
    timeoutMs: refreshMs,
    maxAttempts: 5,
    run: async (run) => {
      const acceleration = await readAcceleration(context.store, run.job.subject ?? '');
      if (acceleration !== null) await refresh(context, acceleration, run);
      return null;
    },
  },
  {
    name: 'drop copy',
    slots: 2,
    timeoutMs: 60_000,
    maxAttempts: 5,
    run: async ({ job }) => {
      await context.engine.keepVersions(job.organizationId ?? '', job.subject ?? '', []);
      return null;
    },
  },
];

/** Stores how many queries the copies have answered, and plans a refresh of copies that cannot answer any more. */
export async function noteCopyUses(
  store: Store<Command, WriteResult>,
  uses: CopyUses,
  now: () => number,
): Promise<void> {
  const { hits, outdated } = uses.take();
  if (hits.length > 0) await store.write({ kind: 'hits', hits });
  if (outdated.length === 0) return;
  // A copy whose refresh is in progress or has failed is refreshed at its own time.
  const at = timestamp(now());
  const rows = await store.rows(
    sql`select id from acceleration where id in ${list(outdated)} and status = 'ready' and coalesce(next_run_at, '~') > ${at}`,
  );
  for (const { id } of rows)
    await store.write({ kind: 'note', resource: 'acceleration', id: String(id), fields: { next_run_at: at } });
}
