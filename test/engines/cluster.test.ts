import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { publicationPlaces } from '../../packages/service/src/cluster/open.ts';
import { planPublications } from '../../packages/service/src/cluster/plan.ts';
import { sweepPublications } from '../../packages/service/src/cluster/sweep.ts';
import { publishJob } from '../../packages/service/src/commands/publication.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { settled } from '../corpus/ask.ts';
import { Api } from '../support/api.ts';
import { catalogs, clusterSettings, openCluster, publishedIn, tablesIn } from '../support/cluster.ts';
import { counted } from '../support/counts.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { runSeed } from '../support/seed.ts';
import type { Credential } from '../support/service.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { part, text } from '../support/world.ts';

const schema = 'service';
const leastRows = 1000;
const tenants = ['red', 'blue', 'green'] as const;
const regions = ['North', 'South', 'É', "O'Neil", '🦆', null] as const;
const laterMs = 11 * 60_000;

/** Rows that every run makes the same. */
const orders = (count: number, edition: number): readonly (readonly Json[])[] =>
  Array.from({ length: count }, (_, n) => [
    n,
    tenants[n % 3] ?? '',
    regions[n % 6] ?? null,
    edition,
    Math.round(((n * 7919) % 10_007) * 1.5) / 100,
    new Date(Date.UTC(2024, n % 12, 1 + (n % 28), n % 24, n % 60, 0, n % 1000)).toISOString(),
  ]);
const header = ['id', 'tenant', 'region', 'edition', 'amount', 'at'];

