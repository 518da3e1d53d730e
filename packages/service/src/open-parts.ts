import { resolve } from 'node:path';
import { createAppearancePart } from './dashboards/appearance/serve-appearance.ts';
import type { Command, WriteResult } from './commands/command.ts';
import { createCounter, type Counter } from './concurrency/release.ts';
import type { Turn } from './concurrency/turns.ts';
import type { Config } from './config/config.ts';
import { openData, type DataParts } from './data/open.ts';
import type { SlowQueries } from './data/run/slow-queries.ts';
import type { OpenSecret } from './data/row-filters/load-terms.ts';
import { createParametersInForce } from './data/row-filters/parameters-in-force.ts';
import { createStartingValues } from './data/row-filters/starting-values.ts';
import { DrawingWorker } from './export/drawing/drawing-worker.ts';
import { createRenderExport, type RenderExport } from './export/render-export.ts';
import { RowsRendering } from './export/render-rows.ts';
import { createExportPart } from './export/serve-export.ts';
import type { Sources } from './open-sources.ts';
import type { Recorder } from './metrics/metrics.ts';
import type { Observations } from './observations/observations.ts';
import type { Registry } from './resource/registry.ts';
import { loadedLater, type ServedParts, type ServedRequest } from './resource/served.ts';
import { createRowsPart } from './rows/serve-rows.ts';
import { createSortRows, type SortRows } from './rows/sort-rows.ts';
import { createVersionNames } from './rows/version-names.ts';
import type { Store } from './store/store.ts';

const megabyte = 1024 * 1024;

/** Dependencies of the handlers of served resources. */
export interface PartsOptions {
  readonly config: Config;
  readonly store: Store<Command, WriteResult>;
  readonly registry: Registry;
  readonly sources: Sources;
  readonly recorder: Recorder;
  readonly slowQueries: SlowQueries;
  readonly observations: Observations;
  readonly open: OpenSecret;
  readonly turn: Turn;
  readonly now: () => number;
  readonly id: () => string;
  /** Maximum keys of a row filter sent to another source. */
  readonly filterKeys: number;
  /** Called when background work fails. */
  readonly failed: (what: string, error: unknown) => void;
}

/** The handlers of served resources: queries, rows, exports, appearance, AI charts. */
export interface Parts {
  readonly data: DataParts;
  readonly served: ServedParts;
  readonly sortRows: SortRows;
  readonly drawingWorker: DrawingWorker;
  readonly renderExport: RenderExport;
  /** Exports of rows in progress. */
  readonly exportsInProgress: Counter;
  close(): Promise<void>;
}

function openDataParts({
  config,
  store,
  registry,
  sources,
  recorder,
  slowQueries,
  observations,
  open,
  turn,
  now,
  filterKeys,
  failed,
}: PartsOptions): DataParts {
  return openData({
    store,
    registry,
    now,
    open,
    failed,
    turn,
    recorder,
    slowQueries,
    observations,
    engine: sources.engine,
    connectors: sources.connectors,
    pluginOf: sources.pluginOf,
    cacheBytes: config.answerCacheMb * megabyte,
    limits: { rows: config.resultRows, bytes: config.resultMb * megabyte, keys: filterKeys },
    fetchRows: config.sourceRows,
    fetchBytes: config.sourceMb * megabyte,
    describeMs: Math.min(30_000, config.queryTimeoutS * 1000),
    waitMs: config.queryWaitS * 1000,
  });
}

/** Opens every handler. Heavy modules are loaded with the first request for them. */
export function openParts(options: PartsOptions): Parts {
  const { config, store, registry, sources, open, id, failed } = options;
  const data = openDataParts(options);
  const version = createVersionNames(id);
  const rows = createRowsPart({
    store,
    engine: sources.engine,
    registry,
    models: data.models,
    newId: id,
    version,
    // Absolute, because child processes of the engine read it with another working directory.
    folder: resolve(config.dataDir, 'uploads'),
    mostBytes: config.uploadMb * megabyte,
    ...(config.organizationMb === undefined ? {} : { quotaBytes: config.organizationMb * megabyte }),
  });
  const sortRows = createSortRows({
    store,
    engine: sources.engine,
    uses: data.queryService.uses,
    version,
    now: options.now,
  });
  const drawingWorker = new DrawingWorker({
    folder: resolve(config.dataDir, 'work', 'exports'),
    watch: sources.watch,
    failed: (reason) => failed('a file was not drawn', reason),
  });
  const parametersInForce = createParametersInForce(store, open);
  const exportsInProgress = createCounter();
  const renderExport = createRenderExport(
    { reader: store, registry, parametersInForce, drawingWorker, answers: data.answers },
    new RowsRendering({
      queryService: data.queryService,
      maxRows: config.exportRows,
      maxConcurrent: config.exportsAtOnce,
      inProgress: exportsInProgress,
    }),
  );
  return {
    data,
    drawingWorker,
    renderExport,
    exportsInProgress,
    sortRows,
    served: {
      ...data.served,
      data: (request: ServedRequest) => (request.operation === 'create' ? rows : data.served.data)(request),
      appearance: createAppearancePart(
        { reader: store, registry },
        createStartingValues(store, open),
        parametersInForce,
      ),
      export: createExportPart(renderExport),
      aichart: loadedLater(async () => {
        const { openAichart } = await import('./aichart/open.ts');
        return openAichart({ config, outbound: sources.outbound, store, failed });
      }),
    },
    close: async () => {
      await drawingWorker.close();
    },
  };
}
