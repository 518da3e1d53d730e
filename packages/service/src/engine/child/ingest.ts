import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import { cellKinds } from '../../cells.ts';
import { EngineProblem } from '../engine.ts';
import type { ChildEnd, IngestRequest } from '../messages.ts';
import { attach, confine } from './database.ts';
import { decide, type RowConversion, type FreshColumn, type Rules } from './write/decide.ts';
import { faultOf } from './faults.ts';
import { makeFits } from './write/fits.ts';
import { jsonLines } from './read/json-lines.ts';
import { isWide, madeFor } from './write/layout.ts';
import { makeMembers } from './write/members.ts';
import { checkWidth } from './read/names.ts';
import { changeCopy, checkNames, joinRows } from './write/onto.ts';
import { identifier, literal } from './quote.ts';
import { fileRows, inputProblem, isCsvTrouble } from './read/read-file.ts';
import { stagedColumns, stageRows, type NextBatch, type TextRows } from './write/stage-rows.ts';
import { columnsOf } from './write/statistics.ts';
import { finishVersion, type Changes } from './write/version.ts';

const progressEveryMs = 250;

const base = 'base.main."rows"';
const staged = 'stage.main."staged"';
const fresh = 'stage.main."fresh"';
const whole = 'stage.main."whole"';

/** Whether rows may be written where all members are looked for first: whatever went wrong with a value is tried again. */
const mayBeNoMember = (error: unknown): boolean => faultOf(error)?.cause === 'sql';

/** Attaches a database that is made for a table of so many columns; once, where a first attempt failed. */
async function attachMade(connection: DuckDBConnection, path: string, name: string, columns: number): Promise<void> {
  await connection.run(`attach if not exists ${literal(path)} as ${name} ${madeFor(columns)}`);
  // Each thread holds blocks of its own for every column.
  if (isWide(columns)) await connection.run('set threads = 1');
}

/** Writes the rows of a relation to the target; members of an ENUM are in the order of text, so that sorting by it is sorting by text. */
async function writeWhole(connection: DuckDBConnection, from: string, isCsv: boolean, target: string): Promise<void> {
  const columns = await columnsOf(connection, from);
  checkWidth(columns.length);
  await attachMade(connection, target, 'target', columns.length);
  await connection.run('use target');
  const attempt = async (expect: boolean): Promise<void> => {
    const members = await makeMembers(connection, from, columns, expect);
    const cells = columns.map((column) => {
      const name = identifier(column.name);
      const few = members.get(column.name);
      return `${few === undefined ? name : `${name}::${few.type}`} as ${name}`;
    });
    // Two threads that keep the order of rows leave row groups of anything but CSV half full: the file was half as large again, and not made sooner.
    if (!isCsv) await connection.run('set threads = 1');
    try {
      await connection.run(`create or replace table "rows" as select ${cells.join(', ')} from ${from}`);
    } catch (error) {
      if (mayBeNoMember(error) && [...members.values()].some(({ isCertain }) => !isCertain)) return attempt(false);
      throw error;
    }
  };
  await attempt(true);
}

const attachStage = (connection: DuckDBConnection, target: string, columns: number): Promise<void> =>
  attachMade(connection, `${target}.stage`, 'stage', columns);

/** New rows, and how their cells come to be those of a version. */
interface Fresh {
  readonly from: string;
  readonly columns: readonly FreshColumn[];
}

/** A file that is read line by line, or rows that are sent. */
async function textRows(request: IngestRequest, next: NextBatch, textsMb: number): Promise<TextRows> {
  const { source } = request;
  // Loaded when a workbook comes in: other children have no use for its readers.
  if (source.kind === 'workbook') return (await import('./read/sheet.ts')).sheetBatches(source, textsMb);
  if (source.kind === 'file') return jsonLines(source.path);
  const kinds = source.columns.map((column) => column.kinds ?? cellKinds.any);
  return { names: source.columns.map(({ name }) => name), next, kinds: () => kinds, close: () => Promise.resolve() };
}

/** Takes the rows of a request into a table beside the target where they cannot be read twice where they lie. */
async function take(
  connection: DuckDBConnection,
  request: IngestRequest,
  next: NextBatch,
  loaded: (rows: number) => void,
  textsMb: number,
  isAbreast: boolean,
): Promise<Fresh> {
  const { source, onto, target } = request;
  const before = onto === null ? 0 : (await columnsOf(connection, base)).length;
  if (source.kind === 'file' && source.format !== 'ndjson') {
    const { relation, columns } = await fileRows(connection, source, isAbreast);
    // A wide file is read once: its members are found a few columns at a time.
    const isRead = source.format === 'csv' && isWide(columns.length);
    if (onto === null && !isRead) return { from: relation, columns };
    await attachStage(connection, target, Math.max(before, columns.length));
    await connection.run(`create or replace table ${staged} as from ${relation}`);
    return { from: staged, columns };
  }
  const rows = await textRows(request, next, textsMb);
  try {
    await attachStage(connection, target, Math.max(before, rows.names.length));
    await stageRows(connection, staged, rows, loaded);
  } finally {
    await rows.close();
  }
  return { from: staged, columns: stagedColumns(rows) };
}

