import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { datasetIn } from '../support/world.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'inlay-clocks-'));
const services: TestService[] = [];
beforeAll(async () => {
  services.push(await startTestService({ store: 'sqlite', dataDir }));
  services.push(await startTestService({ store: 'sqlite', dataDir, now: () => Date.now() - 5000 }));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

it('rows that an instance with a clock behind stores stay, whatever another one clears away meanwhile', async () => {
  const [first, second] = services;
  if (first === undefined || second === undefined) throw new Error('the services were not started');
  const push = async (service: TestService, properties: JsonObject): Promise<JsonObject> => {
    const { status, body } = await service.call('data', { action: 'create', properties }, first.owner);
    expect(status, JSON.stringify(body)).toBe(200);
    return isObject(body) ? body : {};
  };
  const id = datasetIn(await push(first, { type: 'create', data: [['n'], [0]], options: { header: true } })).id;
  const append = (service: TestService, n: number): Promise<JsonObject> =>
    push(service, { type: 'append', securable_id: id, data: [[n]] });
  const { engine } = first.app;
  const clearing = { ...engine };
  let stored = (): void => undefined;
  const isStored = new Promise<void>((resolve) => (stored = resolve));
  let meanwhile = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (meanwhile = resolve));
  Object.assign(engine, {
    keepVersions: async (...given: Parameters<typeof engine.keepVersions>) => {
      stored();
      await isOver;
      return clearing.keepVersions(...given);
    },
  });
  const appending = append(first, 1);
  await isStored;
  await append(second, 2);
  meanwhile();
  await appending;
  const measures = [{ dataset_id: id, column_id: '*', aggregation: { type: 'count' } }];
  for (const service of services) {
    const { body } = await service.call('data', { action: 'get', find: { dimensions: [], measures } }, first.owner);
    expect(body).toMatchObject({ data: [[3]] });
  }
});
