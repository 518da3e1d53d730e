// A bare Fastify service: one statement a request on the same store, no validation, no access control.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import postgres from 'postgres';

const [, , kind = 'sqlite', where = '', port = '0'] = process.argv;

interface Body {
  readonly id: string;
  readonly fragment: string;
  readonly properties: object;
}

interface Statements {
  get(id: string): Promise<string>;
  search(fragment: string): Promise<readonly string[]>;
  create(id: string, record: string): Promise<void>;
  update(id: string, record: string): Promise<void>;
  associate(first: string, target: string): Promise<void>;
}

function onSqlite(): Statements {
  const db = new DatabaseSync(where);
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table if not exists bare (id text primary key, record text not null)',
  );
  const get = db.prepare('select record from securable where id = ?');
  const search = db.prepare(
    'select record from securable where seq in (select rowid from securable_text_index where securable_text_index match ?) limit 50',
  );
  const create = db.prepare('insert into bare (id, record) values (?, ?)');
  const update = db.prepare('update securable set record = ? where id = ?');
  const associate = db.prepare(
    'insert into link (first_id, target_id, association) values (?, ?, ?) on conflict do nothing',
  );
  return {
    get: async (id) => String(get.get(id)?.['record']),
    search: async (fragment) => search.all(`"${fragment}"`).map((row) => String(row['record'])),
    create: async (id, record) => void create.run(id, record),
    update: async (id, record) => void update.run(record, id),
    associate: async (first, target) => void associate.run(first, target, 'bare'),
  };
}

function onPostgres(): Statements {
  const pool = postgres(where, { max: 10, onnotice: () => undefined });
  const prepare = { prepare: true };
  void pool
    .unsafe('create table if not exists bare (id text primary key, record text not null)')
    .catch(() => undefined);
  const records = (rows: readonly Record<string, unknown>[]): readonly string[] =>
    rows.map((row) => String(row['record']));
  return {
    get: async (id) =>
      records(await pool.unsafe('select record from securable where id = $1', [id], prepare))[0] ?? '{}',
    search: async (fragment) =>
      records(
        await pool.unsafe(
          'select record from securable where seq in (select rowid from securable_text where name like $1) limit 50',
          [`%${fragment}%`],
          prepare,
        ),
      ),
    create: async (id, record) =>
      void (await pool.unsafe('insert into bare (id, record) values ($1, $2)', [id, record], prepare)),
    update: async (id, record) =>
      void (await pool.unsafe('update securable set record = $1 where id = $2', [record, id], prepare)),
    associate: async (first, target) =>
      void (await pool.unsafe(
        'insert into link (first_id, target_id, association) values ($1, $2, $3) on conflict do nothing',
        [first, target, 'bare'],
        prepare,
      )),
  };
}

const statements = kind === 'sqlite' ? onSqlite() : onPostgres();
const parse = (record: string): unknown => JSON.parse(record);
const server = Fastify();
server.post<{ Body: Body }>('/get', async (request) => parse(await statements.get(request.body.id)));
server.post<{ Body: Body }>('/search', async (request) => {
  const rows = await statements.search(request.body.fragment);
  return { count: rows.length, rows: rows.map(parse) };
});
server.post<{ Body: Body }>('/create', async (request) => {
  const record = { id: randomUUID(), ...request.body.properties };
  await statements.create(record.id, JSON.stringify(record));
  return record;
});
server.post<{ Body: Body }>('/update', async (request) => {
  const record = { id: request.body.id, ...request.body.properties };
  await statements.update(record.id, JSON.stringify(record));
  return record;
});
server.post<{ Body: Body & { target: string } }>('/associate', async (request) => {
  await statements.associate(request.body.id, request.body.target);
  return parse(await statements.get(request.body.id));
});
await server.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write('ready\n');
