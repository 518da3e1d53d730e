import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SourceProblem } from '../../packages/service/src/connectors/problem.ts';
import { Bulkhead } from '../../packages/service/src/connectors/session/bulkhead.ts';
import { SessionPools, type SessionKind } from '../../packages/service/src/connectors/session/session-pool.ts';
import type { RunLimits } from '../../packages/service/src/connectors/connector.ts';
import { localConnectors, sourceNames, sources, type Source, type SourceName } from './sources.ts';

const limits: RunLimits = { rowLimit: 1000, byteLimit: 1e6, deadlineMs: 5000 };
const never = new AbortController().signal;

/** Servers that take connections and then fail each in its own way. */
const faults: Readonly<Record<string, (socket: Socket) => void>> = {
  'never answers': () => undefined,
  'hangs up at once': (socket) => socket.destroy(),
  'talks nonsense': (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'sends one byte a second': (socket) => {
    const timer = setInterval(() => socket.write('E'), 1000);
    socket.on('close', () => clearInterval(timer));
  },
  'sends without end': (socket) => {
    const timer = setInterval(() => socket.write(Buffer.alloc(100_000, 'N')), 5);
    socket.on('close', () => clearInterval(timer));
  },
};

describe('a source that is dead', () => {
  let source: Source;
  const connectors = localConnectors(3);
  const servers: Server[] = [];

  beforeAll(async () => {
    source = await sources.postgresql();
  });
  afterAll(async () => {
    connectors.close();
    servers.forEach((server) => server.close());
    await source.stop();
  });

  const serve = async (fault: (socket: Socket) => void) => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      fault(socket);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? String(address.port) : '';
    return { port, connections: () => connections };
  };

  test.each(Object.entries(faults))('because it %s takes nobody with it', async (what, fault) => {
    const dead = await serve(fault);
    const fail = async (name: SourceName): Promise<void> => {
      const changes = { accountId: `${name} ${what}`, port: dead.port, properties: { connect_timeout: 1 } };
      const failing = Array.from({ length: 20 }, () =>
        connectors
          .of(name)
          .run(source.reach(changes), { sql: 'select 1', params: [] }, limits, never)
          .then(
            () => 'answered',
            (error: unknown) => (error instanceof SourceProblem ? error.cause : String(error)),
          ),
      );
      const started = Date.now();
      for (let time = 0; time < 10; time += 1) {
        const { rows } = await connectors
          .of('postgresql')
          .run(source.reach(), { sql: 'select 1', params: [] }, limits, never);
        for await (const batch of rows) expect(batch).toEqual([[1]]);
      }
      expect(Date.now() - started).toBeLessThan(2000);
      const causes = await Promise.all(failing);
      expect(
        causes.every((cause) => /^(?:timeout|failed|tls|unavailable|busy|credentials)$/u.test(cause)),
        causes.join(),
      ).toBe(true);
    };
    await Promise.all(sourceNames.map(fail));
    // Left alone after some failures: far fewer connections than calls, some tried again without encryption.
    expect(dead.connections()).toBeLessThanOrEqual(20 * sourceNames.length);
  });
});

describe('connections to one source', () => {
  interface Session {
    readonly id: number;
  }
  const reach = {
    accountId: 'a',
    organizationId: 'o',
    host: 'db.example.com',
    port: '5432',
    scope: 'x',
    identifier: 'u',
    token: 't',
    properties: {},
  };
  const setUp = (open: SessionKind<Session>['open']) => {
    let time = 0;
    let closed = 0;
    const kind: SessionKind<Session> = { open, isSound: () => true, close: () => void (closed += 1) };
    const now = (): number => time;
    const bulkhead = new Bulkhead(5, now);
    const pools = new SessionPools({ bulkhead, size: 2, waiting: 3, total: 5, idleMs: 200, now });
    return { pool: pools.open(kind), pools, closed: () => closed, pass: (ms: number) => void (time += ms) };
  };

  test('are left alone after five failures in a row, and tried once after a pause', async () => {
    let opened = 0;
    let works = false;
    const { pool, pools, pass } = setUp(() => {
      opened += 1;
      return works ? Promise.resolve({ id: opened }) : Promise.reject(new SourceProblem('refused'));
    });
    const ask = () =>
      pool.lease(reach, 1000, never).then(
        ({ release }) => release(true),
        (error: SourceProblem) => error.cause,
      );
    for (let time = 0; time < 20; time += 1) await ask();
    expect(opened).toBe(5);
    expect(await ask()).toBe('unavailable');
    pass(6000);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['refused', 'unavailable', 'unavailable']);
    expect(opened).toBe(6);
    works = true;
    pass(6000);
    expect(await ask()).toBeUndefined();
    expect(await ask()).toBeUndefined();
    expect(opened).toBe(7);
    pools.close();
  });

  test('are not counted as failing because of a query that is given up', async () => {
    let opened = 0;
    const { pool, pools } = setUp(() => {
      opened += 1;
      return Promise.reject(new SourceProblem('aborted'));
    });
    for (let time = 0; time < 20; time += 1) await pool.lease(reach, 1000, never).catch(() => undefined);
    expect(opened).toBe(20);
    pools.close();
  });

  test('are as many as allowed; more callers wait, and too many are told so', async () => {
    const { pool, pools } = setUp(() => Promise.resolve({ id: 1 }));
    const [one, two] = [await pool.lease(reach, 1000, never), await pool.lease(reach, 1000, never)];
    const third = pool.lease(reach, 1000, never);
    await expect(pool.lease(reach, 20, never)).rejects.toMatchObject({ cause: 'busy' });
    await expect(pool.lease(reach, 1000, AbortSignal.timeout(20))).rejects.toMatchObject({ cause: 'aborted' });
    const waiting = [pool.lease(reach, 1000, never), pool.lease(reach, 1000, never)];
    await expect(pool.lease(reach, 1000, never)).rejects.toMatchObject({ cause: 'busy' });
    one.release(true);
    two.release(false);
    for (const lease of [third, ...waiting]) (await lease).release(true);
    expect(pools.count()).toBeLessThanOrEqual(2);
    pools.close();
    expect(pools.count()).toBe(0);
  });

  test('are not shared between identities, and the longest idle one makes room', async () => {
    let opened = 0;
    const { pool, pools, closed } = setUp(() => Promise.resolve({ id: (opened += 1) }));
    const variants = [
      reach,
      { ...reach, token: 'other' },
      { ...reach, identifier: 'other' },
      { ...reach, scope: 'other' },
      { ...reach, properties: { ssl: 'disable' } },
      { ...reach, organizationId: 'other' },
      { ...reach, accountId: 'other' },
    ];
    for (const variant of variants) (await pool.lease(variant, 1000, never)).release(true);
    expect(opened).toBe(variants.length);
    expect(pools.count()).toBe(5);
    expect(closed()).toBe(2);
    pools.close();
  });

  test('are closed once they were idle for long', async () => {
    const { pool, pools, closed, pass } = setUp(() => Promise.resolve({ id: 1 }));
    (await pool.lease(reach, 1000, never)).release(true);
    pass(500);
    await expect.poll(closed).toBe(1);
    expect(pools.count()).toBe(0);
    pools.close();
  });
});
