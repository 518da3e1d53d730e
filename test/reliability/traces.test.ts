import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { rowsOf, useApi } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { startOtlpCollector, type ReceivedSpan } from '../support/otlp-collector.ts';
import { startPlugin } from '../support/plugin.ts';
import { startService } from '../support/process.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import { startTestService, type Answer, havePostgresServer } from '../support/service.ts';
import { openShop } from '../support/shop-database.ts';
import { text } from '../support/world.ts';
import type { SalesDataset } from '../browser/sales.ts';
import { lateMs } from '../support/counts.ts';

/** Stands for what nobody may read in a trace. */
const secret = 'Xk9-private-value';
const collector = await startOtlpCollector();
afterAll(() => collector.stop());

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

describe('traces', () => {
  const headers = { INLAY_TRACES_HEADERS: 'x-api-key=collector-password' };
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_TRACES_URL: collector.url, ...headers });
  let sales: SalesDataset;
  let dashboard: string;

  beforeAll(async () => {
    sales = await pushSales(api);
    ({ id: dashboard } = await api.create('dashboard', { contents: salesContents(sales) }));
  });

  /** Calls within a trace of the caller; returns the spans of it, in the order of their begin. */
  const traced = async (
    resource: string,
    body: object,
    flags = '01',
  ): Promise<{ readonly answer: Answer; readonly caller: string; readonly spans: readonly ReceivedSpan[] }> => {
    const [traceId, caller] = [hex(16), hex(8)];
    const answer = await api.call(resource, body, api.owner, { traceparent: `00-${traceId}-${caller}-${flags}` });
    const own = (): readonly ReceivedSpan[] => collector.spans.filter((span) => span.traceId === traceId);
    if (flags === '01') await expect.poll(() => own().map(({ name }) => name)).toContain('request');
    return { answer, caller, spans: own().toSorted((a, b) => a.startMs - b.startMs) };
  };
  const named = (spans: readonly ReceivedSpan[], name: string): readonly ReceivedSpan[] =>
    spans.filter((span) => span.name === name);
  const only = (spans: readonly ReceivedSpan[], name: string, parent?: ReceivedSpan): ReceivedSpan => {
    const found = named(spans, name).filter(
      ({ parentSpanId }) => parent === undefined || parentSpanId === parent.spanId,
    );
    expect(found, name).toHaveLength(1);
    const [span] = found;
    if (span === undefined) throw new Error(`no span is called ${name}`);
    return span;
  };
  const isWithin = (inner: ReceivedSpan, outer: ReceivedSpan): boolean =>
    inner.startMs >= outer.startMs - 1 && inner.endMs <= outer.endMs + 1;

  it('go on where the caller began, with the parts of a query below its request', async () => {
    const find = {
      dimensions: [{ dataset_id: sales.id, column_id: sales.columns.region }],
      where: [
        { expression: '? != ?', parameters: [{ dataset_id: sales.id, column_id: sales.columns.region }, secret] },
      ],
    };
    const { answer, caller, spans } = await traced('data', { action: 'get', find });
    expect(answer.status).toBe(200);
    const request = only(spans, 'request');
    expect(request).toMatchObject({ parentSpanId: caller, kind: 2 });
    expect(request.attributes).toMatchObject({
      'inlay.organization': api.organizationId,
      'inlay.authorization': api.owner.key,
      'inlay.dataset': sales.id,
      'inlay.resource': 'data',
      'inlay.operation': 'get',
      'inlay.request_id': answer.headers['x-request-id'],
      'http.request.method': 'POST',
    });
    expect(named(spans, 'queue').map(({ parentSpanId }) => parentSpanId)).toEqual([request.spanId, request.spanId]);
    const plan = only(spans, 'plan', request);
    const engine = only(spans, 'engine', request);
    expect(Number(engine.attributes['inlay.rows'])).toBeGreaterThan(0);
    for (const span of spans) expect(isWithin(span, request), span.name).toBe(true);
    expect(plan.endMs).toBeLessThanOrEqual(engine.startMs + 1);
  });

  it('name dashboard and item, and have the drawing of a file', async () => {
    const properties = { type: 'svg', dashboard_id: dashboard, item_id: 'Regions' };
    const { answer, spans } = await traced('export', { properties });
    expect(answer.status).toBe(200);
    const request = only(spans, 'request');
    expect(request.attributes).toMatchObject({ 'inlay.dashboard': dashboard, 'inlay.item': 'Regions' });
    expect(only(spans, 'draw', request).attributes).toMatchObject({ 'inlay.file': 'svg' });
    only(spans, 'engine', request);
  });

  it('are passed on to plugins', async () => {
    const plugin = await startPlugin({ protocol: '2.0.0', token: 'good' });
    try {
      const registered = await api.create('plugin', {
        slug: `apollo-${randomUUID().slice(0, 8)}`,
        base_url: plugin.url,
        authorize: 'token',
        protocol_version: '2.0.0',
      });
      const account = await api.create('account', { plugin_id: registered.id, provider: 'apollo', token: 'good' });
      const made = await api.ok('dataprovider', {
        action: 'create',
        properties: { account_id: account.id, datasets: ['missions'] },
      });
      const dataset_id = text(rowsOf(made)[0], 'id');
      const find = { measures: [{ dataset_id, column_id: '*' }] };
      const { answer, spans } = await traced('data', { action: 'get', find });
      expect(answer.status).toBe(200);
      const source = only(spans, 'source', only(spans, 'request'));
      expect(source).toMatchObject({ kind: 3, attributes: { 'inlay.provider': 'plugin' } });
      const called = plugin.requests.findLast(({ path }) => path === '/query');
      expect(called?.headers['traceparent']).toBe(`00-${source.traceId}-${source.spanId}-01`);
      expect(called?.headers).not.toHaveProperty('tracestate');
    } finally {
      await plugin.stop();
    }
  });

  it.runIf(havePostgresServer)('have the statements of databases, and what they failed of', async () => {
    const { column, run } = await openShop(api);
    const find = { dimensions: [column('region')] };
    const { spans } = await traced('data', { action: 'get', find });
    const source = only(spans, 'source', only(spans, 'request'));
    expect(source.attributes).toMatchObject({ 'inlay.provider': 'postgresql', 'inlay.rows': 3 });
    await run('drop table orders');
    const failed = await traced('data', { action: 'get', find });
    expect(only(failed.spans, 'source').attributes).toMatchObject({ 'error.type': 'missing' });
  });

  it('are left out where the caller leaves them out, and begin anew where the header is not valid', async () => {
    const find = { action: 'get', find: {} };
    const { answer, spans } = await traced('theme', find, '00');
    expect([answer.status, spans]).toEqual([200, []]);
    for (const traceparent of [
      '00-0-0-01',
      `00-${'0'.repeat(32)}-${hex(8)}-01`,
      `ff-${hex(16)}-${hex(8)}-01`,
      secret,
    ]) {
      const odd = await api.call('theme', find, api.owner, { traceparent, tracestate: secret });
      const own = (): readonly ReceivedSpan[] =>
        collector.spans.filter(({ attributes }) => attributes['inlay.request_id'] === odd.headers['x-request-id']);
      await expect.poll(() => own().map(({ parentSpanId }) => parentSpanId)).toEqual(['']);
    }
  });

  it('hold no value, no token and no statement', async () => {
    const bytes = collector.bytes();
    expect(named(collector.spans, 'engine').length).toBeGreaterThan(0);
    for (const private_ of [secret, api.owner.token, 'collector-password', sales.columns.region, 'Europe'])
      expect(bytes).not.toContain(private_);
    expect(bytes).not.toMatch(/\bselect\b|\bfrom\b/iu);
    expect(collector.headers.every((received) => received['x-api-key'] === 'collector-password')).toBe(true);
  });
});