function rulesOf({ source, overrides, declared, onInvalid }: IngestRequest, before: Rules['base']): Rules {
  const told =
    source.kind === 'rows'
      ? source.columns.flatMap(({ name, kept }): (readonly [string, StorageType])[] => (kept ? [[name, kept]] : []))
      : [];
  return { overrides: new Map([...told, ...overrides]), declared: new Map(declared), onInvalid, base: before };
}

/** Writes what is decided of new rows; gives what a copy that was changed has seen, null where the rows were written whole. */
async function writeRows(
  connection: DuckDBConnection,
  { source, onto, target }: IngestRequest,
  { query, widened }: RowConversion,
): Promise<Changes | null> {
  const isCsv = source.kind === 'file' && source.format === 'csv';
  if (onto === null) {
    await writeWhole(connection, `(${query})`, isCsv, target);
    return null;
  }
  // A key asks for the order of rows, which a view does not have.
  await connection.run(`create ${onto.key === null ? 'view' : 'table'} ${fresh} as ${query}`);
  await checkNames(connection, fresh, onto);
  const changes = widened.size > 0 ? null : await changeCopy(connection, onto, fresh, target);
  if (changes !== null) return changes;
  await joinRows(connection, fresh, onto.key, whole, widened);
  await writeWhole(connection, whole, false, target);
  return null;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** What a version takes on the disk while it is written. */
const bytesOf = (target: string): number =>
  [target, `${target}.wal`, `${target}.stage`, `${target}.stage.wal`].reduce((sum, path) => sum + sizeOf(path), 0);

/**
 * Writes a dataset version to the target of the request; `textsMb` is for what a workbook's sheets share. Raises EngineProblem `input`
 * naming row or line and column.
 */
export async function ingest(
  connection: DuckDBConnection,
  request: IngestRequest,
  next: NextBatch,
  progress: (rows: number, bytes: number) => void,
  textsMb: number,
): Promise<ChildEnd> {
  const { source, onto, target } = request;
  // What is committed goes to the file at once: a log of it would repeat the members of every ENUM for each row group, 190 MB for 15 million rows.
  await connection.run("set checkpoint_threshold = '0KB'");
  await connection.run('set auto_checkpoint_skip_wal_threshold = 0');
  if (onto !== null) await attach(connection, onto.path, 'base');
  await connection.run('set enable_progress_bar = true');
  await connection.run('set enable_progress_bar_print = false');
  await confine(connection, { folders: [dirname(target)], files: source.kind === 'file' ? [source.path] : [] });
  const size = source.kind === 'rows' ? 0 : statSync(source.path).size;
  const told = { rows: 0, bytes: 0 };
  const refusal = (): EngineProblem | null => {
    const { mostBytes, quotaBytes } = request;
    if (quotaBytes !== null && sizeOf(target) > quotaBytes) return new EngineProblem('quota');
    return bytesOf(target) > mostBytes
      ? new EngineProblem('input', 'they take too much space for the size of what was sent')
      : null;
  };
  const tell = setInterval(() => {
    if (refusal() !== null) connection.interrupt();
    const { percentage, rows_processed: rows } = connection.progress;
    const bytes = Math.round((Math.min(percentage, 100) / 100) * size);
    if (source.kind !== 'file' || told.rows > 0 || bytes <= told.bytes) return;
    told.bytes = bytes;
    progress(Number(rows), bytes);
  }, progressEveryMs);
  try {
    await makeFits(connection);
    const held = onto === null ? null : { table: base, columns: await columnsOf(connection, base) };
    const write = async (isAbreast: boolean): Promise<readonly [Changes | null, RowConversion]> => {
      const loaded = (rows: number): void => progress(rows, 0);
      const { from, columns } = await take(connection, request, next, loaded, textsMb, isAbreast);
      const decided = await decide(connection, from, columns, rulesOf(request, held));
      return [await writeRows(connection, request, decided), decided];
    };
    const [changes, decided] = await write(true).catch((error: unknown) => {
      if (!isCsvTrouble(error)) throw error;
      return write(false);
    });
    const end = await finishVersion(connection, changes);
    told.rows = end.rows;
    progress(end.rows, size);
    await connection.run('use memory');
    await connection.run('detach database if exists stage');
    await connection.run('detach target');
    const refused = refusal();
    if (refused !== null) throw refused;
    return { op: 'ingest', rows: end.rows, bytes: sizeOf(target), columns: end.columns, invalid: decided.invalid };
  } catch (error) {
    throw refusal() ?? (source.kind === 'file' ? inputProblem(error) : null) ?? error;
  } finally {
    clearInterval(tell);
  }
}
