import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneStore, startTestService, type TestService } from '../support/service.ts';

describe('with INLAY_DEV_ANONYMOUS_OWNER', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ store: oneStore, settings: { INLAY_DEV_ANONYMOUS_OWNER: 'true' } });
  });
  afterAll(() => service?.stop());

  const ask = async (headers: Record<string, string>, url = '/0.1.0/theme'): Promise<readonly [number, string]> => {
    const method = url === '/0.1.0/theme' ? 'POST' : 'GET';
    const answer = await service.server.inject({
      method,
      url,
      headers: { ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(method === 'POST' ? { payload: '{"find":{}}' } : {}),
    });
    return [answer.statusCode, answer.body];
  };

  it('pages and clients of this machine are answered', async () => {
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:8080', '127.8.9.1', '[::1]:8080'])
      for (const origin of [undefined, 'http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:5173'])
        expect((await ask({ host, ...(origin === undefined ? {} : { origin }) }))[0]).toBe(200);
  });

  it('other names and pages of other sites are refused on every address, in clear words', async () => {
    const hosts = ['example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', 'localhost@a.b', 'a b'];
    for (const host of hosts) {
      const [status, body] = await ask({ host });
      expect([host, status]).toEqual([host, 403]);
      expect(body).toContain('INLAY_DEV_ANONYMOUS_OWNER');
    }
    for (const origin of [
      'https://example.com',
      'null',
      'http://localhost.example.com',
      'file://',
      'http://192.168.0.1',
    ])
      expect([origin, (await ask({ host: 'localhost', origin }))[0]]).toEqual([origin, 403]);
    for (const url of ['/', '/docs', '/openapi.json', '/livez', '/0.1.0/nothing'])
      expect([url, (await ask({ host: 'rebound.example.com' }, url))[0]]).toEqual([url, 403]);
  });
});

it('without it any name is answered', async () => {
  const service = await startTestService({ store: oneStore });
  try {
    const answer = await service.server.inject({ method: 'GET', url: '/livez', headers: { host: 'bi.example.com' } });
    expect(answer.statusCode).toBe(200);
  } finally {
    await service.stop();
  }
});
