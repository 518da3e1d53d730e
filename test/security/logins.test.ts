import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '@inlay/contract';
import { startTestService, type TestService, storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

const password = 'blue harbour kettle';

interface Answered {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}

describe.each(storesToTest)('logins on %s', (store) => {
  const start = (settings: Record<string, string>, more: { dataDir?: string } = {}): Promise<TestService> =>
    startTestService({ store, settings, ...more });
  const person = (service: TestService, email: string): Promise<{ readonly status: number }> =>
    service.call('user', { action: 'create', properties: { email, password } }, service.owner);
  const logIn = async (
    service: TestService,
    email: string,
    tried: string,
    from: string,
    headers: Record<string, string> = {},
    beside: object = {},
  ): Promise<Answered> => {
    const answer = await service.server.inject({
      method: 'POST',
      url: '/0.1.0/authorization',
      remoteAddress: from,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ action: 'create', properties: { type: 'login', email, password: tried }, ...beside }),
    });
    const body: Json = JSON.parse(answer.body);
    return { status: answer.statusCode, body, headers: answer.headers };
  };

  it('are counted by the network of an IPv6 address, and by the IPv4 address that one stands for', async () => {
    const service = await start({ INLAY_LOGIN_RATE_LIMIT: '3' });
    const statuses = async (...addresses: readonly string[]): Promise<readonly number[]> => {
      const found: number[] = [];
      for (const from of addresses) found.push((await logIn(service, 'ada@example.com', 'wrong', from)).status);
      return found;
    };
    try {
      const one = '2001:db8:1:2';
      expect(await statuses(`${one}::1`, `${one}::2`, `${one}:a:b:c:d`, `${one}::4`)).toEqual([401, 401, 401, 429]);
      expect(await statuses('2001:db8:1:3::1')).toEqual([401]);
      const mapped = ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '192.0.2.7'];
      expect(await statuses(...mapped)).toEqual([401, 401, 401, 429]);
      expect(await statuses('::ffff:192.0.2.8')).toEqual([401]);
    } finally {
      await service.stop();
    }
  });

  it('are counted by address whatever else is sent, and credentials beside them mean nothing', async () => {
    const service = await start({ INLAY_LOGIN_RATE_LIMIT: '3', INLAY_RATE_LIMIT: '1', INLAY_RATE_BURST: '2' });
    try {
      await person(service, 'ada@example.com');
      const { key, token } = service.owner;
      const others: readonly (readonly [Record<string, string>, object])[] = [
        [{}, {}],
        [{ authorization: `Bearer ${key}:${token}` }, {}],
        [{ authorization: `Bearer ${key}:wrong` }, {}],
        [{ authorization: 'Bearer nonsense' }, {}],
        [{}, { key, token }],
        [{}, { key: randomUUID(), token: 'wrong' }],
        [{}, { key }],
        [{ authorization: `Bearer ${randomUUID()}:x` }, { key, token }],
      ];
      for (const [index, [headers, beside]] of others.entries()) {
        const statuses: number[] = [];
        for (let count = 0; count < 4; count += 1)
          statuses.push((await logIn(service, 'ada@example.com', password, `10.1.0.${index}`, headers, beside)).status);
        expect([headers, beside, statuses]).toEqual([headers, beside, [200, 200, 200, 429]]);
      }
    } finally {
      await service.stop();
    }
  });

  it('that fail are counted by e-mail address, known or not, and keep nobody out where they have logged in before', async () => {
    const service = await start({ INLAY_LOGIN_FAILURES: '5' });
    try {
      await person(service, 'ada@example.com');
      expect((await logIn(service, 'ada@example.com', password, '10.0.0.1')).status).toBe(200);
      const answers: Record<string, readonly unknown[]> = {};
      for (const email of ['ada@example.com', 'nobody@example.com']) {
        const said: unknown[] = [];
        for (let count = 0; count < 8; count += 1) {
          const { status, body, headers } = await logIn(service, email.toUpperCase(), 'wrong', `10.0.1.${count}`);
          said.push([status, part(body, 'code'), part(body, 'message'), headers['retry-after'] ?? null]);
        }
        answers[email] = said;
      }
      expect(answers['ada@example.com']).toEqual(answers['nobody@example.com']);
      expect(answers['ada@example.com']?.map((one) => (Array.isArray(one) ? one[0] : null))).toEqual([
        ...Array<number>(5).fill(401),
        ...Array<number>(3).fill(429),
      ]);
      // The right password too is refused from anywhere else: nobody learns that it is right.
      expect((await logIn(service, 'ada@example.com', password, '10.0.0.2')).status).toBe(429);
      expect((await logIn(service, 'ada@example.com', 'wrong', '10.0.0.1')).status).toBe(401);
      expect((await logIn(service, 'ada@example.com', password, '10.0.0.1')).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('that succeed are not counted as failed', async () => {
    const service = await start({ INLAY_LOGIN_FAILURES: '2' });
    try {
      await person(service, 'ada@example.com');
      for (let count = 0; count < 5; count += 1)
        expect((await logIn(service, 'ada@example.com', password, `10.0.2.${count}`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});

it('where somebody has logged in before is known after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-logins-'));
  const body = (tried: string): object => ({
    action: 'create',
    properties: { type: 'login', email: 'ada@example.com', password: tried },
  });
  const from = { 'x-forwarded-for': '10.9.9.9' };
  const elsewhere = { 'x-forwarded-for': '10.8.8.8' };
  const settings = { INLAY_LOGIN_FAILURES: '1', INLAY_TRUST_PROXY: '127.0.0.0/8' };
  try {
    const first = await startTestService({ store: 'sqlite', dataDir, settings });
    await first.call('user', { action: 'create', properties: { email: 'ada@example.com', password } }, first.owner);
    expect((await first.call('authorization', body(password), undefined, from)).status).toBe(200);
    await first.stop();
    const second = await startTestService({ store: 'sqlite', dataDir, settings });
    expect((await second.call('authorization', body('wrong'), undefined, elsewhere)).status).toBe(401);
    expect((await second.call('authorization', body(password), undefined, elsewhere)).status).toBe(429);
    expect((await second.call('authorization', body(password), undefined, from)).status).toBe(200);
    await second.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
