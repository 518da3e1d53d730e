import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { createObservations } from '../../packages/service/src/observations/observations.ts';
import { readObservations } from '../../packages/service/src/observations/read.ts';
import type { JsonObject } from '@inlay/contract';
import { call, freshInstallation, inlay, type Installation } from '../support/command.ts';
import { startService } from '../support/process.ts';
import type { Credential } from '../support/service.ts';
import { part } from '../support/world.ts';

const site = 'https://app.example.com';

describe('what a service observed', () => {
  const held: { env: Installation; owner: Credential } = { env: {}, owner: { key: '', token: '' } };
  const folder = (): string => join(held.env['INLAY_DATA_DIR'] ?? '', 'work', 'observations');
  beforeAll(async () => {
    Object.assign(held, await freshInstallation('sqlite'));
  });

  it('of pages and addresses that are refused is told by the doctor with the setting to change', async () => {
    const service = await startService({ env: held.env });
    const ask = { origin: site, 'access-control-request-method': 'POST' };
    await fetch(`${service.url}/0.1.0/data`, { method: 'OPTIONS', headers: ask });
    const account = {
      provider: 'postgresql',
      host: '127.0.0.1',
      port: '5432',
      scope: 'x',
      identifier: 'x',
      token: 'x',
    };
    const { body } = await call(service.url, 'account', { ...held.owner, properties: account });
    await call(service.url, 'dataprovider', { ...held.owner, find: { account_id: String(part(body, 'id')) } });
    await service.stop();
    const { out, code } = await inlay(['doctor'], held.env);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^warn {2}cross-origin requests: .*https:\/\/app\.example\.com \(1 times\).*INLAY_CORS_ORIGINS/mu,
    );
    expect(out).toMatch(/^warn {2}addresses: .*127\.0\.0\.1:5432 \(\d+ times\).*INLAY_ALLOW_HOSTS/mu);
    const allowed = { ...held.env, INLAY_CORS_ORIGINS: site, INLAY_ALLOW_HOSTS: '127.0.0.1/32:5432' };
    expect((await inlay(['doctor'], allowed)).out).not.toMatch(/cross-origin requests|addresses/u);
  });

  it('of the cluster names the rows that are not there, the reason, and a folder that cannot be written', async () => {
    const cluster = { INLAY_CLUSTER: 'trino://inlay@127.0.0.1:1/lake/inlay', INLAY_CLUSTER_FILES: '/nowhere/shared' };
    const database = new DatabaseSync(storeFile(held.env['INLAY_DATA_DIR'] ?? ''), { timeout: 5000 });
    const error = JSON.stringify({ code: 'source_failed', message: 'Nothing answers at this host and port.' });
    database
      .prepare(
        `insert into job (id, type, subject, payload, priority, attempts, error, due_at, created_at)
          values ('publish rows x', 'publish rows', 'x', '{}', 0, 3, ?, '2999-01-01T00:00:00.000Z', '')`,
      )
      .run(error);
    const { out, code } = await inlay(['doctor'], { ...held.env, ...cluster });
    database.exec("delete from job where id = 'publish rows x'");
    database.close();
    expect(code).toBe(1);
    expect(out).toMatch(/^fail {2}cluster: the folder \/nowhere\/shared cannot be written/mu);
    expect(out).toMatch(/^ok {4}cluster: has the rows of 0 datasets$/mu);
    expect(out).toMatch(/^warn {2}cluster: the rows of x are not at the cluster after 3 attempts: Nothing answers/mu);
    const objects = {
      ...cluster,
      INLAY_CLUSTER_FILES: 's3://rows/inlay',
      INLAY_CLUSTER_S3_ENDPOINT: 'http://127.0.0.1:1',
      INLAY_CLUSTER_S3_KEY_ID: 'AKIDEXAMPLE',
      INLAY_CLUSTER_S3_SECRET_KEY: 'not-to-be-shown',
    };
    const { out: ofObjects } = await inlay(['doctor'], { ...held.env, ...objects });
    expect(ofObjects).toMatch(/^fail {2}cluster: the object store cannot be reached\. Check that it runs/mu);
    expect(ofObjects).not.toContain('not-to-be-shown');
    expect((await inlay(['doctor'], held.env)).out).not.toMatch(/cluster:/u);
  });

  it('of slow queries names the dataset, the column of the row filter, and what to do', async () => {
    const service = await startService({ env: held.env });
    const made = await call(service.url, 'securable', {
      ...held.owner,
      properties: { type: 'dataset', name: { en: 'Orders' } },
    });
    const id = String(part(made.body, 'id'));
    const column = await call(service.url, 'column', {
      ...held.owner,
      properties: { securable_id: id, type: 'hierarchy', name: { en: 'Tenant' }, source_name: 'tenant_id' },
    });
    await service.stop();
    const observations = createObservations(folder(), 'another', Date.now);
    for (let count = 0; count < 100; count += 1) observations.note('uncached', id, 150);
    for (let count = 0; count < 20; count += 1)
      observations.note('filtered', `${id} ${String(part(column.body, 'id'))}`, 900);
    observations.note('uncached', '01890a5d-ac96-774b-bcce-b302099a8057', 90_000);
    observations.save();
    const { out } = await inlay(['doctor'], held.env);
    expect(out).toMatch(/^warn {2}cache: dataset "Orders" \([\da-f-]+\): 100 queries took 150 ms .*set "cache"/mu);
    expect(out).toMatch(
      /^warn {2}row filters: dataset "Orders" .* filtered by "Tenant": 20 queries took 900 ms .*index/mu,
    );
    expect(out).not.toContain('01890a5d');
  });

  it('of an acceleration that rarely answers names the dataset, the reason, and what to do', async () => {
    const service = await startService({ env: held.env });
    const create = async (resource: string, properties: JsonObject): Promise<string> =>
      String(part((await call(service.url, resource, { ...held.owner, properties })).body, 'id'));
    const accountId = await create('account', { provider: 'postgresql', host: '127.0.0.1', scope: 'x', token: 'x' });
    const dataset = { type: 'dataset', name: { en: 'Visits' }, account_id: accountId, source_dataset: 'public.visits' };
    const id = await create('securable', dataset);
    const accelerationId = await create('acceleration', { securable_id: id });
    await service.stop();
    const observations = createObservations(folder(), 'copies', Date.now);
    const note = (outcome: string, times: number): void => {
      for (let count = 0; count < times; count += 1) observations.note('accelerated', `${accelerationId} ${outcome}`);
    };
    note('hit', 20);
    note('pending', 2);
    note('override', 17);
    observations.save();
    expect((await inlay(['doctor'], held.env)).out).not.toContain('accelerations');
    note('override', 3);
    observations.save();
    expect((await inlay(['doctor'], held.env)).out).toMatch(
      /^warn {2}accelerations: dataset "Visits" \([\da-f-]+\): 22 of 42 queries .*replace the connection.*cannot read the copy/mu,
    );
  });

  it('is bounded, summed over instances, and gone after some days', () => {
    const bounded = createObservations(folder(), 'bounded', Date.now);
    for (let index = 0; index < 2000; index += 1) bounded.note('origin', `https://${index}.example.com`);
    bounded.note('origin', 'x'.repeat(1000));
    bounded.note('host', '127.0.0.1:5432');
    bounded.save();
    expect(readObservations(folder(), 'origin').size).toBeLessThanOrEqual(501);
    expect(readObservations(folder(), 'host').get('127.0.0.1:5432')?.count).toBeGreaterThan(1);
    const later = createObservations(folder(), 'later', () => Date.now() + 8 * 24 * 3_600_000);
    later.note('host', '10.0.0.1:1');
    later.save();
    expect(readdirSync(folder())).toEqual([]);
  });
});
