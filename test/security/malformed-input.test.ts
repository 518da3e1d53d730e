import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heavyBodies } from '../support/arbitrary-heavy.ts';
import { requests, type Sending } from '../support/arbitrary-http.ts';
import { exchange, overSocket } from '../support/arbitrary-socket.ts';
import { runOf } from '../support/arbitrary.ts';
import { runSeed } from '../support/seed.ts';
import { counted } from '../support/counts.ts';
import { startTestService, type TestService, storesToTest } from '../support/service.ts';
import { buildWorld, type World } from '../support/world.ts';
import { kinds, resourceOf } from '../api/matrix/bodies.ts';
import { bodyText, faultOf, type Reply } from './shape.ts';
import { startWorkClock } from '../support/work-clock.ts';

const slowMs = 1_000;
/** Nothing may take this long; what takes longer than `slowMs` is printed. */
const hangMs = 5_000;

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

const shown = ({ method, url, headers, payload }: Sending): string =>
  `${method} ${url} ${JSON.stringify(headers)} ${payload.toString().slice(0, 2000)}`;

async function idsOf(world: World): Promise<(resource: string) => readonly string[]> {
  const found = new Map<string, string[]>();
  const left = new Set(['aichart', 'authorization', 'formula', 'hierarchylevel', 'embed']);
  for (const kind of kinds.filter((name) => !left.has(name))) {
    for (const place of ['A', 'B'] as const) {
      const ids = found.get(resourceOf(kind)) ?? [];
      found.set(resourceOf(kind), [...ids, await world.shared(kind, place)]);
    }
  }
  return (resource) => found.get(resource) ?? [];
}

async function decoded(port: number, sending: Sending): Promise<Reply> {
  const { status, headers, bytes } = await overSocket(port, sending);
  return { status, headers, body: bodyText(bytes, headers) };
}

