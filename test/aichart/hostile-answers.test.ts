import { checkItem, isObject, type JsonObject } from '@inlay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../packages/service/src/access/caller.ts';
import { assemble } from '../../packages/service/src/aichart/write/assemble.ts';
import type { ChartDataset } from '../../packages/service/src/aichart/dataset.ts';
import { ask, type Ask } from '../../packages/service/src/aichart/engine.ts';
import { noValues } from '../../packages/service/src/aichart/values/found-values.ts';
import { createBreaker } from '../../packages/service/src/outbound/breaker.ts';
import { ModelClient } from '../../packages/service/src/model/client.ts';
import { ModelHealth } from '../../packages/service/src/model/health.ts';
import { createConsult } from '../../packages/service/src/aichart/provider/consult.ts';
import type { Consult, Consultation } from '../../packages/service/src/aichart/serve.ts';
import { createOutbound } from '../../packages/service/src/outbound/index.ts';
import type { ServedRequest } from '../../packages/service/src/resource/served.ts';
import { untraced } from '../../packages/service/src/tracing/trace.ts';
import { counted, isFull, lateMs } from '../support/counts.ts';
import { hostile, json, spoilt } from './hostile.ts';
import { sensible, startProvider } from './provider-server.ts';

const answers = counted(150, 20_000);
const provider = await startProvider();
const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
afterAll(async () => {
  await outbound.close();
  await provider.close();
});

const uuid = (last: number): string => `01890a5d-ac96-774b-bcce-${String(last).padStart(12, '0')}`;
const types = ['datetime', 'hierarchy', 'hierarchy', 'numeric', 'numeric'] as const;
const dataset: ChartDataset = {
  id: uuid(1),
  name: { en: 'Orders' },
  description: {},
  columns: ['Order Date', 'Region', 'Category', 'Revenue', 'Profit'].map((name, position) => ({
    id: uuid(position + 10),
    position,
    name: { en: name },
    sourceName: null,
    synonyms: [],
    description: {},
    type: types[position] ?? 'hierarchy',
    subtype: null,
    format: null,
    aggregation: 'sum',
    cardinality: null,
    span: null,
  })),
};
const asked: Ask = { requested: 'chart', question: 'Revenue by region', history: [], today: '2024-03-01' };
const caller: Caller = {
  authorizationId: uuid(2),
  type: 'login',
  organizationId: uuid(3),
  userId: uuid(4),
  subjects: { ids: [], groupsOf: null },
  rank: 3,
  suborganization: null,
  ceiling: 4,
  issuer: null,
  hiddenColumns: [],
  features: null,
  username: null,
};
const request = (): ServedRequest => ({
  operation: 'create',
  caller,
  input: {},
  signal: AbortSignal.timeout(60_000),
  deadlineMs: performance.now() + 60_000,
  file: null,
  rows: null,
  lines: false,
  trace: untraced(),
  idempotency: null,
});

const connect = (timeoutMs: number, failures = 1_000_000): Consult => {
  const notes: JsonObject[] = [];
  const model = new ModelClient({
    outbound,
    endpoint: { baseUrl: provider.baseUrl, key: 'k', model: 'm' },
    ledger: { note: (_, fields) => Promise.resolve(uuid(100 + notes.push(fields))), close: () => undefined },
    breaker: createBreaker({ failures, pauseMs: 60_000, atOnce: 4, now: () => performance.now() }),
    health: new ModelHealth({ ended: () => undefined, changed: () => undefined }, failures),
    timeoutMs,
    clock: () => performance.now(),
  });
  return createConsult(model, () => Promise.resolve(noValues));
};

/** What a caller would be answered: the outside model's chart where it was right, else the engine's. */
function answerOf(consulted: Consultation | null): JsonObject {
  const { profile, plans } = consulted?.suggestion ?? ask(dataset, asked);
  const [plan] = plans;
  if (plan === undefined) throw new Error('no answer');
  const { item, functionCall, functionResponse } = assemble(profile, plan, uuid(5));
  return { generatedChart: item, functionCall, functionResponse };
}

