import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import { sameText } from '../engine.ts';
import { identifier } from './quote.ts';
import type { AttachedVersion } from './versions.ts';
import { keptStatistics } from './write/statistics.ts';

/**
 * Columns with at most so many members are compared as members: a filter over 10 million rows took 15 to 95 ms so and 110 to 160
 * as text. A statement carries all members of each it names, which takes longer than it saves where they are thousands.
 */
const fewMembers = 256;

type VersionRows = Pick<AttachedVersion, 'name' | 'relation'>;

/** What `makeSame` needs of an attached version, read when a statement first compares its texts. */
export interface Texts {
  /** The columns that are text or members, with the type of the members where they are few. */
  readonly read: (connection: DuckDBConnection, version: VersionRows) => Promise<ReadonlyMap<string, string | null>>;
  /** Drops the types that were made. */
  readonly drop: (connection: DuckDBConnection) => Promise<void>;
}

/** The texts of a version; a type of few members is made anew, for its own name is not known. */
export function createTexts(): Texts {
  let known: Promise<ReadonlyMap<string, string | null>> | null = null;
  return {
    read: (connection, version) => {
      known ??= readTexts(connection, version);
      known.catch(() => (known = null));
      return known;
    },
    drop: async (connection) => {
      const types = [...((await known?.catch(() => null)) ?? new Map<string, string | null>()).values()];
      for (const type of types) if (type !== null) await connection.run(`drop type if exists ${type}`);
    },
  };
}

async function readTexts(
  connection: DuckDBConnection,
  { name: version, relation: rows }: VersionRows,
): Promise<ReadonlyMap<string, string | null>> {
  const facts = await keptStatistics(connection, version);
  const statement = await connection.prepare(`from ${rows}`);
  const found = Array.from({ length: statement.columnCount }, (_, index) => ({
    name: statement.columnName(index),
    typeId: statement.columnTypeId(index),
  }));
  statement.destroySync();
  const texts = new Map<string, string | null>();
  for (const [index, { name, typeId }] of found.entries()) {
    if (typeId !== DuckDBTypeId.ENUM && typeId !== DuckDBTypeId.VARCHAR) continue;
    texts.set(name, null);
    if (typeId === DuckDBTypeId.VARCHAR || (facts?.get(name)?.cardinality ?? Infinity) > fewMembers) continue;
    const type = `memory.main."${version} ${index}"`;
    const members = `select unnest(enum_range(${identifier(name)})) from (from ${rows} limit 1)`;
    await connection.run(`create or replace type ${type} as enum (${members})`);
    texts.set(name, type);
  }
  return texts;
}

/** Makes those functions `sameText` of a table that a statement names and the connection does not know yet (`made`). */
export async function makeSame(
  connection: DuckDBConnection,
  table: string,
  version: AttachedVersion,
  sql: string,
  made: Set<string>,
): Promise<void> {
  if (!sql.includes(identifier(sameText(table, '')).slice(0, -1))) return;
  for (const [column, type] of await version.texts.read(connection, version)) {
    const name = identifier(sameText(table, column));
    if (made.has(name) || !sql.includes(name)) continue;
    const as = type === null ? 'cast(x as varchar)' : `try_cast(x as ${type})`;
    await connection.run(`create temp macro ${name}(x) as ${as}`);
    made.add(name);
  }
}
