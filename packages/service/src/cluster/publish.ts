import { parseObject, inWords } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import { publishJob, type PublicationCommand } from '../commands/publication.ts';
import { toProblem } from '../data/problems.ts';
import { EngineProblem, type Engine } from '../engine/engine.ts';
import type { JobRun, JobType } from '../jobs/job.ts';
import { catalogue } from '../problems/catalogue.ts';
import { Problem } from '../problems/problem.ts';
import { sql } from '../store/sql.ts';
import type { Reader, Store } from '../store/store.ts';
import { filterColumns } from './filter-columns.ts';
import type { PublicationKey } from './publication-names.ts';
import type { PublishedFiles } from './published-files.ts';
import type { ClusterTables } from './tables.ts';

/** Where publications are: files and tables of this store. */
export interface PublicationPlaces {
  readonly files: PublishedFiles;
  readonly tables: ClusterTables;
}

export interface PublishContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly newId: () => string;
  /** Rows from which on a version is published. */
  readonly leastRows: number;
  readonly places: () => Promise<PublicationPlaces>;
}

/** Rows that may be published. */
interface StoredRows {
  readonly organizationId: string;
  readonly datasetId: string;
  readonly version: string;
  readonly rows: number;
  readonly isPublished: boolean;
}

/** Time limit for a publication, in ms. */
const publishMs = 6 * 3_600_000;
/** Time limit for deleting what a failed attempt has made, in ms. */
const undoMs = 10_000;
/** A job waits up to an hour between two attempts, so this is weeks. A new version starts anew. */
const maxAttempts = 1000;

/** Reads the current version of a dataset or an acceleration; null if it has none. Raises what the store raises. */
async function storedRows(reader: Reader, folder: string): Promise<StoredRows | null> {
  const [row] = await reader.rows(
    sql`select v.*, exists (select 1 from publication p where p.folder = ${folder} and p.version = v.version
        and p.ready_at is not null and p.dropped_at is null) as published
      from (select organization_id, id as dataset_id, data_version as version, record from securable where id = ${folder}
        union all select organization_id, securable_id, copy_version, record from acceleration where id = ${folder}) v
      where v.version is not null`,
  );
  if (row === undefined) return null;
  return {
    organizationId: String(row['organization_id']),
    datasetId: String(row['dataset_id']),
    version: String(row['version']),
    rows: Number(parseObject(inWords(row['record'] ?? '{}'))['rows'] ?? 0),
    isPublished: Boolean(row['published']),
  };
}

/** Makes client errors retryable: an operator can fix the cluster, and the job then succeeds. */
function retried(error: unknown): unknown {
  const problem = toProblem(error, '');
  if (!(problem instanceof Problem) || catalogue[problem.data.code].status >= 500) return problem;
  return new Problem('source_failed', { message: problem.data.message });
}

/** One attempt to publish the current rows of a dataset or an acceleration. */
class PublicationAttempt {
  readonly #context: PublishContext;
  readonly #run: JobRun;

  constructor(context: PublishContext, run: JobRun) {
    this.#context = context;
    this.#run = run;
  }

  /** Raises Problem, EngineProblem, what the store raises, and the reason of the signal. */
  async publish(): Promise<void> {
    const { store, newId, leastRows } = this.#context;
    const folder = this.#run.job.subject ?? '';
    const stored = await storedRows(store, folder);
    if (stored === null || stored.isPublished || stored.rows < leastRows) return;
    const { organizationId, version } = stored;
    const key = { id: newId(), organizationId, folder };
    // The publication is noted before its first file exists, so that nothing is left behind unnoticed.
    if (!(await this.#write({ step: 'begin', held: this.#held, ...key, version }))) return;
    const places = await this.#context.places();
    try {
      if (!(await this.#makeReady(key, stored, places))) await this.#undo(key, places);
    } catch (error) {
      await this.#undo(key, places).catch(() => undefined);
      this.#run.signal.throwIfAborted();
      // The version was replaced meanwhile.
      if (error instanceof EngineProblem && error.cause === 'missing') return;
      throw retried(error);
    }
  }

  /** Returns false if the version was replaced meanwhile. */
  async #makeReady(key: PublicationKey, stored: StoredRows, { files, tables }: PublicationPlaces): Promise<boolean> {
    const { store, engine } = this.#context;
    const { signal, progress } = this.#run;
    const { organizationId, datasetId, version, rows } = stored;
    const spec = {
      tenant: organizationId,
      datasetId: key.folder,
      version,
      order: await filterColumns(store, organizationId, datasetId),
    };
    const report = (count: number): void => progress(Math.min(99, Math.floor((count / Math.max(1, rows)) * 100)));
    const written = await files.write(
      key,
      (folder) => engine.writeParquet({ ...spec, folder }, report, signal),
      signal,
    );
    const place = tables.names.placeOf(key);
    await tables.create(place, files.locationOf(key), written, signal);
    const columns = written.columns.map(({ name }) => name);
    return this.#write({ step: 'ready', held: this.#held, id: key.id, place, columns });
  }

  /** Deletes what an attempt has made. What remains, the sweep deletes. */
  async #undo(key: PublicationKey, { files, tables }: PublicationPlaces): Promise<void> {
    await this.#write({ step: 'drop', ids: [key.id] });
    const signal = AbortSignal.timeout(undoMs);
    await files.remove(key, signal);
    await tables.drop(tables.names.placeOf(key), signal);
    await this.#write({ step: 'forget', ids: [key.id] });
  }

  get #held() {
    const { id, lease } = this.#run.job;
    return { id, lease };
  }

  async #write(command: Step): Promise<boolean> {
    const result = await this.#context.store.write({ kind: 'publication', ...command });
    return result.kind === 'done' && result.count > 0;
  }
}

type StepOf<Each> = Each extends PublicationCommand ? Omit<Each, 'kind'> : never;
type Step = StepOf<PublicationCommand>;

/** Creates the job that publishes the current rows of its subject. */
export const createPublishJob = (context: PublishContext): JobType => ({
  name: publishJob,
  slots: 1,
  timeoutMs: publishMs,
  maxAttempts,
  run: async (run) => {
    await new PublicationAttempt(context, run).publish();
    return null;
  },
});
