import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createConnection } from 'mysql2/promise';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { ConnectionParams, SqlConnector } from '../../packages/service/src/connectors/connector.ts';
import { createConnectors, type Connectors } from '../../packages/service/src/connectors/index.ts';
import { Bulkhead } from '../../packages/service/src/connectors/session/bulkhead.ts';
import { createOutbound } from '../../packages/service/src/outbound/index.ts';
import { haveClickhouse, startClickhouse } from '../support/clickhouse.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startPostgres } from '../support/postgres.ts';
import { trinoRows } from '../support/trino.ts';
import { makeCertificates, type Certificates } from './certificates.ts';

export const password = 'correct horse ' + 'battery staple';

export type SourceName = 'postgresql' | 'mysql' | 'clickhouse' | 'trino';

const sharedTrino = (): string | undefined => inject('sharedEngines')?.trino;

/**
 * The sources that can be started here. What ClickHouse needs is optional; a run of the tests says if it is missing. Only
 * `npm run test:engines` starts Trino.
 */
export const sourceNames: readonly SourceName[] = [
  'postgresql',
  'mysql',
  ...(haveClickhouse() === undefined ? (['clickhouse'] as const) : []),
  ...(sharedTrino() === undefined ? [] : (['trino'] as const)),
];

/** A real database server with the same tables and users as the others. */
export interface Source {
  readonly name: SourceName;
  readonly port: number;
  /** How the account of a user who may read reaches it. */
  reach(changes?: Partial<ConnectionParams>): ConnectionParams;
  /** Runs statements as somebody who may do everything; returns the rows of the last. */
  admin(...statements: readonly string[]): Promise<readonly (readonly unknown[])[]>;
  /** Sessions of users other than the administrator, and how many of them run something. */
  sessions(): Promise<{ readonly open: number; readonly running: number }>;
  /** Returns the id of a table of the seed. */
  table(name: string): string;
  /** SQL of this many rows with a number `n`, and SQL that takes this many seconds. */
  numbers(count: number): string;
  sleep(seconds: number): string;
  /** SQL that computes for longer than any test lasts. */
  busy(): string;
  /** SQL of a text of this many letters. */
  text(length: number): string;
  /** SQL of the bound value at a position from 1. */
  mark(position: number, type: 'text' | 'whole'): string;
  quote(name: string): string;
  readonly certificates: Certificates;
  stop(): Promise<void>;
}

const odd = 'odd.ta"b`le; --';

const seed = (quote: (name: string) => string, texts: string, double: string): readonly string[] => [
  `create table orders (id bigint primary key, region ${texts}, amount decimal(24, 6), share ${double},
     placed timestamp(6) null, day date, note ${texts})`,
  `insert into orders values
     (1, 'north', 12345678901234567.123456, 0.1, '2024-02-29 12:34:56.789012', '2024-02-29', null),
     (2, 'süd ☀', -0.5, 1e300, '1999-12-31 23:59:59', '1999-12-31', 'a''b'),
     (9007199254740993, null, null, null, null, null, '')`,
  `create table hidden (id int)`,
  `create table ${quote(odd)} (${quote('co l')} int)`,
  `create view big_orders as select id, amount from orders where amount > 0`,
];

const settingsOf =
  (source: Pick<ConnectionParams, 'host' | 'port' | 'scope'>) =>
  (changes: Partial<ConnectionParams> = {}): ConnectionParams => ({
    accountId: 'account',
    organizationId: 'organization',
    identifier: 'reader',
    token: password,
    properties: {},
    ...source,
    ...changes,
  });

