import type { JsonObject } from '@inlay/contract';
import type { StorageType } from '@inlay/query';
import type { Caller } from '../access/caller.ts';
import { referenceTo } from '../callers/caller-of.ts';
import { describeRole, securable } from '../declare/roles.ts';
import { loadDatasets, seenDatasets } from '../data/model/load-datasets.ts';
import type { ModelCache } from '../data/model/load-model.ts';
import { mustSeeAllRows, whoStores } from '../data/row-filters/unfiltered.ts';
import {
  EngineProblem,
  type Engine,
  type IngestNotice,
  type IngestProgress,
  type IngestSpec,
  type InvalidCells,
  type WrittenForms,
} from '../engine/engine.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import type { RowsStorer } from '../commands/rows.ts';
import type { WriteCommand } from '../commands/record.ts';
import { Problem } from '../problems/problem.ts';
import type { StoredRecord } from '../resource/tables.ts';
import { OutcomeUnknown, type Store } from '../store/store.ts';
import { columnOfEngine } from './columns.ts';
import type { NameVersion } from './version-names.ts';

/** What storing rows depends on. */
export interface RowStoreContext {
  readonly store: Store<Command, WriteResult>;
  readonly engine: Engine;
  readonly models: ModelCache;
  /** Limit in bytes of all versions of an organization; undefined for no limit. */
  readonly quotaBytes?: number;
  readonly version: NameVersion;
}

export const rowModes = ['create', 'append', 'replace', 'upsert'] as const;
export type RowMode = (typeof rowModes)[number];

/** Rows of one request. */
export interface RowsRequest {
  readonly caller: Caller;
  readonly mode: RowMode;
  /** Id of the dataset; null if the request creates one. */
  readonly securableId: string | null;
  /** Fields of the dataset to create. */
  readonly set: JsonObject;
  /** Opens the source. Called once per attempt, since a source can be read only once. */
  readonly source: (held: HeldRows | null) => IngestSpec['source'];
  readonly overrides: ReadonlyMap<string, StorageType>;
  readonly onInvalid: 'refuse' | 'null';
  readonly forms: WrittenForms;
  /** Names of the columns that identify a row. Used only for upsert. */
  readonly key: readonly string[];
  readonly updateMetadata: boolean;
  /** True if the rows are in memory and can be read again. */
  readonly isPushed: boolean;
  readonly idempotency: WriteCommand['idempotency'];
  readonly replays?: (() => void) | undefined;
  readonly signal: AbortSignal;
  readonly progress: (progress: IngestProgress) => void;
}

/** State of a dataset before the write. */
export interface HeldRows {
  readonly organizationId: string;
  readonly version: string | null;
  /** Columns in order, each with its name in the data and its storage type. */
  readonly columns: readonly { readonly name: string; readonly storageType: StorageType }[];
}

/**
 * Maximum number of attempts. Concurrent writers to one dataset win about equally often; with three of them, losing 64
 * times in a row has a probability of 10^-11.
 */
const attempts = 64;

const isMissing = (error: unknown): boolean => error instanceof EngineProblem && error.cause === 'missing';

/**
 * Loads a dataset whose rows the caller may change. Raises Problem: `dataset_unknown`, `forbidden`, `rows_elsewhere`.
 */
export async function holdRows(
  { store, models }: RowStoreContext,
  { caller }: RowsRequest,
  id: string,
): Promise<HeldRows> {
  const dataset = (await loadDatasets(store, models, caller, [id], 'modify')).get(id);
  if (dataset === undefined) {
    if ((await seenDatasets(store, caller, [id])).has(id))
      throw new Problem('forbidden', {
        message: `Your role does not allow this; it needs: ${describeRole(securable('modify'))}.`,
      });
    throw new Problem('reference_unknown', {
      validation: { 'properties.securable_id': ['there is no such dataset, or you may not see it'] },
    });
  }
  await mustSeeAllRows(store, caller, id, whoStores);
  if (dataset.account !== null) throw new Problem('rows_elsewhere');
  const { columns: proven, unproven } = dataset.model;
  // A dataset without rows has only columns that are declared and not yet verified.
  const readableColumns = [...proven.values(), ...(dataset.dataVersion === null ? (unproven?.values() ?? []) : [])];
  const columns = readableColumns.filter(({ expression }) => expression === null);
  return {
    organizationId: dataset.organizationId,
    version: dataset.dataVersion,
    columns: columns.map(({ source, storageType }) => ({ name: source, storageType })),
  };
}

/**
 * Ingests rows, and retries once if the child process failed. Calls `specOf` for each attempt, since a source can be
 * read only once.
 */
async function ingested(
  { engine }: RowStoreContext,
  specOf: () => IngestSpec,
  { signal, progress }: RowsRequest,
): Promise<IngestProgress & { kind: 'done' }> {
  return takeIn(engine, specOf(), { signal, progress }).catch((error: unknown) => {
    if (!mayWorkElsewhere(error)) throw error;
    return takeIn(engine, specOf(), { signal, progress });
  });
}

