import { copyFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { EngineProblem } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import { isNoRoom } from '../faults.ts';
import type { BaseVersion } from './base.ts';
import { changedFor, isWide } from './layout.ts';
import { enumOf } from './members.ts';
import { identifier, literal } from '../quote.ts';
import { columnsOf } from './statistics.ts';
import { changesOf, type Changes } from './version.ts';

export type Onto = NonNullable<IngestRequest['onto']>;

const rows = 'target.main."rows"';

/** Versions with fewer rows are always rewritten, which takes no longer than changing a copy of their file. */
const copiedFrom = 100_000;

const sameKey = (key: readonly string[], left: string, right: string): string =>
  key.map((name) => `${left}.${identifier(name)} is not distinct from ${right}.${identifier(name)}`).join(' and ');

/** Returns a query for the new rows. If several rows have the same key, the query returns the last one. */
const lastOf = (freshTable: string, key: Onto['key']): string =>
  key === null
    ? `select * from ${freshTable}`
    : `select * from ${freshTable} where rowid in (select max(rowid) from ${freshTable} group by ${key.map(identifier).join(', ')})`;

/**
 * Returns the select list for the rows of the previous version. `widenedColumns` has SQL for the cells of widened
 * columns, by lower-case name.
 */
function cellsOf({ columns }: BaseVersion, widenedColumns: ReadonlyMap<string, string> = new Map()): string {
  const cells = columns.map(({ name }) => {
    const widerCell = widenedColumns.get(name.toLowerCase());
    return widerCell === undefined ? identifier(name) : `${widerCell} as ${identifier(name)}`;
  });
  return cells.join(', ');
}

/** The table to create, SQL for the widened columns, and whether the table is small. */
interface JoinedRows {
  readonly whole: string;
  readonly widened: ReadonlyMap<string, string>;
  readonly isFew: boolean;
}

/**
 * Creates a table with the previous rows followed by the new ones. With a key, a new row replaces the previous rows
 * that have the same key.
 */
export async function joinRows(
  connection: DuckDBConnection,
  version: BaseVersion,
  freshTable: string,
  key: Onto['key'],
  { whole, widened, isFew }: JoinedRows,
): Promise<void> {
  const earlierRows = `select ${cellsOf(version, widened)} from ${await version.table()}`;
  const keptRows =
    key === null
      ? earlierRows
      : `select * from (${earlierRows}) b where not exists (from ${freshTable} f where ${sameKey(key, 'f', 'b')})`;
  const isView = isFew || isWide(version.columns.length);
  // Wide tables are views, so that writing reads a few columns at a time from the sources.
  await connection.run(
    `create ${isView ? 'view' : 'table'} ${whole} as (${keptRows}) union all by name (${lastOf(freshTable, key)})`,
  );
}

/**
 * Computes the expected number of rows after merging `addedRows` new rows. With a key, a new row replaces all previous
 * rows that have the same key. If several new rows have the same key, only the last one is stored.
 */
export async function rowsWith(
  connection: DuckDBConnection,
  version: BaseVersion,
  key: Onto['key'],
  freshTable: string,
  addedRows: number,
): Promise<number> {
  if (key === null) return version.rows + addedRows;
  const keys = `select distinct ${key.map(identifier).join(', ')} from ${freshTable}`;
  const reader = await connection.runAndReadAll(
    `with keys as (${keys}) select (select count(*) from keys)::double,
      (select count(*) from ${await version.table()} b where exists (from keys k where ${sameKey(key, 'k', 'b')}))::double`,
  );
  const [distinctRows, replacedRows] = (reader.getRows()[0] ?? []).map(Number);
  return version.rows - (replacedRows ?? 0) + (distinctRows ?? 0);
}

/**
 * Raises EngineProblem `input` if a key column is missing in the new rows or in the previous version, or if the new
 * rows have unknown columns although columns must not be added.
 */
export async function checkNames(
  connection: DuckDBConnection,
  freshTable: string,
  { key, mayAddColumns }: Onto,
  { columns }: BaseVersion,
): Promise<void> {
  const newNames = (await columnsOf(connection, freshTable)).map(({ name }) => name);
  const oldNames = columns.map(({ name }) => name);
  const isAmong = (names: readonly string[]): ((name: string) => boolean) => {
    const knownNames = new Set(names.map((name) => name.toLowerCase()));
    return (name) => knownNames.has(name.toLowerCase());
  };
  const [isNew, isOld] = [isAmong(newNames), isAmong(oldNames)];
  const unknownName = mayAddColumns ? undefined : newNames.find((name) => !isOld(name));
  if (unknownName !== undefined)
    throw new EngineProblem(
      'input',
      `the dataset has no column "${unknownName}"; it has: ${oldNames.join(', ').slice(0, 1000)}; update_metadata adds columns`,
    );
  for (const name of key ?? []) {
    if (!isOld(name))
      throw new EngineProblem('input', `the key names the column ${name}, which the dataset does not have`);
    if (!isNew(name)) throw new EngineProblem('input', `the key names the column ${name}, which the rows do not have`);
  }
}

async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  return Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0]);
}