/** Returns a collector that takes what is sent and never answers. */
async function stalled(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const slow = await startOtlpCollector();
  slow.stall();
  return slow;
}

async function dead(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  return { url: `http://127.0.0.1:${await freePort()}`, stop: async () => undefined };
}

/** Returns a port that takes connections and reads nothing. */
async function deaf(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = createServer({ pauseOnConnect: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, stop: async () => void server.close() };
}

it.each([
  ['is not there', dead],
  ['does not answer', stalled],
  ['reads nothing', deaf],
])('a collector that %s delays neither answers nor the end of the service', async (_, open) => {
  const broken = await open();
  const lines: string[] = [];
  const settings = { INLAY_TRACES_URL: broken.url };
  const service = await startTestService({ store: 'sqlite', settings, log: (line) => lines.push(line) });
  try {
    for (let count = 0; count < 200; count += 1)
      expect((await service.call('theme', { find: {} }, service.owner)).status).toBe(200);
    const warned = (): number => lines.filter((line) => line.includes('traces were not sent')).length;
    if (open === dead) await expect.poll(warned).toBe(1);
  } finally {
    const before = performance.now();
    await service.stop();
    // The spans of the last moment are sent for two seconds at most.
    expect(performance.now() - before).toBeLessThan(2_000 + lateMs);
    await broken.stop();
  }
});

it('the service as a process sends its last spans when it stops, and logs requests and slow queries with the ids of their traces', async () => {
  const received = await startOtlpCollector();
  const [key, token] = [randomUUID(), hex(32)];
  const service = await startService({
    env: {
      INLAY_SLOW_QUERY_MS: '0',
      INLAY_SLOW_QUERY_PLANS: 'true',
      INLAY_TRACES_URL: received.url,
      INLAY_BOOTSTRAP_KEY: key,
      INLAY_BOOTSTRAP_TOKEN: token,
    },
  });
  try {
    const traceId = hex(16);
    const ask = async (resource: string, body: object): Promise<Json> => {
      const headers = {
        authorization: `Bearer ${key}:${token}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${hex(8)}-01`,
        connection: 'close',
      };
      const answer = await fetch(`${service.url}/0.1.0/${resource}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
      const read: Json = JSON.parse(await answer.text());
      return read;
    };
    const logged = (): readonly JsonObject[] =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes(traceId))
        .map((line): Json => JSON.parse(line))
        .filter(isObject);
    const pushed = await ask('data', { properties: { type: 'create', data: [['a'], [1]], options: { header: true } } });
    const dataset = text(rowsOf(pushed)[0], 'id');
    await ask('data', { action: 'get', find: { measures: [{ dataset_id: dataset, column_id: '*' }] } });
    await expect.poll(() => logged().some(({ msg }) => msg === 'slow query')).toBe(true);
    expect(await service.stop()).toBe(0);
    expect(received.spans.filter((span) => span.traceId === traceId).map(({ name }) => name)).toContain('request');
    const own = { authorization: key, dataset, trace_id: traceId };
    const plan = expect.arrayContaining([expect.stringMatching(/SCAN/u)]);
    expect(logged().filter(({ msg }) => msg === 'slow query')).toMatchObject([{ ...own, source: 'engine', plan }]);
    const requests = logged().filter(({ msg }) => msg === undefined);
    expect(requests).toMatchObject([own, own]);
    expect(service.output()).not.toContain(token);
  } finally {
    service.kill('SIGKILL');
    await received.stop();
  }
});
