import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { faultOf } from '../faults.ts';
import { identifier } from '../quote.ts';
import type { StagedColumn } from './statistics.ts';

/**
 * Text columns with at most this many distinct values are stored as ENUM. With 100,000 values, ENUM took 40 % of the
 * time of VARCHAR for grouping and counting, and 25 % for equality tests. The file was no larger. A child reads the
 * values when it opens the version, which takes 50 ms at this number.
 */
const enumMembers = 110_000;
/** Size limit of all values of an enum, since every child that opens the version holds them in memory. */
const enumBytes = 4_000_000;
/** Minimum number of rows per distinct value. */
const rowsPerMember = 4;

/**
 * Rows sampled to decide for which columns to count the values. If a column has 110,000 values, about 66,000 of them
 * occur in a sample of this size.
 */
const sampleRows = 100_000;
const sampleShare = 0.75;

/**
 * Number of rows read first. If every value occurs at least twice in them, later rows are expected to have no other
 * values.
 */
const expectedFrom = 2_000_000;

/** Number of columns whose values are counted per pass; `sampledTogether` is the number of columns sampled per pass. */
const columnsPerPass = 16;
const sampledTogether = 50;

const isText = ({ type }: StagedColumn): boolean => type.typeId === DuckDBTypeId.VARCHAR && type.alias === undefined;

/**
 * Returns text columns that may become an ENUM according to a sample. Reads a few columns at a time, because long texts
 * of many columns would not fit in memory.
 */
async function candidates(
  connection: DuckDBConnection,
  from: string,
  columns: readonly StagedColumn[],
): Promise<readonly StagedColumn[]> {
  const texts = columns.filter(isText);
  const candidateColumns: StagedColumn[] = [];
  for (let at = 0; at < texts.length; at += sampledTogether)
    candidateColumns.push(...(await someCandidates(connection, from, texts.slice(at, at + sampledTogether))));
  return candidateColumns;
}

async function someCandidates(
  connection: DuckDBConnection,
  from: string,
  texts: readonly StagedColumn[],
): Promise<readonly StagedColumn[]> {
  const names = texts.map(({ name }) => identifier(name));
  const counts = names.flatMap((name) => [
    `approx_count_distinct(${name})::double`,
    `coalesce(avg(strlen(${name})), 0)::double`,
  ]);
  const reader = await connection.runAndReadAll(
    `select count(*)::double, ${counts.join(', ')}
    from (select ${names.join(', ')} from ${from} limit ${sampleRows})`,
  );
  const [rows, ...facts] = (reader.getRows()[0] ?? []).map(Number);
  return texts.filter((_, index) => {
    const [members = 0, bytes = 0] = facts.slice(index * 2, index * 2 + 2);
    return members > 0 && members <= (rows ?? 0) * sampleShare && members * bytes <= enumBytes * 2;
  });
}

/** The enum type of a column. */
export interface Members {
  /** Quoted name of the type. */
  readonly type: string;
  /** False if the type is based on a sample; other rows may then have further values. */
  readonly isCertain: boolean;
}

interface MemberCounts {
  readonly made: readonly (readonly [string, Members])[];
  /** Columns for which this many rows are not enough to decide. */
  readonly open: readonly StagedColumn[];
}

/** The first `maxRows` rows of a relation. */
interface Sample {
  readonly connection: DuckDBConnection;
  readonly from: string;
  readonly maxRows: number;
}

