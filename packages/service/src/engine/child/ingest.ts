import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import type { EngineColumn } from '../engine.ts';
import type { ChildEnd, IngestRequest } from '../messages.ts';
import { attach, confine } from './database.ts';
import { loadRows, type NextBatch } from './load.ts';
import { identifier, literal } from './quote.ts';
import { readFile } from './read-file.ts';
import { columnsOf, keepStatistics, statistics, type StagedColumn } from './statistics.ts';

/**
 * Text columns with at most so many members are kept as ENUM: even with 100,000 of them grouping and counting took 40 % of the time,
 * a test for equality 25 %, and the file grew no larger. A child reads the members when it opens the version, 50 ms for so many.
 */
const enumMembers = 110_000;
/** And all members together are no longer than this: every child that opens the version holds them. */
const enumBytes = 4_000_000;
/** And a member stands for several rows. */
const rowsPerMember = 4;

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

const isFew = ({ type }: StagedColumn, { cardinality = Infinity }: EngineColumn, rows: number): boolean =>
  type.typeId === DuckDBTypeId.VARCHAR &&
  type.alias === undefined &&
  cardinality <= enumMembers &&
  cardinality * rowsPerMember <= rows;

/** Makes the type of a column's members; false where there are none, or they are too long. */
async function makeMembers(connection: DuckDBConnection, from: string, name: string, type: string): Promise<boolean> {
  const members = `select distinct ${name} as member from ${from} where ${name} is not null`;
  const reader = await connection.runAndReadAll(`select coalesce(sum(strlen(member)), 0)::double from (${members})`);
  const bytes = reader.getRows()[0]?.[0];
  if (typeof bytes !== 'number' || bytes > enumBytes) return false;
  await connection.run(`create type ${type} as enum (${members} order by 1)`);
  return true;
}

/** Writes the rows to the target; members of an ENUM are in the order of text, so that sorting by it is sorting by text. */
async function write(connection: DuckDBConnection, from: string, progress: (rows: number) => void) {
  const columns = await columnsOf(connection, from);
  const found = await statistics(connection, from, columns);
  progress(found.rows);
  const cells = [];
  await connection.run('use target');
  for (const [index, column] of columns.entries()) {
    const name = identifier(column.name);
    const facts = found.columns[index];
    const type = `"members_${index}"`;
    const few = facts !== undefined && isFew(column, facts, found.rows);
    const cell = few && (await makeMembers(connection, from, name, type)) ? `${name}::${type}` : plainCell(column);
    cells.push(`${cell} as ${name}`);
  }
  // Two threads that keep the order of rows leave row groups half full: the file was half as large again, and not made sooner.
  await connection.run('set threads = 1');
  await connection.run(`create table "rows" as select ${cells.join(', ')} from ${from}`);
  await keepStatistics(connection, 'target', found.columns);
  await connection.run('use memory');
  return found;
}

/** Writes a dataset version to the target of the request. Raises EngineProblem `input` naming row or line and column. */
export async function ingest(
  connection: DuckDBConnection,
  { source, overrides, onto, target }: IngestRequest,
  next: NextBatch,
  progress: (rows: number, bytes: number) => void,
): Promise<ChildEnd> {
  await connection.run(`attach ${literal(`${target}.stage`)} as stage`);
  await connection.run(`attach ${literal(target)} as target`);
  if (onto !== null) await attach(connection, onto.path, 'base');
  await connection.run('set enable_progress_bar = true');
  await connection.run('set enable_progress_bar_print = false');
  await confine(connection, { folders: [dirname(target)], files: source.kind === 'file' ? [source.path] : [] });
  const size = source.kind === 'file' ? statSync(source.path).size : 0;
  const told = { rows: 0, bytes: 0 };
  const tell = setInterval(() => {
    const { percentage, rows_processed: rows } = connection.progress;
    if (source.kind === 'file' && percentage > 0 && told.rows === 0)
      progress(Number(rows), Math.round((Math.min(percentage, 100) / 100) * size));
  }, progressEveryMs);
  try {
    if (source.kind === 'file') await readFile(connection, fresh, source, overrides);
    else {
      const columns = source.columns.map(({ name, kept }) => ({ name, kept: new Map(overrides).get(name) ?? kept }));
      await loadRows(connection, { table: fresh, temporary: false }, columns, next, (rows) => progress(rows, 0));
    }
    const from = onto === null ? fresh : await join(connection, onto.key);
    const end = await write(connection, from, (rows) => {
      told.rows = rows;
      progress(rows, size);
    });
    await connection.run('detach stage');
    await connection.run('detach target');
    return { op: 'ingest', rows: end.rows, bytes: statSync(target).size, columns: end.columns };
  } finally {
    clearInterval(tell);
  }
}
