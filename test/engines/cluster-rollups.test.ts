import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listOr, type Json, type JsonObject } from '@inlay/contract';
import { planPublications } from '../../packages/service/src/cluster/plan.ts';
import { publishJob } from '../../packages/service/src/commands/publication.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { settled as inOrder } from '../corpus/ask.ts';
import { refreshed, settled } from '../support/accelerations.ts';
import { Api } from '../support/api.ts';
import { clusterSettings } from '../support/cluster.ts';
import type { Credential } from '../support/service.ts';
import { columnsOfDataset, openShop, type ShopDatabase } from '../support/shop-database.ts';
import { text } from '../support/world.ts';

const leastRows = 1000;

describe('a copy with a rollup whose rows are also on trino', () => {
  const engines = inject('sharedEngines');
  const api = new Api();
  const log: string[] = [];
  let shop: ShopDatabase;
  let datasetId = '';
  let accelerationId = '';
  let rollupId = '';
  let columns: ReadonlyMap<string, string>;

  const on = (name: string, more: object = {}): object => ({
    dataset_id: datasetId,
    column_id: columns.get(name) ?? name,
    ...more,
  });
  const measures = (): readonly object[] => [
    on('price', { aggregation: { type: 'sum' } }),
    on('price', { aggregation: { type: 'max' } }),
    on('weight', { aggregation: { type: 'average' } }),
    { dataset_id: datasetId, column_id: '*' },
  ];
  const monthly = (): object => ({ dimensions: [on('region'), on('sold_at', { level: 3 })], measures: measures() });
  /** Queries that the rollup by region and month answers. */
  const coarse = (): readonly object[] => [
    monthly(),
    { dimensions: [on('sold_at', { level: 1 })], measures: measures() },
    { ...monthly(), where: [{ expression: '? = ?', parameters: [on('region'), 'region 3'] }] },
  ];
  /** Queries that need the rows of the copy. */
  const fine = (): readonly object[] => [
    { dimensions: [on('sold_at', { level: 5 })], measures: measures() },
    { ...monthly(), where: [{ expression: '? > ?', parameters: [on('price'), 20] }] },
  ];
  const ask = (find: object, by?: Credential): Promise<JsonObject> => api.ok('data', { action: 'get', find }, by);
  /** Returns where a query ran and whether it read the rollup. Expects its rows to be those of the source. */
  async function placeOf(find: object, by?: Credential): Promise<readonly [Json | undefined, boolean]> {
    log.length = 0;
    const answer = await ask(find, by);
    // The line of the last query at the source may come late.
    const slow = (): readonly string[] =>
      log.filter((line) => line.includes('slow query') && line.includes(`"source":"${text(answer, 'source')}"`));
    await expect.poll(slow).not.toEqual([]);
    const readsRollup = slow().some((line) => line.includes(`${datasetId} ${rollupId}`));
    const atSource = await ask({ ...find, options: { max_age: 0 } }, by);
    expect(atSource['source']).toBe('pushdown');
    expect(inOrder(answer['data'])).toEqual(inOrder(atSource['data']));
    return [answer['source'], readsRollup];
  }
  async function placesOf(finds: readonly object[], by?: Credential): Promise<readonly unknown[]> {
    const places = new Set<string>();
    for (const find of finds) places.add(JSON.stringify(await placeOf(find, by)));
    return [...places].map((place): unknown => JSON.parse(place));
  }
  /** Publishes the current rows of the copy. */
  async function publish(): Promise<void> {
    const { store } = api.service.app.service;
    await planPublications({ store, leastRows, now: Date.now });
    await api.service.app.jobs.runDue(publishJob);
    // The instance may have run the job by itself.
    const published = () =>
      store.rows(sql`select p.id from publication p join acceleration a on a.id = p.folder and a.copy_version = p.version
        where p.folder = ${accelerationId} and p.ready_at is not null and p.dropped_at is null`);
    await expect.poll(published, { timeout: 60_000, interval: 100 }).toHaveLength(1);
  }
  const tokenWith = (column: string, value: Json): Promise<Credential> =>
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

  beforeAll(async () => {
    if (engines === undefined) throw new Error('the cluster is not there');
    const settings = {
      ...(await clusterSettings(engines, 'rolled_up')),
      INLAY_CLUSTER_ROWS: String(leastRows),
      INLAY_ALLOW_PRIVATE_HOSTS: 'true',
      INLAY_SYNC_METADATA: 'false',
      INLAY_SLOW_QUERY_MS: '0',
      INLAY_RATE_LIMIT: '0',
    };
    await api.start('sqlite', settings, undefined, undefined, (line) => log.push(line));
    shop = await openShop(api);
    await shop.run(
      `create table sales (id bigint, region text, price numeric(12, 2), weight double precision, sold_at timestamptz);
      insert into sales select n, case when n % 5 > 0 then 'region ' || n % 5 end, n % 97 + 0.25, n / 8.0,
        '2024-01-01'::timestamptz + n % 180 * interval '1 day 1 hour' from generate_series(1, 5000) n`,
    );
    const properties = { account_id: shop.accountId, provider: 'postgresql', datasets: ['public.sales'] };
    const made = await api.ok('dataprovider', { properties });
    datasetId = text(listOr(made['rows'])[0], 'id');
    columns = await columnsOfDataset(api, datasetId);
    ({ id: accelerationId } = await api.create('acceleration', { securable_id: datasetId }));
    await settled(api, accelerationId);
  }, 180_000);
  afterAll(() => api.stop());

  it('is answered by the rollup in the engine where it can, and else by the cluster, with the rows of the source', async () => {
    for (let count = 0; count < 20; count += 1) await ask(monthly());
    const proposals = async () => listOr((await api.get('acceleration', accelerationId))['rollup_proposals']);
    await expect.poll(proposals, { timeout: 60_000 }).not.toEqual([]);
    rollupId = text((await proposals())[0], 'id');
    await api.update('acceleration', accelerationId, { rollup_ids: [rollupId] });
    expect(await settled(api, accelerationId)).toMatchObject({ last_error: null, rollups: [{ id: rollupId }] });
    await publish();
    expect(await placesOf(coarse())).toEqual([['engine', true]]);
    expect(await placesOf(fine())).toEqual([['cluster', false]]);
  });

  it('shows the rows that the row filter of a token shows in both places', async () => {
    const [byRegion, byPrice] = [await tokenWith('region', 'region 2'), await tokenWith('price', 20.25)];
    expect(await placesOf(coarse(), byRegion)).toEqual([['engine', true]]);
    expect(await placesOf(fine(), byRegion)).toEqual([['cluster', false]]);
    expect(await placesOf([...coarse(), ...fine()], byPrice)).toEqual([['cluster', false]]);
    expect(JSON.stringify(await ask(monthly(), byRegion))).not.toContain('region 3');
  });

  it('has the new rows in both places after a refresh', async () => {
    await shop.run(`insert into sales select n, 'new', 21, 1, '2024-05-02' from generate_series(1, 10) n`);
    await refreshed(api, accelerationId);
    expect(await placesOf(coarse())).toEqual([['engine', true]]);
    await publish();
    expect(await placesOf(coarse())).toEqual([['engine', true]]);
    expect(await placesOf(fine())).toEqual([['cluster', false]]);
    expect(JSON.stringify(await ask(monthly()))).toContain('new');
  });
});
