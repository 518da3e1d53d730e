import { expect, it } from 'vitest';
import type { SourceAnswer, SqlConnector } from '../../connectors/connector.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { postgresql } from '../../connectors/postgresql/provider.ts';
import { SourceProblem } from '../../connectors/problem.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Choice, Fetch } from '../choose.ts';
import { run } from './run.ts';
import { SlowQueries } from './slow-queries.ts';
import { untraced } from '../../tracing/trace.ts';

const nothing = (): never => {
  throw new Error('is not asked for');
};
const engine: Engine = {
  query: nothing,
  exportRows: nothing,
  plan: nothing,
  describe: nothing,
  checkSelect: nothing,
  ingest: nothing,
  writeParquet: nothing,

  versionPath: nothing,
  usedBytes: nothing,
  keepVersions: nothing,
  dropVersion: nothing,
  held: nothing,
  retired: nothing,
  close: nothing,
};
const statement = { sql: 'select 1', params: [], columns: [] };

const fetchOf = (datasetId: string, answer: (signal: AbortSignal) => Promise<SourceAnswer>): Fetch => {
  const connector: SqlConnector = {
    kind: 'sql',
    traits: postgresql,
    test: nothing,
    tables: nothing,
    describe: nothing,
    checkQuery: nothing,
    features: nothing,
    foreignKeys: nothing,
    mayWrite: nothing,
    run: (_reach, _statement, _limits, signal) => answer(signal),
  };
  const where = { host: null, port: null, scope: null, identifier: null, token: null, properties: {} };
  const resolved = {
    params: { accountId: 'a', organizationId: 'o', ...where },
    account: { id: 'a', organizationId: 'o', revision: 0, record: {}, sealed: {} },
    overriddenBy: null,
  };
  return { datasetId, source: { kind: 'sql', resolved, connector, of: { table: 't' } }, statement, columns: [] };
};

it('what other sources have begun to send is given up where one fails', async () => {
  const signals: AbortSignal[] = [];
  const open = fetchOf('one', async (signal) => {
    signals.push(signal);
    return { rows: (async function* () {})(), truncated: () => false };
  });
  const broken = fetchOf('two', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new SourceProblem('refused');
  });
  const choice: Choice = { place: 'engine', statement, fetches: [open, broken], plan: null, rolledUp: null };
  const limits = { rowLimit: 1, byteLimit: 1, deadlineMs: 1000 };
  const caller = { organizationId: 'o', suborganization: null, authorizationId: 'a' };
  const task = {
    caller,
    choice,
    sources: new Map(),
    locale: 'en',
    copyMiss: null,
    lines: null,
    limits,
    trace: untraced(),
  };
  const runners = {
    engine,
    credentials: () => undefined,
    recorder: createMetrics(),
    slowQueries: new SlowQueries({ thresholdMs: Infinity, plans: false, log: () => undefined }),
    fetchRows: 1,
    fetchBytes: 1,
    turn: async () => undefined,
  };
  await expect(run(runners, task, new AbortController().signal)).rejects.toMatchObject({ cause: 'refused' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
