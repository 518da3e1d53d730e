import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { sameText } from '../engine.ts';
import { identifier } from './quote.ts';
import { keptStatistics } from './write/statistics.ts';

/**
 * Columns with at most so many members are compared as members: a filter over 10 million rows took 15 to 95 ms so and 110 to 160
 * as text, and 3 ms where the rows are sorted by it. A statement carries all members for each value it compares with, 1.3 ms for a
 * thousand, which pays where there are this many rows for each of them.
 */
const fewMembers = 256;
const rowsPerMember = 500;

/** The rows of an attached version. */
export interface VersionRows {
  /** Name of its file, which has the statistics of its columns. */
  readonly name: string;
  /** SQL of its rows, including those of its parts. */
  readonly relation: string;
}

/** A column of texts: the type of its members, where they are few for the rows there are. */
interface TextColumn {
  readonly type: string | null;
  /** Values that a statement may compare with as members. */
  readonly values: number;
}

/** What `makeSame` needs of an attached version, read when a statement first compares its texts. */
export interface Texts {
  /** The columns that are text or members. */
  readonly read: (connection: DuckDBConnection, version: VersionRows) => Promise<ReadonlyMap<string, TextColumn>>;
  /** Drops the types that were made. */
  readonly drop: (connection: DuckDBConnection) => Promise<void>;
}

/** The texts of a version; a type of few members is made again, for its own name is not known. */
export function createTexts(): Texts {
  let known: Promise<ReadonlyMap<string, TextColumn>> | null = null;
  return {
    read: (connection, version) => {
      known ??= readTexts(connection, version);
      known.catch(() => (known = null));
      return known;
    },
    drop: async (connection) => {
      const columns = [...((await known?.catch(() => null)) ?? new Map<string, TextColumn>()).values()];
      for (const { type } of columns) if (type !== null) await connection.run(`drop type if exists ${type}`);
    },
  };
}

async function readTexts(
  connection: DuckDBConnection,
  { name: version, relation: rows }: VersionRows,
): Promise<ReadonlyMap<string, TextColumn>> {
  const facts = await keptStatistics(connection, version);
  const counted = await connection.runAndReadAll(`select count(*)::double from ${rows}`);
  const count = Number(counted.getRows()[0]?.[0]);
  const statement = await connection.prepare(`from ${rows}`);
  const found = Array.from({ length: statement.columnCount }, (_, index) => ({
    name: statement.columnName(index),
    typeId: statement.columnTypeId(index),
  }));
  statement.destroySync();
  const texts = new Map<string, TextColumn>();
  for (const [index, { name, typeId }] of found.entries()) {
    if (typeId !== DuckDBTypeId.ENUM && typeId !== DuckDBTypeId.VARCHAR) continue;
    texts.set(name, { type: null, values: 0 });
    const members = facts?.get(name)?.cardinality ?? Infinity;
    const values = members <= fewMembers ? Infinity : Math.floor(count / rowsPerMember / members);
    // The column itself and one value.
    if (typeId === DuckDBTypeId.VARCHAR || values < 2) continue;
    const type = `memory.main."${version} ${index}"`;
    const named = `select unnest(enum_range(${identifier(name)})) from (from ${rows} limit 1)`;
    await connection.run(`create or replace type ${type} as enum (${named})`);
    texts.set(name, { type, values });
  }
  return texts;
}

/** Makes those functions `sameText` of a table that a statement names and the connection does not know yet (`made`). */
export async function makeSame(
  connection: DuckDBConnection,
  table: string,
  version: VersionRows & { readonly texts: Texts },
  sql: string,
  made: Map<string, string>,
): Promise<void> {
  if (!sql.includes(identifier(sameText(table, '')).slice(0, -1))) return;
  for (const [column, { type, values }] of await version.texts.read(connection, version)) {
    const name = identifier(sameText(table, column));
    const asked = sql.split(`${name}(`).length - 1;
    if (asked === 0) continue;
    const as = type === null || asked > values ? 'cast(x as varchar)' : `try_cast(x as ${type})`;
    if (made.get(name) === as) continue;
    await connection.run(`create or replace temp macro ${name}(x) as ${as}`);
    made.set(name, as);
  }
}
