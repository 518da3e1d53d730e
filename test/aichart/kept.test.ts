import type { JsonObject } from '@inlay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { makeOrders, settingsFor } from './orders.ts';
import { sensible, startProvider } from './provider-server.ts';

const provider = await startProvider();
afterAll(() => provider.close());

describe.each(storesToTest)('an Idempotency-Key on AI charts, on %s', (store) => {
  const api = useApi(store, settingsFor(provider));
  const asking = (dataset_id: string, question = 'Revenue by region'): JsonObject => ({
    properties: { dataset_id, type: 'generate-chart', question },
  });
  const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });

  it('gives the same answer again, and asks the provider once', async () => {
    const dataset = await makeOrders(api);
    provider.behave(sensible);
    const before = provider.arrived.length;
    const first = await api.ok('aichart', asking(dataset), api.owner, keyed('twice'));
    const second = await api.ok('aichart', asking(dataset), api.owner, keyed('twice'));
    expect(second).toEqual(first);
    expect(provider.arrived.length - before).toBe(1);
    await api.ok('aichart', asking(dataset), api.owner, keyed('another'));
    expect(provider.arrived.length - before).toBe(2);
  });

  it('lets the second of two requests at the same moment wait for the first', async () => {
    const dataset = await makeOrders(api);
    const before = provider.arrived.length;
    provider.behave((arrived) => (response) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: sensible(arrived) }, finish_reason: 'stop' }];
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices })),
        300,
      );
    });
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.ok('aichart', asking(dataset), api.owner, keyed('at once'))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(provider.arrived.length - before).toBe(1);
  });

  it('refuses another question with the same key', async () => {
    const dataset = await makeOrders(api);
    provider.behave(sensible);
    await api.ok('aichart', asking(dataset), api.owner, keyed('taken'));
    const other = await api.refused('aichart', asking(dataset, 'Revenue'), api.owner, keyed('taken'));
    expect([other.status, other.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('keeps no refusal, and answers nobody who may not ask any more', async () => {
    const dataset = await makeOrders(api);
    provider.behave(sensible);
    await api.ok('aichart', asking(dataset), api.owner, keyed('rights'));
    await api.update('organization', api.organizationId, { flag_experimental_ai: false });
    const off = await api.refused('aichart', asking(dataset), api.owner, keyed('rights'));
    expect(off.code).toBe('ai_disabled');
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    await api.ok('aichart', asking(dataset), api.owner, keyed('rights'));
    const stranger = await api.stranger();
    expect(
      (await api.refused('aichart', asking(dataset), stranger.login, keyed('rights'))).status,
    ).toBeGreaterThanOrEqual(400);
    const { id: empty } = await api.create('dataset', { name: { en: 'Empty' } });
    expect((await api.refused('aichart', asking(empty), api.owner, keyed('empty'))).code).toBe('aichart_impossible');
    await api.create('column', { securable_id: empty, type: 'numeric', name: { en: 'Revenue' } });
    await api.ok('aichart', asking(empty), api.owner, keyed('empty'));
  });

  it('is free again where whoever took it never came back', async () => {
    const { store: kept } = api.service.app.service;
    const command = {
      ...({ kind: 'answer', step: 'claim', text: '' } as const),
      kept: { scope: 'somebody', key: 'lost', fingerprint: 'f', hours: 24 },
    };
    expect(await kept.write({ ...command, lostAfterMs: 60_000 })).toMatchObject({ state: 'mine' });
    expect(await kept.write({ ...command, lostAfterMs: 60_000 })).toMatchObject({ state: 'busy' });
    expect(await kept.write({ ...command, lostAfterMs: -1000 })).toMatchObject({ state: 'mine' });
  });
});

describe.each(storesToTest)('the record of what was sent to an AI provider, on %s', (store) => {
  const api = useApi(store, settingsFor(provider));

  it('is forgotten after the days that were set, and not before', async () => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    const { id } = await api.create('dataset', { name: { en: 'Orders' } });
    await api.create('column', { securable_id: id, type: 'numeric', name: { en: 'Revenue' } });
    provider.behave(sensible);
    await api.ok('aichart', { properties: { dataset_id: id, type: 'generate-chart', question: 'Revenue' } });
    const held = async (): Promise<number> => (await api.find('airequest', {})).length;
    const before = await held();
    expect(before).toBeGreaterThan(0);
    const long = new Date(0).toISOString();
    const sweep = (requestsBeforeMs: number): Promise<unknown> =>
      api.service.app.service.store.write({
        kind: 'sweep',
        answersBefore: long,
        loginsBefore: long,
        requestsBeforeMs,
        tasksBefore: long,
      });
    await sweep(Date.now() - 24 * 3_600_000);
    expect(await held()).toBe(before);
    await sweep(Date.now() + 60_000);
    expect(await held()).toBe(0);
  });
});
