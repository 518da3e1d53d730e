import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counted, lateMs } from '../support/counts.ts';
import { codeOf, done, firstOwner, openClient, textIn, type Client } from '../support/load.ts';
import { haveMariadb, startMariadb, type Mariadb } from '../support/mariadb.ts';
import { childrenOf } from '../support/process-memory.ts';
import { startService, type ServiceProcess } from '../support/process.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';
import { datasetIn } from '../support/world.ts';

const deadlineS = 2;
const queriesEach = counted(6, 70);
const abreast = 4;
const { credential, settings } = firstOwner();

const places = ['postgresql', 'mysql', 'engine'] as const;
type Place = (typeof places)[number];

describe.runIf(havePostgresServer && haveMariadb() === undefined)('queries that never end', () => {
  let service: ServiceProcess;
  let client: Client;
  let mariadb: Mariadb;
  let database: URL;
  const finds = new Map<Place, object>();

  const make = async (resource: string, properties: object): Promise<string> =>
    textIn(done(await client.call(resource, { action: 'create', properties })), 'id');

  async function atSource(provider: Place, port: string, login: object, source_query: string): Promise<object> {
    const account_id = await make('account', { provider, host: '127.0.0.1', port, token: 'none', ...login });
    const id = await make('dataset', { account_id, subtype: provider, source_query });
    const column_id = await make('column', { securable_id: id, type: 'numeric', source_name: 'n' });
    return { dimensions: [{ dataset_id: id, column_id }], options: { rollup_data: false } };
  }

  /** Rows of our own, each put next to all others and those again: more than any deadline allows. */
  async function inEngine(): Promise<object> {
    const data = [['k', 'v'], ...Array.from({ length: 9000 }, (_, n) => [`k${n % 2}`, n])];
    const options = { header: true, name: { en: 'Own' } };
    const made = [];
    for (const _ of [1, 2, 3, 4]) {
      const pushed = await client.call('data', { action: 'create', properties: { data, options } });
      const { id } = datasetIn(done(pushed));
      const found: unknown = done(await client.call('column', { find: { where: { securable_id: id } } }))['rows'];
      const columns = new Map(
        (Array.isArray(found) ? found : []).map((row) => [textIn(row, 'source_name'), textIn(row, 'id')]),
      );
      made.push({ id, k: columns.get('k') ?? '', v: columns.get('v') ?? '' });
    }
    const [first, ...others] = made;
    for (const other of others) {
      const resource = { role: 'Joins', id: other.k };
      const properties = { type: 'exact' };
      done(await client.call('column', { action: 'associate', id: first?.k, resource, properties }));
    }
    const sum = ({ id, v }: { id: string; v: string }): object => ({
      dataset_id: id,
      column_id: v,
      aggregation: { type: 'distinctcount' },
    });
    return {
      dimensions: made.map(({ id, v }) => ({ dataset_id: id, column_id: v })),
      measures: [sum(made[0] ?? { id: '', v: '' })],
    };
  }

  beforeAll(async () => {
    database = new URL(await freshDatabase());
    mariadb = await startMariadb();
    service = await startService({
      env: {
        ...settings,
        INLAY_ALLOW_PRIVATE_HOSTS: 'true',
        INLAY_QUERY_TIMEOUT_S: String(deadlineS),
        INLAY_LOG_LEVEL: 'fatal',
      },
    });
    client = openClient(service.url, credential);
    const there = { scope: database.pathname.slice(1), identifier: database.username };
    const counting = `select count(*) as n from generate_series(1, 2000000000) a`;
    finds.set('postgresql', await atSource('postgresql', database.port, there, counting));
    await mariadb.createUser('reader', 'none');
    const login = { scope: await mariadb.createDatabase(), identifier: 'reader' };
    const digits = 'select 0 as n union all select 1 union all select 2 union all select 3 union all select 4';
    const product = `select count(*) as n from ${'a b c d e f g h i j k l m n o p q'
      .split(' ')
      .map((name) => `(${digits}) ${name}`)
      .join(', ')}`;
    finds.set('mysql', await atSource('mysql', String(mariadb.port), login, product));
    finds.set('engine', await inEngine());
  });
  afterAll(async () => {
    client.close();
    await service.stop();
    await mariadb.stop();
  });

  async function leftRunning(): Promise<string> {
    const sql = postgres(database.href, { max: 1, onnotice: () => undefined });
    const [row] = await sql.unsafe(
      `select count(*)::int as n from pg_stat_activity where query like '%generate_series%' and state <> 'idle'
        and datname = current_database() and pid <> pg_backend_pid()`,
    );
    await sql.end();
    const connection = await createConnection({ host: '127.0.0.1', port: mariadb.port, user: 'root' });
    const [list] = await connection.query(
      `select count(*) as n from information_schema.processlist where info like '%union all%' and id <> connection_id()`,
    );
    await connection.end();
    const before = childrenOf(service.pid);
    await sleep(300);
    const busy = [...childrenOf(service.pid)].filter(([pid, ticks]) => ticks > (before.get(pid) ?? ticks) + 8);
    return `${String(row?.['n'])} at PostgreSQL, ${String(Array.isArray(list) ? Object(list[0]).n : '?')} at MariaDB, ${busy.length} busy children`;
  }
  const nothing = '0 at PostgreSQL, 0 at MariaDB, 0 busy children';

  it.each(places)(
    'on %s are answered within a second of the deadline, and nothing is left running',
    { timeout: 240_000 },
    async (place) => {
      const late: number[] = [];
      const codes = new Set<string>();
      const find = finds.get(place);
      const caller = async (): Promise<void> => {
        for (let time = 0; time < queriesEach / abreast; time += 1) {
          const startedMs = performance.now();
          const answer = await client.call('data', { action: 'get', find });
          codes.add(`${answer.status} ${codeOf(answer)}`);
          late.push(performance.now() - startedMs - deadlineS * 1000);
        }
      };
      await Promise.all(Array.from({ length: abreast }, caller));
      process.stdout.write(
        `deadlines on ${place}: ${late.length} queries, ${[...codes].join(', ')}, at most ${Math.max(...late).toFixed(0)} ms late\n`,
      );
      expect(Math.max(...late)).toBeLessThan(lateMs);
      expect(
        [...codes].every((code) => /^504 (?:deadline_passed|source_timeout)$/u.test(code)),
        [...codes].join(),
      ).toBe(true);
      await expect.poll(leftRunning, { timeout: lateMs, interval: 100 }).toBe(nothing);
    },
  );

  it.each(places)('on %s end when their callers leave', { timeout: 240_000 }, async (place) => {
    const body = JSON.stringify({ action: 'get', find: finds.get(place), ...credential });
    for (let time = 0; time < queriesEach; time += abreast) {
      const calls = Array.from({ length: abreast }, () => {
        const sent = request(`${service.url}/0.1.0/data`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
        });
        sent.on('error', () => undefined).end(body);
        return sent;
      });
      await sleep(30 * (time % 10));
      for (const call of calls) call.destroy();
    }
    await expect.poll(leftRunning, { timeout: lateMs, interval: 100 }).toBe(nothing);
  });
});
