import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { faultOf } from '../faults.ts';
import { identifier } from '../quote.ts';
import type { StagedColumn } from './statistics.ts';

/**
 * Text columns with at most so many members are kept as ENUM: even with 100,000 of them grouping and counting took 40 % of the time,
 * a test for equality 25 %, and the file grew no larger. A child reads the members when it opens the version, 50 ms for so many.
 */
const enumMembers = 110_000;
/** And all members together are no longer than this: every child that opens the version holds them. */
const enumBytes = 4_000_000;
/** And a member stands for several rows. */
const rowsPerMember = 4;

/** The first rows say which columns are worth counting: 110,000 members show 66,000 of them in so many rows. */
const sampleRows = 100_000;
const sampleShare = 0.75;

/** Where each member occurred twice in so many rows, the rows after them are expected to have no other. */
const expectedFrom = 2_000_000;

/** Columns counted in one reading, and looked at in one reading of the first rows. */
const together = 16;
const sampledTogether = 50;

const isText = ({ type }: StagedColumn): boolean => type.typeId === DuckDBTypeId.VARCHAR && type.alias === undefined;

/** Text columns that may be worth an ENUM by the first rows; of many, a few are read at a time, for long texts of all would not fit into memory. */
async function candidates(
  connection: DuckDBConnection,
  from: string,
  columns: readonly StagedColumn[],
): Promise<readonly StagedColumn[]> {
  const texts = columns.filter(isText);
  const found: StagedColumn[] = [];
  for (let at = 0; at < texts.length; at += sampledTogether)
    found.push(...(await someCandidates(connection, from, texts.slice(at, at + sampledTogether))));
  return found;
}

async function someCandidates(
  connection: DuckDBConnection,
  from: string,
  texts: readonly StagedColumn[],
): Promise<readonly StagedColumn[]> {
  const asked = texts.map(({ name }) => identifier(name));
  const counts = asked.flatMap((name) => [
    `approx_count_distinct(${name})::double`,
    `coalesce(avg(strlen(${name})), 0)::double`,
  ]);
  const reader = await connection.runAndReadAll(
    `select count(*)::double, ${counts.join(', ')}
    from (select ${asked.join(', ')} from ${from} limit ${sampleRows})`,
  );
  const [rows, ...facts] = (reader.getRows()[0] ?? []).map(Number);
  return texts.filter((_, index) => {
    const [members = 0, bytes = 0] = facts.slice(index * 2, index * 2 + 2);
    return members > 0 && members <= (rows ?? 0) * sampleShare && members * bytes <= enumBytes * 2;
  });
}

/** The ENUM of a column. */
export interface Members {
  /** Its type, quoted. */
  readonly type: string;
  /** Whether all rows were read: otherwise one of them may have another member. */
  readonly isCertain: boolean;
}

interface MemberCounts {
  readonly made: readonly (readonly [string, Members])[];
  /** Columns of which more rows must be read. */
  readonly open: readonly StagedColumn[];
}

/** The first rows of a relation, or all of them. */
interface Sample {
  readonly connection: DuckDBConnection;
  readonly from: string;
  readonly mostRows: number;
}

/** Makes the types of those columns that are to be ENUM, in one reading; members are in the order of text. */
async function makeTypes(sample: Sample, columns: readonly StagedColumn[], prefix: string): Promise<MemberCounts> {
  const { connection, from, mostRows } = sample;
  const names = columns.map(({ name }) => identifier(name));
  const all = names.join(', ');
  const limit = Number.isFinite(mostRows) ? `limit ${mostRows}` : '';
  await connection.run(
    `create or replace temp table found as select grouping(${all})::bigint as which, coalesce(${all}) as member, count(*) as rows
    from (select ${all} from ${from} ${limit}) group by grouping sets (${names.map((name) => `(${name})`).join(', ')})`,
  );
  const reader = await connection.runAndReadAll(
    `select which::double, count(member)::double, coalesce(sum(strlen(member)), 0)::double, sum(rows)::double,
      count(*) filter (rows = 1)::double from temp.main.found group by which`,
  );
  const made: (readonly [string, Members])[] = [];
  const open: StagedColumn[] = [];
  for (const row of reader.getRows().map((cells) => cells.map(Number))) {
    const [which = 0, members = 0, bytes = 0, rows = 0, once = 0] = row;
    // A bit for each column, the first one highest, set where the rows are not grouped by it.
    const index = names.findIndex((_, at) => which === 2 ** names.length - 1 - 2 ** (names.length - 1 - at));
    const column = columns[index];
    if (column === undefined || members > enumMembers || bytes > enumBytes) continue;
    const isCertain = rows < mostRows;
    if (!isCertain && (once > 0 || members === 0)) open.push(column);
    else if (members > 0 && members * rowsPerMember <= rows) {
      const type = identifier(`${prefix}_${index}`);
      await connection.run(
        `create or replace type ${type} as enum (
          select member from temp.main.found where which = ${which} and member is not null order by member
        )`,
      );
      made.push([column.name, { type, isCertain }]);
    }
  }
  await connection.run('drop table temp.main.found');
  return { made, open };
}

const isShortOfMemory = (error: unknown): boolean => faultOf(error)?.cause === 'memory';

/** As `makeTypes`, a few columns at a time; those whose members do not fit into memory are left as text. */
async function makeSome(sample: Sample, columns: readonly StagedColumn[], prefix: string): Promise<MemberCounts> {
  const waiting = Array.from({ length: Math.ceil(columns.length / together) }, (_, at) =>
    columns.slice(at * together, (at + 1) * together),
  );
  const counted: MemberCounts[] = [];
  for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
    try {
      counted.push(await makeTypes(sample, some, `${prefix}_${counted.length}`));
    } catch (error) {
      if (!isShortOfMemory(error)) throw error;
      const half = some.length >> 1;
      if (half > 0) waiting.unshift(some.slice(0, half), some.slice(half));
    }
  }
  return { made: counted.flatMap(({ made }) => made), open: counted.flatMap(({ open }) => open) };
}

/**
 * Makes an ENUM in the database in use for every text column of a relation that is worth one, by name. `expect`: where the first
 * rows have each member several times, others are not looked for, and a row further down may not fit its type.
 */
export async function makeMembers(
  connection: DuckDBConnection,
  from: string,
  columns: readonly StagedColumn[],
  expect: boolean,
): Promise<ReadonlyMap<string, Members>> {
  // In order, the first rows would all be held until there are enough of them.
  await connection.run('set preserve_insertion_order = false');
  try {
    const few = await candidates(connection, from, columns);
    const first = await makeSome({ connection, from, mostRows: expect ? expectedFrom : Infinity }, few, 'members');
    const rest = await makeSome({ connection, from, mostRows: Infinity }, first.open, 'all_members');
    return new Map([...first.made, ...rest.made]);
  } finally {
    await connection.run('set preserve_insertion_order = true');
  }
}

/** Makes an ENUM in the database in use of what a query gives as `member`; null where that is too much to be kept so. */
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