/** Returns the change history of the base version after adding the new rows; null if rewriting is better. */
async function changesWith(
  connection: DuckDBConnection,
  version: BaseVersion,
  freshTable: string,
): Promise<Changes | null> {
  const changes = await changesOf(connection, 'base');
  if (changes === null || changes.whole < copiedFrom) return null;
  const addedRows = await numberOf(connection, `select count(*) from ${freshTable}`);
  const changedRows = changes.changed + addedRows * 2;
  if (changedRows > changes.whole) return null;
  const types = async (sql: string): Promise<readonly string[]> =>
    (await columnsOf(connection, `(${sql})`)).map(({ name, type }) => `${name} ${type.toString()}`);
  const earlierRows = `select ${cellsOf(version)} from ${await version.table()}`;
  const [typesBefore, typesAfter] = [
    await types(earlierRows),
    await types(`(${earlierRows}) union all by name (select * from ${freshTable})`),
  ];
  return typesBefore.join() === typesAfter.join() ? { ...changes, changed: changedRows } : null;
}

/** Extends enum columns by the values of the new rows. A column with too many values becomes VARCHAR. */
async function widenMembers(connection: DuckDBConnection, freshTable: string): Promise<void> {
  const newNames = new Set((await columnsOf(connection, freshTable)).map(({ name }) => name));
  for (const [index, { name, type }] of (await columnsOf(connection, rows)).entries()) {
    if (type.typeId !== DuckDBTypeId.ENUM || !newNames.has(name)) continue;
    const column = identifier(name);
    const members = `select distinct ${column}::VARCHAR as member from ${rows}`;
    const newMembers = `select ${column} as member from ${freshTable} where ${column} is not null`;
    if ((await numberOf(connection, `select count(*) from (${newMembers} except ${members})`)) === 0) continue;
    const wider = await enumOf(connection, `widened_${index}`, `${members} union ${newMembers}`);
    const to = wider === null ? 'VARCHAR' : wider;
    await connection.run(`alter table ${rows} alter ${column} type ${to} using ${column}::VARCHAR::${to}`);
  }
}

/** Returns the error code of the system, such as ENOSPC. The message of the error would reveal paths. */
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/**
 * Adds the new rows to a copy of the base version if that is faster than rewriting: the columns must be the same, and
 * the new rows few. Returns the change history of the copy. Returns null and writes nothing if rewriting is better.
 * Raises EngineProblem `failed` if the file cannot be copied.
 */
export async function changeCopy(
  connection: DuckDBConnection,
  version: BaseVersion,
  key: readonly string[],
  freshTable: string,
  target: string,
): Promise<Changes | null> {
  const changes = await changesWith(connection, version, freshTable);
  const [firstPart, ...others] = version.parts;
  if (changes === null || firstPart === undefined) return null;
  const { path } = firstPart;
  await copyFile(path, target, constants.COPYFILE_FICLONE).catch((error: unknown) => {
    if (isNoRoom(error)) throw error;
    throw new EngineProblem('failed', `the version before cannot be copied (${codeOf(error)})`);
  });
  await connection.run(`attach ${literal(target)} as target ${changedFor(version.columns.length)}`);
  await connection.run('use target');
  const tables = await version.tablesOf(others);
  const newRows = [...tables, freshTable].map((table) => `from ${table}`).join(' union all by name ');
  await widenMembers(connection, `(${newRows})`);
  for (const table of tables) await connection.run(`insert into ${rows} by name from ${table}`);
  await connection.run(`delete from ${rows} as b where exists (from ${freshTable} f where ${sameKey(key, 'f', 'b')})`);
  await connection.run(`insert into ${rows} by name ${lastOf(freshTable, key)}`);
  return changes;
}
