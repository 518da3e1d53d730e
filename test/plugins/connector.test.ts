import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tables } from '../../examples/plugin/data.ts';
import type { PluginRequest, Reach, RunLimits } from '../../packages/service/src/connectors/connector.ts';
import { createPluginConnector } from '../../packages/service/src/connectors/plugin/connector.ts';
import { createPlugins } from '../../packages/service/src/connectors/plugin/plugin.ts';
import { SourceProblem } from '../../packages/service/src/connectors/problem.ts';
import { createOutbound } from '../../packages/service/src/outbound/index.ts';
import { startPlugin, type Misbehaviour, type TestPlugin } from '../support/plugin.ts';
import { createTurns } from '../../packages/service/src/turns.ts';

const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
const now = (): number => performance.now();
const fresh = () => createPluginConnector(createPlugins(outbound, now), now, createTurns());
const signal = new AbortController().signal;

const held: { basic?: TestPlugin; pushing?: TestPlugin } = {};
const running = (name: keyof typeof held): TestPlugin => {
  const plugin = held[name];
  if (plugin === undefined) throw new Error('the plugin is not started');
  return plugin;
};
beforeAll(async () => {
  held.basic = await startPlugin({ token: 'good' });
  held.pushing = await startPlugin({ pushdown: true, protocol: '2.0.0' });
});
afterAll(async () => {
  await Promise.all(Object.values(held).map((plugin) => plugin.stop()));
  await outbound.close();
});
afterEach(() => {
  for (const plugin of Object.values(held)) plugin.clear();
});

const reachOf = (at: keyof typeof held, more: Partial<Reach> = {}): Reach => ({
  accountId: 'account',
  organizationId: 'organization',
  host: null,
  port: null,
  scope: null,
  identifier: null,
  token: 'good',
  properties: { region: 'eu' },
  plugin: {
    target: {
      name: 'apollo',
      baseUrl: running(at).url,
      protocolVersion: at === 'pushing' ? '2.0.0' : '1.4.0',
      pushdown: at === 'pushing',
      secret: 'of the plugin',
    },
    user: { id: null, name: null, email: null },
  },
  ...more,
});

const limits: RunLimits = { rowLimit: 10_000, byteLimit: 1_000_000, deadlineMs: 1000 };
const missions: PluginRequest = { table: 'missions', filters: [], groups: null };

async function rowsOf(
  reach: Reach,
  request: PluginRequest = missions,
  within: Partial<RunLimits> = {},
  connector = fresh(),
): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of (await connector.fetch(reach, request, { ...limits, ...within }, signal)).rows)
    rows.push(...batch);
  return rows;
}

async function problemOf(work: Promise<unknown>): Promise<{ readonly cause: string; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SourceProblem) return { cause: error.cause, message: error.message };
    throw error;
  }
  return { cause: 'none', message: '' };
}

