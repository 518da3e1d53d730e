import { DuckDBInstance } from '@duckdb/node-api';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isList, isObject, listOr, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { refreshed, settled } from '../support/accelerations.ts';
import { useApi } from '../support/api.ts';
import { havePostgresServer, storesToTest, type Credential } from '../support/service.ts';
import { columnsOfDataset, openShop, type ShopDatabase } from '../support/shop-database.ts';
import { text } from '../support/world.ts';

describe.runIf(havePostgresServer).each(storesToTest)('rollups of an acceleration on %s', (store) => {
  const log: string[] = [];
  const settings = { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SYNC_METADATA: 'false', INLAY_SLOW_QUERY_MS: '0' };
  const api = useApi(store, settings, undefined, undefined, (line) => log.push(line));
  let shop: ShopDatabase;
  let datasetId = '';
  let id = '';
  let columns: ReadonlyMap<string, string>;
  let rollupId = '';

  const on = (name: string, more: object = {}): object => ({
    dataset_id: datasetId,
    column_id: columns.get(name) ?? name,
    ...more,
  });
  const monthly = (): object => ({
    dimensions: [on('region'), on('sold_at', { level: 3 })],
    measures: [
      on('price', { aggregation: { type: 'sum' } }),
      on('weight', { aggregation: { type: 'average' } }),
      on('price', { aggregation: { type: 'max' } }),
      { dataset_id: datasetId, column_id: '*' },
    ],
    where: [{ expression: '? >= ?', parameters: [on('sold_at'), '2024-02-01'] }],
  });
  const deviation = (): object => ({
    ...monthly(),
    dimensions: [on('region')],
    measures: [on('weight', { aggregation: { type: 'stddev' } })],
  });
  const ask = (find: object, by?: Credential): Promise<JsonObject> => api.ok('data', { action: 'get', find }, by);
  const fromSource = (find: object, by?: Credential): Promise<JsonObject> =>
    ask({ ...find, options: { max_age: 0 } }, by);
  const readsRollup = async (work: () => Promise<unknown>): Promise<boolean> => {
    log.length = 0;
    await work();
    await expect.poll(() => log.some((line) => line.includes('slow query'))).toBe(true);
    return log.some((line) => line.includes(`${datasetId} ${rollupId}`));
  };

  beforeAll(async () => {
    shop = await openShop(api);
    await shop.run(
      `create table sales (id bigint, region text, price numeric(12, 2), weight double precision, sold_at timestamptz,
        made_at timestamptz);
      insert into sales select n, case when n % 5 > 0 then 'region ' || n % 5 end, n % 97 + 0.25, n / 8.0,
        '2024-01-01'::timestamptz + n % 180 * interval '1 day 1 hour', now() - interval '1 hour' from generate_series(1, 5000) n`,
    );
    const properties = { account_id: shop.accountId, provider: 'postgresql', datasets: ['public.sales'] };
    const made = await api.ok('dataprovider', { properties });
    datasetId = text(listOr(made['rows'])[0], 'id');
    columns = await columnsOfDataset(api, datasetId);
    const delta = { load_type: 'delta', late_rows_seconds: 0, created_at_column_id: columns.get('made_at') };
    ({ id } = await api.create('acceleration', { securable_id: datasetId, ...delta }));
    await settled(api, id);
  });

  it('are proposed with what they gain, once queries ask for them', { timeout: 60_000 }, async () => {
    for (let count = 0; count < 20; count += 1) {
      await ask(monthly());
      await ask(deviation());
    }
    for (let count = 0; count < 5; count += 1) await ask({ dimensions: [on('id')] });
    const proposals = async () => listOr((await api.get('acceleration', id))['rollup_proposals']);
    await expect.poll(proposals, { timeout: 30_000 }).not.toEqual([]);
    const [proposal] = await proposals();
    expect(proposal).toMatchObject({
      group_by: [
        { column_id: columns.get('region'), level: null, timezone_id: null },
        { column_id: columns.get('sold_at'), level: 3, timezone_id: 'UTC' },
      ],
      measures: expect.arrayContaining([
        { type: 'rows', column_id: null },
        { type: 'sum', column_id: columns.get('price') },
        { type: 'sum', column_id: columns.get('weight') },
        { type: 'count', column_id: columns.get('weight') },
        { type: 'max', column_id: columns.get('price') },
        { type: 'stddev', column_id: columns.get('weight') },
      ]),
      copy_rows: 5000,
      rows: 35,
    });
    expect(JSON.stringify(await proposals())).not.toContain('2024-02-01');
    rollupId = text(proposal, 'id');
    expect(await readsRollup(() => ask(monthly()))).toBe(false);
  });

  it('answer once they are switched on, with the members and rows of the source', async () => {
    expect(await api.refused('acceleration', { id, properties: { rollup_ids: ['unknown'] } })).toMatchObject({
      status: 400,
      validation: { 'properties.rollup_ids[0]': [expect.stringContaining('rollup_proposals')] },
    });
    const before = await ask(monthly());
    await api.update('acceleration', id, { rollup_ids: [rollupId] });
    expect(await settled(api, id)).toMatchObject({
      last_error: null,
      status: 'ready',
      rollups: [{ id: rollupId, rows: 35 }],
    });
    let answer: JsonObject = {};
    expect(await readsRollup(async () => (answer = await ask(monthly())))).toBe(true);
    expect(Object.keys(answer)).toEqual(Object.keys(before));
    expect(answer).toMatchObject({ source: 'engine', data: (await fromSource(monthly()))['data'] });
  });

  it('answer standard deviations but for the last digits', async () => {
    let answer: JsonObject = {};
    expect(await readsRollup(async () => (answer = await ask(deviation())))).toBe(true);
    const source = listOr((await fromSource(deviation()))['data']).map((row) => listOr(row));
    expect(source).toHaveLength(5);
    expect(listOr(answer['data']).map((row) => listOr(row))).toEqual(
      source.map(([region, value]) => [region, expect.closeTo(Number(value), 9)]),
    );
  });

  it('answer ranges that end after the newest row of the copy', async () => {
    const record = await api.get('acceleration', id);
    expect(listOr(record['newest_times']).map((entry) => text(entry, 'source_name'))).toEqual(['made_at', 'sold_at']);
    const toDate = { unit: 'year', quantity: 3 };
    const find = { ...monthly(), where: [{ expression: '? to_date ?', parameters: [on('sold_at'), toDate] }] };
    expect(await readsRollup(() => ask(find))).toBe(true);
    expect((await ask(find))['data']).toEqual((await fromSource(find))['data']);
  });

  it('do not answer what they cannot answer exactly', async () => {
    const withinMonth = { ...monthly(), where: [{ expression: '? >= ?', parameters: [on('sold_at'), '2024-02-02'] }] };
    const others = [
      withinMonth,
      { ...monthly(), options: { timezone_id: 'Europe/Brussels' } },
      { dimensions: [on('sold_at', { level: 4 })], measures: [on('price', { aggregation: { type: 'sum' } })] },
      { dimensions: [on('region')], measures: [on('price', { aggregation: { type: 'median' } })] },
      { dimensions: [on('region')], where: [{ expression: '? > ?', parameters: [on('price'), 20] }] },
    ];
    for (const find of others) {
      expect(await readsRollup(() => ask(find)), JSON.stringify(find)).toBe(false);
      const { options = {} } = { options: undefined, ...find };
      const source = { ...find, options: { ...options, max_age: 0 } };
      expect((await ask(find))['data']).toEqual((await ask(source))['data']);
    }
  });

  it('show the rows that the row filters of a token show, or give way to the copy', async () => {
    const tokenWith = (column: string, value: unknown): Promise<Credential> =>
      api.embedToken({
        access: { datasets: [{ id: datasetId, rights: 'use' }] },
        filters: [
          {
            clause: 'where',
            origin: 'global',
            securable_id: datasetId,
            column_id: columns.get(column),
            expression: '? = ?',
            value,
          },
        ],
      });
    const byRegion = await tokenWith('region', 'region 2');
    const answer = await ask(monthly(), byRegion);
    expect(answer).toMatchObject({ source: 'engine', data: (await fromSource(monthly(), byRegion))['data'] });
    expect(JSON.stringify(answer['data'])).not.toContain('region 3');
    expect(await readsRollup(() => ask(monthly(), byRegion))).toBe(true);
    const byPrice = await tokenWith('price', 20.25);
    expect(await readsRollup(() => ask(monthly(), byPrice))).toBe(false);
    expect((await ask(monthly(), byPrice))['data']).toEqual((await fromSource(monthly(), byPrice))['data']);
  });

  it('have the rows of the copy after each refresh', async () => {
    for (let round = 0; round < 3; round += 1) {
      await shop.run(
        `insert into sales select n, 'new ${round}', 1, 1, '2024-05-02', now() from generate_series(1, 10) n`,
      );
      const record = await refreshed(api, id);
      expect(record).toMatchObject({ status: 'ready', rows: 5010 + round * 10, rollups: [{ id: rollupId }] });
      expect(await readsRollup(() => ask(monthly()))).toBe(true);
      const answer = await ask(monthly());
      expect(answer['data']).toEqual((await fromSource(monthly()))['data']);
      expect(JSON.stringify(answer['data'])).toContain(`new ${round}`);
    }
  });

  it('are switched off when an answer differs from that of the copy', { timeout: 60_000 }, async () => {
    await refreshed(api, id);
    const folder = join(api.service.dataDir, 'datasets', api.organizationId, id);
    const newest =
      readdirSync(folder)
        .filter((name) => name.endsWith('.duckdb'))
        .toSorted()
        .at(-1) ?? '';
    const instance = await DuckDBInstance.create(join(folder, newest));
    const connection = await instance.connect();
    const names = (await connection.runAndReadAll(`describe "rollup ${rollupId}"`)).getRows();
    const [sum] = names.filter(([name, type]) => String(name).startsWith('p') && String(type).startsWith('DECIMAL(38'));
    await connection.run(`update "rollup ${rollupId}" set ${String(sum?.[0])} = ${String(sum?.[0])} + 1`);
    connection.closeSync();
    instance.closeSync();
    const stopped = async (): Promise<boolean> => {
      for (let count = 0; count < 20; count += 1) await ask(monthly());
      return listOr((await api.get('acceleration', id))['rollups_stopped']).some(
        (entry) => isObject(entry) && entry['id'] === rollupId,
      );
    };
    await expect.poll(stopped, { timeout: 40_000 }).toBe(true);
    expect((await ask(monthly()))['data']).toEqual((await fromSource(monthly()))['data']);
    expect(await readsRollup(() => ask(monthly()))).toBe(false);
    expect(log.join('')).not.toContain('region 2');
    await api.update('acceleration', id, { rollup_ids: [rollupId] });
    expect(await refreshed(api, id)).toMatchObject({ rollups_stopped: [], rollups: [{ id: rollupId }] });
    expect(await readsRollup(() => ask(monthly()))).toBe(true);
  });

  it('are left out and dropped when they are switched off', async () => {
    await api.update('acceleration', id, { rollup_ids: [] });
    expect(await readsRollup(() => ask(monthly()))).toBe(false);
    await api.overwrite('acceleration', id, { rollup_proposals: [] }, {});
    // The copy still has it, so no refresh is needed.
    const again = await api.update('acceleration', id, { rollup_ids: [rollupId] });
    expect(again).toMatchObject({ status: 'ready', next_run_at: null });
    expect(await readsRollup(() => ask(monthly()))).toBe(true);
    await api.update('acceleration', id, { rollup_ids: [] });
    expect(await refreshed(api, id)).toMatchObject({ rollups: [] });
  });

  it('are shown to nobody who does not see all rows', async () => {
    const token = await api.embedToken({
      role: 'designer',
      access: { datasets: [{ id: datasetId, rights: 'modify' }] },
      hidden_columns: [columns.get('price')],
    });
    const record = await api.ok('acceleration', { action: 'get', id }, token);
    expect(record).toMatchObject({ rollup_proposals: null, rollups: null, rollup_ids: null });
    expect(isList(record['rollup_proposals'])).toBe(false);
  });
});
