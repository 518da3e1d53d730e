import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { emitRollup, type ModelColumn } from '@inlay/query';
import { inWords, timestamp, type JsonObject } from '@inlay/contract';
import type { HeldJob } from '../commands/job.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import { copyFingerprint } from '../data/copies/fingerprint.ts';
import type { SqlSource } from '../data/choose.ts';
import { loadReached } from '../data/model/load-datasets.ts';
import type { ModelCache } from '../data/model/load-model.ts';
import type { LoadedDataset } from '../data/model/parts.ts';
import { resolveAccount } from '../data/resolve-account.ts';
import { rollupsOn, type RollupShapes } from '../data/rollups/stored.ts';
import { askedOf, connectorOf, type AccountResolver } from '../data/sources.ts';
import {
  EngineProblem,
  rollupRows,
  type DoubledKeys,
  type Engine,
  type IngestProgress,
  type IngestSpec,
  type RollupStatement,
} from '../engine/engine.ts';
import type { JobRun } from '../jobs/job.ts';
import { Problem } from '../problems/problem.ts';
import type { NameVersion } from '../rows/version-names.ts';
import type { Store } from '../store/store.ts';
import { planRefresh, type RefreshPlan } from './refresh-plan.ts';
import { readIntoFile, type SourceFileContext } from './source-file.ts';

/** Dependencies of refreshes. */
export interface RefreshContext extends AccountResolver, SourceFileContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly models: ModelCache;
  readonly version: NameVersion;
  readonly newId: () => string;
  /** Folder for rows while they are read. */
  readonly folder: string;
  /** Called if a refresh fails for a reason that no Problem describes. */
  readonly failed: (what: string, error: unknown) => void;
  /** Limit in bytes of all versions of an organization; undefined for no limit. */
  readonly quotaBytes?: number;
}

/** An acceleration with its hidden columns. */
export interface StoredAcceleration {
  readonly id: string;
  readonly organizationId: string;
  readonly record: JsonObject;
  readonly copyVersion: string | null;
  readonly copyOf: string | null;
  readonly rollupShapes: RollupShapes;
}

/** Raised if keys that should identify rows do not. `keys` has examples, which only owners may see. */
export class KeysDoubled extends Problem {
  readonly keys: DoubledKeys;
  constructor(keys: DoubledKeys) {
    super('acceleration_failed', {
      message:
        'Several rows have the same key, or rows have no key. Name columns that together identify a row; doubled_keys shows an owner up to three of them.',
    });
    this.keys = keys;
  }
}

type StoredCopy = IngestProgress & { readonly kind: 'done' };

const progressEveryMs = 2000;
/** Time limit for reading all rows of a source, in ms. */
export const refreshMs = 6 * 3_600_000;

/** Finds the source of a dataset as the service itself reads it, without a caller. Raises Problem. */
async function sourceOf(context: RefreshContext, dataset: LoadedDataset): Promise<SqlSource> {
  const of = askedOf(dataset);
  if (dataset.account === null || of === null) throw new Problem('rows_missing');
  const resolvedBase = resolveAccount(dataset.account, null, '', context.open, context.now());
  const { connector, resolved } = await connectorOf(context, resolvedBase, { userId: null }, null);
  if (connector.kind !== 'sql')
    throw new Problem('acceleration_failed', { message: 'Only the rows of databases are copied.' });
  return { kind: 'sql', resolved, connector, of };
}

/** Raises Problem if the engine does not keep a column as the source has it. */
function checkColumns(copy: StoredCopy, columns: readonly ModelColumn[], required: ModelColumn | null): void {
  const written = new Map(copy.columns.map((column) => [column.name, column]));
  for (const { source, storageType } of columns) {
    const kept = written.get(source)?.storageType;
    if (kept !== storageType)
      throw new Problem('acceleration_failed', {
        message: `The column "${source}" has values that the engine cannot keep exactly (${storageType}).`,
      });
  }
  const empty = required === null ? 0 : (written.get(required.source)?.empty ?? 0);
  if (empty > 0)
    throw new Problem('acceleration_failed', {
      message: `${empty} rows have no value in "${required?.source ?? ''}", so a delta could miss rows like them. Name another column, or use the load type full.`,
    });
}

/** Returns the newest time of each column with times, rounded down to a millisecond. */
const newestTimes = ({ columns }: StoredCopy): readonly JsonObject[] =>
  columns.flatMap(({ name, storageType, maximum }) => {
    if (storageType !== 'timestamp' && storageType !== 'timestamptz') return [];
    const newestMs = Date.parse(maximum ?? '');
    return Number.isNaN(newestMs) ? [] : [{ source_name: name, newest: timestamp(newestMs) }];
  });

/** One refresh of an acceleration. */
export class Refresh {
  readonly #context: RefreshContext;
  readonly #acceleration: StoredAcceleration;
  readonly #held: HeldJob;
  readonly #signal: AbortSignal;
  #notedMs = 0;

  constructor(context: RefreshContext, acceleration: StoredAcceleration, { job, signal }: JobRun) {
    this.#context = context;
    this.#acceleration = acceleration;
    this.#held = { id: job.id, lease: job.lease };
    this.#signal = signal;
  }

