import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBreaker } from '../../packages/service/src/outbound/breaker.ts';
import { ModelClient, type CheckedReply, type ModelQuestion } from '../../packages/service/src/model/client.ts';
import { ModelHealth } from '../../packages/service/src/model/health.ts';
import { fetchFrom } from '../../packages/service/src/outbound/index.ts';
import { useApi } from '../support/api.ts';
import { freshInstallation, inlay, type Installation } from '../support/command.ts';
import { oneStore } from '../support/service.ts';
import { part } from '../support/world.ts';
import { json } from './hostile.ts';
import { makeOrders } from './orders.ts';
import { sensible, startProvider, type Behaviour } from './provider-server.ts';

const provider = await startProvider();
afterAll(() => provider.close());
const settings = {
  INLAY_AI_BASE_URL: provider.baseUrl,
  INLAY_AI_MODEL: 'a-model',
  INLAY_AI_PRIVATE_HOST: 'true',
};
const refusing =
  (status: number): Behaviour =>
  () =>
  (response) =>
    void response.writeHead(status, json).end('{}');

/** Returns what is written to the log of the provider. */
const toldIn = (log: readonly string[]): readonly string[] =>
  log.filter((line) => line.includes('the AI provider')).map((line) => String(part(JSON.parse(line), 'msg')));

describe('a provider on the machine of the service', () => {
  const log: string[] = [];
  const api = useApi(oneStore, settings, undefined, undefined, (line) => log.push(line));
  const ask = async (dataset_id: string): Promise<unknown> => {
    const properties = { dataset_id, type: 'generate-chart', question: 'Revenue by region' };
    return part((await api.ok('aichart', { properties }))['generatedChart'], 'type');
  };

  it('is asked where its own setting allows it, while sources and plugins reach no private address', async () => {
    provider.behave(sensible);
    expect(await ask(await makeOrders(api))).toBe('column-chart');
    const properties = { slug: 'local', base_url: provider.baseUrl, authorize: 'token' };
    const { status, validation } = await api.refused('plugin', { properties });
    expect([status, Object.keys(validation)]).toEqual([400, ['properties.base_url']]);
  });

  it('that always fails is warned of once, and told of again when it answers', async () => {
    const dataset = await makeOrders(api);
    provider.behave(refusing(503));
    for (let call = 0; call < 9; call += 1) expect(await ask(dataset)).toBe('bar-chart');
    expect(toldIn(log)).toEqual(['the AI provider fails; the built-in engine makes the charts']);
    expect(log.find((line) => line.includes('the AI provider'))).toContain('status 503');
    const { body } = await api.service.server.inject({ method: 'GET', url: '/metrics' });
    expect(body).toMatch(/^inlay_ai_requests_total\{outcome="refused"\} 5$/mu);
    expect(body).toMatch(/^inlay_ai_requests_total\{outcome="used"\} 1$/mu);
  });
});

describe.each(['iqformula', 'generatedescriptions'])('a provider that is down, for %s,', (resource) => {
  const log: string[] = [];
  const api = useApi(oneStore, settings, undefined, undefined, (line) => log.push(line));

  it('is warned of once, and left alone after five failures', async () => {
    const dataset = await makeOrders(api);
    const arrived = { count: 0 };
    provider.behave(() => {
      arrived.count += 1;
      return (response) => void response.writeHead(503, json).end('{}');
    });
    const properties =
      resource === 'iqformula' ? { prompt: 'revenue', dataset_ids: [dataset] } : { datasets: [dataset] };
    for (let call = 0; call < 9; call += 1) await api.ok(resource, { action: 'create', properties });
    expect(arrived.count).toBe(5);
    expect(toldIn(log)).toEqual(['the AI provider fails; the built-in engine makes the charts']);
  });
});

describe('a provider that never answers', () => {
  const api = useApi(oneStore, { ...settings, INLAY_AI_TIMEOUT_S: '1' });

  it('is waited for once in a request for descriptions of many datasets', async () => {
    const datasets = [await makeOrders(api), await makeOrders(api), await makeOrders(api)];
    const before = provider.arrived.length;
    provider.behave(() => () => undefined);
    await api.ok('generatedescriptions', { action: 'create', properties: { datasets } });
    expect(provider.arrived.length - before).toBe(1);
  });
});

