import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Assignment, ChildEnd, ChildLimits, ChildRequest, SentTable } from '../messages.ts';
import { checkSelect } from './check-select.ts';
import { attach, confine, lock, openDatabase } from './database.ts';
import { describe } from './describe.ts';
import { ingest } from './ingest.ts';
import { identifier } from './quote.ts';
import type { Running } from './running.ts';
import { select, type Send } from './select.ts';
import { showTables } from './tables.ts';
import { createVersions } from './versions.ts';

/** What a request reports while it runs. */
export interface Out {
  readonly send: Send;
  readonly progress: (rows: number, bytes: number) => void;
}

export type Perform = (request: ChildRequest, running: Running, out: Out) => Promise<ChildEnd>;

async function onTables(
  connection: DuckDBConnection,
  request: Extract<ChildRequest, { readonly tables: readonly SentTable[] }>,
  { send }: Out,
  attached: ReadonlyMap<string, string>,
): Promise<ChildEnd> {
  if (request.op === 'select') return select(connection, request, send);
  const [only] = request.tables;
  const relation = request.userQuery === null ? identifier(only?.name ?? '') : `(${request.userQuery}\n)`;
  const version =
    only?.source.kind === 'file' && request.userQuery === null ? (attached.get(only.source.path) ?? null) : null;
  return { op: 'describe', columns: await describe(connection, relation, version) };
}

/** Statements of the query compiler, each on a connection of its own, over versions that stay attached. */
async function compiled(database: DuckDBInstance, folder: string): Promise<Perform> {
  const holder = await database.connect();
  await confine(holder, { folders: [folder], files: [] });
  await lock(holder);
  const versions = createVersions(holder);
  return async (request, running, out) => {
    if (!('sql' in request) || request.op !== 'select') throw new Error('this child only answers compiled statements');
    const connection = await database.connect();
    const opened: (() => void)[] = [];
    const attached = async (path: string): Promise<string> => {
      const { name, done } = await versions.open(path);
      opened.push(done);
      return name;
    };
    try {
      running.use(connection);
      await showTables(connection, request.tables, attached, running.next);
      return await select(connection, request, out.send);
    } finally {
      connection.closeSync();
      for (const done of opened) done();
    }
  };
}

const userQueriesOf = (request: Extract<ChildRequest, { readonly op: 'select' | 'describe' }>): readonly string[] =>
  request.op === 'select' ? request.userQueries : request.userQuery === null ? [] : [request.userQuery];

/** One request on a database of its own: what it names is opened, then nothing else can be. */
const alone =
  (limits: ChildLimits): Perform =>
  async (request, running, out) => {
    const database = await openDatabase(limits);
    const connection = await database.connect();
    try {
      running.use(connection);
      if (request.op === 'ingest') return await ingest(connection, request, running.next(0), out.progress);
      if (request.op === 'check') {
        await checkSelect(connection, request.sql, request.tables);
        return { op: 'check' };
      }
      const names = request.tables.map(({ name }) => name);
      for (const text of userQueriesOf(request)) await checkSelect(connection, text, names);
      const paths = request.tables.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : []));
      const attached = new Map([...new Set(paths)].map((path, index) => [path, `v${index}`]));
      for (const [path, name] of attached) await attach(connection, path, name);
      const files = request.tables.flatMap(({ source }) => (source.kind === 'files' ? source.paths : []));
      await confine(connection, { folders: [], files });
      await lock(connection);
      await showTables(connection, request.tables, async (path) => attached.get(path) ?? '', running.next);
      return await onTables(connection, request, out, attached);
    } finally {
      connection.closeSync();
      database.closeSync();
    }
  };

/** Prepares a child for what it is for; `spare` is a database opened with the same limits. */
export const assign = ({ limits, duty }: Assignment, spare: DuckDBInstance): Promise<Perform> =>
  duty.kind === 'compiled' ? compiled(spare, duty.folder) : Promise.resolve(alone(limits));