  /** Notes fields of the acceleration. Returns false if the refresh was cancelled or taken over. */
  async note(fields: JsonObject, nextRunAt?: string | null): Promise<boolean> {
    const { store } = this.#context;
    const { id } = this.#acceleration;
    const next = nextRunAt === undefined ? {} : { nextRunAt };
    const result = await store.write({ kind: 'refresh', held: this.#held, id, fields, ...next });
    return result.kind === 'done' && result.count === 1;
  }

  /** Reads the rows of the source and makes them the copy. Raises Problem, SourceProblem, EngineProblem. */
  async run(nextRunAt: string | null): Promise<void> {
    const { store, models, engine } = this.#context;
    const { record, copyVersion, copyOf, organizationId, id } = this.#acceleration;
    const datasetId = inWords(record['securable_id'] ?? null);
    const dataset = (await loadReached(store, models, { organizationId }, [datasetId])).get(datasetId);
    if (dataset === undefined) throw new Problem('rows_missing');
    const print = copyFingerprint(dataset);
    const startedMs = this.#context.now();
    const hasCopy = copyVersion !== null && copyOf === print;
    const version = this.#context.version(copyVersion);
    const { plan, copy } = await this.#writePlanned(dataset, hasCopy, startedMs, version);
    try {
      if (copy.doubledKeys.length > 0) throw new KeysDoubled(copy.doubledKeys);
      checkColumns(copy, storedColumns(dataset), plan.required);
    } catch (error) {
      await engine.dropVersion(organizationId, id, version);
      throw error;
    }
    const startedAt = timestamp(startedMs);
    const isTaken = await this.note(
      {
        status: 'ready',
        data_as_of: timestamp(plan.asOfMs),
        rows: copy.rows,
        bytes: copy.bytes,
        bytes_read: null,
        rollups: copy.rollups.map(({ id: rollup, rows }) => ({ id: rollup, rows })),
        newest_times: newestTimes(copy),
        last_refresh_at: startedAt,
        ...(plan.isFull ? { last_full_at: startedAt } : {}),
        last_error: null,
        doubled_keys: [],
        failures: 0,
        copy_version: version,
        copy_of: print,
      },
      nextRunAt,
    );
    // The previous copy is kept, since queries that read it may not have opened its file yet.
    if (isTaken)
      await engine.keepVersions(organizationId, id, [version, ...(copyVersion === null ? [] : [copyVersion])]);
    else await engine.dropVersion(organizationId, id, version);
  }

  /** Writes the copy as planned. If the copy cannot be changed, writes it anew. */
  async #writePlanned(
    dataset: LoadedDataset,
    hasCopy: boolean,
    startedMs: number,
    version: string,
  ): Promise<{ readonly plan: RefreshPlan; readonly copy: StoredCopy }> {
    const plan = planRefresh(this.#acceleration.record, dataset.model, hasCopy, startedMs);
    try {
      return { plan, copy: await this.#write(dataset, plan, version) };
    } catch (error) {
      // The copy is gone, or the new rows do not fit its types.
      const mustBeFull = error instanceof EngineProblem && (error.cause === 'missing' || error.cause === 'input');
      if (plan.isFull || !mustBeFull) throw error;
      return this.#writePlanned(dataset, false, startedMs, version);
    }
  }

  async #write(dataset: LoadedDataset, plan: RefreshPlan, version: string): Promise<StoredCopy> {
    const { folder, newId } = this.#context;
    const path = join(folder, `${newId()}.refresh`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await this.#ingest(dataset, plan, version, path);
    } finally {
      await rm(path, { force: true });
    }
  }

  async #ingest(dataset: LoadedDataset, plan: RefreshPlan, version: string, path: string): Promise<StoredCopy> {
    const { engine, quotaBytes } = this.#context;
    const { id, organizationId, copyVersion } = this.#acceleration;
    const columns = storedColumns(dataset).map(({ source: name, storageType }) => ({ name, storageType }));
    if (columns.length === 0)
      throw new Problem('acceleration_failed', { message: 'The dataset has no columns of its source yet.' });
    const source = await sourceOf(this.#context, dataset);
    const { model } = dataset;
    const read = (bytes: number): void => this.#progress(bytes);
    const spec = { path, source, model, range: plan.range, deadlineMs: refreshMs, read };
    const count = await readIntoFile(this.#context, spec, this.#signal);
    const ingest: IngestSpec = {
      tenant: organizationId,
      datasetId: id,
      version,
      source: { kind: 'typed', path, columns, count },
      uniqueKey: plan.key,
      rollups: this.#rollups(),
      ...(quotaBytes === undefined ? {} : { quotaBytes }),
      ...(plan.isFull || copyVersion === null
        ? {}
        : { onto: { version: copyVersion, key: plan.key.length === 0 ? null : plan.key, mayAddColumns: false } }),
    };
    for await (const progress of engine.ingest(ingest, this.#signal)) if (progress.kind === 'done') return progress;
    throw new Problem('engine_failed');
  }

  /** Returns the statements of the rollups that are switched on. */
  #rollups(): readonly RollupStatement[] {
    const { record, rollupShapes } = this.#acceleration;
    return rollupsOn(record).flatMap((id) => {
      const shape = rollupShapes[id];
      if (shape === undefined) return [];
      const { sql, params } = emitRollup(shape, { kind: 'table', path: [rollupRows] });
      return [{ id, sql, params }];
    });
  }

  #progress(bytes: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#notedMs < progressEveryMs) return;
    this.#notedMs = nowMs;
    // Progress that is lost changes nothing: the next note follows soon.
    this.note({ bytes_read: bytes }).catch(() => undefined);
  }
}

/** Returns the columns of a dataset at its source, in the order in which a copy reads them. */
const storedColumns = ({ model }: LoadedDataset): readonly ModelColumn[] =>
  [...model.columns.values()]
    .filter(({ expression }) => expression === null)
    .toSorted((left, right) => (left.source < right.source ? -1 : 1));
