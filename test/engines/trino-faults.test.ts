import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionParams, RunLimits } from '../../packages/service/src/connectors/connector.ts';
import { localConnectors } from '../connectors/sources.ts';
import { counted, lateMs } from '../support/counts.ts';
import { startTrino, type Trino } from '../support/trino.ts';

const never = new AbortController().signal;
const limits: RunLimits = { rowLimit: 1000, byteLimit: 1e8, deadlineMs: 30_000 };
/** Longer than the minute after which the cluster reports a lost node, so that the query is sent again. */
const longDeadlineMs = 150_000;
const statement = {
  sql: 'select count(*), sum(quantity) from tpch."sf0.2".lineitem where orderkey % 7 = cast(? as integer)',
  params: [3],
};

describe('a cluster that loses nodes on Trino', () => {
  let cluster: Trino;
  let expected: unknown;
  const connectors = localConnectors(4);
  const connector = connectors.of('trino');
  const reach = (accountId: string): ConnectionParams => ({
    accountId,
    organizationId: 'organization',
    host: '127.0.0.1',
    port: String(cluster.port),
    scope: 'tpch',
    identifier: 'reader',
    token: null,
    properties: {},
  });
  const ask = async (accountId: string, deadlineMs = limits.deadlineMs): Promise<unknown> => {
    const { rows } = await connector.run(reach(accountId), statement, { ...limits, deadlineMs }, never);
    const all: unknown[] = [];
    for await (const batch of rows) all.push(...batch);
    return all;
  };
  /** Returns what an answer was: right, wrong, or the cause of its problem. */
  const outcome = (answer: Promise<unknown>): Promise<string> =>
    answer.then(
      (rows) => (JSON.stringify(rows) === JSON.stringify(expected) ? 'right' : `wrong: ${JSON.stringify(rows)}`),
      (error: unknown) => (error instanceof Error ? String(error.cause) : String(error)),
    );

  beforeAll(async () => {
    cluster = await startTrino();
    expected = await ask('first', 120_000);
  }, 300_000);
  afterAll(async () => {
    connectors.close();
    await cluster?.stop();
  });

  test(
    'gives no wrong answer, ends each query by its deadline, and answers again',
    { timeout: 3_600_000 },
    async () => {
      const outcomes = new Map<string, number>();
      let late = 0;
      for (let kill = 0; kill < counted(2, 20); kill += 1) {
        const worker = kill % 2;
        const deadlineMs = kill % 2 === 0 ? limits.deadlineMs : longDeadlineMs;
        const queries = Array.from({ length: 10 }, async (_, index) => {
          await sleep(index * 100);
          const started = Date.now();
          const ended = await outcome(ask(`account ${index % 3}`, deadlineMs));
          late = Math.max(late, Date.now() - started - deadlineMs);
          outcomes.set(ended, (outcomes.get(ended) ?? 0) + 1);
        });
        await sleep(300 + 70 * (kill % 5));
        await cluster.killWorker(worker);
        await Promise.all(queries);
        await cluster.startWorker(worker);
        await expect.poll(() => outcome(ask('after')), { timeout: 120_000 }).toBe('right');
      }
      process.stdout.write(`workers killed: ${JSON.stringify(Object.fromEntries(outcomes))}, latest ${late} ms\n`);
      expect([...outcomes.keys()].filter((ended) => !/^(?:right|timeout|unavailable|busy)$/u.test(ended))).toEqual([]);
      expect(outcomes.get('right')).toBeGreaterThan(0);
      expect(late).toBeLessThan(lateMs);
    },
  );

  test('tells that its coordinator is gone, and answers once it is back', async () => {
    const running = outcome(ask('during'));
    await sleep(300);
    const restarted = cluster.restartCoordinator();
    await sleep(1000);
    const gone = await outcome(ask('gone', 5000));
    expect(gone).toMatch(/^(?:refused|failed|unavailable|timeout)$/u);
    expect(await running).toMatch(/^(?:right|refused|failed|unavailable|timeout)$/u);
    await restarted;
    await expect.poll(() => outcome(ask('back')), { timeout: 120_000, interval: 1000 }).toBe('right');
  });
});
