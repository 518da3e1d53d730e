import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json } from '@inlay/contract';
import { Link, post } from '../../bench/service/load.ts';
import { oneStore, startTestService, type TestService } from '../support/service.ts';
import { text } from '../support/world.ts';

const origin = 'https://shop.example';
const viewers = 400;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

describe('more requests at once than can be answered soon', () => {
  let service: TestService;
  let port: number;
  let request: Buffer;
  let id: string;
  const lines: Json[] = [];

  beforeAll(async () => {
    service = await startTestService({
      store: oneStore,
      settings: { INLAY_MAX_EVENT_LOOP_DELAY_MS: '10', INLAY_CORS_ORIGINS: origin },
      log: (line) => lines.push(JSON.parse(line)),
    });
    const made = await service.call('dashboard', { properties: { name: { en: 'One' } } }, service.owner);
    const authorization = `Bearer ${service.owner.key}:${service.owner.token}\r\norigin: ${origin}`;
    id = text(made.body, 'id');
    request = post('/0.1.0/dashboard', JSON.stringify({ action: 'get', id }), authorization);
    const address = await service.server.listen({ host: '127.0.0.1', port: 0 });
    port = Number(new URL(address).port);
  });

  afterAll(() => service?.stop());

  it('are answered or refused with 503, Retry-After and the origin, and the next ones are answered', async () => {
    const links = Array.from({ length: viewers }, (_, index) => new Link(port, `127.0.2.${1 + (index % 200)}`));
    // Each connection is there before any request is.
    const [first] = links;
    expect(await first?.send(request)).toBe(200);
    const probes: Promise<number>[] = [];
    const statuses: number[] = [];
    for (let wave = 0; wave < 3; wave += 1) {
      probes.push(fetch(`http://127.0.0.1:${port}/livez`).then(({ status }) => status));
      statuses.push(...(await Promise.all(links.map((link) => link.send(request)))));
    }
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(new Set(await Promise.all(probes))).toEqual(new Set([200]));
    for (const link of links.filter(({ head }) => head.startsWith('HTTP/1.1 503'))) {
      expect(link.head).toMatch(/\r\nretry-after: 1(\r\n|$)/u);
      expect(link.head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8(\r\n|$)/u);
      expect(link.head).toContain(`\r\naccess-control-allow-origin: ${origin}`);
    }
    expect(await first?.send(request)).toBe(200);
    for (const link of links) link.close();
    await expect.poll(() => connectionsOf(service.server.server)).toBeLessThan(viewers / 4);
  });

  it('are answered too where their connections end with the answer, before the body has come', async () => {
    const body = JSON.stringify({ action: 'get', id });
    const { key, token } = service.owner;
    const closing = post('/0.1.0/dashboard', body, `Bearer ${key}:${token}\r\nconnection: close`);
    const links = Array.from({ length: viewers }, (_, index) => new Link(port, `127.0.2.${1 + (index % 200)}`));
    // Until all are accepted.
    await expect.poll(() => connectionsOf(service.server.server)).toBeGreaterThanOrEqual(viewers);
    const statuses = await Promise.all(links.map((link) => link.send(closing)));
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
  });

  it('are told in the log with their number, a line a second at most', async () => {
    const told = (): readonly Json[] => lines.filter((line) => isObject(line) && line['code'] === 'overloaded');
    await expect.poll(told).not.toEqual([]);
    expect(told().length).toBeLessThan(5);
    for (const line of told()) expect(isObject(line) && Number(line['refused'])).toBeGreaterThan(0);
  });

  it('are refused in the one shape of every problem', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, () =>
        service.server.inject({
          method: 'POST',
          url: '/0.1.0/dashboard',
          headers: { 'content-type': 'application/json', 'x-request-id': 'mine' },
          payload: JSON.stringify({ ...service.owner, find: {} }),
        }),
      ),
    );
    const refused = answers.find(({ statusCode }) => statusCode === 503);
    expect(refused?.json()).toEqual({
      type: { code: 503, description: 'Service Unavailable' },
      code: 'overloaded',
      message: expect.any(String),
      request_id: 'mine',
    });
    expect(refused?.headers).toMatchObject({ 'x-request-id': 'mine', 'cache-control': 'no-store' });
  });
});