/** Everything wrong with an answer: a fault against the slot table, an id, address or markup that is not ours. */
function wrongWith(answer: JsonObject): readonly string[] {
  const faults: string[] = [];
  const item = isObject(answer['generatedChart'] ?? null) ? answer['generatedChart'] : null;
  const typeOf = (datasetId: string, columnId: string): string | undefined =>
    datasetId === dataset.id ? dataset.columns.find(({ id }) => id === columnId)?.type : undefined;
  if (isObject(item ?? null) && isObject(item))
    checkItem(item, typeOf, 'item', (at, says) => faults.push(`${at} ${says}`));
  const text = JSON.stringify(answer);
  const known = new Set([dataset.id, uuid(5), ...dataset.columns.map(({ id }) => id)]);
  for (const [id] of text.matchAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gu))
    if (!known.has(id)) faults.push(`foreign id ${id}`);
  if (/\/\/|https?:|javascript:|data:|<|&lt;|onerror|__proto__|constructor|evil/iu.test(text))
    faults.push(`foreign text in ${text.slice(0, 300)}`);
  return faults;
}

describe('answers of an AI provider', () => {
  it(
    'never bring in foreign ids, addresses, markup or types of chart',
    async () => {
      const consult = connect(5000);
      const wrong: string[] = [];
      let used = 0;
      for (let nth = 0; nth < answers; nth += 1) {
        provider.behave(() => hostile(nth));
        const consulted = await consult(request(), dataset, asked, noValues);
        used += consulted?.suggestion === null ? 0 : 1;
        wrong.push(...wrongWith(answerOf(consulted)).map((fault) => `${nth}: ${fault}`));
      }
      expect(wrong).toEqual([]);
      // Some are harmless after all and are used; most are not.
      expect(used).toBeLessThan(answers / 2);
      expect(Object.keys({})).toEqual([]);
      expect(Reflect.get({}, 'type')).toBeUndefined();
    },
    isFull ? 1_800_000 : 300_000,
  );

  it.each(Object.entries(spoilt))('leave a right answer in time when the provider %s', async (_, behaviour) => {
    provider.behave(behaviour);
    const began = performance.now();
    const consulted = await connect(600)(request(), dataset, asked, noValues);
    expect(wrongWith(answerOf(consulted))).toEqual([]);
    expect(consulted?.suggestion ?? null).toBeNull();
    expect(performance.now() - began).toBeLessThan(600 + lateMs);
  });

  it('are used where they are right, with titles of ours', async () => {
    provider.behave(sensible);
    const answer = answerOf(await connect(5000)(request(), dataset, asked, noValues));
    expect(wrongWith(answer)).toEqual([]);
    expect(answer).toMatchObject({
      functionCall: 'createColumnChart',
      generatedChart: {
        type: 'column-chart',
        title: { en: 'Revenue by Region' },
        options: { limit: 7, sort: { by: 'measure', order: 'desc' } },
      },
    });
  });

  it('are asked for in simpler forms where the provider refuses the strict one, and it remembers', async () => {
    const consult = connect(5000);
    provider.behave((arrived) => {
      if (!arrived.body.includes('json_schema"')) return sensible(arrived);
      return (response) => void response.writeHead(400, json).end('{}');
    });
    const before = provider.arrived.length;
    expect((await consult(request(), dataset, asked, noValues))?.suggestion).not.toBeNull();
    await consult(request(), dataset, asked, noValues);
    const forms = provider.arrived
      .slice(before)
      .map(({ body }) =>
        body.includes('"type":"json_schema"') ? 'schema' : body.includes('"json_object"') ? 'object' : 'text',
      );
    expect(forms).toEqual(['schema', 'object', 'object']);
    // The schema stands in the prompt in every form.
    expect(provider.arrived.slice(before).every(({ body }) => body.includes('additionalProperties'))).toBe(true);
  });

  it('are sent back once with what is wrong', async () => {
    const before = provider.arrived.length;
    provider.behave((arrived, nth) => (nth === before + 1 ? '{"type":"pie-chart"}' : sensible(arrived)));
    const consulted = await connect(5000)(request(), dataset, asked, noValues);
    expect(consulted?.suggestion?.plans[0]?.type).toBe('column-chart');
    expect(provider.arrived.length - before).toBe(2);
    expect(provider.arrived.at(-1)?.body).toContain('Your last answer was wrong');
    expect(provider.arrived.at(-1)?.body).not.toContain('pie-chart');
  });

  it('are no longer asked for once they keep failing', async () => {
    const consult = connect(300, 3);
    provider.behave(() => (response) => void response.writeHead(500, json).end('{}'));
    const before = provider.arrived.length;
    for (let call = 0; call < 20; call += 1)
      expect(wrongWith(answerOf(await consult(request(), dataset, asked, noValues)))).toEqual([]);
    expect(provider.arrived.length - before).toBe(3);
  });
});
