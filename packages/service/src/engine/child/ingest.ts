import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { EngineProblem, mostColumns } from '../engine.ts';
import type { ChildEnd, IngestRequest } from '../messages.ts';
import { attach, confine } from './database.ts';
import { faultOf } from './faults.ts';
import { loadRows, type NextBatch } from './load.ts';
import { makeMembers, type Members } from './members.ts';
import { identifier, literal } from './quote.ts';
import { namesLine, withFile } from './read-file.ts';
import { columnsOf, keepStatistics, statistics, type StagedColumn } from './statistics.ts';

const progressEveryMs = 250;

const fresh = 'stage.main."fresh"';
const whole = 'stage.main."whole"';

async function asText(connection: DuckDBConnection, relation: string): Promise<string> {
  const cells = (await columnsOf(connection, relation)).map(({ name, type }) =>
    type.typeId === DuckDBTypeId.ENUM ? `${identifier(name)}::VARCHAR as ${identifier(name)}` : identifier(name),
  );
  return `select ${cells.join(', ')} from ${relation}`;
}

/** Puts the new rows behind those of a version; with a key, they take the place of rows with the same one. */
async function join(connection: DuckDBConnection, key: readonly string[] | null): Promise<string> {
  const base = await asText(connection, 'base.main."rows"');
  const same = (key ?? [])
    .map((name) => `f.${identifier(name)} is not distinct from b.${identifier(name)}`)
    .join(' and ');
  const kept = key === null ? base : `select * from (${base}) b where not exists (from ${fresh} f where ${same})`;
  const last =
    key === null
      ? `select * from ${fresh}`
      : `select * from ${fresh} qualify row_number() over (partition by ${key.map(identifier).join(', ')} order by rowid desc) = 1`;
  await connection.run(`create table ${whole} as (${kept}) union all by name (${last})`);
  return whole;
}

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

/** Writes the rows of a relation to the target; members of an ENUM are in the order of text, so that sorting by it is sorting by text. */
async function write(connection: DuckDBConnection, from: string, isCsv: boolean, known: (rows: number) => void) {
  const columns = await columnsOf(connection, from);
  if (columns.length > mostColumns)
    throw new EngineProblem('input', `there are ${columns.length} columns, at most ${mostColumns} are taken`);
  await connection.run('use target');
  const attempt = async (expect: boolean): Promise<ReadonlyMap<string, Members>> => {
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
      return members;
    } catch (error) {
      if (mayBeNoMember(error) && [...members.values()].some(({ isCertain }) => !isCertain)) return attempt(false);
      throw error;
    }
  };
  const found = await statistics(connection, 'target.main."rows"', await attempt(true));
  known(found.rows);
  await keepStatistics(connection, 'target', found.columns);
  await connection.run('use memory');
  return found;
}

/** Takes the rows of a request into a table of a database beside the target, where they lie until they are written. */
async function stage(
  connection: DuckDBConnection,
  { source, overrides }: IngestRequest,
  next: NextBatch,
  loaded: (rows: number) => void,
): Promise<void> {
  if (source.kind === 'file')
    return withFile(connection, source, overrides, async (rows) => {
      await connection.run(`create or replace table ${fresh} as from ${rows}`);
    });
  const kept = new Map(overrides);
  const columns = source.columns.map((column) => ({ name: column.name, kept: kept.get(column.name) ?? column.kept }));
  await loadRows(connection, { table: fresh, temporary: false }, columns, next, loaded);
}

/** Writes a dataset version to the target of the request. Raises EngineProblem `input` naming row or line and column. */
export async function ingest(
  connection: DuckDBConnection,
  request: IngestRequest,
  next: NextBatch,
  progress: (rows: number, bytes: number) => void,
): Promise<ChildEnd> {
  const { source, onto, target } = request;
  // A file that is read quickly is read where it lies, once for its members and once to write it; JSON is not read twice.
  const straight = source.kind === 'file' && source.format !== 'ndjson' && onto === null ? source : null;
  if (straight === null) await connection.run(`attach ${literal(`${target}.stage`)} as stage`);
  // What is committed goes to the file at once: a log of it would repeat the members of every ENUM for each row group, 190 MB for 15 million rows.
  await connection.run("set checkpoint_threshold = '0KB'");
  await connection.run('set auto_checkpoint_skip_wal_threshold = 0');
  await connection.run(`attach ${literal(target)} as target`);
  if (onto !== null) await attach(connection, onto.path, 'base');
  await connection.run('set enable_progress_bar = true');
  await connection.run('set enable_progress_bar_print = false');
  await confine(connection, { folders: [dirname(target)], files: source.kind === 'file' ? [source.path] : [] });
  const size = source.kind === 'file' ? statSync(source.path).size : 0;
  const told = { rows: 0, bytes: 0 };
  const tell = setInterval(() => {
    const { percentage, rows_processed: rows } = connection.progress;
    const bytes = Math.round((Math.min(percentage, 100) / 100) * size);
    if (source.kind !== 'file' || told.rows > 0 || bytes <= told.bytes) return;
    told.bytes = bytes;
    progress(Number(rows), bytes);
  }, progressEveryMs);
  const known = (rows: number): void => {
    told.rows = rows;
    progress(rows, size);
  };
  try {
    const end = await (async () => {
      if (straight !== null)
        return withFile(connection, straight, request.overrides, (rows) =>
          write(connection, rows, straight.format === 'csv', known),
        );
      await stage(connection, request, next, (rows) => progress(rows, 0));
      const from = onto === null ? fresh : await join(connection, onto.key);
      const written = await write(connection, from, false, known);
      await connection.run('detach stage');
      return written;
    })();
    await connection.run('detach target');
    return { op: 'ingest', rows: end.rows, bytes: statSync(target).size, columns: end.columns };
  } finally {
    clearInterval(tell);
  }
}
