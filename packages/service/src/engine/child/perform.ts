import { dirname } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Assignment, ChildEnd, ChildLimits, ChildRequest, SentTable } from '../messages.ts';
import type { FilesSource } from '../engine.ts';
import { checkSelect } from './read/check-select.ts';
import { createConnections } from './connections.ts';
import { isDamage } from './faults.ts';
import { confine, lock, openDatabase } from './database.ts';
import { describe } from './read/describe.ts';
import { ingest } from './ingest.ts';
import { FilesInPlace, type OpenFiles } from './read/files-in-place.ts';
import { writeParquet } from './parquet.ts';
import { identifier } from './quote.ts';
import type { RunningRequest } from './running.ts';
import { select, type Send } from './select.ts';
import { keyOf, showFunctions, showTables, type AttachedVersions } from './tables.ts';
import { clearWriter, prepareWriter } from './writer.ts';
import { attachVersion, OpenVersions, type AttachedVersion } from './versions.ts';

/** Callbacks of a running request. */
export interface Out {
  readonly send: Send;
  readonly progress: (rows: number, bytes: number) => void;
}

export type Perform = (request: ChildRequest, running: RunningRequest, out: Out) => Promise<ChildEnd>;

async function onTables(
  connection: DuckDBConnection,
  request: Extract<ChildRequest, { readonly tables: readonly SentTable[] }>,
  { send }: Out,
  attachedVersions: AttachedVersions,
): Promise<ChildEnd> {
  if (request.op === 'select') {
    await showFunctions(connection, request.tables, attachedVersions, request.sql, new Map());
    return select(connection, (sql) => connection.prepare(sql), request, send);
  }
  const [onlyTable] = request.tables;
  const relation = request.userQuery === null ? identifier(onlyTable?.name ?? '') : `(${request.userQuery}\n)`;
  const version =
    onlyTable?.source.kind === 'file' && request.userQuery === null
      ? (attachedVersions.get(onlyTable.source.path)?.name ?? null)
      : null;
  return { op: 'describe', columns: await describe(connection, relation, version) };
}

const pathsOf = (tables: readonly SentTable[]): readonly string[] => [
  ...new Set(tables.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : []))),
];

/** Maximum number of idle connections. */
const freeConnections = 8;

const noFiles = (): string => {
  throw new Error('compiled statements read versions alone');
};

/**
 * Runs compiled statements concurrently, each on its own connection. Versions of datasets stay attached between
 * statements.
 */
async function compiled(database: DuckDBInstance, folder: string): Promise<Perform> {
  const holder = await database.connect();
  await confine(holder, { folders: [folder], files: [] });
  await lock(holder);
  const versions = new OpenVersions(holder);
  const connections = createConnections(database, freeConnections);
  return async (request, running, out) => {
    if (!('sql' in request) || request.op !== 'select') throw new Error('this child only answers compiled statements');
    const { tables, sql } = request;
    const closers: ((isDamaged: boolean) => void)[] = [];
    let isDamaged = false;
    try {
      const attachedVersions = new Map<string, AttachedVersion>();
      for (const path of pathsOf(tables)) {
        const { version, done } = await versions.open(path);
        closers.push(done);
        attachedVersions.set(path, version);
      }
      const key = keyOf(tables, attachedVersions);
      const preparedConnection = await connections.take(key, async (connection) => {
        running.use(connection);
        await showTables(connection, tables, attachedVersions, running.next, noFiles);
      });
      const { connection, made, statements } = preparedConnection;
      try {
        running.use(connection);
        await showFunctions(connection, tables, attachedVersions, sql, made);
        const childEnd = await select(connection, (text) => statements.prepare(text), request, out.send);
        // A truncated statement may leave state on its connection, so the connection is closed.
        connections.keep(childEnd.op === 'select' && childEnd.truncated ? null : key, preparedConnection);
        return childEnd;
      } catch (error) {
        preparedConnection.close();
        throw error;
      }
    } catch (error) {
      isDamaged = isDamage(error);
      throw error;
    } finally {
      for (const close of closers) close(isDamaged);
    }
  };
}

const namesOf = (tables: readonly { readonly name: string }[]): readonly string[] => tables.map(({ name }) => name);

/** Checks each user query against the tables that it may read. Raises EngineProblem `forbidden_sql`. */
async function checkTexts(
  connection: DuckDBConnection,
  request: Extract<ChildRequest, { readonly op: 'select' | 'describe' }>,
): Promise<void> {
  if (request.op === 'describe' && request.userQuery !== null)
    await checkSelect(connection, request.userQuery, namesOf(request.tables));
  for (const { source } of request.tables)
    if (source.kind === 'text') await checkSelect(connection, source.sql, namesOf(source.tables));
}

