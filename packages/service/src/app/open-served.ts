import { createAccelerationJobs } from '../accelerations/open.ts';
import { openPublications, type Publications } from '../cluster/open.ts';
import type { JobType } from '../jobs/job.ts';
import { resolve } from 'node:path';
import { createCounter } from '../concurrency/release.ts';
import { createAppearanceHandler } from '../dashboards/appearance/serve-appearance.ts';
import { openData, type DataParts } from '../data/open.ts';
import { createParametersInForce } from '../data/row-filters/parameters-in-force.ts';
import { createStartingValues } from '../data/row-filters/starting-values.ts';
import { SlowQueries } from '../data/run/slow-queries.ts';
import { createValueSearch } from '../data/values/value-search.ts';
import { RenderPool } from '../export/rendering/render-pool.ts';
import { createRenderExport } from '../export/render-export.ts';
import { RowsRendering } from '../export/render-rows.ts';
import { createExportHandler } from '../export/serve-export.ts';
import { formulaFault, textsOfFormula } from '@inlay/query';
import { checkServed, loadedTogether, type ServedHandler, type ServedHandlers } from '../resource/served.ts';
import type { ModelReport } from '../model/health.ts';
import { createRowsHandler } from '../rows/serve-rows.ts';
import { createSortRows, type SortRows } from '../rows/sort-rows.ts';
import { createVersionNames, type NameVersion } from '../rows/version-names.ts';
import type { Component } from './component.ts';
import type { Platform } from './open-platform.ts';
import type { Sources } from './open-sources.ts';
import type { AppOptions } from './options.ts';

const megabyte = 1024 * 1024;

/** The handlers of served resources: queries, rows, exports, appearance, AI charts. */
export interface ServedResources extends Component {
  readonly handlers: ServedHandlers;
  readonly data: DataParts;
  readonly sortRows: SortRows;
  readonly accelerationJobs: readonly JobType[];
  readonly publications: Publications;
  readonly renderPool: RenderPool;
}

function openDataParts(platform: Platform, sources: Sources, filterKeys: number): DataParts {
  const { config, store, registry, now, openSecret, failed, turn, metrics, observations, logger } = platform;
  return openData({
    store,
    registry,
    now,
    open: openSecret,
    failed,
    turn,
    recorder: metrics,
    slowQueries: new SlowQueries({
      thresholdMs: config.slowQueryMs,
      plans: config.slowQueryPlans,
      log: (line) => logger.warn(line, 'slow query'),
    }),
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
    sourceConnections: config.sourceConnections,
    cluster: sources.cluster,
  });
}

/** Creates the handler for pushed and uploaded rows. */
const openRows = (
  { config, store, registry, id }: Platform,
  { engine }: Sources,
  { models }: DataParts,
  version: NameVersion,
): ServedHandler =>
  createRowsHandler({
    store,
    engine,
    registry,
    models,
    newId: id,
    version,
    // The path is absolute, because child processes of the engine read the folder with another working directory.
    folder: resolve(config.dataDir, 'uploads'),
    maxBytes: config.uploadMb * megabyte,
    ...(config.organizationMb === undefined ? {} : { quotaBytes: config.organizationMb * megabyte }),
  });

/** Reports the AI provider to the log and the metrics. */
const modelReport = ({ config, logger, metrics }: Platform): ModelReport => ({
  ended: (outcome) => metrics.count('inlay_ai_requests_total', { outcome }),
  changed: (state, cause) =>
    state === 'failing'
      ? logger.warn({ address: config.aiBaseUrl, cause }, 'the AI provider fails; the built-in engine makes the charts')
      : logger.info({ address: config.aiBaseUrl }, 'the AI provider answers again'),
});

/**
 * Creates all handlers. Handlers in `overrides` replace created ones. Heavy modules are loaded with the first request
 * that needs them.
 */
export function openServed(
  platform: Platform,
  sources: Sources,
  { filterKeys = 100_000, served: overrides }: Pick<AppOptions, 'filterKeys' | 'served'>,
): ServedResources {
  const { config, store, registry, now, id, openSecret, failed } = platform;
  const { engine, outbound, watch, cluster } = sources;
  const data = openDataParts(platform, sources, filterKeys);
  const { queryService, answers } = data;
  const version = createVersionNames(id);
  const rows = openRows(platform, sources, data, version);
  const renderPool = new RenderPool({
    folder: resolve(config.dataDir, 'work', 'exports'),
    watch,
    failed: (reason) => failed('a file was not drawn', reason),
  });
  const parametersInForce = createParametersInForce(store, openSecret);
  const exportsInProgress = createCounter();
  const renderExport = createRenderExport(
    { reader: store, registry, parametersInForce, renderPool, answers, now },
    new RowsRendering({
      queryService,
      maxRows: config.exportRows,
      maxConcurrent: config.exportsAtOnce,
      inProgress: exportsInProgress,
    }),
  );
  const handlers: ServedHandlers = {
    ...data.served,
    data: (request) => (request.operation === 'create' ? rows : data.served.data)(request),
    appearance: createAppearanceHandler(
      { reader: store, registry },
      createStartingValues(store, openSecret),
      parametersInForce,
    ),
    export: createExportHandler(renderExport),
    ...loadedTogether(['aichart', 'generatedescriptions', 'iqformula'], async () => {
      const { openAi } = await import('../aichart/open.ts');
      const search = createValueSearch(queryService);
      const report = modelReport(platform);
      const formulaSyntax = { check: formulaFault, textsOf: textsOfFormula };
      return openAi({ config, outbound, store, failed, report }, search, formulaSyntax, now);
    }),
    ...overrides,
  };
  checkServed(registry, handlers);
  return {
    handlers,
    data,
    renderPool,
    accelerationJobs: createAccelerationJobs({
      ...queryService,
      store,
      engine,
      version,
      newId: id,
      folder: resolve(config.dataDir, 'uploads'),
      failed,
      ...(config.organizationMb === undefined ? {} : { quotaBytes: config.organizationMb * megabyte }),
    }),
    publications: openPublications({ config, store, engine, now, newId: id }, cluster),
    sortRows: createSortRows({ store, engine, uses: queryService.uses, version, now }),
    gauges: {
      inlay_queries_pending: data.pendingQueries,
      inlay_exports: () => exportsInProgress.total(),
      inlay_answer_cache_bytes: () => queryService.cache.bytes,
    },
    close: () => renderPool.close(),
  };
}
