import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counted } from '../support/counts.ts';
import { freshDatabase, startTestService, type TestService, havePostgresServer } from '../support/service.ts';
import { datasetIn } from '../support/world.ts';

describe.runIf(havePostgresServer)('three instances on one PostgreSQL and one data folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-three-'));
  const services: TestService[] = [];
  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    for (let count = 0; count < 3; count += 1)
      services.push(await startTestService({ store: 'postgres', dataDir, databaseUrl }));
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('lose no rows that all store in one dataset at once, and refuse no store and no question', async () => {
    const [first, ...others] = services;
    if (first === undefined) throw new Error('the services were not started');
    const call = async (service: TestService, body: JsonObject): Promise<JsonObject> => {
      const answer = await service.call('data', body, first.owner);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return isObject(answer.body) ? answer.body : {};
    };
    const push = (service: TestService, properties: JsonObject) => call(service, { action: 'create', properties });
    const id = datasetIn(await push(first, { type: 'create', data: [['n'], [0]], options: { header: true } })).id;
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    const asked = (service: TestService) => call(service, { action: 'get', find: { dimensions: [], measures } });
    const rounds = counted(4, 60);
    const all = [first, ...others];
    const storing = all.map(async (service, instance) => {
      for (let round = 0; round < rounds; round += 1)
        await push(service, { type: 'append', securable_id: id, data: [[instance * 1000 + round]] });
    });
    let over = false;
    const asking = all.map(async (service) => {
      while (!over) await asked(service);
    });
    await Promise.all(storing).finally(() => (over = true));
    await Promise.all(asking);
    for (const service of all) expect(await asked(service)).toMatchObject({ data: [[1 + rounds * all.length]] });
  }, 600_000);
});
