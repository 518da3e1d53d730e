import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counted } from '../support/counts.ts';
import { type Answer, oneStore, startTestService, type TestService } from '../support/service.ts';
import { text } from '../support/world.ts';

const email = 'known@people.example';
const password = 'a long pass phrase of somebody';
const varying = new Set(['x-request-id', 'date', 'ratelimit', 'content-length']);

/** Returns an answer without what differs from call to call. */
const plain = ({ status, body, headers }: Answer): string =>
  JSON.stringify([
    status,
    { ...Object(body), request_id: '' },
    Object.entries(headers)
      .filter(([name]) => !varying.has(name))
      .toSorted(([one], [other]) => one.localeCompare(other)),
  ]);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]): number => {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
};

/** Returns the slowest twentieth left out on both sides: pauses of the machine are not what is measured. */
const trimmed = (values: readonly number[]): number[] =>
  values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length * 0.95));

interface Comparison {
  readonly difference: number;
  readonly t: number;
}

/** Times two calls in turn, who goes first changing each time; Welch's t and the difference as a share of the mean. */
async function compare(
  title: string,
  runs: number,
  left: () => Promise<unknown>,
  right: () => Promise<unknown>,
): Promise<Comparison> {
  const times: [number[], number[]] = [[], []];
  const timed = async (which: 0 | 1): Promise<void> => {
    const before = performance.now();
    await (which === 0 ? left() : right());
    times[which].push(performance.now() - before);
  };
  for (let run = 0; run < runs; run += 1) {
    await timed(run % 2 === 0 ? 0 : 1);
    await timed(run % 2 === 0 ? 1 : 0);
  }
  const [a, b] = [trimmed(times[0]), trimmed(times[1])];
  const t = (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length);
  const difference = Math.abs(mean(a) - mean(b)) / mean(b);
  const shown = `${mean(a).toFixed(4)} and ${mean(b).toFixed(4)} ms, difference ${(difference * 100).toFixed(1)} %, t = ${t.toFixed(2)}`;
  process.stdout.write(`${title}: ${runs} each, ${shown}${Math.abs(t) < 2.576 ? ' (p > 0.01)' : ''}\n`);
  return { difference, t };
}

/** Not significant at one in a hundred, or under a twentieth. Asked of full counts only: fewer timings prove nothing. */
const areAlike = ({ t, difference }: Comparison): boolean =>
  Number.isFinite(t) && (counted(0, 1) === 0 || Math.abs(t) < 2.576 || difference < 0.05);

describe('known and unknown', () => {
  let service: TestService;
  const call = (resource: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    service.call(resource, body, undefined, headers);
  const login = (address: string, secret: string): Promise<Answer> =>
    call('authorization', { action: 'create', properties: { type: 'login', email: address, password: secret } });
  const wrong = randomBytes(32).toString('base64url');

  beforeAll(async () => {
    // Many wrong passwords are timed; where a person has logged in before, they are compared beyond that limit and others are not.
    service = await startTestService({ store: oneStore, settings: { INLAY_LOGIN_FAILURES: '0' } });
    const made = await service.call(
      'user',
      { action: 'create', properties: { email, password, name: 'Known' } },
      service.owner,
    );
    expect(text(made.body, 'email')).toBe(email);
    expect((await login(email, password)).status).toBe(200);
  });
  afterAll(() => service?.stop());

  it('keys with a wrong token are answered alike, in every place credentials may stand', async () => {
    const { key } = service.owner;
    const asks = [
      (given: string) => call('theme', { key: given, token: wrong, find: {} }),
      (given: string) => call('theme', { find: {} }, { authorization: `Bearer ${given}:${wrong}` }),
      (given: string) =>
        call('theme', { find: {} }, { authorization: `Basic ${Buffer.from(`${given}:${wrong}`).toString('base64')}` }),
    ];
    for (const ask of asks) {
      const known = plain(await ask(key));
      expect(known).toContain('credentials_invalid');
      for (const unknown of [randomUUID(), '018f0000-0000-7000-8000-000000000000'])
        expect(plain(await ask(unknown))).toBe(known);
      // What is no key is told by its form alone.
      expect(plain(await ask('no-uuid'))).toContain('The key is not a UUID.');
    }
  });

  it('addresses with a wrong password are answered alike', async () => {
    const known = plain(await login(email, 'not the pass phrase'));
    expect(known).toContain('credentials_invalid');
    for (const unknown of ['nobody@people.example', email.toUpperCase(), `${email} `, 'x', '']) {
      expect(plain(await login(unknown, 'not the pass phrase')), unknown).toBe(known);
    }
    expect(plain(await login(email, ''))).toBe(known);
  });

  it('keys take the same time', { timeout: 600_000 }, async () => {
    const ask = (key: string) => () => call('theme', { key, token: wrong, find: { limit: 1 } });
    await compare('warm-up', 100, ask(service.owner.key), ask(randomUUID()));
    const runs = counted(500, 10_000);
    const compared = await compare(
      'token of a known and an unknown key',
      runs,
      ask(service.owner.key),
      ask(randomUUID()),
    );
    expect(areAlike(compared)).toBe(true);
  });

  it(
    'ids of records that are hidden and that do not exist are answered alike, in the same time',
    { timeout: 600_000 },
    async () => {
      const name = { en: 'Hidden' };
      const body = { action: 'create', properties: { type: 'dashboard', name } };
      const hidden = text((await service.call('securable', body, service.owner)).body, 'id');
      const email = 'other@people.example';
      const made = await service.call(
        'user',
        { action: 'create', properties: { email, name: 'Other' } },
        service.owner,
      );
      const other = { key: text(made.body, 'key'), token: text(made.body, 'token') };
      const absent = `${hidden.slice(0, -4)}${hidden.endsWith('0000') ? '0001' : '0000'}`;
      const asks = [{ action: 'get' }, { action: 'update', properties: { name } }, { action: 'delete' }];
      for (const ask of asks) {
        const [seen, unseen] = [
          await service.call('securable', { ...ask, id: hidden }, other),
          await service.call('securable', { ...ask, id: absent }, other),
        ];
        expect(seen.status).toBe(404);
        expect(plain(seen).replaceAll(hidden, absent)).toBe(plain(unseen));
      }
      const ask = (id: string) => () => service.call('securable', { action: 'get', id }, other);
      await compare('warm-up', 100, ask(hidden), ask(absent));
      const runs = counted(500, 10_000);
      const compared = await compare('get of a hidden and an absent id', runs, ask(hidden), ask(absent));
      expect(areAlike(compared)).toBe(true);
    },
  );

  it('addresses take the same time', { timeout: 1_800_000 }, async () => {
    const ask = (address: string) => () => login(address, 'not the pass phrase');
    const runs = counted(60, 10_000);
    const title = 'login of a known and an unknown address';
    const compared = await compare(title, runs, ask(email), ask('nobody@people.example'));
    expect(compared.difference).toBeLessThan(0.2);
    expect(areAlike(compared)).toBe(true);
  });
});
