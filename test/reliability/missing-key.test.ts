import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { call, freshInstallation, type Installation } from '../support/command.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { storesToTest } from '../support/service.ts';

const key = (): string => randomBytes(32).toString('base64');

async function readyz({ url }: ServiceProcess): Promise<readonly [number, unknown]> {
  const answer = await fetch(`${url}/readyz`, { headers: { connection: 'close' } });
  return [answer.status, await answer.json()];
}

async function gauge({ url }: ServiceProcess): Promise<string | undefined> {
  const answer = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
  return (await answer.text()).split('\n').find((line) => line.startsWith('inlay_secrets_unreadable '));
}

describe.each(storesToTest)('a start on %s', (store) => {
  it('without the key of stored secrets says so loudly, counts them, and answers what needs none', async () => {
    const { env, owner } = await freshInstallation(store);
    const [first, second] = [key(), key()];
    const run = async (
      settings: Installation,
      work: (
        service: ServiceProcess,
        make: (resource: string, properties: JsonObject) => Promise<number>,
      ) => Promise<void>,
    ): Promise<string> => {
      const service = await startService({ env: { ...env, ...settings } });
      const make = async (resource: string, properties: JsonObject): Promise<number> =>
        (await call(service.url, resource, { ...owner, properties })).status;
      try {
        await work(service, make);
      } finally {
        await service.stop();
      }
      return service.output();
    };
    const before = await run({ INLAY_SECRET_KEY: first }, async (service, make) => {
      for (const token of ['a secret token', 'another'])
        expect(await make('account', { provider: 'postgresql', token })).toBe(200);
      const plugin = { slug: 'own', base_url: 'https://plugin.example.com', secret: 'a secret of a plugin' };
      expect(await make('plugin', plugin)).toBe(200);
      expect(await readyz(service)).toEqual([200, { status: 'ready' }]);
      expect(await gauge(service)).toBe('inlay_secrets_unreadable 0');
    });
    expect(before).not.toMatch(/cannot be opened/u);

    const wrong = await run({ INLAY_SECRET_KEY: second }, async (service) => {
      expect(await readyz(service)).toEqual([200, { status: 'ready', unreadable_secrets: 3 }]);
      expect(await gauge(service)).toBe('inlay_secrets_unreadable 3');
      expect((await call(service.url, 'tag', { ...owner, find: {} })).status).toBe(200);
    });
    expect(wrong).toMatch(/^WARNING: 3 stored secrets cannot be opened, .*INLAY_SECRET_KEY_PREVIOUS/mu);
    expect(wrong).toMatch(/^\{"level":50,.*"unreadable_secrets":3/mu);
    for (const value of ['a secret', 'another', first, second]) expect(wrong).not.toContain(value);

    const mended = await run({ INLAY_SECRET_KEY: second, INLAY_SECRET_KEY_PREVIOUS: first }, async (service) => {
      expect(await readyz(service)).toEqual([200, { status: 'ready' }]);
    });
    expect(mended).not.toMatch(/cannot be opened/u);
  }, 180_000);
});