describe.each(catalogs)('large stored datasets on trino, in its catalog %s', (catalog) => {
  const engines = inject('sharedEngines');
  const api = new Api();
  let proxy: FaultProxy;
  let settings: Record<string, string>;
  const log: string[] = [];
  let shiftMs = 0;
  const now = (): number => Date.now() + shiftMs;

  beforeAll(async () => {
    if (engines === undefined) throw new Error('the cluster is not there');
    proxy = await startFaultProxy(Number(new URL(engines.trino).port));
    settings = {
      ...(await clusterSettings(engines, schema, proxy.port, catalog)),
      INLAY_CLUSTER_ROWS: String(leastRows),
      INLAY_SORT_ROWS: 'false',
      INLAY_RATE_LIMIT: '0',
      INLAY_QUERY_TIMEOUT_S: '40',
      INLAY_SLOW_QUERY_MS: '0',
    };
    await api.start('sqlite', settings, undefined, undefined, (line) => log.push(line));
  }, 120_000);
  afterAll(async () => {
    await api.stop();
    await proxy.stop();
  });

  const store = () => api.service.app.service.store;
  const push = async (rows: readonly (readonly Json[])[], name: string): Promise<string> =>
    (
      await api.create('data', {
        type: 'create',
        data: [header, ...rows],
        options: { header: true, name: { en: name } },
      })
    ).id;
  const replace = (id: string, rows: readonly (readonly Json[])[]): Promise<unknown> =>
    api.create('data', { type: 'replace', securable_id: id, data: [header, ...rows], options: { header: true } });
  /** Publishes the current rows of a dataset. */
  async function publish(id: string): Promise<void> {
    await planPublications({ store: store(), leastRows, now: Date.now });
    await api.service.app.jobs.runDue(publishJob);
    // The instance may have run the job by itself.
    const published = () =>
      store().rows(sql`select p.id from publication p join securable s on s.id = p.folder and s.data_version = p.version
        where p.folder = ${id} and p.ready_at is not null and p.dropped_at is null`);
    await expect.poll(published, { timeout: 60_000, interval: 100 }).toHaveLength(1);
  }
  async function sweep(): Promise<void> {
    if (engines === undefined) return;
    const { config } = readConfig({ ...settings, INLAY_DATA_DIR: api.service.dataDir }, () => '');
    const cluster = openCluster(engines, schema, catalog);
    const places = await publicationPlaces({ config, store: store(), newId: () => '' }, cluster);
    await sweepPublications({ store: store(), places: async () => places, now }, AbortSignal.timeout(60_000));
    await cluster.close();
  }
  const filesOf = async (id: string): Promise<readonly string[]> =>
    engines === undefined ? [] : (await publishedIn(engines, schema, catalog)).filter((path) => path.includes(id));
  async function columnsOf(id: string): Promise<ReadonlyMap<string, string>> {
    const columns = await api.find('column', { where: { securable_id: id } });
    return new Map(columns.map((column) => [text(column, 'source_name'), text(column, 'id')]));
  }
  const ask = (find: object, by?: Credential) => api.ok('data', { action: 'get', find }, by);
  const slots = async (id: string) => {
    const columns = await columnsOf(id);
    return (name: string, more: object = {}): object => ({
      dataset_id: id,
      column_id: columns.get(name) ?? '',
      ...more,
    });
  };
  /** Returns how many queries the engine has answered because the cluster did not. */
  async function fallbacks(): Promise<number> {
    const { body } = await api.service.server.inject({ method: 'GET', url: '/metrics' });
    const counts = [...body.matchAll(/^inlay_cluster_queries_total\{outcome="(\w+)"\} (\d+)$/gmu)];
    return counts.reduce((sum, [, outcome, count]) => sum + (outcome === 'ok' ? 0 : Number(count)), 0);
  }

  it('are answered by the cluster once they are published, as by the engine before', async () => {
    const [large, small] = [await push(orders(5000, 1), 'large'), await push(orders(50, 1), 'small')];
    const [of, ofSmall] = [await slots(large), await slots(small)];
    const finds = [
      { dimensions: [of('region')], measures: [of('amount', { aggregation: { type: 'sum' } })] },
      {
        dimensions: [of('at', { level: 3 }), of('tenant')],
        measures: [of('*', { column_id: '*', aggregation: { type: 'count' } })],
      },
      {
        dimensions: [],
        measures: [of('amount', { aggregation: { type: 'average' } }), of('at', { aggregation: { type: 'max' } })],
      },
      {
        dimensions: [of('id'), of('at'), of('amount'), of('region')],
        measures: [],
        order: [of('id', { order: 'asc' })],
        limit: { by: 50 },
        options: { rollup_data: false },
      },
    ];
    const before = [];
    for (const find of finds) before.push(await ask(find));
    expect(before.map((answer) => answer['source'])).toEqual(['engine', 'engine', 'engine', 'engine']);
    await publish(large);
    for (const [index, find] of finds.entries()) {
      const { source, data } = await ask(find);
      expect([source, settled(data)]).toEqual(['cluster', settled(before[index]?.['data'])]);
    }
    const median = [of('amount', { aggregation: { type: 'median' } })];
    expect(await ask({ dimensions: [], measures: median })).toMatchObject({ source: 'engine' });
    const measures = [ofSmall('amount', { aggregation: { type: 'sum' } })];
    expect(await ask({ dimensions: [], measures })).toMatchObject({ source: 'engine' });
    expect(await filesOf(large)).toHaveLength(1);
    expect(await filesOf(small)).toEqual([]);
  });

  it('show each tenant its own rows alone', async () => {
    const id = await push(orders(6000, 1), 'tenants');
    const of = await slots(id);
    const random = randomOf(runSeed);
    const some = (values: readonly object[]): readonly object[] => random.some(values, values.length);
    const tokens = new Map<string, Credential>();
    for (const tenant of tenants)
      tokens.set(
        tenant,
        await api.embedToken({
          access: { datasets: [{ id, rights: 'use' }] },
          filters: [
            {
              clause: 'where',
              origin: 'global',
              securable_id: id,
              column_id: part(of('tenant'), 'column_id'),
              expression: '? = ?',
              value: tenant,
            },
          ],
        }),
      );
    const queries = Array.from({ length: counted(20, 1000) }, () => ({
      tenant: random.pick(tenants),
      find: {
        dimensions: [of('tenant'), ...some([of('region'), of('at', { level: 3 })])],
        measures: [
          of('*', { column_id: '*', aggregation: { type: 'count' } }),
          ...some([of('amount', { aggregation: { type: 'sum' } }), of('id', { aggregation: { type: 'max' } })]),
        ],
        where:
          random.below(2) === 0
            ? [{ expression: '? in ?', parameters: [of('tenant'), [random.pick(tenants), random.pick(tenants)]] }]
            : [],
      },
    }));
    const before: Json[] = [];
    for (const { tenant, find } of queries) before.push((await ask(find, tokens.get(tenant)))['data'] ?? null);
    await publish(id);
    let foreign = 0;
    for (const [index, { tenant, find }] of queries.entries()) {
      const { source, data = null } = await ask(find, tokens.get(tenant));
      expect(source).toBe('cluster');
      expect(settled(data)).toEqual(settled(before[index]));
      for (const row of isList(data) ? data : [])
        if (!isList(row) || JSON.stringify(row[0]) !== JSON.stringify({ id: tenant, name: { en: tenant } }))
          foreign += 1;
    }
    expect(foreign).toBe(0);
    expect(before.some((data) => isList(data) && data.length > 0)).toBe(true);
  });

  it('are old or new while they are replaced, and what is old is gone afterwards', async () => {
    const id = await push(orders(3000, 1), 'replaced');
    const of = await slots(id);
    const find = {
      dimensions: [of('edition')],
      measures: [of('*', { column_id: '*', aggregation: { type: 'count' } })],
    };
    await publish(id);
    expect(await ask(find)).toMatchObject({ source: 'cluster' });
    const seen = new Set<string>();
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        const { data, source } = await ask(find);
        seen.add(JSON.stringify([data, source]));
      }
    })();
    await replace(id, orders(4000, 2));
    await publish(id);
    await ask(find);
    isDone = true;
    await reading;
    const old = [[1, 3000]];
    const current = [[2, 4000]];
    const allowed = [old, current].flatMap((data) =>
      ['cluster', 'engine'].map((source) => JSON.stringify([data, source])),
    );
    expect([...seen].filter((each) => !allowed.includes(each))).toEqual([]);
    expect(await ask(find)).toMatchObject({ source: 'cluster', data: current });
    shiftMs += laterMs;
    await sweep();
    expect(await filesOf(id)).toHaveLength(1);
  });

  it('are answered by the engine while the cluster is down or hangs', async () => {
    const id = await push(orders(2000, 1), 'down');
    const of = await slots(id);
    const find = { dimensions: [of('tenant')], measures: [of('id', { aggregation: { type: 'sum' } })] };
    await publish(id);
    const { data } = await ask(find);
    const before = await fallbacks();
    await proxy.set({ kind: 'refuse' });
    expect(await ask(find)).toMatchObject({ source: 'engine', data });
    expect(await fallbacks()).toBe(before + 1);
    const slow = (): Json => JSON.parse(log.findLast((line) => line.includes('slow query')) ?? 'null');
    await expect.poll(slow).toMatchObject({ source: 'engine', outcome: 'ok' });
    const comesBack = async (): Promise<void> => {
      await proxy.clear();
      await expect.poll(async () => (await ask(find))['source'], { timeout: 60_000, interval: 500 }).toBe('cluster');
    };
    await comesBack();
    await proxy.set({ kind: 'black-hole' });
    const answers = await Promise.all([ask(find), ask(find)]);
    expect(answers).toMatchObject([
      { source: 'engine', data },
      { source: 'engine', data },
    ]);
    await comesBack();
  });

  it('leave no files and tables behind once they are deleted', async () => {
    const id = await push(orders(2000, 1), 'deleted');
    await publish(id);
    const before = await tablesIn(engines ?? { trino: '' }, schema, catalog);
    expect(await filesOf(id)).toHaveLength(1);
    await api.remove('securable', id);
    await sweep();
    shiftMs += laterMs;
    await sweep();
    expect(await filesOf(id)).toEqual([]);
    expect((await tablesIn(engines ?? { trino: '' }, schema, catalog)).length).toBeLessThan(before.length);
  });
});

describe('a service that cannot sign in to its cluster on trino', () => {
  const engines = inject('sharedEngines');
  const api = new Api();
  beforeAll(async () => {
    if (engines === undefined) throw new Error('the cluster is not there');
    await api.start('sqlite', {
      ...(await clusterSettings(engines, 'refused')),
      INLAY_CLUSTER_ROWS: '10',
      INLAY_CLUSTER_PASSWORD: 'wrong',
    });
  }, 120_000);
  afterAll(() => api.stop());

  it('stores and answers rows as without a cluster, and tries again to publish them', async () => {
    const { store } = api.service.app.service;
    const { id } = await api.create('data', {
      type: 'create',
      data: [header, ...orders(20, 1)],
      options: { header: true },
    });
    await planPublications({ store, leastRows: 10, now: Date.now });
    await api.service.app.jobs.runDue(publishJob);
    expect(filesIn(join(engines?.lake ?? '', 'refused'), id)).toEqual([]);
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    expect(await api.ok('data', { action: 'get', find: { dimensions: [], measures } })).toMatchObject({
      source: 'engine',
      data: [[20]],
    });
    expect(api.service.app.jobs.state.dead).toBe(0);
  });
});

const filesIn = (folder: string, id: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes(id));