/** Creates the enum types of the columns in one pass over the sample. The values of a type are in text order. */
async function makeTypes(sample: Sample, columns: readonly StagedColumn[], prefix: string): Promise<MemberCounts> {
  const { connection, from, maxRows } = sample;
  const names = columns.map(({ name }) => identifier(name));
  const list = names.join(', ');
  const limit = Number.isFinite(maxRows) ? `limit ${maxRows}` : '';
  await connection.run(
    `create or replace temp table found as select grouping(${list})::bigint as which, coalesce(${list}) as member, count(*) as rows
    from (select ${list} from ${from} ${limit}) group by grouping sets (${names.map((name) => `(${name})`).join(', ')})`,
  );
  const reader = await connection.runAndReadAll(
    `select which::double, count(member)::double, coalesce(sum(strlen(member)), 0)::double, sum(rows)::double,
      count(*) filter (rows = 1)::double from temp.main.found group by which`,
  );
  const memberTypes: (readonly [string, Members])[] = [];
  const openColumns: StagedColumn[] = [];
  for (const row of reader.getRows().map((cells) => cells.map(Number))) {
    const [groupingBits = 0, members = 0, bytes = 0, rows = 0, singleCount = 0] = row;
    // grouping() has one bit per column, the highest for the first column. A bit is set if the rows are not grouped by
    // that column.
    const index = names.findIndex((_, at) => groupingBits === 2 ** names.length - 1 - 2 ** (names.length - 1 - at));
    const column = columns[index];
    if (column === undefined || members > enumMembers || bytes > enumBytes) continue;
    const isCertain = rows < maxRows;
    if (!isCertain && (singleCount > 0 || members === 0)) openColumns.push(column);
    else if (members > 0 && members * rowsPerMember <= rows) {
      const type = identifier(`${prefix}_${index}`);
      await connection.run(
        `create or replace type ${type} as enum (
          select member from temp.main.found where which = ${groupingBits} and member is not null order by member
        )`,
      );
      memberTypes.push([column.name, { type, isCertain }]);
    }
  }
  await connection.run('drop table temp.main.found');
  return { made: memberTypes, open: openColumns };
}

const isShortOfMemory = (error: unknown): boolean => faultOf(error)?.cause === 'memory';

/** Like `makeTypes`, for a few columns at a time. Columns whose values do not fit in memory stay text. */
async function makeSome(sample: Sample, columns: readonly StagedColumn[], prefix: string): Promise<MemberCounts> {
  const batches = Array.from({ length: Math.ceil(columns.length / columnsPerPass) }, (_, at) =>
    columns.slice(at * columnsPerPass, (at + 1) * columnsPerPass),
  );
  const memberCounts: MemberCounts[] = [];
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    try {
      memberCounts.push(await makeTypes(sample, batch, `${prefix}_${memberCounts.length}`));
    } catch (error) {
      if (!isShortOfMemory(error)) throw error;
      const half = batch.length >> 1;
      if (half > 0) batches.unshift(batch.slice(0, half), batch.slice(half));
    }
  }
  return { made: memberCounts.flatMap(({ made }) => made), open: memberCounts.flatMap(({ open }) => open) };
}

/**
 * Creates an ENUM in the current database for each suitable text column of a relation. With `expect`, reads only a
 * sample of the rows if each value occurs several times in it. A later row may then have a value that is not in the
 * ENUM.
 */
export async function makeMembers(
  connection: DuckDBConnection,
  from: string,
  columns: readonly StagedColumn[],
  expect: boolean,
): Promise<ReadonlyMap<string, Members>> {
  // Without this setting, DuckDB would buffer all sampled rows to preserve their order.
  await connection.run('set preserve_insertion_order = false');
  try {
    const candidateColumns = await candidates(connection, from, columns);
    const firstCounts = await makeSome(
      { connection, from, maxRows: expect ? expectedFrom : Infinity },
      candidateColumns,
      'members',
    );
    const remainingCounts = await makeSome({ connection, from, maxRows: Infinity }, firstCounts.open, 'all_members');
    return new Map([...firstCounts.made, ...remainingCounts.made]);
  } finally {
    await connection.run('set preserve_insertion_order = true');
  }
}

/**
 * Creates an ENUM in the current database from the column `member` of a query, and returns its quoted name. Returns
 * null if the ENUM would be too large.
 */
export async function enumOf(connection: DuckDBConnection, name: string, query: string): Promise<string | null> {
  const reader = await connection.runAndReadAll(
    `select count(member)::double, coalesce(sum(strlen(member)), 0)::double from (${query})`,
  );
  const [members = 0, bytes = 0] = (reader.getRows()[0] ?? []).map(Number);
  if (members > enumMembers || bytes > enumBytes) return null;
  const type = identifier(name);
  await connection.run(
    `create type ${type} as enum (select member from (${query}) where member is not null order by member)`,
  );
  return type;
}
