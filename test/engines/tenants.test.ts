import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { planPublications } from '../../packages/service/src/cluster/plan.ts';
import { publishJob } from '../../packages/service/src/commands/publication.ts';
import { sql } from '../../packages/service/src/store/sql.ts';
import { sources } from '../connectors/sources.ts';
import { clusterSettings } from '../support/cluster.ts';
import { counted } from '../support/counts.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { statementsFor } from '../support/tenant-rows.ts';
import { overHttp, search } from '../support/tenant-search.ts';
import { startTenants, type Tenants } from '../support/tenants.ts';

/** Numbers of queries in a short run and in a long one. */
const count = { clickhouse: () => counted(150, 10_000), trino: () => counted(60, 1000) } as const;

describe.each(['clickhouse', 'trino'] as const)('tenants of one organization on %s', (place) => {
  let world: Tenants;
  let stop = (): Promise<void> => Promise.resolve();

  beforeAll(async () => {
    const source = await sources[place]();
    stop = () => source.stop();
    await source.admin('drop table orders', ...statementsFor(place));
    const { host, port, scope, identifier, token, properties } = source.reach();
    const account = { provider: place, host, port, scope, identifier, properties, ...(token !== null && { token }) };
    world = await startTenants([{ place, account }]);
  });
  afterAll(async () => {
    await world?.stop();
    await stop();
  });

  test('see no row of each other, whatever they ask', async () => {
    const ways = world.ways.filter(({ places }) => places.includes(place)).map((way) => ({ ...way, places: [place] }));
    expect(ways).toHaveLength(5);
    const found = await search(world, overHttp(world), count[place](), randomOf(20_261_127), ways);
    process.stdout.write(
      `isolation on ${place}: ${found.asked} queries, ${found.rows} rows, ${found.cached} kept, ${JSON.stringify(Object.fromEntries(found.places))}, ${found.leaks.length} foreign\n`,
    );
    expect(found.leaks.slice(0, 3).join('\n')).toBe('');
    expect(found.rows).toBeGreaterThan(found.asked);
    expect(found.places.get(`${place} pushdown`)).toBeGreaterThan(found.asked / 2);
  });
});

describe('tenants of one organization whose stored rows are at a cluster on trino', () => {
  let world: Tenants;

  beforeAll(async () => {
    const engines = inject('sharedEngines');
    if (engines === undefined) throw new Error('the cluster is not there');
    world = await startTenants([], { ...(await clusterSettings(engines, 'tenants')), INLAY_CLUSTER_ROWS: '1' });
    const { jobs, service } = world.api.service.app;
    await planPublications({ store: service.store, leastRows: 1, now: Date.now });
    await jobs.runDue(publishJob);
    const missing = sql`select s.id from securable s where s.data_version is not null and not exists
      (select 1 from publication p where p.folder = s.id and p.version = s.data_version and p.ready_at is not null)`;
    const areAllReady = async (): Promise<boolean> => (await service.store.rows(missing)).length === 0;
    await vi.waitUntil(areAllReady, { timeout: 120_000, interval: 200 });
  });
  afterAll(() => world?.stop());

  test('see no row of each other, whatever they ask', async () => {
    const ways = world.ways
      .filter(({ places }) => places.includes('engine'))
      .map((way) => ({ ...way, places: ['engine' as const] }));
    const found = await search(world, overHttp(world), counted(60, 1000), randomOf(20_261_129), ways);
    process.stdout.write(
      `isolation at a cluster: ${found.asked} queries, ${found.rows} rows, ${found.cached} kept, ${JSON.stringify(Object.fromEntries(found.places))}, ${found.leaks.length} foreign\n`,
    );
    expect(found.leaks.slice(0, 3).join('\n')).toBe('');
    expect(found.rows).toBeGreaterThan(found.asked);
    expect(found.places.get('engine cluster')).toBeGreaterThan(found.asked / 2);
  });
});
