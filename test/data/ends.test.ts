import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted, lateMs } from '../support/counts.ts';
import { havePostgresServer } from '../support/service.ts';
import { columnsOfDataset, holdingPort, openShop, type ShopDatabase } from '../support/shop-database.ts';

const deadlineS = 2;

describe.runIf(havePostgresServer)('a query that takes long', () => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_QUERY_TIMEOUT_S: String(deadlineS) });
  let shop: ShopDatabase;
  let slow: object;
  let address = '';

  beforeAll(async () => {
    shop = await openShop(api);
    const { id } = await api.create('dataset', {
      account_id: shop.accountId,
      subtype: 'postgresql',
      source_query: 'select 1 as one, pg_sleep(20) is null as late',
    });
    await api.create('column', { securable_id: id, type: 'numeric', source_name: 'one' });
    const columns = await columnsOfDataset(api, id);
    slow = { dimensions: [{ dataset_id: id, column_id: columns.get('one') }], options: { rollup_data: false } };
    const { server } = api.service;
    await server.listen({ port: 0, host: '127.0.0.1' });
    const bound = server.server.address();
    address = `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}/0.1.0/data`;
  });
  let watch: ReturnType<typeof postgres> | undefined;
  afterAll(() => watch?.end());

  async function running(): Promise<number> {
    watch ??= postgres(shop.url.href, { max: 1, onnotice: () => undefined });
    const rows = await watch.unsafe(
      `select count(*)::int as n from pg_stat_activity
        where query like '%pg_sleep%' and state = 'active' and datname = current_database() and pid <> pg_backend_pid()`,
    );
    return Number(rows[0]?.['n']);
  }

  it('is answered at the deadline, and nothing of it runs on', async () => {
    const startedMs = performance.now();
    const refused = await api.refused('data', { action: 'get', find: slow });
    expect(refused.status).toBe(504);
    expect(performance.now() - startedMs).toBeLessThan(deadlineS * 1000 + lateMs);
    await expect.poll(running, { timeout: lateMs }).toBe(0);
  });

  it('is given up when the client goes away', async () => {
    for (let turn = 0; turn < counted(5, 50); turn += 1) {
      const gone = new AbortController();
      const asked = fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'get', find: slow, ...api.owner }),
        signal: gone.signal,
      }).catch(() => undefined);
      await expect.poll(running, { interval: 20 }).toBe(1);
      gone.abort();
      await asked;
      await expect.poll(running, { timeout: lateMs, interval: 20 }).toBe(0);
    }
  });

  it('holds up nobody else', async () => {
    let isAnswered = false;
    const slowQuery = api.refused('data', { action: 'get', find: slow }).finally(() => (isAnswered = true));
    await sleep(100);
    await api.ok('data', { action: 'get', find: { measures: [shop.column('*')] } });
    expect(isAnswered).toBe(false);
    await slowQuery;
  });

  it('is answered at the deadline where the source says nothing any more', async () => {
    const port = await holdingPort(Number(shop.url.port));
    await api.update('account', shop.accountId, { port: String(port.port), token: 'none' });
    const find = { measures: [shop.column('*')] };
    await api.ok('data', { action: 'get', find });
    port.hold();
    const startedMs = performance.now();
    expect((await api.refused('data', { action: 'get', find })).status).toBe(504);
    expect(performance.now() - startedMs).toBeLessThan(deadlineS * 1000 + lateMs);
    await expect.poll(port.open, { timeout: lateMs }).toBe(0);
    port.stop();
  });
});
