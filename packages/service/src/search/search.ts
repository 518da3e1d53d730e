import { every } from '../access/permits.ts';
import type { Resource } from '../resource/define.ts';
import { mainTable, tableOf } from '../resource/tables.ts';
import { sql, type Sql } from '../store/sql.ts';
import {
  compileCondition,
  compileFixed,
  compilePhrase,
  costs,
  isNarrowed,
  orderKeys,
  patternsIn,
  visible,
} from './compile.ts';
import { isEverything, type Find } from './find.ts';
import { isRequired, required } from './join-includes.ts';
import { pageById, pageOfFound, readPage } from './page.ts';
import { readLong, type LongRead } from './read-long.ts';
import {
  recordColumn,
  scopeOf,
  seenColumns,
  seenOf,
  type SearchContext,
  type VisibleRecord,
} from './visible-records.ts';

/**
 * Maximum number of rows of a short page. A longer page that needs sorting is costly: it is first tried among short
 * reads if the store can abort a read after a few milliseconds, and then read in isolation with a deadline of its own.
 */
const shortPage = 1000;

/** Maximum number of patterns and words for which the main thread may search. */
const fewPatterns = 10;

/** Length of a long word of a key phrase. Comparing a longer word with a long text may take seconds. */
const longWord = 64;

/** Maximum number of rows that are counted among short reads. */
const fewRows = 2000;

/** Counts matching rows. A large count runs isolated from short reads. */
async function countRows(
  { reader, caller }: SearchContext,
  from: Sql,
  readOptions: Omit<LongRead, 'statement'>,
): Promise<number> {
  const counting = async (statement: Sql, longRead: Omit<LongRead, 'statement'>): Promise<number> =>
    Number((await readLong(reader, caller, { statement, ...longRead }))[0]?.['held'] ?? 0);
  if (reader.long !== undefined && !readOptions.isCostly) {
    const fewCount = await counting(
      sql`select count(*) as held from (select 1 ${from} limit ${fewRows + 1}) few`,
      readOptions,
    );
    if (fewCount <= fewRows) return fewCount;
  }
  const isMany = !readOptions.isCostly;
  return counting(sql`select count(*) as held ${from}`, {
    isCostly: true,
    isLarge: isMany || readOptions.isLarge === true,
  });
}

/** Finds the records visible to the caller. If requested, counts all of them regardless of the limit. */
export async function search(
  context: SearchContext,
  resource: Resource,
  find: Find,
): Promise<{ count: number | null; rows: readonly VisibleRecord[] }> {
  const { reader } = context;
  const isNarrow = find.phrase !== null || isNarrowed(resource, find.where);
  const pagedBy = find.order[0]?.field ?? 'id';
  const isInOrder = pagedBy === 'id' || (resource.fields[pagedBy]?.paged === true && find.order.length === 1);
  const scope = { ...scopeOf(context, resource, mainTable), narrowed: isNarrow, pagedBy };
  const sorts = isNarrow || !isInOrder;
  const readsRecords = sorts || !isEverything(find.where) || find.include.some(isRequired);
  const matches = every([
    visible(scope),
    compileFixed(scope.alias, find.fixed ?? []),
    compileCondition(scope, find.where),
    ...(find.phrase === null ? [] : [compilePhrase(scope, find.phrase.words, find.phrase.fields)]),
    ...required(context, resource, find.include, 't'),
  ]);
  const table = tableOf(resource);
  const inTime = reader.dialect.inTime(scope.alias, readsRecords);
  const from = sql`from ${table} t where ${inTime} and ${matches}`;
  const keys = orderKeys(scope, find.order);
  const columns = seenColumns(scope, find.attributes);
  const record = recordColumn(scope, find.attributes);
  const page = sql`limit ${find.limit} offset ${find.offset}`;
  const parts = { table, inTime: reader.dialect.inTime(scope.alias, true), from, columns, record, page };
  const isLongOrder = !isInOrder && find.limit > shortPage;
  const hasLongWord = find.phrase?.words.some((word) => word.length > longWord) === true;
  const isCostly = costs(resource, find.where) || hasLongWord || isLongOrder || find.include.some(isRequired);
  // The text index searches for every pattern before it returns the first row, which cannot be interrupted.
  const isLarge = patternsIn(find.where) + (find.phrase?.words.length ?? 0) > fewPatterns;
  const rows = await readPage(
    context,
    (limit) => (sorts ? pageOfFound : pageById)(parts, keys, limit),
    isCostly,
    isLarge,
  );
  const records = rows.map((row) => seenOf(resource, row));
  if (!find.count) return { count: null, rows: records };
  const isComplete = rows.length < find.limit && (rows.length > 0 || find.offset === 0);
  if (isComplete) return { count: find.offset + rows.length, rows: records };
  const [firstRow] = sorts ? rows : [];
  // Counts without the deadline if an index has all data, since checking the deadline takes longer than reading an
  // index entry.
  const countedRows = readsRecords ? from : sql`from ${table} t where ${matches}`;
  const count =
    firstRow === undefined ? await countRows(context, countedRows, { isCostly, isLarge }) : firstRow['held'];
  return { count: Number(count), rows: records };
}
