import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '@inlay/contract';
import { oneStore, startTestService, type TestService } from '../support/service.ts';
import { inUse } from '../support/in-use.ts';
import { awakeClock } from '../support/awake.ts';
import { datasetIn } from '../support/world.ts';

/** A request as bytes: what comes with its headers, and what comes later, if ever. */
interface Kind {
  readonly head: string;
  readonly body: string;
}

const head = (path: string, headers: Readonly<Record<string, string | number>>, method = 'POST'): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n') + '\r\n\r\n';

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): Kind => ({
  head: head(path, { 'content-type': 'application/json', ...headers, 'content-length': Buffer.byteLength(body) }),
  body,
});

const chunked = (path: string, body: string): Kind => ({
  head: head(path, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
  body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
});

/** How a client ends a request; the socket may be left open, the test closes it at last. */
const ends: Readonly<Record<string, (socket: Socket, kind: Kind) => Promise<void> | void>> = {
  'reads the whole answer': async (socket, { head: first, body }) => {
    socket.write(first + body);
    await Promise.race([new Promise((resolve) => socket.once('data', resolve)), sleep(5000)]);
    socket.end();
  },
  'sends the headers and closes': (socket, { head: first }) => void socket.end(first),
  'sends the headers and resets': async (socket, { head: first }) => {
    await new Promise((resolve) => socket.write(first, resolve));
    await sleep(5);
    socket.resetAndDestroy();
  },
  'sends half of the body and closes': (socket, { head: first, body }) =>
    void socket.end(first + body.slice(0, body.length / 2)),
  'sends half of the body and resets': async (socket, { head: first, body }) => {
    await new Promise((resolve) => socket.write(first + body.slice(0, body.length / 2), resolve));
    await sleep(5);
    socket.resetAndDestroy();
  },
  'sends something else in place of the body': (socket, { head: first }) =>
    void socket.write(`${first}\0\0\0zz\r\nnot a chunk\r\n\r\n`),
  'sends all and resets at once': async (socket, { head: first, body }) => {
    await new Promise((resolve) => socket.write(first + body, resolve));
    socket.resetAndDestroy();
  },
  'sends all and leaves a little later': async (socket, { head: first, body }) => {
    await new Promise((resolve) => socket.write(first + body, resolve));
    await sleep(20);
    socket.destroy();
  },
  'sends three behind each other and leaves': async (socket, { head: first, body }) => {
    await new Promise((resolve) => socket.write((first + body).repeat(3), resolve));
    await sleep(5);
    socket.destroy();
  },
};

describe('whatever a request holds', () => {
  let service: TestService;
  const at = { port: 0 };
  const kinds: Record<string, Kind> = {};
  beforeAll(async () => {
    service = await startTestService({ store: oneStore, settings: { INLAY_EXPORTS_AT_ONCE: '50' } });
    await service.server.listen({ host: '127.0.0.1', port: 0 });
    const address = service.server.server.address();
    at.port = typeof address === 'object' && address !== null ? address.port : 0;
    const { key, token } = service.owner;
    const data = [['name', 'value'], ...Array.from({ length: 2000 }, (_, index) => [`name ${index}`, index])];
    const push = { action: 'create', properties: { type: 'create', data, options: { header: true } } };
    const made = await service.call('data', push, service.owner);
    const dataset = datasetIn(made.body).id;
    const columns = await service.call('column', { find: { where: { securable_id: dataset } } }, service.owner);
    const rows = isObject(columns.body) ? columns.body['rows'] : null;
    const first = Array.isArray(rows) && isObject(rows[0]) ? rows[0]['id'] : null;
    const query = { dimensions: [{ dataset_id: dataset, column_id: first }], limit: { by: 1000 } };
    const batch = { queries: [query, { ...query, limit: { by: -1 } }, query] };
    const bearer = { authorization: `Bearer ${key}:${token}` };
    const credential = { key, token };
    Object.assign(kinds, {
      create: post('/0.1.0/tag', JSON.stringify({ properties: { name: { en: 'x'.repeat(500) } }, ...credential })),
      'create in chunks': chunked('/0.1.0/tag', JSON.stringify({ properties: {}, ...credential })),
      search: post('/0.1.0/theme', JSON.stringify({ find: {} }), bearer),
      'with a wrong token': post('/0.1.0/theme', JSON.stringify({ find: {}, key, token: 'wrong' })),
      login: post(
        '/0.1.0/authorization',
        JSON.stringify({
          action: 'create',
          properties: { type: 'login', email: 'a@b.example', password: 'p'.repeat(20) },
        }),
      ),
      query: post('/0.1.0/data', JSON.stringify({ find: query }), bearer),
      'several queries, one of them wrong': post('/0.1.0/data', JSON.stringify({ find: batch }), bearer),
      'the same, line by line': post('/0.1.0/data', JSON.stringify({ find: batch }), {
        ...bearer,
        accept: 'application/x-ndjson',
      }),
      export: post('/0.1.0/export', JSON.stringify({ properties: { type: 'csv', query }, ...credential })),
      push: post('/0.1.0/data', JSON.stringify({ ...push, ...credential })),
      upload: post('/0.1.0/data/file', 'a,b\n1,2\n'.repeat(5000), { ...bearer, 'content-type': 'text/csv' }),
      form: post('/sso/prove', 'state=x&password=y', { 'content-type': 'application/x-www-form-urlencoded' }),
      'nothing there': post('/nothing', '{}'),
      'no JSON': post('/0.1.0/theme', '{'.repeat(100)),
      page: { head: head('/docs', {}, 'GET'), body: '' },
      probe: { head: head('/livez', {}, 'GET'), body: '' },
    } satisfies Record<string, Kind>);
  });
  afterAll(async () => {
    service?.server.server.closeAllConnections();
    await service?.stop();
  });

  const held = (): Readonly<Record<string, number>> => inUse(service.app);
  /** What is held once nothing changes any more; waits as long as a slow machine needs. */
  const heldAtLast = async (): Promise<Readonly<Record<string, number>>> => {
    const clock = awakeClock();
    while (Object.keys(held()).length > 0 && clock.passedMs() < 20_000) await sleep(10);
    clock.stop();
    return held();
  };

  it('is given back, however each kind of request ends', async () => {
    expect(Object.keys(kinds).length).toBeGreaterThan(10);
    for (const [end, act] of Object.entries(ends)) {
      for (const [name, kind] of Object.entries(kinds)) {
        const sockets = await Promise.all(
          Array.from({ length: 3 }, async () => {
            const socket = connect(at.port, '127.0.0.1');
            socket.on('error', () => undefined);
            await act(socket, kind);
            return socket;
          }),
        );
        await sleep(end.startsWith('sends something else') ? 30 : 0);
        for (const socket of sockets) socket.destroySoon();
        expect([end, name, await heldAtLast()]).toEqual([end, name, {}]);
      }
    }
  });

  it('stays free for others while 1,200 clients send half a body and leave', async () => {
    const half = `${head('/0.1.0/theme', { 'content-type': 'application/json', 'content-length': 100 })}{"fi`;
    for (let round = 0; round < 12; round += 1)
      await Promise.all(
        Array.from(
          { length: 100 },
          () =>
            new Promise<void>((resolve) => {
              const socket = connect(at.port, '127.0.0.1', () => socket.write(half, () => socket.destroy()));
              socket.on('error', () => undefined);
              socket.on('close', () => resolve());
            }),
        ),
      );
    expect(await heldAtLast()).toEqual({});
    for (const probe of ['/livez', '/readyz', '/metrics'])
      expect((await fetch(`http://127.0.0.1:${at.port}${probe}`)).status).toBe(200);
    expect((await service.call('theme', { find: {} }, service.owner)).status).toBe(200);
  });
});

describe('requests under way', () => {
  const half = `${head('/0.1.0/theme', { 'content-type': 'application/json', 'content-length': 100 })}{"fi`;

  /** Requests without the end of their body; `ended` is told how one of them ended. */
  const hold = async (port: number, count: number, host: string, ended: string[]): Promise<readonly Socket[]> =>
    Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect({ port, host: '127.0.0.1', localAddress: host }, () =>
              socket.write(half, () => resolve(socket)),
            );
            socket.on('data', (answer) => void ended.push(answer.toString('latin1').split('\r\n')[0] ?? ''));
            socket.on('error', (error) => {
              ended.push(error.message);
              reject(error);
            });
            socket.on('close', () => void ended.push('closed'));
          }),
      ),
    );

  it('are limited by address until their sender is known, and never keep a probe from its answer', async () => {
    const service = await startTestService({
      store: oneStore,
      settings: { INLAY_MAX_UNKNOWN_IN_FLIGHT: '5', INLAY_MAX_IN_FLIGHT: '8' },
    });
    try {
      await service.server.listen({ host: '127.0.0.1', port: 0 });
      const address = service.server.server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const inFlight = service.app.gauges['inlay_requests_in_flight'];
      const ended: string[] = [];
      const reach = async (count: number): Promise<void> => {
        while (inFlight() < count) {
          // None of them can be held any more then: one was refused, or none has moved for 10 s.
          if (ended.length > 0) throw new Error(`not held until there were ${count}: ${ended.join(', ')}`);
          await sleep(5);
        }
      };
      const find = JSON.stringify({ find: {}, ...service.owner });
      const ask = (): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}/0.1.0/theme`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: find,
          signal: AbortSignal.timeout(8000),
        });
      // The first search loads and prepares what later ones have: seconds on a busy machine, of the 10 s that a body is held.
      expect((await ask()).status).toBe(200);
      const mine = await hold(port, 5, '127.0.0.1', ended);
      await reach(5);
      const refused = await ask();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      // Credentials in the header that were accepted lately have places of their own, which others cannot take.
      const { key, token } = service.owner;
      const named = (): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}/0.1.0/theme`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}:${token}` },
          body: JSON.stringify({ find: {} }),
          signal: AbortSignal.timeout(8000),
        });
      expect((await named()).status).toBe(429);
      const first = await service.server.inject({
        method: 'POST',
        url: '/0.1.0/theme',
        remoteAddress: '127.0.0.9',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}:${token}` },
        payload: { find: {} },
      });
      expect(first.statusCode).toBe(200);
      expect((await named()).status).toBe(200);
      // Another address has places of its own, until all are taken.
      const elsewhere = await service.server.inject({
        method: 'POST',
        url: '/0.1.0/theme',
        remoteAddress: '127.0.0.9',
        headers: { 'content-type': 'application/json' },
        payload: find,
      });
      expect(elsewhere.statusCode).toBe(200);
      const others = await hold(port, 3, '127.0.0.2', ended);
      await reach(8);
      for (const probe of ['/livez', '/readyz', '/metrics'])
        expect((await fetch(`http://127.0.0.1:${port}${probe}`)).status).toBe(200);
      for (const socket of [...mine, ...others]) socket.destroy();
      await expect.poll(inFlight, { interval: 5 }).toBe(0);
      expect((await ask()).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('hold no place once their answers are made, whoever does not take them', async () => {
    const service = await startTestService({ store: 'sqlite', settings: { INLAY_MAX_IN_FLIGHT: '20' } });
    try {
      await service.server.listen({ host: '127.0.0.1', port: 0 });
      const address = service.server.server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.pause();
      // More than the system holds for a connection that nobody reads.
      socket.write('GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(40));
      const sending = service.app.gauges['inlay_answers_sending'];
      const inFlight = service.app.gauges['inlay_requests_in_flight'];
      while (sending() < 15) await sleep(5);
      while (inFlight() > 0) await sleep(5);
      expect(sending()).toBeGreaterThan(0);
      expect((await service.call('theme', { find: {} }, service.owner)).status).toBe(200);
      socket.destroy();
      while (sending() > 0) await sleep(5);
    } finally {
      await service.stop();
    }
  });
});
