import { every } from '../access/permits.ts';
import type { Resource } from '../resource/define.ts';
import { mainTable, tableOf } from '../resource/tables.ts';
import { sql } from '../store/sql.ts';
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
import { readLong } from './read-long.ts';
import {
  recordColumn,
  scopeOf,
  seenColumns,
  seenOf,
  type SearchContext,
  type VisibleRecord,
} from './visible-records.ts';

/**
 * Rows of a page. A longer page in an order is read apart from the short reads, with a deadline of its own; where the store can
 * end a read within a few milliseconds, it is tried among the short reads first.
 */
const shortPage = 1000;

/** Patterns and words that are looked for on the thread that answers others. */
const fewPatterns = 10;

/** The records of a search that the caller may see, and how many there are before the limit. */
export async function search(
  context: SearchContext,
  resource: Resource,
  find: Find,
): Promise<{ count: number | null; rows: readonly VisibleRecord[] }> {
  const { reader, caller } = context;
  const narrowed = find.phrase !== null || isNarrowed(resource, find.where);
  const scope = { ...scopeOf(context, resource, mainTable), narrowed };
  const sorts = narrowed || find.order.length > 0;
  const readsRecords = sorts || !isEverything(find.where) || find.include.some(isRequired);
  const where = every([
    reader.dialect.inTime(scope.alias, readsRecords),
    visible(scope),
    compileFixed(scope.alias, find.fixed ?? []),
    compileCondition(scope, find.where),
    ...(find.phrase === null ? [] : [compilePhrase(scope, find.phrase.words, find.phrase.fields)]),
    ...required(context, resource, find.include, 't'),
  ]);
  const table = tableOf(resource);
  const from = sql`from ${table} t where ${where}`;
  const keys = orderKeys(scope, find.order);
  const columns = seenColumns(scope, find.attributes);
  const record = recordColumn(scope, find.attributes);
  const page = sql`limit ${find.limit} offset ${find.offset}`;
  const parts = { table, inTime: reader.dialect.inTime(scope.alias, true), from, columns, record, page };
  const isLongOrder = find.order.length > 0 && find.limit > shortPage;
  const isCostly = costs(find.where) || isLongOrder || find.include.some(isRequired);
  // The text index looks for each pattern before the first row is seen, and nothing ends that.
  const isLarge = patternsIn(find.where) + (find.phrase?.words.length ?? 0) > fewPatterns;
  const rows = await readPage(
    context,
    (most) => (sorts ? pageOfFound : pageById)(parts, keys, most),
    isCostly,
    isLarge,
  );
  const seen = rows.map((row) => seenOf(resource, row));
  if (!find.count) return { count: null, rows: seen };
  const complete = rows.length < find.limit && (rows.length > 0 || find.offset === 0);
  if (complete) return { count: find.offset + rows.length, rows: seen };
  const counting = { statement: sql`select count(*) as held ${from}`, isCostly, isLarge };
  const [counted] = sorts && rows.length > 0 ? rows : await readLong(reader, caller, counting);
  return { count: Number(counted?.['held'] ?? 0), rows: seen };
}
