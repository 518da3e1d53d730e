import { textOr } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import type { ColumnUse, ColumnUses } from '../data/column-use.ts';
import { EngineProblem, type Engine } from '../engine/engine.ts';
import type { JobRequest, JobType } from '../jobs/job.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import type { NameVersion } from './version-names.ts';

export interface SortContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly uses: ColumnUses;
  readonly version: NameVersion;
  readonly now: () => number;
  readonly thresholds?: SortThresholds;
}

/**
 * Thresholds above which sorting a dataset pays off. Queries have then already spent as long reading it as sorting
 * would take, and will probably continue.
 */
export interface SortThresholds {
  readonly rows: number;
  readonly queries: number;
  readonly meanMs: number;
  readonly msPerRow: number;
}
const defaults: SortThresholds = { rows: 500_000, queries: 50, meanMs: 15, msPerRow: 0.0025 };
const maxCandidates = 20;
/** How long to wait before a dataset is proposed again, in ms. */
const restMs = 6 * 3_600_000;

const jobType = 'sort rows';

/** Sorts the rows of datasets by the column that queries filter by. */
export interface SortRows {
  /**
   * Returns a job for the dataset that would benefit most; null if no dataset would benefit. Raises what the store
   * raises.
   */
  readonly propose: () => Promise<JobRequest | null>;
  readonly job: JobType;
}

/** True if the error means that the rows are already sorted by the column, or that their version no longer exists. */
const isNothingToDo = (error: unknown): boolean =>
  error instanceof EngineProblem && (error.cause === 'input' || error.cause === 'missing');

/** Finds datasets that are worth sorting. Uses the filters of queries in this process. */
class SortCandidates {
  readonly #context: SortContext;
  readonly #thresholds: SortThresholds;
  readonly #restUntil = new Map<string, number>();

  constructor(context: SortContext) {
    this.#context = context;
    this.#thresholds = context.thresholds ?? defaults;
  }

  async propose(): Promise<JobRequest | null> {
    for (const use of this.#candidates()) {
      const organizationId = await this.#organizationThatGains(use);
      if (organizationId === null) continue;
      const { datasetId, column } = use;
      this.#rest(datasetId);
      const id = `${jobType} ${datasetId}`;
      return { id, type: jobType, organizationId, subject: datasetId, payload: { column } };
    }
    return null;
  }

  #candidates(): readonly ColumnUse[] {
    const { uses, now } = this.#context;
    for (const [id, until] of this.#restUntil) if (until <= now()) this.#restUntil.delete(id);
    return uses
      .worst()
      .filter((use) => this.#isRead(use) && !this.#restUntil.has(use.datasetId))
      .toSorted((left, right) => right.totalMs - left.totalMs)
      .slice(0, maxCandidates);
  }

  #isRead({ queries, totalMs }: ColumnUse): boolean {
    return queries >= this.#thresholds.queries && totalMs / queries >= this.#thresholds.meanMs;
  }

  /**
   * Returns the organization of a dataset; null if sorting would not pay off, since the dataset is small or queries
   * have spent too little time on it.
   */
  async #organizationThatGains({ datasetId, totalMs }: ColumnUse): Promise<string | null> {
    const [row] = await this.#context.store.rows(
      sql`select organization_id, data_version, record from securable where id = ${datasetId}`,
    );
    const organizationId = row?.['organization_id'];
    if (typeof organizationId !== 'string' || typeof row?.['data_version'] !== 'string') return null;
    const record: { readonly rows?: unknown } = JSON.parse(String(row['record']));
    const rows = Number(record.rows ?? 0);
    const { rows: minRows, msPerRow } = this.#thresholds;
    return rows < minRows || totalMs < rows * msPerRow ? null : organizationId;
  }

  #rest(datasetId: string): void {
    const { uses, now } = this.#context;
    this.#restUntil.set(datasetId, now() + restMs);
    uses.forget(datasetId);
  }
}

/**
 * Replaces the current version by a version with sorted rows, so that filters can skip row groups. The sort is stable.
 * Raises EngineProblem, and what the store raises.
 */
async function sortDataset(
  { store, engine, version }: SortContext,
  datasetId: string,
  column: string,
  signal: AbortSignal,
): Promise<void> {
  const [row] = await store.rows(sql`select organization_id, data_version from securable where id = ${datasetId}`);
  const [tenant, currentName] = [row?.['organization_id'], row?.['data_version']];
  if (typeof tenant !== 'string' || typeof currentName !== 'string') return;
  const name = version(currentName);
  const source = { kind: 'version', order: [column] } as const;
  try {
    const spec = { tenant, datasetId, version: name, onto: { version: currentName, key: null }, source };
    for await (const _ of engine.ingest(spec, signal));
  } catch (error) {
    if (isNothingToDo(error)) return;
    throw error;
  }
  const result = await store.write({ kind: 'version', securableId: datasetId, before: currentName, version: name });
  const isTaken = result.kind === 'done' && result.count === 1;
  if (isTaken) await engine.keepVersions(tenant, datasetId, [name, currentName]);
  else await engine.dropVersion(tenant, datasetId, name);
}

/** Finds datasets to sort in this process. Any instance can run the resulting jobs. */
export function createSortRows(context: SortContext): SortRows {
  const candidates = new SortCandidates(context);
  return {
    propose: () => candidates.propose(),
    job: {
      name: jobType,
      slots: 1,
      timeoutMs: 3_600_000,
      maxAttempts: 3,
      run: async ({ job, signal }) => {
        await sortDataset(context, job.subject ?? '', textOr(job.payload['column'], ''), signal);
        return null;
      },
    },
  };
}
