import { inWords, type JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { columnsOf, condition, every, permits } from '../access/permits.ts';
import type { Role } from '../access/roles.ts';
import type { Resource } from '../resource/define.ts';
import { Problem } from '../problems/problem.ts';
import { derived } from '../resource/derived.ts';
import { linkName, storedSide, type Registry } from '../resource/registry.ts';
import { mainTable, storedColumns, storedOf, tableOf, type StoredRecord } from '../resource/tables.ts';
import { hinted, join, name, sql, text, withLast, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import {
  compileCondition,
  compileFixed,
  compilePhrase,
  costs,
  isNarrowed,
  orderBy,
  orderKeys,
  patternsIn,
  visible,
  type Key,
  type Scope,
} from './compile.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { isEverything, type Find, type Include } from './find.ts';
import { nearBytes, readLong } from './read-long.ts';

/** Where reads happen, and for whom. */
export interface SearchContext {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly caller: Caller | null;
  /** What the answer may hold; without one, as much as there is. */
  readonly budget?: AnswerBudget;
}

/** A stored record that the caller may see, and the fields of it they may not. */
export interface VisibleRecord {
  readonly stored: StoredRecord;
  readonly unseen: readonly string[];
  /** The link it was reached by, where it was included. */
  readonly parent?: string;
  readonly link?: JsonObject;
}

/** Fields that only some callers may see, by the role that it takes. */
const guarded = derived((resource): readonly (readonly [Role, readonly string[]])[] => {
  const byRole = new Map<Role, string[]>();
  for (const [field, { shownTo }] of Object.entries(resource.fields))
    if (shownTo !== undefined) byRole.set(shownTo, [...(byRole.get(shownTo) ?? []), field]);
  return [...byRole];
});

/** The record of a table, or the fields of it that are asked for: one of an older structure is needed whole. */
export function recordColumn({ resource, dialect, alias }: Scope, attributes: Find['attributes']): Sql {
  const record = sql`${alias}.record`;
  if (attributes === null) return record;
  const fields = attributes.filter((field) => field !== 'id' && Object.hasOwn(resource.fields, field));
  return sql`(case when ${alias}.shape = 1 then ${dialect.picked(record, ['id', ...new Set(fields)])} else ${record} end)`;
}

/** For each role that guards fields which are asked for, whether the caller holds it; null where there is none. */
export function guardColumns({ resource, alias, caller }: Scope, attributes: Find['attributes'] = null): Sql | null {
  const flags = guarded(resource).flatMap(([role, fields], index) =>
    attributes === null || fields.some((field) => attributes.includes(field))
      ? [
          sql`case when ${condition(permits(role, caller, columnsOf(alias)))} then 1 else 0 end as ${name(`sees_${index}`)}`,
        ]
      : [],
  );
  return flags.length === 0 ? null : join(flags, ', ');
}

/** The stored columns of a record, with the whole record or the fields of it that are asked for. */
export function recordColumns(scope: Scope, attributes: Find['attributes'] = null): Sql {
  const { alias } = scope;
  if (attributes === null) return storedColumns(alias);
  const record = sql`${recordColumn(scope, attributes)} as record`;
  return sql`${alias}.id, ${alias}.organization_id, ${record}, ${alias}.shape, ${alias}.revision, ${alias}.secrets`;
}

/** The columns of a seen record: the stored ones and the guards. */
export function seenColumns(scope: Scope, attributes: Find['attributes'] = null): Sql {
  const guards = guardColumns(scope, attributes);
  const stored = recordColumns(scope, attributes);
  return guards === null ? stored : sql`${stored}, ${guards}`;
}

const nothingUnseen: readonly string[] = [];

export function seenOf(resource: Resource, row: Row): VisibleRecord {
  const fields = guarded(resource);
  if (fields.length === 0) return { stored: storedOf(row), unseen: nothingUnseen };
  const unseen = fields.flatMap(([, names], index) => (row[`sees_${index}`] === 1 ? [] : names));
  return { stored: storedOf(row), unseen };
}

export const scopeOf = ({ reader, caller }: SearchContext, resource: Resource, alias: Sql): Scope => ({
  dialect: reader.dialect,
  resource,
  alias,
  caller,
});

/** Statements by id that were made for a caller; the same caller is asked for with the same one. */
const madeFor = new WeakMap<Caller, Map<string, Sql>>();

/** The statement that finds one record where the caller may see it; its last value is the id. */
function byId(context: SearchContext, resource: Resource, fixed: NonNullable<Find['fixed']>): Sql {
  const { caller, reader } = context;
  const made = (): Sql => {
    const scope = scopeOf(context, resource, mainTable);
    const where = every([visible(scope), ...(fixed.length === 0 ? [] : [compileFixed(scope.alias, fixed)])]);
    return sql`select ${seenColumns(scope)} from ${tableOf(resource)} t where ${where} and t.id = ${null}`;
  };
  if (caller === null) return made();
  const known = madeFor.get(caller) ?? new Map<string, Sql>();
  madeFor.set(caller, known);
  const name = [reader.dialect.name, resource.name, ...fixed.map(({ value }) => inWords(value))].join(' ');
  const statement = known.get(name) ?? made();
  known.set(name, statement);
  return statement;
}

/** One record by id; null where there is none or the caller may not see it. */
export async function findOne(
  context: SearchContext,
  resource: Resource,
  id: string,
  fixed: Find['fixed'] = [],
): Promise<VisibleRecord | null> {
  const [row] = await context.reader.rows(hinted(withLast(byId(context, resource, fixed), id), { single: true }));
  return row === undefined ? null : seenOf(resource, row);
}

/** A record that was just written, with the fields of it that the caller may not see as things stand now. */
export async function seenAfterwards(
  context: SearchContext,
  resource: Resource,
  stored: StoredRecord,
): Promise<VisibleRecord> {
  const fields = guarded(resource);
  if (fields.length === 0) return { stored, unseen: nothingUnseen };
  const scope = scopeOf(context, resource, mainTable);
  const [row] = await context.reader.rows(
    sql`select ${seenColumns(scope)} from ${tableOf(resource)} t where t.id = ${stored.id}`,
  );
  return { stored, unseen: row === undefined ? fields.flatMap(([, names]) => names) : seenOf(resource, row).unseen };
}

/** How the rows of an include hang on their parents: the join, and the parent's id as the target row knows it. */
export function joined(
  { registry, caller }: Pick<SearchContext, 'registry' | 'caller'>,
  parent: Resource,
  include: Include,
  alias: string,
): { from: Sql; parentId: Sql; link: Sql | null; where: Sql } {
  const hung = hanging({ registry, caller }, parent, include, alias);
  const { includedBy, takenOver, levels } = include.association;
  const verdict = includedBy === undefined || permits(includedBy, caller, columnsOf(text('w')));
  if (verdict === true) return { ...hung, where: text('1 = 1') };
  const included = sql`exists (select 1 from ${tableOf(parent)} w where w.id = ${hung.parentId} and ${condition(verdict)})`;
  if (takenOver !== true || levels === undefined || hung.link === null) return { ...hung, where: included };
  // Whoever may make somebody else the owner sees who the owners are.
  const owner = Math.max(...Object.values(levels.flags));
  return { ...hung, where: sql`(${hung.link}.level = ${owner} or ${included})` };
}

function hanging(
  { registry, caller }: Pick<SearchContext, 'registry' | 'caller'>,
  parent: Resource,
  include: Include,
  alias: string,
): { from: Sql; parentId: Sql; link: Sql | null } {
  const { association, role } = include;
  const { relation: through } = association;
  const at = text(alias);
  const table = tableOf(include.target);
  switch (through.kind) {
    case 'link':
    case 'inverse': {
      const { stored, reversed } = linkName(parent, role, association);
      const link = text(`l_${alias}`);
      // What is linked by the caller alone, such as favourites, is shown to the caller alone.
      const ownOnly = storedSide(registry, association).callerOnly === true;
      const own = ownOnly ? sql` and ${link}.target_id = ${caller?.userId ?? null}` : text('');
      const [here, there] = reversed ? [text('target_id'), text('first_id')] : [text('first_id'), text('target_id')];
      return {
        from: sql`link ${link} join ${table} ${at} on ${at}.id = ${link}.${there} and ${link}.association = ${stored}${own}`,
        parentId: sql`${link}.${here}`,
        link,
      };
    }
    case 'reference': {
      const up = text(`p_${alias}`);
      return {
        from: sql`${tableOf(parent)} ${up} join ${table} ${at} on ${at}.id = ${up}.${name(through.field)}`,
        parentId: sql`${up}.id`,
        link: null,
      };
    }
    case 'referenced':
      return { from: sql`${table} ${at}`, parentId: sql`${at}.${name(through.by)}`, link: null };
  }
}

/** What an included row must satisfy, its own required includes with it. */
export function includedWhere(context: SearchContext, include: Include, alias: string): Sql {
  const scope = scopeOf(context, include.target, text(alias));
  const { targetOf } = include.association;
  const ofType =
    targetOf === undefined ? [] : [sql`${scope.alias}.${name(include.target.variety?.field ?? 'type')} = ${targetOf}`];
  return every([
    visible(scope),
    ...ofType,
    compileCondition(scope, include.where),
    ...required(context, include.target, include.include, alias),
  ]);
}

const isRequired = ({ required: is }: Include): boolean => is;

/** For every required include: that there is at least one row. */
function required(context: SearchContext, parent: Resource, includes: readonly Include[], alias: string): Sql[] {
  return includes
    .map((include, index) => ({ include, inner: `${alias}_${index}` }))
    .filter(({ include }) => include.required)
    .map(({ include, inner }) => {
      const { from, parentId, where } = joined(context, parent, include, inner);
      return sql`exists (select 1 from ${from} where ${parentId} = ${text(alias)}.id and ${where}
        and ${context.reader.dialect.eachInTime(text(inner))} and ${includedWhere(context, include, inner)})`;
    });
}

/** One page of what is found, and how large its records are together: without records where they are larger than they may be. */
interface PageParts {
  readonly table: Sql;
  /** Ends the reading of records that takes longer than it may. */
  readonly inTime: Sql;
  readonly from: Sql;
  readonly columns: Sql;
  readonly record: Sql;
  readonly page: Sql;
}

const sized = ({ table, inTime, record }: PageParts): Sql =>
  sql`size as (select coalesce(sum(octet_length(${record})), 0) as bytes from page join ${table} t on t.seq = page.seq and ${inTime})`;

const sizedPage = ({ table, inTime }: PageParts, most: number): Sql =>
  sql`from page left join ${table} t on t.seq = page.seq and (select bytes from size) <= ${most} and ${inTime}`;

/**
 * Where all that is found must be looked at before the first row is known, it is counted in the same statement: its work is
 * not done twice. It is ordered without its records, which are read for the page alone.
 */
function pageOfFound(parts: PageParts, keys: readonly Key[], most: number): Sql {
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

/** In the order of ids rows come as they are indexed, so a page of them is read without looking at the rest. */
const pageById = (parts: PageParts, keys: readonly Key[], most: number): Sql =>
  sql`with page as materialized (select t.seq ${parts.from} ${orderBy(keys)} ${parts.page}), ${sized(parts)}
    select ${parts.columns}, (select bytes from size) as bytes ${sizedPage(parts, most)} ${orderBy(keys)}`;

/** A record that is not there stands for all of the page, which is larger than was asked for. */
const isTooLarge = ([first]: readonly Row[]): boolean => first !== undefined && first['id'] === null;

/**
 * Rows of a page. A longer page in an order is read apart from the short reads, with a deadline of its own; where the store can
 * end a read within a few milliseconds, it is tried among the short reads first.
 */
const shortPage = 1000;

/** Patterns and words that are looked for on the thread that answers others. */
const fewPatterns = 10;

/** The rows of a page: small ones at once; large ones once there is room for them. Raises Problem `answer_too_large`. */
async function readPage(
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

/** The records of a search that the caller may see, and how many there are before the limit. */
export async function search(
  context: SearchContext,
  resource: Resource,
  find: Find,
): Promise<{ count: number; rows: readonly VisibleRecord[] }> {
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
  const complete = rows.length < find.limit && (rows.length > 0 || find.offset === 0);
  if (complete) return { count: find.offset + rows.length, rows: seen };
  const counting = { statement: sql`select count(*) as held ${from}`, isCostly, isLarge };
  const [counted] = sorts && rows.length > 0 ? rows : await readLong(reader, caller, counting);
  return { count: Number(counted?.['held'] ?? 0), rows: seen };
}
