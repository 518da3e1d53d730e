import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier } from './quote.ts';
import { enumColumns } from './write/statistics.ts';

/** An attached file of a version, and what is known of its texts. */
export interface PartTexts {
  /** Types of the members of its columns, by their names. */
  readonly types: () => Promise<ReadonlyMap<string, string>>;
  /** Its columns that hold members of these types alone. */
  readonly known: (types: ReadonlyMap<string, string>) => Promise<ReadonlySet<string>>;
  /** Drops the types that were made. */
  readonly drop: () => Promise<void>;
}

/** The rows of a file. */
export const rowsOf = (name: string): string => `${name}.main."rows"`;

/** Follows one attached file; what was found is kept, for files do not change. */
export function createPartTexts(connection: DuckDBConnection, name: string): PartTexts {
  let types: Promise<ReadonlyMap<string, string>> | null = null;
  const known = new Map<ReadonlyMap<string, string>, Promise<ReadonlySet<string>>>();
  const makeTypes = async (): Promise<ReadonlyMap<string, string>> => {
    const made = new Map<string, string>();
    for (const [index, column] of (await enumColumns(connection, rowsOf(name))).entries()) {
      const type = `memory.main."${name} members ${index}"`;
      const members = `select unnest(enum_range(${identifier(column)})) from (from ${rowsOf(name)} limit 1)`;
      await connection.run(`create or replace type ${type} as enum (${members})`);
      made.set(column, type);
    }
    return made;
  };
  const findKnown = async (of: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> => {
    const asked = [...of].map(
      ([column, type]) =>
        `coalesce(bool_and(try_cast(${identifier(column)} as ${type}) is not null) filter (${identifier(column)} is not null), true)`,
    );
    if (asked.length === 0) return new Set();
    const said = (await connection.runAndReadAll(`select ${asked.join(', ')} from ${rowsOf(name)}`)).getRows()[0] ?? [];
    return new Set([...of.keys()].filter((_, index) => said[index] === true));
  };
  return {
    types: () => {
      types ??= makeTypes();
      types.catch(() => (types = null));
      return types;
    },
    known: (of) => {
      const found = known.get(of) ?? findKnown(of);
      // One file is first of all that come after it.
      known.clear();
      known.set(of, found);
      found.catch(() => known.clear());
      return found;
    },
    drop: async () => {
      for (const type of (await types?.catch(() => null))?.values() ?? [])
        await connection.run(`drop type if exists ${type}`);
    },
  };
}

/**
 * The rows of attached files, one behind the other. The first file keeps texts as members; where the others have no further ones, all
 * are members of its types, which are grouped up to four times as fast as texts.
 */
export async function rowsOfParts(
  parts: readonly { readonly name: string; readonly texts: PartTexts }[],
): Promise<string> {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a version without a file');
  if (others.length === 0) return rowsOf(first.name);
  const types = await first.texts.types();
  const known = await Promise.all(others.map(({ texts }) => texts.known(types)));
  const shared = [...types].filter(([column]) => known.every((columns) => columns.has(column)));
  const casts = shared.map(([column, type]) => `${identifier(column)}::${type} as ${identifier(column)}`);
  const all = casts.length === 0 ? '*' : `* replace (${casts.join(', ')})`;
  const rest = others.map(({ name }) => `(select ${all} from ${rowsOf(name)})`);
  return `(${[`from ${rowsOf(first.name)}`, ...rest].join(' union all by name ')})`;
}
