import { describe, expect, it } from 'vitest';
import { tables } from '../../examples/plugin/data.ts';
import type { ConnectionParams } from '../../packages/service/src/connectors/connector.ts';
import { missions, problemOf, signal, useApollo } from './apollo.ts';

const { fresh, running, reachOf, rowsOf } = useApollo();

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
      { name: 'mission', label: 'Mission', storageType: 'text', type: 'hierarchy' },
      { name: 'goal', type: 'hierarchy' },
      { name: 'launch', storageType: 'timestamptz', type: 'datetime' },
      { name: 'hours', label: 'Duration (hours)', storageType: 'double', type: 'numeric' },
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
        { id: 'c0', type: 'datetime', storageType: 'timestamptz' },
        { id: 'c1', type: 'numeric', storageType: 'integer' },
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
    const staged = async (params: ConnectionParams) =>
      (await fresh().test(params, signal)).map(({ stage, ok }) => [stage, ok]);
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
      columns: [{ id: 'c0', type: 'numeric', storageType: 'integer' }],
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
