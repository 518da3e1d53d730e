import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier } from './quote.ts';
import { enumColumns } from './write/statistics.ts';

/** The enum columns of an attached file of a version. */
export interface PartTexts {
  /** Named enum types for the enum columns of the file, by column name. Creates the types on the first call. */
  readonly types: () => Promise<ReadonlyMap<string, string>>;
  /** Returns the columns of the file whose values are all members of the given enum types. */
  readonly known: (types: ReadonlyMap<string, string>) => Promise<ReadonlySet<string>>;
  /** Drops the types that `types` created. */
  readonly drop: () => Promise<void>;
}

/** Returns the table with the rows of a file. */
export const rowsOf = (name: string): string => `${name}.main."rows"`;

/** Tracks the enum columns of one attached file. Results are cached, since files never change. */
export function createPartTexts(connection: DuckDBConnection, name: string): PartTexts {
  let types: Promise<ReadonlyMap<string, string>> | null = null;
  const knownColumns = new Map<ReadonlyMap<string, string>, Promise<ReadonlySet<string>>>();
  const makeTypes = async (): Promise<ReadonlyMap<string, string>> => {
    const typeNames = new Map<string, string>();
    for (const [index, column] of (await enumColumns(connection, rowsOf(name))).entries()) {
      const type = `memory.main."${name} members ${index}"`;
      const members = `select unnest(enum_range(${identifier(column)})) from (from ${rowsOf(name)} limit 1)`;
      await connection.run(`create or replace type ${type} as enum (${members})`);
      typeNames.set(column, type);
    }
    return typeNames;
  };
  const findKnown = async (of: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> => {
    const tests = [...of].map(
      ([column, type]) =>
        `coalesce(bool_and(try_cast(${identifier(column)} as ${type}) is not null) filter (${identifier(column)} is not null), true)`,
    );
    if (tests.length === 0) return new Set();
    const results =
      (await connection.runAndReadAll(`select ${tests.join(', ')} from ${rowsOf(name)}`)).getRows()[0] ?? [];
    return new Set([...of.keys()].filter((_, index) => results[index] === true));
  };
  return {
    types: () => {
      types ??= makeTypes();
      types.catch(() => (types = null));
      return types;
    },
    known: (of) => {
      const matchingColumns = knownColumns.get(of) ?? findKnown(of);
      // The first file of a version never changes for a part, so one entry is enough.
      knownColumns.clear();
      knownColumns.set(of, matchingColumns);
      matchingColumns.catch(() => knownColumns.clear());
      return matchingColumns;
    },
    drop: async () => {
      for (const type of (await types?.catch(() => null))?.values() ?? [])
        await connection.run(`drop type if exists ${type}`);
    },
  };
}

/**
 * Concatenates the rows of attached files. The first file has enum columns. If all values of a column in the other
 * files are members of its enum, the column is cast to the enum: grouping is then up to four times as fast as on text.
 */
export async function rowsOfParts(
  parts: readonly { readonly name: string; readonly texts: PartTexts }[],
): Promise<string> {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a version without a file');
  if (others.length === 0) return rowsOf(first.name);
  const types = await first.texts.types();
  const columnsOfOthers = await Promise.all(others.map(({ texts }) => texts.known(types)));
  const sharedTypes = [...types].filter(([column]) => columnsOfOthers.every((columns) => columns.has(column)));
  const casts = sharedTypes.map(([column, type]) => `${identifier(column)}::${type} as ${identifier(column)}`);
  const selection = casts.length === 0 ? '*' : `* replace (${casts.join(', ')})`;
  const otherParts = others.map(({ name }) => `(select ${selection} from ${rowsOf(name)})`);
  return `(${[`from ${rowsOf(first.name)}`, ...otherParts].join(' union all by name ')})`;
}
