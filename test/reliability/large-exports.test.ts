import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { counted, lateMs } from '../support/counts.ts';
import { done, firstOwner, openClient, textIn, type Client } from '../support/load.ts';
import { childrenOf, peakSince, residentMb } from '../support/process-memory.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';
import { datasetIn, part } from '../support/world.ts';

const rows = counted(200_000, 10_000_000);
const places = ['engine', 'source'] as const;
type Place = (typeof places)[number];

const { credential, settings } = firstOwner();
const bearer = `Bearer ${credential.key}:${credential.token}`;

/** Yields a CSV file as it is sent: this many rows, never held whole. */
function* fileOf(count: number): Generator<string> {
  yield 'n,word,amount,at\n';
  for (let from = 0; from < count; from += 5000) {
    const lines = Array.from({ length: Math.min(5000, count - from) }, (_, index) => {
      const n = from + index;
      return `${n},word ${n % 997},${n}.25,2024-01-01T00:00:${String(n % 60).padStart(2, '0')}Z`;
    });
    yield `${lines.join('\n')}\n`;
  }
}

describe.runIf(havePostgresServer)('an export of many rows', () => {
  let service: ServiceProcess;
  let client: Client;
  let database: URL;
  const queries = new Map<Place, object>();
  let idleMb = 0;

  const post = (resource: string, properties: object) => {
    const sent = request(`${service.url}/0.1.0/${resource}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: bearer },
    });
    sent.end(JSON.stringify({ action: 'create', properties }));
    return sent;
  };
  const opened = (place: Place, type: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      post('export', { type, query: queries.get(place) })
        .once('response', resolve)
        .once('error', reject);
    });
  const make = async (resource: string, properties: object): Promise<Json> =>
    done(await client.call(resource, { action: 'create', properties }));

  async function upload(): Promise<string> {
    const sent = request(`${service.url}/0.1.0/data/file?name=Many`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', authorization: bearer },
    });
    const answered = once(sent, 'response');
    for (const piece of fileOf(rows)) if (!sent.write(piece)) await once(sent, 'drain');
    sent.end();
    const [answer] = await answered;
    let heard = '';
    for await (const piece of answer) heard += String(piece);
    return datasetIn(JSON.parse(heard)).id;
  }

  async function atSource(): Promise<string> {
    const account = await make('account', {
      provider: 'postgresql',
      host: database.hostname,
      port: database.port,
      scope: database.pathname.slice(1),
      identifier: database.username,
      token: 'none',
    });
    const source_query = `select n, 'word ' || n % 997 as word, n + 0.25 as amount,
      timestamp '2024-01-01' + (n % 60) * interval '1 second' as at from generate_series(0, ${rows - 1}) n`;
    const made = await make('dataset', { account_id: textIn(account, 'id'), subtype: 'postgresql', source_query });
    const id = textIn(made, 'id');
    done(await client.call('dataset', { action: 'update', id, properties: { update_metadata: true } }));
    return id;
  }

  beforeAll(
    async () => {
      database = new URL(await freshDatabase());
      service = await startService({
        env: { ...settings, INLAY_ALLOW_PRIVATE_HOSTS: 'true', MALLOC_ARENA_MAX: '2', INLAY_LOG_LEVEL: 'warn' },
      });
      client = openClient(service.url, credential);
      await client.call('organization', { find: {} });
      await sleep(500);
      idleMb = residentMb(service.pid);
      const made = { engine: await upload(), source: await atSource() };
      for (const place of places) {
        const find = { where: { securable_id: made[place] }, order: [['order', 'asc']] };
        const found = part(done(await client.call('column', { find })), 'rows');
        const dimensions = (isList(found) ? found : []).map((row) => ({
          dataset_id: made[place],
          column_id: textIn(row, 'id'),
        }));
        queries.set(place, { dimensions, options: { rollup_data: false } });
      }
    },
    counted(60_000, 600_000),
  );
  afterAll(async () => {
    client.close();
    await service.stop();
  });

  async function nothingRuns(): Promise<void> {
    const watch = postgres(database.href, { max: 1, onnotice: () => undefined });
    const running = async (): Promise<number> => {
      const found = await watch.unsafe(
        `select count(*)::int as n from pg_stat_activity where query like '%generate_series%' and state <> 'idle'
          and datname = current_database() and pid <> pg_backend_pid()`,
      );
      return Number(found[0]?.['n']);
    };
    await expect.poll(running).toBe(0);
    await watch.end();
    const busy = async (): Promise<readonly number[]> => {
      const before = childrenOf(service.pid);
      await sleep(300);
      return [...childrenOf(service.pid)]
        .filter(([pid, ticks]) => ticks > (before.get(pid) ?? 0) + 3)
        .map(([pid]) => pid);
    };
    await expect.poll(busy).toEqual([]);
  }

  it.each(places.flatMap((place) => [[place, 'csv'] as const, [place, 'ndjson'] as const]))(
    'from the %s comes whole as %s, and takes less than 256 MB of the service',
    { timeout: counted(60_000, 600_000) },
    async (place, type) => {
      const peak = peakSince(service.pid);
      const startedMs = performance.now();
      const answer = await opened(place, type);
      expect(answer.statusCode).toBe(200);
      let lines = 0;
      let bytes = 0;
      let last = '';
      for await (const piece of answer) {
        const text: Buffer = piece;
        bytes += text.length;
        for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) lines += 1;
        last = text.toString('utf8', Math.max(0, text.length - 200));
      }
      const seconds = (performance.now() - startedMs) / 1000;
      process.stdout.write(
        `export of ${lines} lines from the ${place} as ${type}: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(peak() - idleMb).toFixed(0)} MB above idle (${idleMb.toFixed(0)} MB)\n`,
      );
      expect(lines).toBe(type === 'csv' ? rows + 1 : rows);
      expect(last.trimEnd().split('\n').at(-1)).toContain(String(rows - 1));
      expect(peak() - idleMb).toBeLessThan(256);
    },
  );

  it.each(places)(
    'from the %s to a reader of 10 KB a second does not grow the service, and ends with its reader',
    { timeout: counted(60_000, 300_000) },
    async (place) => {
      const socket = connect(service.port, '127.0.0.1');
      const body = JSON.stringify({ action: 'create', properties: { type: 'csv', query: queries.get(place) } });
      const head = ['POST /0.1.0/export HTTP/1.1', 'host: here', `authorization: ${bearer}`];
      const told = ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
      socket.write(`${[...head, ...told].join('\r\n')}\r\n\r\n${body}`);
      await once(socket, 'readable');
      await sleep(1000);
      const before = residentMb(service.pid);
      const peak = peakSince(service.pid);
      let read = 0;
      for (let time = 0; time < counted(20, 600); time += 1) {
        const piece: Buffer | null = socket.read(Math.min(1024, socket.readableLength || 1));
        read += piece?.length ?? 0;
        await sleep(100);
      }
      expect(read).toBeGreaterThan(counted(20, 600) * 512);
      expect(peak() - before).toBeLessThan(24);
      expect((await client.call('organization', { find: {} })).status).toBe(200);
      socket.destroy();
      await nothingRuns();
    },
  );

  it('leaves nothing running when its reader is gone, wherever that is, and takes the next', async () => {
    for (let time = 0; time < counted(6, 60); time += 1) {
      const place = places[time % 2] ?? 'engine';
      const sent = post('export', { type: time % 4 < 2 ? 'csv' : 'ndjson', query: queries.get(place) });
      sent.on('error', () => undefined);
      const answered = once(sent, 'response').catch(() => undefined);
      if (time % 3 === 0) await sleep(time % 20);
      else await answered;
      sent.destroy();
      await answered;
    }
    await nothingRuns();
    for (const place of places) {
      const answer = await opened(place, 'csv');
      expect(answer.statusCode).toBe(200);
      answer.destroy();
    }
    await nothingRuns();
  });

  it('is refused beyond two at once for an organization, and nothing else is', async () => {
    const two = [await opened('engine', 'csv'), await opened('source', 'csv')];
    const third = await client.call('export', {
      action: 'create',
      properties: { type: 'csv', query: queries.get('engine') },
    });
    expect([third.status, textIn(third.body, 'code')]).toEqual([503, 'overloaded']);
    const asked = { action: 'get', find: { ...queries.get('engine'), limit: { by: 5 } } };
    const startedMs = performance.now();
    expect((await client.call('data', asked)).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(lateMs);
    for (const answer of two) answer.destroy();
    await nothingRuns();
  });
});
