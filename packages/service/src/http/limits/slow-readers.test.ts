import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSlowReaders } from './slow-readers.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface RunningServer {
  readonly port: number;
  readonly closed: Promise<boolean>;
  readonly made: Promise<void>;
  readonly count: () => number;
}

/** Starts a server whose responses are watched, streamed on demand or in a single write; returns its port and how responses end. */
async function serve(bytesPerS: number, inOnePiece = false, graceS = 0.3): Promise<RunningServer> {
  const readers = createSlowReaders({ bytesPerS, graceS, tickMs: 20 });
  const closed = Promise.withResolvers<boolean>();
  const made = Promise.withResolvers<void>();
  const server = createServer((_request, reply) => {
    const stop = readers.watch(reply, made.resolve);
    reply.on('close', () => {
      stop();
      closed.resolve(reply.writableFinished);
    });
    if (inOnePiece) return void reply.end(Buffer.alloc(400 * 65_536));
    let left = 400;
    const write = (): void => {
      while (left > 0) {
        left -= 1;
        if (!reply.write(Buffer.alloc(65_536))) return void reply.once('drain', write);
      }
      reply.end();
    };
    write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    readers.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { port, closed: closed.promise, made: made.promise, count: readers.count };
}

describe('a large answer', () => {
  it('is ended where its reader stands still', async () => {
    // Data in the system's socket buffer counts as read.
    const { port, closed, count } = await serve(32 * 1024 ** 2);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
    socket.pause();
    expect(await closed).toBe(false);
    expect(count()).toBe(0);
    socket.destroy();
  });

  it('is ended where it was made at once and behind others of its connection, and its reader stands still', async () => {
    const { port, closed, made, count } = await serve(32 * 1024 ** 2, true);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n'.repeat(5));
    socket.pause();
    await made;
    expect(await closed).toBe(false);
    while (count() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    socket.destroy();
  });

  it.each([false, true])('is not ended where its reader keeps up (made at once: %s)', async (inOnePiece) => {
    // A busy machine lets the reader stand still for a second or two, and the whole takes longer than that.
    const graceS = 3;
    const { port, closed } = await serve(65_536, inOnePiece, graceS);
    const startedMs = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    let bytes = 0;
    for await (const piece of answer.body ?? []) {
      bytes += piece.length;
      if (performance.now() - startedMs < 1500 * graceS) await sleep(50);
    }
    expect(bytes).toBe(400 * 65_536);
    expect(performance.now() - startedMs).toBeGreaterThan(1000 * graceS);
    expect(await closed).toBe(true);
  });
});
