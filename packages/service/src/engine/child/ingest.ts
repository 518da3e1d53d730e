import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { EngineProblem, type BatchColumn } from '../engine.ts';
import type { ChildEnd, IngestRequest } from '../messages.ts';
import { attach, confine } from './database.ts';
import { faultOf } from './faults.ts';
import { isWide, madeFor } from './layout.ts';
import { loadRows, type NextBatch } from './load.ts';
import { makeMembers } from './members.ts';
import { changeCopy, checkKey, joinRows } from './onto.ts';
import { identifier, literal } from './quote.ts';
import { checkWidth, namesLine, withFile } from './read-file.ts';
import { columnsOf, type StagedColumn } from './statistics.ts';
import { finishVersion, type Changes } from './version.ts';

const progressEveryMs = 250;

const fresh = 'stage.main."fresh"';
const whole = 'stage.main."whole"';

/** How a column is written: types that the query compiler does not know become text or JSON. */
function plainCell({ name, type }: StagedColumn): string {
  const column = identifier(name);
  switch (type.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.STRUCT:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.UNION:
      return `to_json(${column})`;
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return `${column}::TIMESTAMP`;
    case DuckDBTypeId.FLOAT:
      return `${column}::DOUBLE`;
    case DuckDBTypeId.BLOB:
    case DuckDBTypeId.BIT:
    case DuckDBTypeId.TIME:
    case DuckDBTypeId.TIME_TZ:
    case DuckDBTypeId.INTERVAL:
    case DuckDBTypeId.UUID:
    case DuckDBTypeId.ENUM:
      return `${column}::VARCHAR`;
    default:
      return column;
  }
}

/**
 * Whether rows may be written where all members are looked for first. Not asked of DuckDB's words: whatever went wrong with a
 * value is tried again, but for a cell that does not fit its file's types, where more members would not help.
 */
const mayBeNoMember = (error: unknown): boolean => faultOf(error)?.cause === 'sql' && !namesLine(error);

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
      return `${few === undefined ? plainCell(column) : `${name}::${few.type}`} as ${name}`;
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

async function stageFile(connection: DuckDBConnection, rows: string, columns: number, target: string): Promise<void> {
  await attachStage(connection, target, columns);
  await connection.run(`create or replace table ${fresh} as from ${rows}`);
}

/** Takes the rows of a request into a table of a database beside the target, where they lie until they are written. */
async function stage(
  connection: DuckDBConnection,
  { source, overrides, onto, target }: IngestRequest,
  next: NextBatch,
  loaded: (rows: number) => void,
  textsMb: number,
): Promise<void> {
  const before = onto === null ? 0 : (await columnsOf(connection, 'base.main."rows"')).length;
  const load = async (columns: readonly BatchColumn[], from: NextBatch): Promise<void> => {
    await attachStage(connection, target, Math.max(before, columns.length));
    // In memory many columns would take a large block each. A key asks for the order of rows, which a view does not have.
    const staged = isWide(columns.length) ? { staged: 'stage.main."staged"' } : {};
    const as = isWide(columns.length) && (onto?.key ?? null) === null ? 'view' : 'table';
    await loadRows(connection, { table: fresh, as, ...staged }, columns, from, loaded);
  };
  if (source.kind === 'workbook') {
    // Loaded when a workbook comes in: other children have no use for its readers.
    const { sheetBatches } = await import('./sheet.ts');
    const { columns, next: nextRows, close } = await sheetBatches(source, new Map(overrides), textsMb);
    try {
      await load(columns, nextRows);
    } finally {
      await close();
    }
    return;
  }
  if (source.kind === 'file')
    return withFile(connection, source, overrides, async (rows) => {
      await stageFile(connection, rows, Math.max(before, (await columnsOf(connection, rows)).length), target);
    });
  const kept = new Map(overrides);
  const columns = source.columns.map((column) => ({ name: column.name, kept: kept.get(column.name) ?? column.kept }));
  await load(columns, next);
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
  // A file that is read quickly is read where it lies, once for its members and once to write it; JSON is not read twice.
  const straight = source.kind === 'file' && source.format !== 'ndjson' && onto === null ? source : null;
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
  /** Gives what a copy that was changed has seen; null where the rows were written whole. */
  const writeRows = async (): Promise<Changes | null> => {
    if (straight !== null) {
      await withFile(connection, straight, request.overrides, async (rows) => {
        const { length: columns } = await columnsOf(connection, rows);
        // A wide file is read once: its members are found a few columns at a time.
        const from = straight.format === 'csv' && isWide(columns) ? fresh : rows;
        if (from === fresh) await stageFile(connection, rows, columns, target);
        await writeWhole(connection, from, straight.format === 'csv', target);
      });
      return null;
    }
    await stage(connection, request, next, (rows) => progress(rows, 0), textsMb);
    if (onto !== null) await checkKey(connection, fresh, onto.key);
    const changes = onto === null ? null : await changeCopy(connection, onto, fresh, target);
    if (changes !== null) return changes;
    if (onto !== null) await joinRows(connection, fresh, onto.key, whole);
    await writeWhole(connection, onto === null ? fresh : whole, false, target);
    return null;
  };
  try {
    const end = await finishVersion(connection, await writeRows());
    told.rows = end.rows;
    progress(end.rows, size);
    await connection.run('use memory');
    await connection.run('detach database if exists stage');
    await connection.run('detach target');
    const refused = refusal();
    if (refused !== null) throw refused;
    return { op: 'ingest', rows: end.rows, bytes: sizeOf(target), columns: end.columns };
  } catch (error) {
    throw refusal() ?? error;
  } finally {
    clearInterval(tell);
  }
}
