import { Problem } from '../problems/problem.ts';
import { join, sql, text, type Sql } from '../store/sql.ts';
import type { Row } from '../store/store.ts';
import { orderBy, type Key } from './compile.ts';
import { nearBytes, readLong } from './read-long.ts';
import type { SearchContext } from './visible-records.ts';

/** One page of what is found, and how large its records are together: without records where they are larger than they may be. */
export interface PageParts {
  readonly table: Sql;
  /** Ends the reading of records that takes longer than it may. */
  readonly inTime: Sql;
  readonly from: Sql;
  readonly columns: Sql;
  readonly record: Sql;
  readonly page: Sql;
}

/** A `left join` reads the records of the page alone, whatever statistics SQLite has of the table. */
const sized = ({ table, inTime, record }: PageParts): Sql =>
  sql`size as (select coalesce(sum(octet_length(${record})), 0) as bytes from page left join ${table} t on t.seq = page.seq and ${inTime})`;

const sizedPage = ({ table, inTime }: PageParts, most: number): Sql =>
  sql`from page left join ${table} t on t.seq = page.seq and (select bytes from size) <= ${most} and ${inTime}`;

/**
 * Where all that is found must be looked at before the first row is known, it is counted in the same statement: its work is
 * not done twice. It is ordered without its records, which are read for the page alone.
 */
export function pageOfFound(parts: PageParts, keys: readonly Key[], most: number): Sql {
  const named = keys.map(({ expression, direction }, index) => ({ expression, direction, key: text(`key_${index}`) }));
  const found = join(
    named.map(({ expression, key }) => sql`${expression} as ${key}`),
    ', ',
  );
  const inPage = orderBy(named.map(({ key, direction }) => ({ expression: key, direction })));
  return sql`with found as materialized (select t.seq, ${found} ${parts.from}), page as materialized (select *
    from found ${inPage} ${parts.page}), ${sized(parts)} select ${parts.columns}, (select count(*)
    from found) as held, (select bytes from size) as bytes ${sizedPage(parts, most)} ${inPage}`;
}

/** In the order of an index rows come as they are indexed, so a page of them is read without looking at the rest. */
export const pageById = (parts: PageParts, keys: readonly Key[], most: number): Sql =>
  sql`with page as materialized (select t.seq ${parts.from} ${orderBy(keys)} ${parts.page}), ${sized(parts)}
    select ${parts.columns}, (select bytes from size) as bytes ${sizedPage(parts, most)} ${orderBy(keys)}`;

/** A placeholder for the whole page, which is larger than requested. */
const isTooLarge = ([first]: readonly Row[]): boolean => first !== undefined && first['id'] === null;

/** The rows of a page: small ones at once; large ones once there is room for them. Raises Problem `answer_too_large`. */
export async function readPage(
  { reader, caller, budget }: SearchContext,
  statement: (mostBytes: number) => Sql,
  isCostly: boolean,
  isLarge: boolean,
): Promise<readonly Row[]> {
  const near = await readLong(reader, caller, { statement: statement(nearBytes), isCostly, isLarge });
  const bytes = Number(near[0]?.['bytes'] ?? 0);
  await budget?.take(0, bytes);
  if (!isTooLarge(near)) return near;
  // As many bytes as were counted, and some more for records that have grown since.
  const rows = await readLong(reader, caller, { statement: statement(2 * bytes), isCostly, isLarge: true });
  if (isTooLarge(rows)) throw new Problem('answer_too_large');
  return rows;
}