type NamedTable = { readonly name: string };

/**
 * Returns the tables whose names occur in a query. The other tables are not opened, so their problems do not matter.
 */
function tablesIn<Table extends NamedTable>(sql: string, tables: readonly Table[]): readonly Table[] {
  const text = sql.toLowerCase();
  return tables.filter(({ name }) => text.includes(identifier(name).slice(1, -1).toLowerCase()));
}

/** Returns the tables of a request, each user query with only those tables that it names. */
function readTables(request: Extract<ChildRequest, { readonly op: 'select' | 'describe' }>): readonly SentTable[] {
  const { tables } = request;
  if (request.op === 'describe' && request.userQuery !== null) return tablesIn(request.userQuery, tables);
  return tables.map((table) => {
    const { source } = table;
    return source.kind === 'text'
      ? { ...table, source: { ...source, tables: tablesIn(source.sql, source.tables) } }
      : table;
  });
}

const filesOf = ({ source }: SentTable): readonly FilesSource[] =>
  source.kind === 'files' ? [source] : source.kind === 'text' ? source.tables.map(({ source: files }) => files) : [];

/** Runs one request at a time, each on a new database that can open only the files named in the request. */
function alone(limits: ChildLimits): Perform {
  const filesInPlace = new FilesInPlace(limits.workFolder);
  return async (request, running, out) => {
    // The shared strings of a workbook are outside DuckDB, so DuckDB and the strings each get half of the memory.
    const isWorkbook = request.op === 'ingest' && request.source.kind === 'workbook';
    const textsMb = isWorkbook ? Math.floor(limits.memoryMb / 2) : 0;
    const database = await openDatabase({ ...limits, memoryMb: limits.memoryMb - textsMb });
    const connection = await database.connect();
    let files: OpenFiles | null = null;
    try {
      running.use(connection);
      if (request.op === 'ingest') {
        await prepareWriter(connection);
        const allowedFiles = 'path' in request.source ? [request.source.path] : [];
        await confine(connection, { folders: [dirname(request.target)], files: allowedFiles });
        return await ingest(connection, request, running.next(0), out.progress, { threads: limits.threads, textsMb });
      }
      if (request.op === 'parquet') {
        const { folder } = request;
        return await writeParquet(
          connection,
          request,
          () => confine(connection, { folders: [folder], files: [] }),
          out.progress,
        );
      }
      if (request.op === 'check') {
        await checkSelect(connection, request.sql, request.tables);
        return { op: 'check' };
      }
      await checkTexts(connection, request);
      const tables = readTables(request);
      const attachedVersions = new Map<string, AttachedVersion>();
      for (const [index, path] of pathsOf(tables).entries())
        attachedVersions.set(path, await attachVersion(connection, path, `v${index}`));
      files = await filesInPlace.open(tables.flatMap(filesOf));
      await confine(connection, { folders: [], files: files.paths });
      await lock(connection);
      await showTables(connection, tables, attachedVersions, running.next, files.relationOf);
      return await onTables(connection, request, out, attachedVersions);
    } finally {
      connection.closeSync();
      database.closeSync();
      await files?.close();
    }
  };
}

/**
 * Writes versions one at a time on a database that is reused: creating one with its functions takes as long as writing
 * a few rows.
 */
async function writing(database: DuckDBInstance, limits: ChildLimits, folders: readonly string[]): Promise<Perform> {
  const connection = await database.connect();
  await prepareWriter(connection);
  await confine(connection, { folders, files: [] });
  return async (request, running, out) => {
    if (request.op !== 'ingest') throw new Error('this child only writes');
    running.use(connection);
    try {
      return await ingest(connection, request, running.next(0), out.progress, { threads: limits.threads, textsMb: 0 });
    } finally {
      await clearWriter(connection, request).catch(() => {
        throw new Error('FATAL Error: what a version left behind cannot be cleared away');
      });
    }
  };
}

/** Prepares this child for its duty. `spare` is a database that was opened with the same limits. */
export function assign({ limits, duty }: Assignment, spare: DuckDBInstance): Promise<Perform> {
  switch (duty.kind) {
    case 'compiled':
      return compiled(spare, duty.folder);
    case 'writing':
      return writing(spare, limits, duty.folders);
    case 'alone':
      return Promise.resolve(alone(limits));
  }
}
