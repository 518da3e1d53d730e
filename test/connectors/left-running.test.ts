import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunLimits, SqlConnector } from '../../packages/service/src/connectors/connector.ts';
import { counted, lateMs } from '../support/counts.ts';
import { localConnectors, sourceNames, sources, type Source } from './sources.ts';

const limits: RunLimits = { rowLimit: 100_000_000, byteLimit: 1e12, deadlineMs: 20_000 };
const never = new AbortController().signal;

describe.each(sourceNames)('statements that are left running on %s', (name) => {
  let source: Source;
  let connector: SqlConnector;
  const connectors = localConnectors(4);

  beforeAll(async () => {
    source = await sources[name]();
    connector = connectors.of(source.name);
  });
  afterAll(async () => {
    connectors.close();
    await source.stop();
  });

  const nothingRuns = async (): Promise<void> => {
    await expect.poll(async () => (await source.sessions()).running, { interval: 50 }).toBe(0);
  };
  const slow = (): { sql: string; params: [] } => ({ sql: source.busy(), params: [] });
  const long = (): { sql: string; params: [] } => ({ sql: source.numbers(1_000_000), params: [] });

  /** Twelve at once, this many times. */
  const waves = async (run: (at: number) => Promise<number>): Promise<readonly number[]> => {
    const took: number[] = [];
    for (let wave = 0; wave < counted(1, 17); wave += 1)
      took.push(...(await Promise.all(Array.from({ length: 12 }, (_, at) => run(at)))));
    return took;
  };

  test('a deadline is kept to within a second, and nothing is left running', async () => {
    const late = await waves(async (at) => {
      const deadlineMs = 500 + 50 * (at % 10);
      const started = Date.now();
      const asked = connector.run(source.reach({ accountId: `a${at % 3}` }), slow(), { ...limits, deadlineMs }, never);
      await expect(asked).rejects.toMatchObject({ cause: 'timeout' });
      return Date.now() - started - deadlineMs;
    });
    expect(Math.max(...late)).toBeLessThan(lateMs);
    await nothingRuns();
  });

  test('a query that is given up ends at once, and nothing is left running', async () => {
    const late = await waves(async (at) => {
      const given = new AbortController();
      const asked = connector.run(source.reach({ accountId: `b${at % 3}` }), slow(), limits, given.signal);
      await sleep(100 + 20 * (at % 10));
      const started = Date.now();
      given.abort();
      await expect(asked).rejects.toMatchObject({ cause: 'aborted' });
      return Date.now() - started;
    });
    expect(Math.max(...late)).toBeLessThan(lateMs);
    await nothingRuns();
  });

  test('a reader who leaves in the middle ends the query', async () => {
    for (let time = 0; time < counted(10, 50); time += 1) {
      const { rows } = await connector.run(source.reach(), long(), limits, never);
      for await (const _ of rows) break;
    }
    await nothingRuns();
    expect((await source.sessions()).open).toBeLessThanOrEqual(10);
  });

  test('a reader who never reads is cut off at the deadline', async () => {
    const { rows } = await connector.run(source.reach(), long(), { ...limits, deadlineMs: 700 }, never);
    await sleep(1000);
    await nothingRuns();
    const read = async (): Promise<void> => {
      for await (const _ of rows) continue;
    };
    await expect(read()).rejects.toMatchObject({ cause: 'timeout' });
  });

  test('reading many rows slowly takes little memory', async () => {
    const count = counted(300_000, 1_000_000);
    const before = process.memoryUsage().rss;
    let most = 0;
    let seen = 0;
    const { rows } = await connector.run(
      source.reach(),
      { sql: source.numbers(count), params: [] },
      { ...limits, deadlineMs: 60_000 },
      never,
    );
    for await (const batch of rows) {
      seen += batch.length;
      most = Math.max(most, process.memoryUsage().rss);
      await sleep(1);
    }
    expect(seen).toBe(count);
    expect((most - before) / 2 ** 20).toBeLessThan(256);
  });

  test('closing ends every session', async () => {
    connectors.close();
    await expect.poll(async () => (await source.sessions()).open).toBe(0);
    expect(connectors.count()).toBe(0);
  });
});
