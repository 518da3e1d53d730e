import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { datasetIn } from '../support/world.ts';

describe('two instances on one data folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-two-'));
  const services: TestService[] = [];
  beforeAll(async () => {
    services.push(await startTestService({ store: 'sqlite', dataDir }));
    services.push(await startTestService({ store: 'sqlite', dataDir }));
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('lose no rows that both store in one dataset at the same time', async () => {
    const [first, second] = services;
    if (first === undefined || second === undefined) throw new Error('the services were not started');
    const push = async (service: TestService, properties: JsonObject): Promise<JsonObject> => {
      const { status, body } = await service.call('data', { action: 'create', properties }, first.owner);
      expect(status, JSON.stringify(body)).toBe(200);
      return isObject(body) ? body : {};
    };
    const id = datasetIn(await push(first, { type: 'create', data: [['n'], [0]], options: { header: true } })).id;
    const append = (service: TestService, from: number): Promise<JsonObject> =>
      push(service, { type: 'append', securable_id: id, data: [[from]] });
    for (let round = 1; round <= 8; round += 1) await Promise.all([append(first, round), append(second, -round)]);
    const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
    for (const service of services) {
      const { body } = await service.call('data', { action: 'get', find: { dimensions: [], measures } }, first.owner);
      expect(body).toMatchObject({ data: [[17]] });
    }
  });
});
