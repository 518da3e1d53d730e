import type { JsonObject } from '@inlay/contract';
import type { Engine } from '../engine/engine.ts';
import type { Command, WriteResult } from '../commands/command.ts';
import type { Recorder } from '../metrics/metrics.ts';
import type { Observations } from '../observations/observations.ts';
import type { Registry } from '../resource/registry.ts';
import type { Tools } from '../resource/rules.ts';
import type { ServedHandler, ServedHandlers } from '../resource/served.ts';
import type { Store } from '../store/store.ts';
import type { QueryService } from './query-request.ts';
import type { Turn } from '../concurrency/turns.ts';
import { Admission } from './admission.ts';
import { createAnswerCache } from './cache/cache.ts';
import { Dialects } from './dialects.ts';
import { createColumnUses } from './column-use.ts';
import type { Cluster } from './cluster/cluster.ts';
import { CopyUses } from './copies/copy-uses.ts';
import { RollupChecks } from './rollups/checks.ts';
import { RollupDemand } from './rollups/demand.ts';
import { createExplainRows, type ExplainRows } from './explanation/explain-rows.ts';
import { createInFlightQueries } from './cache/keep-rows.ts';
import { createModelCache, type ModelCache } from './model/load-model.ts';
import { createProveColumns } from './metadata/prove-columns.ts';
import { createReadMetadata } from './metadata/read-metadata.ts';
import { QueryAnswers } from './answers/query-answers.ts';
import { createDataHandler } from './serve-data.ts';
import { createDataproviderHandler } from './metadata/serve-dataprovider.ts';
import { MemberCache, memberCacheBytes } from './values/member-cache.ts';
import type { SlowQueries } from './run/slow-queries.ts';
import type { AccountResolver } from './sources.ts';
import { createSyncJob } from './metadata/sync.ts';
import type { JobType } from '../jobs/job.ts';

/** Dependencies of the data module. */
export interface DataOptions extends AccountResolver {
  readonly store: Store<Command, WriteResult>;
  readonly registry: Registry;
  readonly engine: Engine;
  readonly recorder: Recorder;
  readonly slowQueries: SlowQueries;
  readonly observations: Observations;
  /** Called when background work fails. */
  readonly failed: (what: string, error: unknown) => void;
  readonly cacheBytes: number;
  readonly limits: QueryService['limits'];
  readonly fetchRows: number;
  readonly fetchBytes: number;
  readonly turn: Turn;
  /** Time limit for reading the schema of a source, in ms. */
  readonly describeMs: number;
  /** Maximum expected wait of a request for rows, in ms. A request that would wait longer is refused. */
  readonly waitMs: number;
  /** Maximum number of connections to a source. */
  readonly sourceConnections: number;
  /** The cluster that answers queries over published rows; null if there is none. */
  readonly cluster: Cluster | null;
}

/** The parts of the data module: queries, tables of connections, and metadata. */
export interface DataParts {
  readonly served: ServedHandlers & { readonly data: ServedHandler };
  /** Cache of dataset models. The module that stores rows uses the same cache. */
  readonly models: ModelCache;
  readonly queryService: QueryService;
  /** Answers queries for other modules. */
  readonly answers: QueryAnswers;
  /** Returns the number of admitted queries that have no answer yet. */
  readonly pendingQueries: () => number;
  readonly readMetadata: Tools['readMetadata'];
  readonly explainRows: ExplainRows;
  /** Job that syncs the metadata of a dataset. */
  readonly syncJob: JobType;
}

/** Builds the data module. */
export function openData(options: DataOptions): DataParts {
  const { store, failed, describeMs, cacheBytes } = options;
  const noting = new Set<string>();
  const noteField = async (resource: string, id: string, fields: JsonObject): Promise<void> => {
    try {
      await store.write({ kind: 'note', resource, id, fields });
    } catch (error) {
      failed('a note about a source was not kept', error);
    }
  };
  const note = (resource: string, id: string, fields: JsonObject): void => {
    const key = `${resource} ${id} ${JSON.stringify(fields)}`;
    // If several queries note the same fact at the same time, it is stored once.
    if (noting.has(key)) return;
    noting.add(key);
    void noteField(resource, id, fields).finally(() => noting.delete(key));
  };
  const providing = {
    ...options,
    note,
    reader: store,
    credentials: ({ account, overriddenBy }: Parameters<CredentialsTold>[0], isAccepted: boolean): void => {
      // A token may replace the connection of the account, so the result says nothing about the account itself.
      if (overriddenBy === null && (account.record['invalid'] === true) === isAccepted)
        note('account', account.id, { invalid: !isAccepted });
    },
  };
  const models = createModelCache();
  const queryService = {
    ...providing,
    models,
    dialects: new Dialects(options.now),
    proveColumns: createProveColumns(providing),
    cache: createAnswerCache(cacheBytes),
    inFlight: createInFlightQueries(),
    members: new MemberCache(memberCacheBytes),
    uses: createColumnUses(),
    copyUses: new CopyUses(options.recorder, options.observations),
    rollupDemand: new RollupDemand(),
    rollupChecks: new RollupChecks({ store, recorder: options.recorder, failed }),
  };
  const admission = new Admission({
    waitMs: options.waitMs,
    engineLoad: () => options.engine.held().queries,
    sourceSize: options.sourceConnections,
    now: options.now,
  });
  const answers = new QueryAnswers(queryService, admission);
  return {
    models,
    queryService,
    answers,
    explainRows: createExplainRows(queryService, admission),
    pendingQueries: () => admission.pending,
    served: { data: createDataHandler(answers), dataprovider: createDataproviderHandler(providing) },
    readMetadata: createReadMetadata(
      { ...providing, noted: (id, fields) => noteField('securable', id, fields) },
      describeMs,
    ),
    syncJob: createSyncJob({
      ...providing,
      failed: (id, error) => failed(`the metadata of dataset ${id} was not read`, error),
    }),
  };
}

type CredentialsTold = QueryService['credentials'];