describe('the client of a provider', () => {
  const clock = { ms: 0 };
  const ledger: { id: string | null } = { id: 'id' };
  const changes: string[] = [];
  const report = { ended: () => undefined, changed: (state: string) => void changes.push(state) };
  const model = new ModelClient({
    outbound: fetchFrom(new URL(provider.baseUrl).origin),
    endpoint: { baseUrl: provider.baseUrl, key: 'k', model: 'm' },
    ledger: { note: () => Promise.resolve(ledger.id), close: () => undefined },
    breaker: createBreaker({ failures: 2, pauseMs: 1000, now: () => clock.ms }),
    health: new ModelHealth(report, 2),
    timeoutMs: 5000,
    clock: () => clock.ms,
  });
  const question = (): ModelQuestion => ({
    subject: { caller: { organizationId: 'o', suborganization: null, userId: null }, datasetId: null },
    messages: [],
    schema: { name: 'chart', schema: {} },
    deadlineMs: clock.ms + 5000,
    signal: AbortSignal.timeout(5000),
  });
  const formatOf = (body: string): string =>
    ['json_schema', 'json_object'].find((format) => body.includes(`"type":"${format}"`)) ?? 'text';
  const formatsOf = async (): Promise<readonly string[]> => {
    const before = provider.arrived.length;
    const conversation = await model.converse(question(), (text) => ({ answer: text }));
    return [
      conversation?.answer === null ? 'none' : 'text',
      ...provider.arrived.slice(before).map(({ body }) => formatOf(body)),
    ];
  };

  it('asks for the strict format again an hour after it was refused', async () => {
    provider.behave((arrived, nth) =>
      formatOf(arrived.body) === 'json_schema' ? refusing(400)(arrived, nth) : sensible(arrived),
    );
    expect(await formatsOf()).toEqual(['text', 'json_schema', 'json_object']);
    expect(await formatsOf()).toEqual(['text', 'json_object']);
    clock.ms += 3_600_001;
    provider.behave(sensible);
    expect(await formatsOf()).toEqual(['text', 'json_schema']);
  });

  it('keeps the strict format where every format is refused', async () => {
    provider.behave(refusing(404));
    expect(await formatsOf()).toEqual(['none', 'json_schema', 'json_object', 'text']);
    provider.behave(sensible);
    expect(await formatsOf()).toEqual(['text', 'json_schema']);
  });

  it('tells of a change of state only, and of none where nothing was sent', async () => {
    const converse = (isValid: boolean): Promise<unknown> =>
      model.converse(question(), (text) => (isValid ? { answer: text } : { faults: ['it is wrong'] }));
    provider.behave(sensible);
    await converse(true);
    changes.length = 0;
    await converse(false);
    ledger.id = null;
    for (let call = 0; call < 3; call += 1) expect(await converse(false)).toBeNull();
    ledger.id = 'id';
    for (let call = 0; call < 3; call += 1) await converse(false);
    expect(changes).toEqual(['failing']);
    clock.ms += 1001;
    await converse(true);
    await converse(true);
    expect(changes).toEqual(['failing', 'answering']);
  });

  it('sends a wrong answer back once, with its faults', async () => {
    const before = provider.arrived.length;
    const check = (text: string): CheckedReply<string> =>
      provider.arrived.length - before < 2 ? { faults: ['it is wrong', 'it is short'] } : { answer: text };
    expect((await model.converse(question(), check))?.answer).toContain('column-chart');
    const [, second] = provider.arrived.slice(before);
    expect(second?.body).toContain('it is wrong; it is short');
    await model.converse(question(), () => ({ faults: ['it is wrong'] }));
    expect(provider.arrived.length - before).toBe(4);
  });
});

describe('the doctor', () => {
  const installed: { env: Installation } = { env: {} };
  beforeAll(async () => {
    installed.env = { ...(await freshInstallation(oneStore)).env, INLAY_AI_KEY: 'secret-of-the-provider' };
  }, 60_000);
  const told = async (more: Installation): Promise<string> => {
    const { out } = await inlay(['doctor'], { ...installed.env, ...more });
    expect(out).not.toContain('secret-of-the-provider');
    return out.split('\n').find((line) => line.includes('AI provider')) ?? '';
  };

  it('asks the provider a small question, and tells how to mend what is wrong', async () => {
    provider.behave(() => '{"works": true}');
    expect(await told({})).toBe('');
    expect(await told(settings)).toMatch(
      /^ok {4}AI provider: a-model at http:\/\/127\S+ answers in \d+ ms \(json_schema\)$/u,
    );
    expect(await told({ ...settings, INLAY_AI_PRIVATE_HOST: 'false' })).toMatch(/^fail .*INLAY_AI_PRIVATE_HOST=true/u);
    provider.behave(refusing(401));
    expect(await told(settings)).toMatch(/^fail .*status 401.*INLAY_AI_KEY/u);
    provider.behave(() => () => undefined);
    expect(await told({ ...settings, INLAY_AI_TIMEOUT_S: '1' })).toMatch(/^fail .*timeout.*INLAY_AI_TIMEOUT_S/u);
    expect(await told({ ...settings, INLAY_AI_BASE_URL: 'http://127.0.0.1:1' })).toMatch(/^fail .*refused.*Start/u);
  }, 60_000);
});