describe('a plugin as a source', () => {
  it('lists its tables by GET up to protocol 1 and by POST from 2.0.0 on', async () => {
    for (const [at, method] of [
      ['basic', 'GET'],
      ['pushing', 'POST'],
    ] as const) {
      const listed = await fresh().tables(reachOf(at), signal);
      expect(listed.map(({ id, name, kind }) => [id, name, kind])).toEqual([
        ['missions', 'Apollo missions', 'dataset'],
        ['planets', 'Planets', 'dataset'],
      ]);
      const asked = running(at).requests.at(-1);
      expect([asked?.method, asked?.path]).toEqual([method, '/datasets']);
      expect(asked?.headers).toMatchObject({
        'x-secret': 'of the plugin',
        'x-token': 'good',
        'x-property-region': 'eu',
      });
    }
  });

  it('describes a table by its column ids, with the names that people read', async () => {
    expect(await fresh().describe(reachOf('basic'), { table: 'missions' }, signal)).toMatchObject([
      { name: 'mission', label: 'Mission', kept: 'text', type: 'hierarchy' },
      { name: 'goal', type: 'hierarchy' },
      { name: 'launch', kept: 'timestamptz', type: 'datetime' },
      { name: 'hours', label: 'Duration (hours)', kept: 'double', type: 'numeric' },
      { name: 'samples', type: 'numeric' },
    ]);
    expect(await problemOf(fresh().describe(reachOf('basic'), { table: 'none' }, signal))).toEqual({
      cause: 'missing',
      message: 'The plugin "apollo" lists no dataset "none".',
    });
    expect(await problemOf(fresh().describe(reachOf('basic'), { query: 'select 1' }, signal))).toMatchObject({
      cause: 'query',
    });
  });

  it('gives whole rows, with hints it may ignore', async () => {
    const filters = [{ column_id: 'goal', expression: '=', value: ['Landing'] }] as const;
    expect(await rowsOf(reachOf('basic'), { ...missions, filters })).toEqual(tables[0]?.rows);
    const asked = running('basic').requests.at(-1);
    expect(asked?.body).toMatchObject({ id: 'missions', filters, options: { pushdown: false } });
    expect(asked?.body['columns']).toEqual(tables[0]?.columns.map(({ id }) => ({ column_id: id })));
  });

  it('gives groups where it aggregates', async () => {
    const groups = {
      groups: [
        { column_id: 'launch', level: 'year' },
        { column_id: '*', aggregation: 'count' },
      ],
      columns: [
        { id: 'c0', type: 'datetime', kept: 'timestamptz' },
        { id: 'c1', type: 'numeric', kept: 'integer' },
      ],
    } as const;
    expect(await rowsOf(reachOf('pushing'), { table: 'missions', filters: [], groups })).toEqual([
      ['1968-01-01T00:00:00.000Z', 2],
      ['1969-01-01T00:00:00.000Z', 4],
      ['1970-01-01T00:00:00.000Z', 1],
      ['1971-01-01T00:00:00.000Z', 2],
      ['1972-01-01T00:00:00.000Z', 2],
    ]);
  });

  it('is tested stage by stage', async () => {
    const staged = async (reach: Reach) => (await fresh().test(reach, signal)).map(({ stage, ok }) => [stage, ok]);
    expect(await staged(reachOf('basic'))).toEqual([
      ['reach', true],
      ['sign_in', true],
      ['access', true],
    ]);
    expect(await staged(reachOf('basic', { token: 'bad' }))).toEqual([
      ['reach', true],
      ['sign_in', false],
    ]);
    running('basic').set('/datasets', { kind: 'reset' });
    expect(await staged(reachOf('basic'))).toEqual([['reach', false]]);
  });
});

