// A bare Fastify service: the service's main statement of each operation on the same tables, no validation, no access control.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import postgres from 'postgres';
import { timestamp, uuidV7 } from '@inlay/contract';

const [, , kind = 'sqlite', where = '', port = '0', sample = ''] = process.argv;
/** A sample record of the service, which has the members that a create adds to the sent ones. */
const fresh: object = JSON.parse(readFileSync(sample, 'utf8'));
/** The columns of a new securable. */
const columns = [
  'id',
  'revision',
  'organization_id',
  'created_at',
  'updated_at',
  'deleted_at',
  'shape',
  'secrets',
  'secret_key',
  'type',
  'subtype',
  'modified_at',
  'account_id',
  'original_id',
  'modifier_id',
  'owner_id',
  'texts',
  'record',
  'name_text',
  'description_text',
  'subtitle_text',
] as const;
/** Whose the new ones are: nobody's of the service. */
const organizationId = uuidV7(Date.now(), randomUUID());
const ownerId = uuidV7(Date.now(), randomUUID());

type New = Readonly<Partial<Record<(typeof columns)[number], string | number>>>;
const valuesOf = (made: New): (string | number | null)[] => columns.map((column) => made[column] ?? null);
const insert = (value: (index: number) => string): string =>
  `insert into securable (${columns.join(', ')}) values (${columns.map((_, index) => value(index)).join(', ')})`;

interface Body {
  readonly id: string;
  readonly fragment: string;
  readonly properties: object;
}

interface Statements {
  get(id: string): Promise<string>;
  search(fragment: string): Promise<readonly string[]>;
  create(made: New): Promise<void>;
  update(id: string, record: string): Promise<void>;
  associate(first: string, target: string): Promise<void>;
}

/** The index has no positions, so a text is found by all its trigrams. */
const trigrams = (fragment: string): string =>
  Array.from({ length: fragment.length - 2 }, (_, at) => `"${fragment.slice(at, at + 3)}"`).join(' AND ');

function onSqlite(): Statements {
  const db = new DatabaseSync(where);
  db.exec('pragma journal_mode = wal; pragma synchronous = full');
  const get = db.prepare('select record from securable where id = ?');
  const search = db.prepare(
    'select record from securable where seq in (select rowid from securable_text_index where securable_text_index match ?) limit 50',
  );
  const create = db.prepare(insert(() => '?'));
  const update = db.prepare('update securable set record = ? where id = ?');
  const associate = db.prepare(
    'insert into link (first_id, target_id, association) values (?, ?, ?) on conflict do nothing',
  );
  return {
    get: async (id) => String(get.get(id)?.['record']),
    search: async (fragment) => search.all(trigrams(fragment)).map((row) => String(row['record'])),
    create: async (made) => void create.run(...valuesOf(made)),
    update: async (id, record) => void update.run(record, id),
    associate: async (first, target) => void associate.run(first, target, 'bare'),
  };
}

function onPostgres(): Statements {
  const pool = postgres(where, { max: 10, onnotice: () => undefined });
  const prepare = { prepare: true };
  const create = insert((index) => `$${index + 1}`);
  const records = (rows: readonly Record<string, unknown>[]): readonly string[] =>
    rows.map((row) => String(row['record']));
  return {
    get: async (id) =>
      records(await pool.unsafe('select record from securable where id = $1', [id], prepare))[0] ?? '{}',
    search: async (fragment) =>
      records(
        await pool.unsafe('select record from securable where name_text like $1 limit 50', [`%${fragment}%`], prepare),
      ),
    create: async (made) => void (await pool.unsafe(create, valuesOf(made), prepare)),
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
  const unixMs = Date.now();
  const now = timestamp(unixMs);
  const id = uuidV7(unixMs, randomUUID());
  const made = {
    created_at: now,
    updated_at: now,
    modified_at: now,
    owner_id: ownerId,
    organization_id: organizationId,
  };
  const record = { ...fresh, ...request.body.properties, id, ...made };
  const texts = { name_text: 'made under load', description_text: '', subtitle_text: '' };
  await statements.create({
    id,
    revision: 1,
    shape: 1,
    type: 'dashboard',
    ...made,
    ...texts,
    texts: JSON.stringify(request.body.properties),
    record: JSON.stringify(record),
  });
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
