import { isList } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sources, type Source } from '../connectors/sources.ts';
import { useApi } from '../support/api.ts';
import { columnsOfDataset } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

describe('answers over a database on Trino', () => {
  const log: string[] = [];
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SLOW_QUERY_MS: '0', INLAY_SLOW_QUERY_PLANS: 'true' };
  const api = useApi('sqlite', settings, undefined, undefined, (line) => log.push(line));
  let source: Source;
  let accountId = '';
  let datasetId = '';
  let columns: ReadonlyMap<string, string>;

  const datasetOf = async (of: object): Promise<string> => {
    const { rows = null } = await api.ok('dataprovider', { properties: { account_id: accountId, ...of } });
    return text(isList(rows) ? (rows[0] ?? null) : null, 'id');
  };

  beforeAll(async () => {
    source = await sources.trino();
    await source.admin(
      `create table sales (id bigint, region varchar, price decimal(24, 6), at timestamp(3) with time zone, tags array(varchar),
         more map(varchar, bigint), code uuid, took interval day to second, part real)`,
      `insert into sales values
         (1, 'North', 10.5, timestamp '2024-01-31 23:30:00 Europe/Brussels', array['a', 'b'], map(array['n'], array[9007199254740993]),
            uuid '61f0c404-5cb3-11e7-907b-a6006ad3dba0', interval '1' hour, real '0.5'),
         (2, 'north', 20, timestamp '2024-02-01 10:00:00 Europe/Brussels', array[], map(), null, null, real 'NaN'),
         (9223372036854775807, 'North', null, timestamp '2024-02-02 00:00:00 Europe/Brussels', array['c'], map(), null, null, null)`,
    );
    const { host, port, scope, identifier, properties } = source.reach();
    accountId = (await api.create('account', { provider: 'trino', host, port, scope, identifier, properties })).id;
    datasetId = await datasetOf({ datasets: ['sales'] });
    columns = await columnsOfDataset(api, datasetId);
  });
  afterAll(() => source?.stop());

  const on = (name: string, more: object = {}): object => ({
    dataset_id: datasetId,
    column_id: columns.get(name),
    ...more,
  });
  const price = on.bind(null, 'price', { aggregation: { type: 'sum' } });
  const ask = (find: object) => api.ok('data', { action: 'get', find });

  it('are computed there, texts told apart by case', async () => {
    const answer = await ask({ dimensions: [on('region')], measures: [price()] });
    expect(answer).toMatchObject({ source: 'pushdown' });
    expect(part(answer, 'data')).toEqual([
      [{ id: 'North', name: { en: 'North' } }, 10.5],
      [{ id: 'north', name: { en: 'north' } }, 20],
    ]);
  });

  it('keep every digit and every value of nested columns', async () => {
    const names = ['id', 'tags', 'more', 'code', 'took', 'part'];
    const dimensions = names.map((name) => on(name));
    const answer = await ask({ dimensions, order: [on('id', { order: 'asc' })] });
    expect(answer).toMatchObject({ source: 'pushdown' });
    const { data = null } = answer;
    const shown = JSON.stringify(data);
    for (const value of ['9223372036854775807', '9007199254740993', '61f0c404-5cb3-11e7-907b-a6006ad3dba0', '01:00:00'])
      expect(shown).toContain(value);
  });

  it('are right in a named zone', async () => {
    const answer = await ask({
      dimensions: [on('at', { level: 3 })],
      measures: [price()],
      options: { timezone_id: 'Europe/Brussels' },
    });
    expect(answer).toMatchObject({ source: 'pushdown' });
    expect(part(answer, 'data')).toEqual([
      ['2023-12-31T23:00:00.000Z', 10.5],
      ['2024-01-31T23:00:00.000Z', 20],
    ]);
  });

  it('are those of twelve queries at once, each as it comes', async () => {
    const queries = Array.from({ length: 12 }, (_, index) => ({
      measures: [price()],
      where: [{ expression: '? >= ?', parameters: [on('id'), index] }],
    }));
    const answers = await Promise.all(queries.map((query) => ask(query)));
    expect(answers.map((answer) => part(answer, 'data'))).toEqual([
      [[30.5]],
      [[30.5]],
      [[20]],
      ...Array.from({ length: 9 }, () => [[null]]),
    ]);
  });

  it('come of a custom query, which reads only', async () => {
    const id = await datasetOf({ queries: [{ name: 'Large', sql: 'select id, price from sales where price > 15' }] });
    const own = await columnsOfDataset(api, id);
    const measures = [{ dataset_id: id, column_id: own.get('price'), aggregation: { type: 'sum' } }];
    expect(part(await ask({ measures }), 'data')).toEqual([[20]]);
    for (const sql of [
      "select * from table(memory.system.query(query => 'delete from sales'))",
      'select * from system.runtime.queries',
      'delete from sales',
      'select * from sales; select 1',
    ]) {
      const properties = { account_id: accountId, queries: [{ name: 'x', sql }] };
      const made = await api.call('dataprovider', { action: 'create', properties });
      expect(made.status, sql).toBeGreaterThanOrEqual(400);
    }
  });

  it('are logged with their statement, plan and id at the cluster, without values', async () => {
    log.length = 0;
    await ask({ measures: [price()], where: [{ expression: '? = ?', parameters: [on('region'), 'private value'] }] });
    const slow = (): readonly string[] => log.filter((line) => line.includes('slow query'));
    await expect.poll(slow).toHaveLength(1);
    const line: Readonly<Record<string, unknown>> = JSON.parse(slow()[0] ?? '');
    expect(line).toMatchObject({
      source: 'pushdown',
      provider: 'trino',
      outcome: 'ok',
      rows: 1,
      statement: expect.stringContaining('"sales"'),
      plan: expect.arrayContaining([expect.stringMatching(/Aggregate/u), expect.stringMatching(/Scan|Filter/u)]),
    });
    expect(log.join('')).not.toContain('private value');
    const [[tags] = []] = await source
      .admin(
        `select array_join(client_tags, ',') from system.runtime.queries where query_id = '${String(line['source_query_id'])}'`,
      )
      .catch(async () =>
        source.admin(`select source from system.runtime.queries where query_id = '${String(line['source_query_id'])}'`),
      );
    expect(String(tags)).toMatch(/inlay/iu);
  });
});
