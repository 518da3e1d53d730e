import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';
import { makeOrders, settingsFor } from './orders.ts';
import { sensible, startProvider } from './provider-server.ts';

const provider = await startProvider();
afterAll(() => provider.close());
const settings = {
  ...settingsFor(provider),
  INLAY_AI_KEY: 'secret-of-the-provider',
  INLAY_AI_DAILY_REQUESTS: '7',
};

describe.each(storesToTest)('AI charts with a provider on %s', (store) => {
  const api = useApi(store, settings);
  const ask = (dataset_id: string, by = api.owner): Promise<JsonObject> =>
    api.ok('aichart', { properties: { dataset_id, type: 'generate-chart', question: 'Revenue by region' } }, by);
  const typeOf = (answer: JsonObject): unknown => part(answer['generatedChart'], 'type');
  const requests = (by = api.owner): Promise<readonly JsonObject[]> =>
    api.find('airequest', { order: [['id', 'asc']] }, by);

  it('keep exactly what was sent, for the organization owners to read', async () => {
    const dataset = await makeOrders(api);
    provider.behave(sensible);
    const before = provider.arrived.length;
    const answer = await ask(dataset);
    expect(typeOf(answer)).toBe('column-chart');
    const sent = provider.arrived[before];
    expect([provider.arrived.length - before, sent?.path]).toEqual([1, '/v1/chat/completions']);
    expect(sent?.headers).toContain('Bearer secret-of-the-provider');
    const id = text(answer['generatedChart'], 'aichartId');
    await expect.poll(async () => part(await api.get('airequest', id), 'outcome')).toBe('used');
    const body = sent?.body ?? '';
    expect(await api.get('airequest', id)).toMatchObject({
      user_id: api.userId,
      dataset_id: dataset,
      address: provider.baseUrl,
      model: 'a-model',
      body,
      bytes: Buffer.byteLength(body),
      hash: createHash('sha256').update(body).digest('hex'),
    });
    const member = await api.person();
    for (const body of [{ find: {} }, { action: 'get', id }])
      expect([403, 404]).toContain((await api.refused('airequest', body, member.login)).status);
    for (const refused of [{ properties: {} }, { id, properties: { outcome: 'sent' } }, { action: 'delete', id }])
      expect((await api.refused('airequest', refused)).status).toBeGreaterThanOrEqual(400);
    const stranger = await api.stranger();
    expect(await requests(stranger.login)).toEqual([]);
  });

  it('show what was asked in a suborganization to its owners and those of the whole organization alone', async () => {
    const dataset = await makeOrders(api);
    provider.behave(sensible);
    const owners = await Promise.all(
      ['north', 'south', null].map((suborganization) => api.person({ flagOwner: true }, { suborganization })),
    );
    const [north] = owners;
    if (north === undefined) throw new Error('nobody');
    await api.associate('securable', dataset, 'Users', north.id, { flagUse: true });
    const asked = text((await ask(dataset, north.login))['generatedChart'], 'aichartId');
    const seen = owners.map(async ({ login }) => (await requests(login)).map(({ id }) => id).includes(asked));
    expect(await Promise.all(seen)).toEqual([true, false, true]);
    expect(await api.get('airequest', asked, north.login)).toMatchObject({ suborganization: 'north' });
  });

  it('tell no id of ours to the provider', async () => {
    const dataset = await makeOrders(api);
    provider.behave(sensible);
    await ask(dataset);
    const bodies = provider.arrived.map(({ body }) => body).join('\n');
    expect(/[\da-f]{8}-[\da-f]{4}-/u.test(bodies)).toBe(false);
  });

  it('are made here once the requests of the day are used up', async () => {
    const dataset = await makeOrders(api);
    provider.behave(sensible);
    const before = provider.arrived.length;
    const types: Json[] = [];
    for (let call = 0; call < 8; call += 1) types.push(String(typeOf(await ask(dataset))));
    // Three of seven are used by the tests before.
    expect([provider.arrived.length - before, types.lastIndexOf('column-chart'), types.at(-1)]).toEqual([
      4,
      3,
      'bar-chart',
    ]);
    expect((await requests()).length).toBe(7);
    expect((await requests()).every((one) => isObject(one) && one['outcome'] !== null)).toBe(true);
  });
});
