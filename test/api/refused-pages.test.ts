import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const origin = 'https://pages.example.com';

it('tells a page of an allowed origin that it asks too often, and when to come back', async () => {
  const service = await startTestService({
    store: 'sqlite',
    settings: { INLAY_CORS_ORIGINS: origin, INLAY_RATE_LIMIT: '1', INLAY_RATE_BURST: '2' },
  });
  try {
    const load = (from: string) =>
      service.server.inject({ method: 'GET', url: '/embed/inlay.js', headers: { origin: from } });
    for (let asked = 0; asked < 2; asked += 1) await load(origin);
    const refused = await load(origin);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    expect(refused.headers['access-control-expose-headers']).toContain('retry-after');
    const stranger = await load('https://elsewhere.example.com');
    expect([stranger.statusCode, stranger.headers['access-control-allow-origin']]).toEqual([429, undefined]);
  } finally {
    await service.stop();
  }
});

it('counts a question of a browser about origins as a request that came and went', async () => {
  const service = await startTestService({ store: 'sqlite', settings: { INLAY_CORS_ORIGINS: origin } });
  try {
    const headers = { origin, 'access-control-request-method': 'POST' };
    for (let asked = 0; asked < 3; asked += 1) {
      const preflight = await service.server.inject({ method: 'OPTIONS', url: '/0.1.0/theme', headers });
      expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, origin]);
    }
    expect((await service.call('theme', { find: {} }, service.owner)).status).toBe(200);
    const { body } = await service.server.inject({ method: 'GET', url: '/metrics' });
    expect(body).toMatch(/^inlay_requests_in_flight 0$/mu);
  } finally {
    await service.stop();
  }
});
