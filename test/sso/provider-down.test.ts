import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted, lateMs } from '../support/counts.ts';
import { startProvider, type Provider, type Raw } from './provider.ts';
import { app, base, beginAt, loggedIn, makeTenant, openBrowser, signIn } from './visitor.ts';

const held: { provider?: Provider } = {};
beforeAll(async () => {
  held.provider = await startProvider();
});
afterAll(() => held.provider?.stop());
const provider = (): Provider => {
  if (held.provider === undefined) throw new Error('no provider');
  return held.provider;
};

const slow: Raw = { body: '{}', afterMs: 60_000 };

describe('a provider that is down or slow', () => {
  const api = useApi('sqlite', { INLAY_BASE_URL: base, INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_SSO_ORIGINS: app });
  const browser = () => openBrowser(() => api.service);

  test('is told on a page, and works again once it is back', async () => {
    const gone = await startProvider('127.0.0.3');
    const tenant = await makeTenant(api, gone.add({}));
    await gone.stop();
    const shown = await beginAt(browser(), tenant);
    expect([shown.status, shown.headers['retry-after']]).toEqual([502, '15']);
    expect(shown.body).toContain('does not answer. Try again in a minute.');
    const flaky = await makeTenant(api, provider().add({ discovery: () => ({ status: 503, body: '' }) }));
    expect((await beginAt(browser(), flaky)).status).toBe(502);
    flaky.issuer.behaviour = {};
    await loggedIn(api, browser(), flaky);
  });

  test('is left alone after it failed several times', async () => {
    const tenant = await makeTenant(api, provider().add({ discovery: () => ({ status: 500, body: '' }) }));
    for (let turn = 0; turn < 12; turn += 1) expect((await beginAt(browser(), tenant)).status).toBe(502);
    expect(tenant.issuer.requests.length).toBe(5);
    const other = await makeTenant(api, provider().add({}));
    await loggedIn(api, browser(), other);
  });

  test.concurrent('that hangs is given up, wherever it does', async () => {
    const from = performance.now();
    const shown = await Promise.all(
      ['discovery', 'token', 'keys', 'userInfo'].map(async (at) =>
        signIn(browser(), await makeTenant(api, provider().add({ [at]: () => slow }))),
      ),
    );
    expect(shown.map(({ status }) => status)).toEqual([504, 504, 504, 504]);
    expect(performance.now() - from).toBeLessThan(10_000 + lateMs);
  });

  test.concurrent('holds up nobody who is not signing in with it', async () => {
    const silent = await startProvider('127.0.0.4');
    const reader = await api.person();
    const read = () => api.find('user', { limit: 1 }, reader.login);
    const tenant = await makeTenant(api, silent.add({ discovery: () => slow }));
    const waiting = Array.from({ length: 40 }, () => beginAt(browser(), tenant));
    let givenUp = 0;
    for (const page of waiting) void page.then(({ status }) => (givenUp += Number(status === 504)));
    for (let turn = 0; turn < counted(200, 1000); turn += 1) await read();
    // All reads are answered while those who sign in still wait.
    expect(givenUp).toBe(0);
    const pages = await Promise.all(waiting);
    await silent.stop();
    // Sixteen wait for it; the others are told at once.
    expect(pages.filter(({ status }) => status === 504)).toHaveLength(16);
    expect(pages.filter(({ status }) => status === 502)).toHaveLength(24);
  });
});