async function takeIn(
  engine: Engine,
  spec: IngestSpec,
  { signal, progress }: Pick<RowsRequest, 'signal' | 'progress'>,
): Promise<IngestProgress & { kind: 'done' }> {
  for await (const step of engine.ingest(spec, signal)) {
    progress(step);
    if (step.kind === 'done') return step;
  }
  throw new EngineProblem('failed');
}

const isPutOnto = ({ mode }: RowsRequest, heldRows: HeldRows | null): boolean =>
  (mode === 'append' || mode === 'upsert') && heldRows !== null && heldRows.version !== null;

function specOf(
  request: RowsRequest,
  tenant: string,
  datasetId: string,
  version: string,
  heldRows: HeldRows | null,
  quotaBytes: number | undefined,
): IngestSpec {
  const { mode, key, onInvalid, forms } = request;
  const previousTypes = (heldRows?.columns ?? []).map((column) => [column.name, column.storageType] as const);
  // The columns of a dataset without rows are only declared, so their types must be passed to the engine.
  const overrides = heldRows?.version === null ? new Map([...previousTypes, ...request.overrides]) : request.overrides;
  const onto = isPutOnto(request, heldRows) ? (heldRows?.version ?? null) : null;
  return {
    tenant,
    datasetId,
    version,
    source: request.source(heldRows),
    overrides,
    declared: new Map(previousTypes),
    onInvalid,
    forms,
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    ...(onto === null
      ? {}
      : { onto: { version: onto, key: mode === 'upsert' ? key : null, mayAddColumns: request.updateMetadata } }),
  };
}

/**
 * Result of storing rows: the record of the dataset, cells that were replaced by null, and notices about ambiguous
 * input.
 */
export interface StoredRows {
  readonly stored: StoredRecord;
  readonly invalid: readonly InvalidCells[];
  readonly notices: readonly IngestNotice[];
}

const storerOf = ({ caller, idempotency }: RowsRequest): RowsStorer => ({ caller: referenceTo(caller), idempotency });

/** True if another child process may succeed, because this one crashed or ran out of memory. */
const mayWorkElsewhere = (error: unknown): boolean =>
  error instanceof EngineProblem && (error.cause === 'failed' || error.cause === 'memory');

/**
 * Stores rows as the next version of a dataset. `others` are requests whose rows are already included in `request`. A
 * version is stored completely or not at all. If another writer has changed the dataset meanwhile, the write is
 * repeated on top of the new version. Raises Problem, EngineProblem, and the reason of the signal.
 */
export async function storeRows(
  context: RowStoreContext,
  request: RowsRequest,
  newId: () => string,
  others: readonly RowsRequest[] = [],
): Promise<StoredRows> {
  const { store, engine, version } = context;
  const { caller, mode } = request;
  for (let attempt = 1; ; attempt += 1) {
    const datasetId = request.securableId ?? newId();
    const heldRows = request.securableId === null ? null : await holdRows(context, request, datasetId);
    const tenant = heldRows?.organizationId ?? caller.organizationId;
    const name = version(heldRows?.version ?? null);
    const spec = (): IngestSpec => specOf(request, tenant, datasetId, name, heldRows, context.quotaBytes);
    const ingestResult = await ingested(context, spec, request).catch((error: unknown) => {
      // Other writers have meanwhile stored several versions, so the version to append to was deleted.
      if (!isPutOnto(request, heldRows) || !isMissing(error)) throw error;
      return null;
    });
    if (ingestResult === null) {
      if (attempt === attempts) throw new Problem('rows_changed');
      continue;
    }
    const result = await store
      .write({
        kind: 'rows',
        ...storerOf(request),
        others: others.map(storerOf),
        securableId: datasetId,
        isNew: request.securableId === null,
        set: request.set,
        columns: ingestResult.columns.map(columnOfEngine),
        follow:
          mode === 'create' || mode === 'replace' || heldRows?.version === null || request.updateMetadata
            ? 'all'
            : 'types',
        rows: ingestResult.rows,
        version: name,
        before: heldRows?.version ?? null,
      })
      .catch(async (error: unknown) => {
        // If the outcome is unknown, the version is kept, since the dataset may already refer to it.
        if (!(error instanceof OutcomeUnknown)) await engine.dropVersion(tenant, datasetId, name);
        throw error;
      });
    if (result.kind === 'record') {
      if (result.replayed === true) request.replays?.();
      // The previous version is kept, since queries that read it may not have opened its file yet.
      await engine.keepVersions(tenant, datasetId, [
        name,
        ...(heldRows?.version === null || heldRows === null ? [] : [heldRows.version]),
      ]);
      return { stored: result.stored, invalid: ingestResult.invalid, notices: ingestResult.notices };
    }
    await engine.dropVersion(tenant, datasetId, name);
    if (result.kind !== 'problem') throw new Error('rows were answered as something else');
    if (result.problem.code !== 'rows_changed' || attempt === attempts)
      throw new Problem(result.problem.code, result.problem);
  }
}
