import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { isObject, type Json } from '@inlay/contract';
import { runs } from '../support/installed.ts';
import { firstOwner, openClient } from '../support/load.ts';
import { startService, type ServiceProcess } from '../support/process.ts';

const limit = 300;

/** What a connection of one request gets: its status, `closed` where nothing was answered. */
async function ask({ port }: ServiceProcess, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  let read = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    read += text;
    if (read.includes('\r\n\r\n')) socket.end();
  });
  await once(socket, 'close');
  return /^HTTP\/1\.1 (\d+)/u.exec(read)?.[1] ?? 'closed';
}

const linesAbout = (service: ServiceProcess, words: string): readonly Json[] =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes(words))
    .map((line): Json => JSON.parse(line));

const isLimited = runs('prlimit', ['--version']);

it.runIf(isLimited)(
  'connections beyond the limit of open files are answered 503, or closed with a line in the log, and the others go on',
  async () => {
    const service = await startService({
      env: firstOwner().settings,
      prefix: ['prlimit', `--nofile=${limit}:${limit}`],
    });
    const idle: Socket[] = [];
    try {
      // Connections that send nothing, one after another, as many as there are descriptors.
      for (let count = 0; count < limit; count += 1) {
        const socket = connect(service.port, '127.0.0.1');
        socket.on('error', () => undefined);
        idle.push(socket);
        await once(socket, 'connect');
      }
      await expect.poll(() => linesAbout(service, 'connections are closed unanswered').length).toBe(1);
      expect(linesAbout(service, 'connections are answered 503')).toHaveLength(1);
      const [line = null] = linesAbout(service, 'connections are closed unanswered');
      expect(isObject(line) ? line : {}).toMatchObject({ level: 50, code: 'EMFILE', most: 204 });
      // Those that were one too many and sent nothing are closed; their places answer 503.
      await expect.poll(() => ask(service, '/openapi.json')).toBe('503');
      expect(await ask(service, '/livez')).toBe('200');
      expect(readdirSync(`/proc/${service.pid}/fd`).length).toBeLessThan(limit);
      for (const socket of idle) socket.destroy();
      await expect.poll(() => ask(service, '/openapi.json')).toBe('200');
      expect(linesAbout(service, 'out of file descriptors')).toEqual([]);
    } finally {
      for (const socket of idle) socket.destroy();
      await service.stop();
    }
  },
  60_000,
);

it.runIf(isLimited)(
  'a process whose descriptors are taken by something else says so, and answers 503 what needs one',
  async () => {
    const owner = firstOwner();
    const service = await startService({ env: owner.settings });
    const client = openClient(service.url, owner.credential);
    try {
      expect((await client.call('tag', { action: 'get', find: {} })).status).toBe(200);
      const allow = (files: number): number | null =>
        spawnSync('prlimit', ['--pid', String(service.pid), `--nofile=${files}:`]).status;
      // Fewer than it has: the system gives it none any more.
      expect(allow(3)).toBe(0);
      await expect.poll(() => linesAbout(service, 'out of file descriptors').length).toBe(1);
      // On the connection that it has.
      // More than a megabyte, so that the body is spooled to a file.
      const rows = Array.from({ length: 9000 }, (_, row) => [row, 'a text '.repeat(30)]);
      const push = {
        action: 'create',
        properties: { type: 'create', data: [['n', 'text'], ...rows], options: { header: true } },
      };
      const refused = await client.call('data', push);
      expect([refused.status, refused.body]).toMatchObject([503, { code: 'overloaded' }]);
      expect(allow(1024)).toBe(0);
      await expect.poll(() => client.call('data', push)).toMatchObject({ status: 200 });
      expect(await ask(service, '/livez')).toBe('200');
    } finally {
      client.close();
      await service.stop();
    }
  },
  60_000,
);
