import { Problem } from '../problems/problem.ts';
import { join, sql, text, type Sql } from '../store/sql.ts';
import type { Row } from '../store/store.ts';
import { orderBy, type Key } from './compile.ts';
import { nearBytes, readLong } from './read-long.ts';
import type { SearchContext } from './visible-records.ts';

/**
 * SQL parts of a page query. The query returns the total size of the page's records, and omits the records if they
 * exceed the limit.
 */
export interface PageParts {
  readonly table: Sql;
  /** Condition that aborts reading records when the time limit has passed. */
  readonly inTime: Sql;
  readonly from: Sql;
  readonly columns: Sql;
  readonly record: Sql;
  readonly page: Sql;
}

/**
 * Selects the size of the page's records. With `left join`, SQLite reads only the records of the page, whatever its
 * table statistics.
 */
const sized = ({ table, inTime, record }: PageParts): Sql =>
  sql`size as (select coalesce(sum(octet_length(${record})), 0) as bytes from page left join ${table} t on t.seq = page.seq and ${inTime})`;

const sizedPage = ({ table, inTime }: PageParts, limit: number): Sql =>
  sql`from page left join ${table} t on t.seq = page.seq and (select bytes from size) <= ${limit} and ${inTime}`;

/**
 * Builds a page query for results that must be read completely before the first row is known. The same statement counts
 * the results, so that this happens only once. It sorts without the records, which are read only for the page.
 */
export function pageOfFound(parts: PageParts, keys: readonly Key[], limit: number): Sql {
  const namedKeys = keys.map(({ expression, direction }, index) => ({
    expression,
    direction,
    key: text(`key_${index}`),
  }));
  const columns = join(
    namedKeys.map(({ expression, key }) => sql`${expression} as ${key}`),
    ', ',
  );
  const inPage = orderBy(namedKeys.map(({ key, direction }) => ({ expression: key, direction })));
  return sql`with found as materialized (select t.seq, ${columns} ${parts.from}), page as materialized (select *
    from found ${inPage} ${parts.page}), ${sized(parts)} select ${parts.columns}, (select count(*)
    from found) as held, (select bytes from size) as bytes ${sizedPage(parts, limit)} ${inPage}`;
}

/** Builds a page query for results in index order, where a page can be read without reading the rest. */
export const pageById = (parts: PageParts, keys: readonly Key[], limit: number): Sql =>
  sql`with page as materialized (select t.seq ${parts.from} ${orderBy(keys)} ${parts.page}), ${sized(parts)}
    select ${parts.columns}, (select bytes from size) as bytes ${sizedPage(parts, limit)} ${orderBy(keys)}`;

/** True if the only row stands for a page that exceeds the limit. */
const isTooLarge = ([first]: readonly Row[]): boolean => first !== undefined && first['id'] === null;

/**
 * Reads the rows of a page. A small page is read immediately, a large one after reserving memory. Raises Problem
 * `answer_too_large`.
 */
export async function readPage(
  { reader, caller, budget }: SearchContext,
  statement: (maxBytes: number) => Sql,
  isCostly: boolean,
  isLarge: boolean,
): Promise<readonly Row[]> {
  const smallPage = await readLong(reader, caller, { statement: statement(nearBytes), isCostly, isLarge });
  const bytes = Number(smallPage[0]?.['bytes'] ?? 0);
  await budget?.take(0, bytes);
  if (!isTooLarge(smallPage)) return smallPage;
  // Allows twice the counted bytes, because records may have grown since they were counted.
  const rows = await readLong(reader, caller, { statement: statement(2 * bytes), isCostly, isLarge: true });
  if (isTooLarge(rows)) throw new Problem('answer_too_large');
  return rows;
}