export async function postgresqlSource(): Promise<Source> {
  const server = await startPostgres();
  const sql = postgres(await server.createDatabase(), { max: 2, onnotice: () => undefined });
  const admin: Source['admin'] = async (...statements) => {
    const results = [];
    for (const statement of statements) results.push(await sql.unsafe(statement).values());
    return results.at(-1) ?? [];
  };
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const [[data = '', database = ''] = []] = await admin("select current_setting('data_directory'), current_database()");
  const certificates = makeCertificates(statSync(String(data)));
  const { cert, key } = certificates.of('localhost');
  const hba = [
    'local all postgres trust',
    'host all postgres 127.0.0.1/32 trust',
    'hostssl all needs_tls 127.0.0.1/32 scram-sha-256',
  ];
  const more = ['host all needs_tls 127.0.0.1/32 reject', 'host all all 127.0.0.1/32 scram-sha-256'];
  writeFileSync(join(String(data), 'pg_hba.conf'), [...hba, ...more, ''].join('\n'));
  await admin(
    `alter system set ssl_cert_file = '${cert}'`,
    `alter system set ssl_key_file = '${key}'`,
    'alter system set ssl = on',
    ...['reader', 'nobody', 'needs_tls'].map((user) => `create role ${user} login password '${password}'`),
    ...seed(quote, 'text', 'float8'),
    `grant select on orders, big_orders, ${quote(odd)} to reader, needs_tls`,
    'create schema other',
    'create table other.things (id int, at timestamptz, tags text[], doc jsonb, ip inet, spot point, took interval, id2 uuid, yes bool)',
    'grant usage on schema other to reader',
    'grant select on other.things to reader',
    'create function public.write_it() returns int language sql as $$ insert into public.orders (id) values (77) returning 1 $$',
    'grant insert, delete, update on orders to reader',
    'grant create on schema public to reader',
    'select pg_reload_conf()',
  );
  const reach = settingsOf({ host: '127.0.0.1', port: String(server.port), scope: String(database) });
  return {
    name: 'postgresql',
    port: server.port,
    reach,
    admin,
    async sessions() {
      const text = `select count(*)::int, count(*) filter (where state <> 'idle')::int from pg_stat_activity
        where backend_type = 'client backend' and usename <> 'postgres'`;
      const [[open, running] = []] = await admin(text);
      return { open: Number(open), running: Number(running) };
    },
    table: (name) => (name === 'odd' ? `public.${quote(odd)}` : `public.${name}`),
    numbers: (count) => `select n from generate_series(1, ${count}) n`,
    sleep: (seconds) => `select pg_sleep(${seconds})`,
    busy: () => 'select pg_sleep(600)',
    text: (length) => `repeat('x', ${length})`,
    mark: (position) => `$${position}`,
    quote,
    certificates,
    async stop() {
      await sql.end({ timeout: 1 });
      await server.stop();
      certificates.remove();
    },
  };
}

export async function mysqlSource(): Promise<Source> {
  const certificates = makeCertificates();
  const { cert, key } = certificates.of('localhost');
  const server = await startMariadb({ flags: [`--ssl-cert=${cert}`, `--ssl-key=${key}`] });
  const database = await server.createDatabase();
  const connection = await createConnection({
    host: '127.0.0.1',
    port: server.port,
    user: 'root',
    database,
    rowsAsArray: true,
  });
  const admin: Source['admin'] = async (...statements) => {
    let last: readonly (readonly unknown[])[] = [];
    for (const statement of statements) {
      const [rows] = await connection.query(statement);
      last = Array.isArray(rows) ? rows.filter((row): row is typeof row & unknown[] => Array.isArray(row)) : [];
    }
    return last;
  };
  const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
  await admin(
    ...seed(quote, 'varchar(100)', 'double'),
    ...['reader', 'nobody', 'needs_tls'].map((user) => `create user ${user}@'%' identified by '${password}'`),
    `alter user needs_tls@'%' require ssl`,
    'create table digits (d int)',
    'insert into digits select seq from seq_0_to_9',
    ...['orders', 'big_orders', 'digits', odd].flatMap((name) =>
      ['reader', 'needs_tls'].map((user) => `grant select on ${quote(name)} to ${user}@'%'`),
    ),
    `grant insert, delete, update on orders to reader@'%'`,
    `grant create on ${database}.* to nobody@'%'`,
  );
  const reach = settingsOf({ host: '127.0.0.1', port: String(server.port), scope: database });
  return {
    name: 'mysql',
    port: server.port,
    reach,
    admin,
    async sessions() {
      const text = `select count(*), count(case when command <> 'Sleep' then 1 end) from information_schema.processlist
        where user not in ('root', 'system user', 'unauthenticated user')`;
      const [[open, running] = []] = await admin(text);
      return { open: Number(open), running: Number(running) };
    },
    table: (name) => (name === 'odd' ? `"${odd.replaceAll('"', '""')}"` : name),
    numbers: (count) =>
      `select a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d + 100000 * f.d as n
       from digits a, digits b, digits c, digits d, digits e, digits f limit ${count}`,
    sleep: (seconds) => `select sleep(${seconds})`,
    // Many sleeps at once keep KILL waiting for one of MariaDB's own locks, which computing does not.
    busy: () =>
      `select sum(a.d * l.d) from ${'a b c d e f g h i j k l'
        .split(' ')
        .map((letter) => `digits ${letter}`)
        .join(', ')}`,
    text: (length) => `repeat('x', ${length})`,
    mark: () => '?',
    quote,
    certificates,
    async stop() {
      await connection.end();
      await server.stop();
      certificates.remove();
    },
  };
}

