import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { columnsOf, condition, permits } from '../access/permits.ts';
import type { LinkLevels } from '../declare/association.ts';
import type { Resource } from '../resource/define.ts';
import { linkName, storedSide, type Registry } from '../resource/registry.ts';
import { tableOf } from '../resource/tables.ts';
import { list, sql, text, type Sql } from '../store/sql.ts';
import type { Row } from '../store/store.ts';
import { nextRound } from '../concurrency/turns.ts';
import { costs, orderBy, orderKeys } from './compile.ts';
import type { Include } from './find.ts';
import { nearBytes, readLong } from './read-long.ts';
import { includedWhere, joined } from './join-includes.ts';
import {
  guardColumns,
  recordColumn,
  recordColumns,
  scopeOf,
  seenOf,
  type SearchContext,
  type VisibleRecord,
} from './visible-records.ts';

const flagsOf = (levels: LinkLevels | undefined, level: number): JsonObject =>
  Object.fromEntries(Object.entries(levels?.flags ?? {}).map(([flag, at]) => [flag, level >= at]));

/**
 * Condition that the caller may create links of an included association. It determines how much of a link the caller
 * sees. Null if the caller sees everything.
 */
function mayLink(
  { registry, caller }: SearchContext,
  parent: Resource,
  include: Include,
  link: Sql,
  at: Sql,
): Sql | null {
  const { properties = {}, roleHere } = storedSide(registry, include.association);
  if (!Object.values(properties).some(({ shownToLinker }) => shownToLinker === true)) return null;
  if (linkName(parent, include.role, include.association).reversed)
    return condition(permits(roleHere, caller, columnsOf(at)));
  const mayWriteLink = condition(permits(roleHere, caller, columnsOf(text('w'))));
  return sql`exists (select 1 from ${tableOf(parent)} w where w.id = ${link}.first_id and ${mayWriteLink})`;
}

function linkOf(registry: Registry, include: Include, row: Row): JsonObject {
  const storedProperties = row['link_properties'];
  const { levels, properties = {} } = storedSide(registry, include.association);
  const extra: Json = typeof storedProperties === 'string' ? JSON.parse(storedProperties) : {};
  const visibleProperties = Object.entries(isObject(extra) ? extra : {}).filter(
    ([name]) => row['link_whole'] === 1 || properties[name]?.shownToLinker !== true,
  );
  return { ...flagsOf(levels, Number(row['link_level'] ?? 0)), ...Object.fromEntries(visibleProperties) };
}

/** Maximum number of parents per statement, since stores limit the number of bound values. */
const maxParents = 10_000;

/** Number of rows to process before yielding to other requests. */
const rowsTogether = 2000;

/**
 * Charges the rows of an include to the budget before they are read. Returns true if they are too large for the main
 * thread. Raises Problem `answer_too_large`.
 */
async function afford(
  { reader, caller, budget }: SearchContext,
  numbered: Sql,
  limit: number,
  isCostly: boolean,
): Promise<boolean> {
  if (budget === undefined) return false;
  const statement = sql`select count(*) as n, coalesce(sum(bytes), 0) as bytes from (${numbered}) numbered where place <= ${limit}`;
  const [row] = await readLong(reader, caller, { statement, isCostly });
  const bytes = Number(row?.['bytes'] ?? 0);
  await budget.take(Number(row?.['n'] ?? 0), bytes);
  return bytes > nearBytes;
}

/**
 * Reads the rows of an include for many parents at once. Each row has the id of its parent. Raises Problem
 * `answer_too_large`.
 */
export async function included(
  context: SearchContext,
  parent: Resource,
  ids: readonly string[],
  include: Include,
): Promise<readonly VisibleRecord[]> {
  if (ids.length === 0 || include.limit === 0) return [];
  if (ids.length > maxParents) {
    const firstRecords = await included(context, parent, ids.slice(0, maxParents), include);
    return [...firstRecords, ...(await included(context, parent, ids.slice(maxParents), include))];
  }
  const scope = scopeOf(context, include.target, text('i'));
  const { from, parentId, link, where: mayInclude } = joined(context, parent, include, 'i');
  const linker = link === null ? null : mayLink(context, parent, include, link, scope.alias);
  const wholeFlag = linker === null ? text('') : sql`, case when ${linker} then 1 else 0 end as link_whole`;
  const extra =
    link === null ? text('') : sql`, ${link}.properties as link_properties, ${link}.level as link_level${wholeFlag}`;
  // The store numbers the rows, so that it returns no more rows per parent than the limit.
  const place = sql`row_number() over (partition by ${parentId} ${orderBy(orderKeys(scope, include.order))}) as place`;
  const where = sql`${context.reader.dialect.inTime(scope.alias, true)} and ${parentId} in ${list(ids)}
    and ${mayInclude} and ${includedWhere(context, include, 'i')}`;
  const bytes = sql`octet_length(${recordColumn(scope, include.attributes)}) as bytes`;
  const isCostly = ids.length > 100 || costs(include.target, include.where);
  const isLarge = await afford(
    context,
    sql`select ${bytes}, ${place} from ${from} where ${where}`,
    include.limit,
    isCostly,
  );
  const columns = recordColumns(scope, include.attributes);
  const numbered = sql`select * from (
      select ${columns}, ${parentId} as parent_id${extra}, ${place} from ${from} where ${where}
    ) placed where place <= ${include.limit}`;
  const guards = guardColumns(scope, include.attributes);
  // Tests access to each record once, not once per parent.
  const statement =
    guards === null
      ? sql`${numbered} order by parent_id, place`
      : sql`select * from (
          with numbered as (${numbered})
          select numbered.*, guard.* from numbered
          join (
            select i.id as guarded_id, ${guards} from ${tableOf(include.target)} i where i.id in (select id from numbered)
          ) guard on guard.guarded_id = numbered.id
        ) answered order by parent_id, place`;
  const rows = await readLong(context.reader, context.caller, { statement, isCostly, isLarge });
  const records: VisibleRecord[] = [];
  for (const row of rows) {
    records.push({
      ...seenOf(include.target, row),
      parent: String(row['parent_id']),
      ...(link === null ? {} : { link: linkOf(context.registry, include, row) }),
    });
    if (records.length % rowsTogether === 0) await nextRound();
  }
  return records;
}
