import { writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineJob } from '../../packages/service/src/engine/engine.ts';
import { causeOf, jobOver, never, rowsOf, startTestEngine, type TestEngine } from '../support/engine.ts';
import { lateMs } from '../support/counts.ts';

const endless =
  'select json_array(count(*))::varchar from range(3000000) a, range(3000000) b where (a.range * b.range) % 7 = 3';
const long =
  'select json_array(count(*))::varchar from range(3000) a, range(10000) b where (a.range * b.range) % 7 = 3';
const short = 'select json_array(count(*))::varchar from ds';

let engine: TestEngine;
const given = new AbortController();
beforeEach(async () => {
  engine = startTestEngine({ children: 4 });
  await engine.writeRows('v1', [{ name: 'id', storageType: 'integer' }], [[1], [2]]);
});
afterEach(() => engine.stop());

const by = (authorizationId: string, more: Partial<EngineJob> = {}): Partial<EngineJob> => ({
  caller: { suborganization: null, authorizationId },
  ...more,
});
const ask = (who: string, sql: string, more: Partial<EngineJob> = {}, signal = given.signal) =>
  rowsOf(engine.query(jobOver(engine, 'v1', sql, by(who, more)), signal));
const elsewhere = (tenant: string) => ({ tenant, tables: [] });
const children = () => engine.pool.children();
const running = () => children().reduce((sum, child) => sum + child.running, 0);

/** Starts statements that nobody waits for; what stops them. */
function keepAsking(who: string, count: number, more: Partial<EngineJob> = {}): () => Promise<void> {
  const stop = new AbortController();
  const all = Array.from({ length: count }, () => causeOf(ask(who, endless, more, stop.signal)));
  return async () => {
    stop.abort(new Error('stopped'));
    await Promise.all(all);
  };
}

/** Asks one statement after the other until it is stopped, each shorter than a slice; what stops them. */
function keepBusy(who: string): () => Promise<void> {
  const stop = new AbortController();
  const asking = causeOf(
    (async () => {
      while (!stop.signal.aborted) await ask(who, long.replace('3000', '1500'));
    })(),
  );
  return async () => {
    stop.abort();
    await asking;
  };
}

describe('callers of one organization', () => {
  it('are not held up by one whose statements never end, in a child of their own with higher priority', async () => {
    const stop = keepAsking('heavy', 8);
    await expect.poll(running).toBe(2);
    for (let time = 0; time < 5; time += 1) {
      const startedMs = performance.now();
      expect(await ask('light', short)).toEqual([[2]]);
      if (time > 0) expect(performance.now() - startedMs).toBeLessThan(lateMs);
    }
    expect(children().map(({ isSlow }) => isSlow)).toEqual([true, false]);
    const priorities = children().map(({ pid }) => getPriority(pid));
    expect(priorities[0]).toBeGreaterThan(priorities[1] ?? 0);
    await stop();
  });

  it('leave a place for the next one, and all of them get on', async () => {
    expect(await ask('heavy', long)).toHaveLength(1);
    expect(await ask('other', long)).toHaveLength(1);
    const stop = keepAsking('heavy', 6);
    await expect.poll(() => children().some(({ isSlow }) => isSlow)).toBe(true);
    expect(await Promise.all(['other', 'third'].map((who) => ask(who, long)))).toHaveLength(2);
    await stop();
  });

  it('do not starve the one with heavy statements, however much they ask', async () => {
    let answered = 0;
    let over = false;
    const charts = ['a', 'b', 'c', 'd'].map(async (who) => {
      for (; !over; answered += 1) await ask(who, short);
    });
    const heavy = [1, 2, 3, 4].map(() => ask('heavy', long));
    expect(await Promise.all(heavy)).toHaveLength(4);
    over = true;
    await Promise.all(charts);
    expect(answered).toBeGreaterThan(20);
  });

  it('keep the child of higher priority while another one asks without end, however short each of those statements is', async () => {
    await ask('light', short);
    const stop = keepBusy('heavy');
    const priorities = async (): Promise<readonly boolean[]> => {
      await ask('light', short);
      return children().map(({ isSlow }) => isSlow);
    };
    await expect.poll(priorities).toEqual(expect.arrayContaining([true, false]));
    await stop();
  });

  it('that come alone have one child, and all its places', async () => {
    const stop = keepAsking('heavy', 4);
    await expect.poll(running).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(children()).toMatchObject([{ running: 2, isSlow: false }]);
    await stop();
  });

  it('get an answer over files while others keep all children for compiled statements busy', async () => {
    const path = join(engine.dataDir, 'a.csv');
    writeFileSync(path, 'id\n1\n2\n3\n');
    const stops = ['a', 'b', 'c'].map((who) => keepAsking(who, 4));
    await expect.poll(() => children().length).toBeGreaterThan(1);
    const tables = [{ name: 'ds', source: { kind: 'files', format: 'csv', paths: [path] } }] as const;
    expect(await ask('light', short, { tables })).toEqual([[3]]);
    for (const stop of stops) await stop();
  });
});

describe('organizations', () => {
  it('get a child while others have statements that follow each other without end', async () => {
    let over = false;
    const busy = ['a', 'b', 'c', 'd'].flatMap((tenant) =>
      [1, 2, 3].map(async (who) => {
        while (!over) await ask(String(who), long.replace('3000', '600'), elsewhere(tenant));
      }),
    );
    await expect.poll(() => new Set(children().map(({ tenant }) => tenant)).size).toBe(4);
    expect(await ask('late', 'select json_array(7)::varchar', elsewhere('e'))).toEqual([[7]]);
    over = true;
    await Promise.all(busy);
  });

  it('keep their priority beside one whose only caller asks without end', async () => {
    const elsewhereShort = (): Promise<unknown> => ask('light', 'select json_array(7)::varchar', elsewhere('e'));
    await elsewhereShort();
    const stop = keepBusy('heavy');
    await expect.poll(() => children().some(({ isSlow }) => isSlow)).toBe(true);
    await elsewhereShort();
    expect(children().find(({ tenant }) => tenant === 'e')).toMatchObject({ isSlow: false });
    await stop();
  });

  it('never share a child, whoever is busy', async () => {
    const pids = new Map<number, Set<string>>();
    const watch = setInterval(() => {
      for (const { pid, tenant } of children()) pids.set(pid, (pids.get(pid) ?? new Set()).add(tenant));
    }, 5);
    const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      tenants.flatMap((tenant) =>
        ['x', 'y'].map(async (who) => {
          for (let time = 0; time < 3; time += 1) await ask(who, long.replace('3000', '300'), elsewhere(tenant));
        }),
      ),
    );
    clearInterval(watch);
    expect([...pids.values()].filter((names) => names.size > 1)).toEqual([]);
    expect(pids.size).toBeGreaterThanOrEqual(4);
  });
});

it('a statement that waits leaves when its caller does, and one that finds too many of its own is refused', async () => {
  const stop = keepAsking('heavy', 5002);
  await expect.poll(() => engine.held().waiting).toBe(5000);
  expect(await causeOf(ask('heavy', endless))).toBe('busy');
  expect(await ask('light', short)).toEqual([[2]]);
  expect(await ask('light', short, {}, never)).toEqual([[2]]);
  await stop();
  await expect.poll(() => engine.held()).toMatchObject({ running: 0, waiting: 0 });
});
