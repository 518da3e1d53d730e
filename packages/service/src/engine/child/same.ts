import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { sameText } from '../engine.ts';
import { identifier } from './quote.ts';
import { keptStatistics } from './write/statistics.ts';

/**
 * Enum columns with at most this many values are compared as enum. A filter over 10 million rows took 15 to 95 ms (3 ms
 * on sorted rows) instead of 110 to 160 ms as text. However, each comparison copies all values of the enum into the
 * statement. That takes 1.3 ms per thousand values, so it pays off only with enough rows per value.
 */
const fewMembers = 256;
const rowsPerMember = 500;

/** Rows of an attached version. */
export interface VersionRows {
  /** Attached name of the version's own file, which has the statistics of the columns. */
  readonly name: string;
  /** SQL for the rows of the version, including those of its parts. */
  readonly relation: string;
}

/**
 * A text column. `type` is the name of its enum type; null if the column has too many values for its number of rows.
 */
interface TextColumn {
  readonly type: string | null;
  /** Number of distinct values, if statements may compare the column as enum. */
  readonly values: number;
}

/** Text columns of an attached version, loaded when a statement first compares them. */
export interface Texts {
  /** Returns the columns of type text or enum. */
  readonly read: (connection: DuckDBConnection, version: VersionRows) => Promise<ReadonlyMap<string, TextColumn>>;
  /** Drops the enum types that `read` created. */
  readonly drop: (connection: DuckDBConnection) => Promise<void>;
}

/**
 * Tracks the text columns of a version. Creates a named type for each small enum, because the enum type in the file has
 * no known name.
 */
export function createTexts(): Texts {
  let texts: Promise<ReadonlyMap<string, TextColumn>> | null = null;
  return {
    read: (connection, version) => {
      texts ??= readTexts(connection, version);
      texts.catch(() => (texts = null));
      return texts;
    },
    drop: async (connection) => {
      const columns = [...((await texts?.catch(() => null)) ?? new Map<string, TextColumn>()).values()];
      for (const { type } of columns) if (type !== null) await connection.run(`drop type if exists ${type}`);
    },
  };
}

async function readTexts(
  connection: DuckDBConnection,
  { name: version, relation: rows }: VersionRows,
): Promise<ReadonlyMap<string, TextColumn>> {
  const facts = await keptStatistics(connection, version);
  const countReader = await connection.runAndReadAll(`select count(*)::double from ${rows}`);
  const count = Number(countReader.getRows()[0]?.[0]);
  const statement = await connection.prepare(`from ${rows}`);
  const columns = Array.from({ length: statement.columnCount }, (_, index) => ({
    name: statement.columnName(index),
    typeId: statement.columnTypeId(index),
  }));
  statement.destroySync();
  const texts = new Map<string, TextColumn>();
  for (const [index, { name, typeId }] of columns.entries()) {
    if (typeId !== DuckDBTypeId.ENUM && typeId !== DuckDBTypeId.VARCHAR) continue;
    texts.set(name, { type: null, values: 0 });
    const members = facts?.get(name)?.cardinality ?? Infinity;
    const values = members <= fewMembers ? Infinity : Math.floor(count / rowsPerMember / members);
    // At least the column itself and one value.
    if (typeId === DuckDBTypeId.VARCHAR || values < 2) continue;
    const type = `memory.main."${version} ${index}"`;
    const membersQuery = `select unnest(enum_range(${identifier(name)})) from (from ${rows} limit 1)`;
    await connection.run(`create or replace type ${type} as enum (${membersQuery})`);
    texts.set(name, { type, values });
  }
  return texts;
}

/**
 * Defines the `sameText` functions of a table that a statement uses, unless the connection already has them;
 * `typeNames` records the functions of the connection.
 */
export async function makeSame(
  connection: DuckDBConnection,
  table: string,
  version: VersionRows & { readonly texts: Texts },
  sql: string,
  typeNames: Map<string, string>,
): Promise<void> {
  if (!sql.includes(identifier(sameText(table, '')).slice(0, -1))) return;
  for (const [column, { type, values }] of await version.texts.read(connection, version)) {
    const name = identifier(sameText(table, column));
    const uses = sql.split(`${name}(`).length - 1;
    if (uses === 0) continue;
    const as = type === null || uses > values ? 'cast(x as varchar)' : `try_cast(x as ${type})`;
    if (typeNames.get(name) === as) continue;
    await connection.run(`create or replace temp macro ${name}(x) as ${as}`);
    typeNames.set(name, as);
  }
}
