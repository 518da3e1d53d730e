import { describe, expect, test } from 'vitest';
import { checkLedger, checkWhole, readHolding } from '../../support/ledger-check.ts';
import { newLedger, writeRecords } from '../../support/ledger.ts';
import { serverStore } from '../../support/load-store.ts';
import { firstOwner, openClient } from '../../support/load.ts';
import { havePostgres, startPostgres } from '../../support/postgres.ts';
import { startService } from '../../support/process.ts';

const writers = 8;

describe.skipIf(havePostgres() !== undefined)('on PostgreSQL', () => {
  test('a killed database server loses no acknowledged write', async () => {
    const server = await startPostgres({ fsync: true });
    const store = await serverStore(server);
    const owner = firstOwner();
    const env = { ...store.settings, ...owner.settings };
    const service = await startService({ env });
    const client = openClient(service.url, owner.credential);
    const ledger = newLedger();
    const writing = Array.from({ length: writers }, () =>
      writeRecords(client, ledger, () => true).catch((error: unknown) => String(error)),
    );
    await expect.poll(() => ledger.acknowledged).toBeGreaterThan(200);
    process.kill(server.pid, 'SIGKILL');
    const ends = await Promise.all(writing);
    for (const end of ends) expect(end).toMatch(/store_unavailable|outcome_unknown/u);
    await expect.poll(() => server.restart().then(() => 'up', String)).toBe('up');
    expect(checkLedger(store.dataDir, ledger, await readHolding(store, ledger.since))).toEqual([]);
    expect(await checkWhole(store)).toEqual([]);
    const again = () => client.call('tag', { action: 'create', properties: { name: { en: 'after' } } });
    await expect.poll(async () => (await again()).status).toBe(200);
    client.close();
    expect(await service.stop()).toBe(0);
    await store.remove();
    await server.stop();
  }, 600_000);
});