describe.each(storesToTest)('malformed input on %s', (store) => {
  let service: TestService;
  let arbitrary: fc.Arbitrary<Sending>;
  let port: number;
  const answers = new Map<number, number>();
  const slow: string[] = [];
  let slowest = '';
  let slowestMs = 0;

  beforeAll(async () => {
    service = await startTestService({ store, settings: { INLAY_SIGNUP: 'true' } });
    const world = await buildWorld(service);
    const credentials = (['owner', 'editor', 'ownerOfB', 'embedViewer'] as const).flatMap(
      (actor) => world.credential(actor) ?? [],
    );
    arbitrary = requests({ registry: service.app.service.registry, ids: await idsOf(world), credentials });
    await service.server.listen({ port: 0, host: '127.0.0.1' });
    const address = service.server.server.address();
    port = isAddress(address) ? address.port : 0;
  });

  afterAll(async () => {
    const counts = [...answers]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(
      `malformed input on ${store}: ${counts.join(', ')}; slowest ${slowestMs.toFixed(0)} ms, ${slow.length} over ${slowMs} ms: ${slowest}\n`,
    );
    if (slow.length > 0) process.stdout.write(`${slow.slice(0, 5).join('\n')}\n`);
    await service?.stop();
  });

  async function judged(sending: Sending, send: () => Promise<Reply>): Promise<void> {
    const clock = startWorkClock();
    const reply = await send();
    const tookMs = clock.passedMs();
    answers.set(reply.status, (answers.get(reply.status) ?? 0) + 1);
    if (tookMs > slowestMs) [slowestMs, slowest] = [tookMs, shown(sending).slice(0, 300)];
    if (tookMs > slowMs) slow.push(`${tookMs.toFixed(0)} ms: ${shown(sending).slice(0, 300)}`);
    const fault = sending.method === 'HEAD' ? undefined : faultOf(reply);
    if (fault !== undefined)
      throw new Error(`the answer ${fault}: ${reply.status} ${reply.body.slice(0, 500)}\nto ${shown(sending)}`);
    if (tookMs > hangMs) throw new Error(`took ${tookMs.toFixed(0)} ms: ${shown(sending)}`);
  }

  const inject = async ({ method, url, headers, payload }: Sending): Promise<Reply> => {
    const answered = await service.server.inject({ method: isMethod(method) ? method : 'POST', url, headers, payload });
    return {
      status: answered.statusCode,
      headers: answered.headers,
      body: bodyText(answered.rawPayload, answered.headers),
    };
  };

  it('gets an answer of the documented shape, never a 500', { timeout: 3_600_000 }, async () => {
    const runs = store === 'sqlite' ? counted(700, 100_000) : counted(150, 20_000);
    const property = fc.asyncProperty(arbitrary, (sending) => judged(sending, () => inject(sending)));
    await fc.assert(property, runOf(`malformed input on ${store}`, runs));
    expect(answers.get(500)).toBeUndefined();
  });

  it('gets the same over a real connection', { timeout: 600_000 }, async () => {
    const runs = store === 'sqlite' ? counted(120, 5_000) : counted(30, 1_000);
    const sendable = arbitrary.filter(
      ({ headers, url }) => /^[\t\x20-\xff]*$/u.test(Object.values(headers).join('')) && /^[!-~]+$/u.test(url),
    );
    const property = fc.asyncProperty(sendable, (sending) => judged(sending, () => decoded(port, sending)));
    await fc.assert(property, runOf(`malformed input over a connection to ${store}`, runs));
    expect(answers.get(500)).toBeUndefined();
  });

  it('gets an answer soon, however much work it asks for', async () => {
    const bodies = fc.sample(heavyBodies(service.owner), { seed: runSeed, numRuns: 60 });
    for (const path of ['dashboard', 'authorization', 'theme']) {
      for (const payload of bodies) {
        const sending = {
          method: 'POST',
          url: `/0.1.0/${path}`,
          headers: { 'content-type': 'application/json' },
          payload,
        };
        await judged(sending, () => inject(sending));
      }
    }
    expect(slowestMs).toBeLessThan(hangMs);
  });

  it('answers what is no HTTP in the same shape', async () => {
    const host = 'host: x\r\n';
    const lines = [
      'GARBAGE\r\n\r\n',
      'FOO /0.1.0/theme HTTP/1.1\r\n\r\n',
      `POST /0.1.0/theme HTTP/1.1\r\n${host}content-length: x\r\n\r\n`,

      `POST / HTTP/9.9\r\n${host}\r\n`,
      `GET / HTTP/1.1\r\n${host}a b: c\r\n\r\n`,
      `GET /livez HTTP/1.1\r\n${host}x: ${'a'.repeat(20_000)}\r\n\r\n`,
      `POST /0.1.0/theme HTTP/1.1\r\n${host}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,

      `POST /0.1.0/theme HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nzz\r\n`,
      '\0\0\0\0\r\n\r\n',
      'GET /\r\n\r\n',
      `POST /0.1.0/theme HTTP/1.1\r\n${host}expect: nonsense\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
      'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n',
    ];
    const wrong: string[] = [];
    for (const line of lines) {
      const answer = await exchange(port, line);
      const [head = '', rest = ''] = answer.split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3})/u.exec(head)?.[1] ?? 0);
      const headers = Object.fromEntries(
        head
          .split('\r\n')
          .slice(1)
          .map((one) => [one.split(':')[0]?.toLowerCase() ?? '', one.slice(one.indexOf(':') + 1).trim()] as const),
      );
      // What follows the length of the first answer is the next one.
      const body = Buffer.from(rest).subarray(0, Number(headers['content-length'])).toString();
      const fault = faultOf({ status, headers, body });
      if (fault !== undefined) wrong.push(`${JSON.stringify(line.slice(0, 60))}: ${fault}: ${answer.slice(0, 300)}`);
    }
    expect(wrong.join('\n')).toBe('');
  });

  it('leaves a service that is ready', async () => {
    expect((await service.server.inject({ method: 'GET', url: '/readyz' })).statusCode).toBe(200);
  });
});

const injectable = [
  'POST',
  'GET',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'SEARCH',
  'LINK',
  'UNLINK',
  'TRACE',
  'PROPFIND',
] as const;
type Injectable = (typeof injectable)[number];
function isMethod(method: string): method is Injectable & 'POST' {
  return injectable.some((known) => known === method);
}
