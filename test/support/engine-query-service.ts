import { createInFlightQueries } from '../../packages/service/src/data/cache/keep-rows.ts';
import type { AnswerCache } from '../../packages/service/src/data/cache/cache.ts';
import { createColumnUses } from '../../packages/service/src/data/column-use.ts';
import { CopyUses } from '../../packages/service/src/data/copies/copy-uses.ts';
import { Dialects } from '../../packages/service/src/data/dialects.ts';
import { createModelCache } from '../../packages/service/src/data/model/load-model.ts';
import type { QueryService } from '../../packages/service/src/data/query-request.ts';
import { RollupChecks } from '../../packages/service/src/data/rollups/checks.ts';
import { RollupDemand } from '../../packages/service/src/data/rollups/demand.ts';
import { SlowQueries } from '../../packages/service/src/data/run/slow-queries.ts';
import { MemberCache, memberCacheBytes } from '../../packages/service/src/data/values/member-cache.ts';
import { createTurns } from '../../packages/service/src/concurrency/turns.ts';
import { createMetrics } from '../../packages/service/src/metrics/metrics.ts';
import type { Reader } from '../../packages/service/src/store/store.ts';
import type { TestService } from './service.ts';

/** Returns what answers queries over the engine alone, with a reader and a cache of the test. */
export function engineQueryService({ app }: TestService, reader: Reader, cache: AnswerCache): QueryService {
  const { store, now, registry } = app.service;
  return {
    reader,
    registry,
    engine: app.engine,
    cache,
    inFlight: createInFlightQueries(),
    members: new MemberCache(memberCacheBytes),
    uses: createColumnUses(),
    copyUses: new CopyUses(createMetrics(), { note: () => undefined, save: () => undefined }),
    cluster: null,
    rollupDemand: new RollupDemand(),
    rollupChecks: new RollupChecks({ store, recorder: createMetrics(), failed: () => undefined }),
    models: createModelCache(),
    dialects: new Dialects(now),
    proveColumns: async ({ model }) => model,
    now,
    connectors: () => undefined,
    pluginOf: async () => undefined,
    open: () => '{}',
    credentials: () => undefined,
    recorder: createMetrics(),
    slowQueries: new SlowQueries({ thresholdMs: Infinity, plans: false, log: () => undefined }),
    observations: { note: () => undefined, save: () => undefined },
    fetchRows: 1000,
    fetchBytes: 1_000_000,
    turn: createTurns(),
    limits: { rows: 100_000, bytes: 10_000_000, keys: 100_000 },
  };
}