/** A port that takes TLS and plain connections, and hands both on to another port. */
async function startBothPorts(target: number, certificates: Certificates): Promise<{ port: number; close(): void }> {
  const { cert, key } = certificates.of('localhost');
  const secureContext = createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
    socket.once('data', (start) => {
      socket.pause();
      socket.unshift(start);
      const isTls = start[0] === 0x16;
      const client = isTls ? new TLSSocket(socket, { isServer: true, secureContext }) : socket;
      const upstream = connect(target, '127.0.0.1');
      client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** ClickHouse has one user here, who may read everything. */
export async function clickhouseSource(): Promise<Source> {
  const certificates = makeCertificates();
  const server = await startClickhouse({ user: 'reader', password });
  const both = await startBothPorts(server.port, certificates);
  const admin: Source['admin'] = async (...statements) => {
    let last: readonly (readonly unknown[])[] = [];
    for (const statement of statements) {
      const text = await server.run(statement, { database: 'shop', default_format: 'JSONCompactEachRow' });
      last = text.split('\n').flatMap((line): readonly unknown[][] => (line === '' ? [] : [JSON.parse(line)]));
    }
    return last;
  };
  const quote = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
  await server.run('create database shop');
  await admin(
    `create table shop.orders (id Int64, region Nullable(String), amount Nullable(Decimal(24, 6)),
       share Nullable(Float64), placed Nullable(DateTime64(6, 'UTC')), day Nullable(Date32), note Nullable(String))
       engine = MergeTree order by id`,
    `insert into shop.orders values
       (1, 'north', 12345678901234567.123456, 0.1, '2024-02-29 12:34:56.789012', '2024-02-29', null),
       (2, 'süd ☀', -0.5, 1e300, '1999-12-31 23:59:59', '1999-12-31', 'a''b'),
       (9007199254740993, null, null, null, null, null, '')`,
    `create table shop.${quote(odd)} (${quote('co l')} Int32) engine = MergeTree order by tuple()`,
    'create view shop.big_orders as select id, amount from shop.orders where amount > 0',
    `create materialized view shop.regions engine = SummingMergeTree order by region populate as
       select coalesce(region, '') as region, count() as orders from shop.orders group by 1`,
  );
  return {
    name: 'clickhouse',
    port: both.port,
    reach: settingsOf({ host: '127.0.0.1', port: String(both.port), scope: 'shop' }),
    admin,
    async sessions() {
      const [[running] = []] = await admin("select count() from system.processes where query not like '%processes%'");
      return { open: Number(running), running: Number(running) };
    },
    table: (name) => (name === 'odd' ? `"${odd.replaceAll('"', '""')}"` : name),
    numbers: (count) => `select number + 1 as n from numbers(${count})`,
    sleep: (seconds) => `select ${seconds === 0 ? '0' : 'sum(sipHash64(number)) from numbers(1000000000000)'}`,
    busy: () => 'select sum(sipHash64(number)) from numbers(1000000000000)',
    text: (length) => `repeat(repeat('x', 1000), ${length / 1000})`,
    mark: (position, type) => `{p${position}:${type === 'text' ? 'String' : 'Int64'}}`,
    quote,
    certificates,
    async stop() {
      both.close();
      await server.stop();
      certificates.remove();
    },
  };
}

/** A schema of its own in the cluster that all tests of a run share. It knows no passwords, and no user may read less. */
export async function trinoSource(): Promise<Source> {
  const certificates = makeCertificates();
  const url = sharedTrino() ?? '';
  const both = await startBothPorts(Number(new URL(url).port), certificates);
  const schema = `shop_${randomUUID().replaceAll('-', '')}`;
  const admin: Source['admin'] = async (...statements) => {
    let last: readonly (readonly unknown[])[] = [];
    for (const statement of statements) last = await trinoRows(url, statement, schema);
    return last;
  };
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const reach = settingsOf({ host: '127.0.0.1', port: String(both.port), scope: 'memory' });
  await admin(
    `create schema memory.${schema}`,
    `create table orders (id bigint not null, region varchar, amount decimal(24, 6), share double, placed timestamp(6),
       day date, note varchar)`,
    `insert into orders values
       (1, 'north', decimal '12345678901234567.123456', 0.1e0, timestamp '2024-02-29 12:34:56.789012', date '2024-02-29', null),
       (2, 'süd ☀', -0.5, 1e300, timestamp '1999-12-31 23:59:59', date '1999-12-31', 'a''b'),
       (9007199254740993, null, null, null, null, null, '')`,
    `create table ${quote(odd)} (${quote('co l')} integer)`,
    'create view big_orders as select id, amount from orders where amount > 0',
    'create table regions (region varchar, tags array(varchar), kept hyperloglog)',
  );
  const busy = 'select sum(a.quantity * b.totalprice) from tpch.sf100.lineitem a cross join tpch.sf100.orders b';
  return {
    name: 'trino',
    port: both.port,
    reach: ({ properties, ...changes } = {}) =>
      reach({ token: null, ...changes, properties: { schema, ...properties } }),
    admin,
    async sessions() {
      const [[running] = []] = await admin(
        `select count(*) from system.runtime.queries where "user" = 'reader' and state in ('QUEUED', 'PLANNING', 'STARTING', 'RUNNING')`,
      );
      return { open: Number(running), running: Number(running) };
    },
    table: (name) => (name === 'odd' ? quote(odd) : name),
    numbers: (count) =>
      `select (a - 1) * 1000 + b as n from unnest(sequence(1, ${Math.ceil(count / 1000)})) as s(a)
       cross join unnest(sequence(1, 1000)) as t(b) where (a - 1) * 1000 + b <= ${count}`,
    sleep: (seconds) => (seconds === 0 ? 'select 0' : busy),
    busy: () => busy,
    text: (length) => `rpad('', ${length}, 'x')`,
    mark: (_position, type) => `cast(? as ${type === 'text' ? 'varchar' : 'bigint'})`,
    quote,
    certificates,
    async stop() {
      await admin(`drop schema memory.${schema} cascade`);
      both.close();
      certificates.remove();
    },
  };
}

/** Connectors that may reach this machine. */
export const localConnectors = (size = 5): Omit<Connectors, 'of'> & { readonly of: (name: string) => SqlConnector } => {
  const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
  const describe = () => Promise.reject(new Error('no files here'));
  const bulkhead = new Bulkhead(500, Date.now);
  const connectors = createConnectors({ outbound, bulkhead, size, filesDir: undefined, describe });
  const of = (name: string): SqlConnector => {
    const connector = connectors.of(name);
    if (connector?.kind !== 'sql') throw new Error(`${name} is no database`);
    return connector;
  };
  return { ...connectors, of };
};

export const sources = {
  postgresql: postgresqlSource,
  mysql: mysqlSource,
  clickhouse: clickhouseSource,
  trino: trinoSource,
} as const satisfies Readonly<Record<SourceName, () => Promise<Source>>>;