describe('a plugin that lies', () => {
  const column = { id: 'a', name: 'A', type: 'numeric' };
  const lists = (value: unknown): string => JSON.stringify(value);

  it.each([
    ['no JSON', 'hello', /not JSON/u],
    ['an object', '{}', /not a list/u],
    ['a dataset that is none', lists([7]), /dataset 0/u],
    ['a dataset without an id', lists([{ columns: [column] }]), /dataset 0 without an id/u],
    ['a dataset without columns', lists([{ id: 'd', columns: [] }]), /without a list of columns/u],
    ['a column without a type', lists([{ id: 'd', columns: [{ id: 'a' }] }]), /column 0 of dataset 0 no type/u],
    ['a column of another type', lists([{ id: 'd', columns: [{ ...column, type: 'blob' }] }]), /no type of numeric/u],
    ['a column twice', lists([{ id: 'd', columns: [column, column] }]), /same id twice among the columns/u],
    [
      'a dataset twice',
      lists([
        { id: 'd', columns: [column] },
        { id: 'd', columns: [column] },
      ]),
      /same id twice/u,
    ],
    ['a column called *', lists([{ id: 'd', columns: [{ ...column, id: '*' }] }]), /without an id/u],
    [
      'too many columns',
      lists([{ id: 'd', columns: Array.from({ length: 3000 }, (_, id) => ({ ...column, id: `${id}` })) }]),
      /more than 2000/u,
    ],
    ['a prototype', '[{"id":"d","__proto__":{"columns":[]}}]', /without a list of columns/u],
  ])('about its tables with %s is named, with what is wrong', async (_what, body, says) => {
    running('basic').set('/datasets', { kind: 'answer', body });
    const { cause, message } = await problemOf(fresh().tables(reachOf('basic'), signal));
    expect(cause).toBe('failed');
    expect(message).toMatch(/^The plugin "apollo" /u);
    expect(message).toMatch(says);
  });

  it.each([
    ['too few cells', '[["x",1]]', /row 0 with 2 cells instead of 5/u],
    ['too many cells', '[["x","y",null,1,2,3]]', /row 0 with 6 cells/u],
    ['a text for a number', '[["x","y",null,"canary",null]]', /column "hours" that is not a number/u],
    ['a number for a time', '[["x","y",7,1,null]]', /column "launch" that is not an ISO 8601 time/u],
    ['a time without a zone', '[["x","y","2020-01-01T00:00:00",1,null]]', /column "launch"/u],
    ['an object for a text', '[[{"canary":1},"y",null,1,null]]', /column "mission" that is not a text/u],
    ['an infinite number', '[["x","y",null,1e999,null]]', /column "hours"/u],
    ['rows that are none', '[{"canary":1}]', /row 0, which is not a list/u],
    ['no rows at all', '{"error":"canary"}', /not a JSON list of rows/u],
    ['a list that ends early', '[["x","y",null,1,null]', /not a JSON list of rows/u],
  ])('about its rows with %s is named, without the value', async (_what, body, says) => {
    running('basic').set('/query', { kind: 'answer', body });
    const { cause, message } = await problemOf(rowsOf(reachOf('basic')));
    expect(cause).toBe('failed');
    expect(message).toMatch(/^The plugin "apollo" /u);
    expect(message).toMatch(says);
    expect(message).not.toContain('canary');
  });

  it('about the one group of all rows is found out', async () => {
    running('pushing').set('/query', { kind: 'answer', body: '[[1],[2]]' });
    const groups = {
      groups: [{ column_id: '*', aggregation: 'count' }],
      columns: [{ id: 'c0', type: 'numeric', kept: 'integer' }],
    } as const;
    const { message } = await problemOf(rowsOf(reachOf('pushing'), { table: 'missions', filters: [], groups }));
    expect(message).toContain('answers 2 rows where there is one group');
  });

  it('about its shape is asked for it again by the next query', async () => {
    const connector = fresh();
    await rowsOf(reachOf('basic'), missions, {}, connector);
    const body = JSON.stringify([{ id: 'missions', columns: [{ id: 'mission', name: 'M', type: 'hierarchy' }] }]);
    running('basic').set('/datasets', { kind: 'answer', body });
    running('basic').set('/query', { kind: 'answer', body: '[["Apollo 18"]]' });
    expect((await problemOf(rowsOf(reachOf('basic'), missions, {}, connector))).message).toContain(
      '1 cells instead of 5',
    );
    expect(await rowsOf(reachOf('basic'), missions, {}, connector)).toEqual([['Apollo 18']]);
  });

  it.each([
    [401, 'credentials'],
    [403, 'credentials'],
    [404, 'missing'],
    [426, 'tls'],
    [418, 'failed'],
    [500, 'failed'],
    [504, 'timeout'],
  ])('or refuses with %i is understood', async (status, cause) => {
    running('basic').set('/query', { kind: 'answer', status, body: '"canary"' });
    const problem = await problemOf(rowsOf(reachOf('basic')));
    expect(problem.cause).toBe(cause);
    expect(problem.message).not.toContain('canary');
  });
});

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
    expect(performance.now() - started).toBeLessThan(3000);
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
    const clock = (): number => atMs;
    const connector = createPluginConnector(createPlugins(outbound, clock), clock, createTurns());
    running('basic').set('/query', { kind: 'answer', status: 500, body: '' });
    for (let call = 0; call < 15; call += 1) await problemOf(rowsOf(reachOf('basic'), missions, {}, connector));
    const before = running('basic').requests.length;
    expect(await problemOf(rowsOf(reachOf('basic'), missions, {}, connector))).toEqual({
      cause: 'unavailable',
      message: 'The plugin "apollo" failed repeatedly and is left alone for a moment.',
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
