import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier, literal } from '../quote.ts';
import type { BaseVersion } from './base.ts';
import { isSmall, madeFor, madeSmall } from './layout.ts';
import { columnsOf, type StagedColumn } from './statistics.ts';
import { changesOf, type WrittenRows } from './version.ts';

/** A file of at most so many rows is written again with those that are put behind them. */
const fewRows = 2000;

/**
 * A version is written whole once so many rows were put onto it, or this share of those there were: files stay few, and columns whose
 * members did not have the new ones get them.
 */
const wholeAgain = { rows: 20_000, share: 1 / 8 } as const;

/** How many of the first parts stay as they are; the rows of the others go into the new file, so that each part has more rows than the next. */
function partsThatStay({ parts }: BaseVersion, added: number): number {
  let rows = added;
  let stay = parts.length;
  for (const part of parts.toReversed()) {
    if (part.rows > Math.max(fewRows, rows)) break;
    rows += part.rows;
    stay -= 1;
  }
  return stay;
}

const typeOf = ({ type }: StagedColumn): string => type.alias ?? type.toString();

/**
 * Writes new rows to a target of their own, the files of the version before being its parts, so that it takes no longer where there
 * are many. Texts stay texts: readers know the members of the first part. Null where nothing was done, because all rows are better written together: few ones, or where columns or types change.
 */
export async function appendRows(
  connection: DuckDBConnection,
  version: BaseVersion,
  fresh: string,
  added: number,
  target: string,
): Promise<WrittenRows | null> {
  const changes = await changesOf(connection, 'base');
  const stay = partsThatStay(version, added);
  const { columns, facts } = version;
  if (changes === null || facts === null || stay === 0) return null;
  const changed = changes.changed + added;
  if (changed > Math.max(wholeAgain.rows, changes.whole * wholeAgain.share)) return null;
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const given = await columnsOf(connection, fresh);
  if (given.some(({ name }) => !names.has(name.toLowerCase()))) return null;
  const absorbed = version.parts.slice(stay);
  const rows = absorbed.reduce((sum, part) => sum + part.rows, added);
  const layout = isSmall(rows, columns.length) ? madeSmall : madeFor(columns.length);
  await connection.run(`attach ${literal(target)} as target ${layout}`);
  await connection.run('use target');
  await connection.run('begin');
  const missing = columns.filter(({ name }) => !given.some((one) => one.name.toLowerCase() === name.toLowerCase()));
  const all = (table: string, nulls: readonly StagedColumn[]): string =>
    `select *${nulls.map(({ name }) => `, null as ${identifier(name)}`).join('')} from ${table}`;
  const tables = await version.tablesOf(absorbed);
  const news = [...tables.map((table) => all(table, [])), all(fresh, missing)].join(' union all by name ');
  const cells = columns.map((column) => `${identifier(column.name)}::${typeOf(column)} as ${identifier(column.name)}`);
  await connection.run(`create table target.main."rows" as select ${cells.join(', ')} from (${news})`);
  const parts = version.parts.slice(0, stay);
  return {
    changes: { ...changes, changed },
    order: [],
    earlier: {
      rows: parts.reduce((sum, part) => sum + part.rows, 0),
      facts,
      added,
      parts,
    },
    isOpen: true,
  };
}
