import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '../../packages/service/src/docs/openapi.ts';
import { operationsOf, varietyOfPath } from '../../packages/service/src/docs/describe.ts';
import { requestExample } from '../../packages/service/src/docs/requests.ts';
import { createRegistry } from '../../packages/service/src/resource/registry.ts';
import { resources } from '../../packages/service/src/resources/index.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { datasetIn, text } from '../support/world.ts';

const registry = createRegistry(resources);
const described = [...registry.paths.values()].map((path) => ({
  path: path.name,
  resource: path.resource,
  variety: varietyOfPath(path),
}));

/** Examples that need no other record; the others name one by an id that stands for the reader's own. */
const alone = described.filter(
  ({ resource, variety }) =>
    operationsOf(resource, variety).includes('create') &&
    Object.keys(resource.example).every((name) => resource.fields[name]?.to === undefined),
);

const held: { service?: TestService } = {};
const service = (): TestService => {
  if (held.service === undefined) throw new Error('the service did not start');
  return held.service;
};

describe('the documented examples', () => {
  beforeAll(async () => {
    held.service = await startTestService({ store: 'sqlite' });
  });
  afterAll(async () => {
    await held.service?.stop();
  });

  it.each(alone)('of $path can be created, read, found and changed as they stand', async (one) => {
    const { owner } = service();
    const created = await service().call(one.path, requestExample('create', one), owner);
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const id = one.path === 'data' ? datasetIn(created.body).id : text(created.body, 'id');
    // What a part is asked about is the reader's own too.
    const asked = one.resource.served === undefined ? /^(?:get|search|update|delete)$/u : /^$/u;
    const further = operationsOf(one.resource, one.variety).filter((name) => asked.test(name));
    for (const operation of further) {
      const example = requestExample(operation, one);
      const answer = await service().call(one.path, 'id' in example ? { ...example, id } : example, owner);
      expect(answer.status, `${operation}: ${JSON.stringify(answer.body)}`).toBe(200);
    }
  });

  it('are enough to try most of the API', () => {
    expect(alone.length).toBeGreaterThan(12);
  });

  it('are served with the OpenAPI description as it is generated', async () => {
    const answer = await service().server.inject({ method: 'GET', url: '/openapi.json' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(openApi(registry));
  });
});
