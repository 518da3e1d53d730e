import { timestamp } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { publishJob } from '../commands/publication.ts';
import { list, sql, type Sql } from '../store/sql.ts';
import type { Reader, Store } from '../store/store.ts';

export interface PlanContext {
  readonly store: Store<Command, WriteResult>;
  /** Rows from which on a version is published. */
  readonly leastRows: number;
  readonly now: () => number;
}

interface LargeRows {
  readonly id: string;
  readonly organizationId: string;
  readonly version: string;
}

const batchSize = 500;

/** Selects a batch of current versions, with their numbers of rows, in the order of ids after `after`. */
const versionsAfter = ({ dialect }: Reader, table: Sql, column: Sql, after: string): Sql =>
  sql`select t.id, t.organization_id, t.${column} as version, ${dialect.member(sql`t.record`, ['rows'], 'number')} as row_count
    from ${table} t where t.${column} is not null and t.id > ${after} order by t.id limit ${batchSize}`;

/** Yields the current versions with many rows. Reads in batches, since every dataset may have stored rows. */
async function* largeRows(reader: Reader, table: Sql, column: Sql, leastRows: number): AsyncGenerator<LargeRows> {
  let after = '';
  for (;;) {
    const rows = await reader.rows(versionsAfter(reader, table, column, after));
    for (const row of rows)
      if (Number(row['row_count'] ?? 0) >= leastRows)
        yield {
          id: String(row['id']),
          organizationId: String(row['organization_id']),
          version: String(row['version']),
        };
    if (rows.length < batchSize) return;
    after = String(rows.at(-1)?.['id']);
  }
}

/** Returns those of the versions that have no publication in use. */
async function unpublished(reader: Reader, candidates: readonly LargeRows[]): Promise<readonly LargeRows[]> {
  if (candidates.length === 0) return [];
  const rows = await reader.rows(
    sql`select folder, version from publication
      where folder in ${list(candidates.map(({ id }) => id))} and ready_at is not null and dropped_at is null`,
  );
  const published = new Map(rows.map((row) => [String(row['folder']), String(row['version'])]));
  return candidates.filter(({ id, version }) => published.get(id) !== version);
}

/** Returns the datasets and accelerations whose rows must be published. Raises what the store raises. */
async function toPublish(reader: Reader, leastRows: number): Promise<readonly LargeRows[]> {
  const large: LargeRows[] = [];
  for await (const rows of largeRows(reader, sql`securable`, sql`data_version`, leastRows)) large.push(rows);
  for await (const rows of largeRows(reader, sql`acceleration`, sql`copy_version`, leastRows)) large.push(rows);
  return unpublished(reader, large);
}

/** Adds a job for each dataset and acceleration whose rows must be published. Returns their number. */
export async function planPublications({ store, leastRows, now }: PlanContext): Promise<number> {
  const planned = await toPublish(store, leastRows);
  const dueAt = timestamp(now());
  const jobs = planned.map(({ id, organizationId }) => ({
    id: `${publishJob} ${id}`,
    type: publishJob,
    organizationId,
    subject: id,
    payload: {},
    priority: 0,
    dueAt,
  }));
  if (jobs.length > 0) await store.write({ kind: 'job', step: 'add', jobs });
  return jobs.length;
}
