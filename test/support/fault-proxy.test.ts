import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startFaultProxy, type Fault, type FaultProxy } from './fault-proxy.ts';
import { havePostgres, startPostgres, type Postgres } from './postgres.ts';

let echo: Server;
let echoed = 0;
let proxy: FaultProxy;

beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      echoed += piece.length;
      socket.write(piece);
    });
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  proxy = await startFaultProxy(address !== null && typeof address === 'object' ? address.port : 0);
});
afterEach(() => proxy.clear());
afterAll(async () => {
  await proxy.stop();
  echo.close();
});

const dial = async (): Promise<Socket> => {
  const socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

/** @returns what came back within `waitMs`, or the code of the error that ended the link. */
const say = async (text: string, waitMs = 300, socket?: Socket): Promise<string> => {
  const link = socket ?? connect(proxy.port, '127.0.0.1');
  let heard = '';
  link.on('data', (piece) => (heard += piece.toString()));
  const broken = new Promise<string>((resolve) =>
    link.once('error', (error) => resolve('code' in error ? String(error.code) : error.message)),
  );
  const whole = (async () => {
    for (let waited = 0; heard.length < text.length && waited < waitMs; waited += 5) await sleep(5);
    return heard;
  })();
  link.write(text);
  const result = await Promise.race([broken, whole]);
  link.destroy();
  return result;
};

test('the proxy without a fault passes everything on and counts its links', async () => {
  const socket = await dial();
  await expect.poll(() => proxy.connections()).toBe(1);
  expect(await say('hello', 300, socket)).toBe('hello');
  await expect.poll(() => proxy.connections()).toBe(0);
  const big = 'x'.repeat(3_000_000);
  expect((await say(big, 5_000)).length).toBe(big.length);
});

test.each<[Fault, string]>([
  [{ kind: 'refuse' }, 'ECONNREFUSED'],
  [{ kind: 'reset-before' }, 'ECONNRESET'],
  [{ kind: 'reset-in', afterBytes: 3 }, 'ECONNRESET'],
  [{ kind: 'black-hole' }, ''],
  [{ kind: 'half-open' }, ''],
])('fault %o answers %j and is over when cleared', async (fault, answer) => {
  await proxy.set(fault);
  expect(await say('hello')).toBe(answer);
  await proxy.clear();
  expect(await say('hello')).toBe('hello');
});

test('a link open before the fault suffers it too, and does not come back after lost bytes', async () => {
  const socket = await dial();
  const answered = once(socket, 'data');
  socket.write('a');
  await answered;
  await proxy.set({ kind: 'black-hole' });
  const closed = closing(socket);
  socket.write('lost');
  const before = proxy.hits();
  await expect.poll(() => proxy.hits()).toBe(before + 1);
  await proxy.clear();
  await closed;
});

test('reset-in lets exactly the given bytes through', async () => {
  await proxy.set({ kind: 'reset-in', afterBytes: 3 });
  const before = echoed;
  await say('hello');
  await expect.poll(() => echoed - before).toBe(3);
});

test('half-open loses the answer, not the request', async () => {
  await proxy.set({ kind: 'half-open' });
  const before = echoed;
  expect(await say('hello', 100)).toBe('');
  expect(echoed - before).toBe(5);
});

test('reset-after breaks off in the middle of an answer', async () => {
  await proxy.set({ kind: 'reset-after' });
  const socket = await dial();
  let heard = '';
  socket.on('data', (piece) => (heard += piece.toString()));
  socket.write('hello');
  await closing(socket);
  expect(heard).toBe('hel');
});

test('latency holds an answer back', async () => {
  await proxy.set({ kind: 'latency', ms: 150 });
  const from = performance.now();
  expect(await say('hello', 2_000)).toBe('hello');
  expect(performance.now() - from).toBeGreaterThan(140);
});

test('throttle slows a link down to its rate', async () => {
  await proxy.set({ kind: 'throttle', bytesPerSecond: 10_000 });
  const from = performance.now();
  expect((await say('x'.repeat(3_000), 5_000)).length).toBe(3_000);
  expect(performance.now() - from).toBeGreaterThan(200);
});

describe.skipIf(havePostgres() !== undefined)('before PostgreSQL', () => {
  let server: Postgres;
  let before: FaultProxy;
  beforeAll(async () => {
    server = await startPostgres();
    before = await startFaultProxy(server.port);
  });
  afterAll(async () => {
    await before.stop();
    await server.stop();
  });

  test('a cut after COMMIT loses the answer and keeps the row, once as often as asked', async () => {
    const direct = postgres(server.url(), { max: 1 });
    const through = postgres({ host: '127.0.0.1', port: before.port, user: 'postgres', max: 1 });
    await direct`create table kept (n int)`;
    const add = async (n: number): Promise<string> => {
      try {
        await through.begin((sql) => sql`insert into kept values (${n})`);
        return 'committed';
      } catch (error) {
        return error instanceof Error && 'code' in error ? String(error.code) : String(error);
      }
    };
    expect(await add(1)).toBe('committed');
    await before.set({ kind: 'cut-after-commit', times: 2 });
    expect([await add(2), await add(3), await add(4)]).toEqual(['ECONNRESET', 'ECONNRESET', 'committed']);
    expect(await direct`select n from kept order by n`).toEqual([1, 2, 3, 4].map((n) => ({ n })));
    await through.end();
    await direct.end();
  });
});
