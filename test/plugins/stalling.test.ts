import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startPlugin, type Misbehaviour } from '../support/plugin.ts';
import { limits, missions, problemOf, signal, useApollo } from './apollo.ts';
import { lateMs } from '../support/counts.ts';

const { fresh, running, reachOf, rowsOf } = useApollo();

describe('a plugin that stalls, floods or leads elsewhere', () => {
  it.each([
    ['never answers', { kind: 'stall' }],
    ['stops in the middle', { kind: 'stall-in-body', body: '[["x","y",null,1,null],' }],
    ['drips', { kind: 'drip', body: `[${' '.repeat(1000)}]`, everyMs: 20 }],
  ] satisfies [string, Misbehaviour][])('by the deadline where it %s', async (_what, how) => {
    running('basic').set('/query', how);
    const started = performance.now();
    const problem = await problemOf(rowsOf(reachOf('basic'), missions, { deadlineMs: 300 }));
    expect(problem).toMatchObject({ cause: 'timeout' });
    expect(problem.message).toContain('The plugin "apollo"');
    expect(performance.now() - started).toBeLessThan(300 + lateMs);
    await expect.poll(() => running('basic').open()).toBe(0);
  });

  it.each([
    ['bytes', '[["', 'x'.repeat(65_536), {}],
    ['one row', '[["', 'x'.repeat(65_536), { byteLimit: 50_000_000 }],
    ['rows', '[["x","y",null,1,null]', ',["x","y",null,1,null]'.repeat(100), {}],
    ['depth', '[', '['.repeat(10_000), {}],
  ])('is left at its limit of %s', async (_what, start, piece, within) => {
    running('basic').set('/query', { kind: 'flood', start, piece });
    const problem = await problemOf(rowsOf(reachOf('basic'), missions, { deadlineMs: 10_000, ...within }));
    expect(problem.cause).toBe('failed');
    expect(problem.message).toMatch(/^The plugin "apollo" /u);
    await expect.poll(() => running('basic').open()).toBe(0);
  });

  it('is not followed by a redirect, whatever kind it is', async () => {
    const other = await startPlugin();
    for (const status of [301, 302, 303, 307, 308]) {
      for (const endpoint of ['/datasets', '/query'] as const) {
        running('basic').clear();
        running('basic').set(endpoint, { kind: 'redirect', to: `${other.url}${endpoint}`, status });
        const { message } = await problemOf(rowsOf(reachOf('basic')));
        expect(message).toContain('answers with a redirect');
      }
    }
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it('takes no other plugin, and no other organization, with it', async () => {
    const connector = fresh();
    running('basic').set('/query', { kind: 'stall' });
    const stalled = Array.from({ length: 60 }, () =>
      problemOf(rowsOf(reachOf('basic'), missions, { deadlineMs: 700 }, connector)),
    );
    await sleep(100);
    expect(await rowsOf(reachOf('pushing'), missions, {}, connector)).toHaveLength(11);
    expect(running('basic').open()).toBeLessThanOrEqual(8);
    running('basic').clear();
    const elsewhere = reachOf('basic', { organizationId: 'another' });
    expect(await rowsOf(elsewhere, missions, {}, connector)).toHaveLength(11);
    const causes = new Set((await Promise.all(stalled)).map(({ cause }) => cause));
    expect([...causes].toSorted()).toEqual(expect.arrayContaining(['busy', 'timeout']));
  });

  it('is left alone once it keeps failing, and tried again after a while', async () => {
    let atMs = 0;
    const connector = fresh(() => atMs);
    running('basic').set('/query', { kind: 'answer', status: 500, body: '' });
    for (let call = 0; call < 15; call += 1) await problemOf(rowsOf(reachOf('basic'), missions, {}, connector));
    const before = running('basic').requests.length;
    expect(await problemOf(rowsOf(reachOf('basic'), missions, {}, connector))).toEqual({
      cause: 'unavailable',
      message: 'The plugin "apollo" failed repeatedly and is not called for a moment.',
    });
    expect(running('basic').requests).toHaveLength(before);
    running('basic').clear();
    atMs += 60_000;
    expect(await rowsOf(reachOf('basic'), missions, {}, connector)).toHaveLength(11);
  });

  it('gives its connection back when nobody reads on', async () => {
    const connector = fresh();
    running('basic').set('/query', { kind: 'flood', start: '[["x","y",null,1,null]', piece: ',["x","y",null,1,null]' });
    for (let call = 0; call < 20; call += 1) {
      const { rows } = await connector.fetch(
        reachOf('basic'),
        missions,
        { rowLimit: 1e9, byteLimit: 1e9, deadlineMs: 5000 },
        signal,
      );
      for await (const _batch of rows) break;
    }
    await expect.poll(() => running('basic').open()).toBe(0);
  });

  it('is given up when its caller goes away', async () => {
    running('basic').set('/query', { kind: 'stall' });
    const gone = new AbortController();
    const asked = problemOf(fresh().fetch(reachOf('basic'), missions, limits, gone.signal));
    await expect.poll(() => running('basic').open()).toBe(1);
    gone.abort();
    expect(await asked).toMatchObject({ cause: 'aborted' });
    await expect.poll(() => running('basic').open()).toBe(0);
  });
});
