import { inWords, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { columnsOf, condition, every, permits } from '../access/permits.ts';
import type { Role } from '../access/roles.ts';
import type { Ladder, Resource } from '../resource/define.ts';
import { derived } from '../resource/derived.ts';
import { linkName, storedSide, type Registry } from '../resource/registry.ts';
import { mainTable, storedColumns, storedOf, tableOf, type Stored } from '../resource/tables.ts';
import { join, list, name, sql, text, withLast, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import {
  compileCondition,
  compileFixed,
  compilePhrase,
  isNarrowed,
  orderBy,
  orderKeys,
  visible,
  type Key,
  type Scope,
} from './compile.ts';
import type { Find, Include } from './find.ts';

/** Where reads happen, and for whom. */
export interface Asking {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly caller: Caller | null;
}

/** A stored record that the caller may see, and the fields of it they may not. */
export interface Seen {
  readonly stored: Stored;
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

/** The columns of a seen record: the stored ones, and for each role that guards fields whether the caller holds it. */
function seenColumns({ resource, alias, caller }: Scope): Sql {
  const flags = guarded(resource).map(
    ([role], index) =>
      sql`case when ${condition(permits(role, caller, columnsOf(alias)))} then 1 else 0 end as ${name(`sees_${index}`)}`,
  );
  return flags.length === 0 ? storedColumns(alias) : join([storedColumns(alias), ...flags], ', ');
}

const nothingUnseen: readonly string[] = [];

function seenOf(resource: Resource, row: Row): Seen {
  const fields = guarded(resource);
  if (fields.length === 0) return { stored: storedOf(row), unseen: nothingUnseen };
  const unseen = fields.flatMap(([, names], index) => (row[`sees_${index}`] === 1 ? [] : names));
  return { stored: storedOf(row), unseen };
}

const scopeOf = ({ reader, caller }: Asking, resource: Resource, alias: Sql): Scope => ({
  dialect: reader.dialect,
  resource,
  alias,
  caller,
});

/** Statements by id that were made for a caller; the same caller is asked for with the same one. */
const madeFor = new WeakMap<Caller, Map<string, Sql>>();

/** The statement that finds one record where the caller may see it; its last value is the id. */
function byId(asking: Asking, resource: Resource, fixed: NonNullable<Find['fixed']>): Sql {
  const { caller, reader } = asking;
  const made = (): Sql => {
    const scope = scopeOf(asking, resource, mainTable);
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

/** One record by id; null where there is none or the caller may not see it (decision A3). */
export async function findOne(
  asking: Asking,
  resource: Resource,
  id: string,
  fixed: Find['fixed'] = [],
): Promise<Seen | null> {
  const [row] = await asking.reader.rows({ ...withLast(byId(asking, resource, fixed), id), single: true });
  return row === undefined ? null : seenOf(resource, row);
}

/** A record that was just written, with the fields of it that the caller may not see as things stand now. */
export async function seenAfterwards(asking: Asking, resource: Resource, stored: Stored): Promise<Seen> {
  const fields = guarded(resource);
  if (fields.length === 0) return { stored, unseen: nothingUnseen };
  const scope = scopeOf(asking, resource, mainTable);
  const [row] = await asking.reader.rows(
    sql`select ${seenColumns(scope)} from ${tableOf(resource)} t where t.id = ${stored.id}`,
  );
  return { stored, unseen: row === undefined ? fields.flatMap(([, names]) => names) : seenOf(resource, row).unseen };
}

/** How the rows of an include hang on their parents: the join, and the parent's id as the target row knows it. */
function joined(
  registry: Registry,
  parent: Resource,
  include: Include,
  alias: string,
): { from: Sql; parentId: Sql; link: Sql | null } {
  const { association, role } = include;
  const { through } = association;
  const at = text(alias);
  const table = tableOf(include.target);
  switch (through.kind) {
    case 'link':
    case 'inverse': {
      const { stored, reversed } = linkName(parent, role, association);
      const link = text(`l_${alias}`);
      const [here, there] = reversed ? [text('target_id'), text('first_id')] : [text('first_id'), text('target_id')];
      return {
        from: sql`link ${link} join ${table} ${at} on ${at}.id = ${link}.${there} and ${link}.association = ${stored}`,
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
function includedWhere(asking: Asking, include: Include, alias: string): Sql {
  const scope = scopeOf(asking, include.target, text(alias));
  const { targetOf } = include.association;
  const ofType =
    targetOf === undefined ? [] : [sql`${scope.alias}.${name(include.target.variety?.field ?? 'type')} = ${targetOf}`];
  return every([
    visible(scope),
    ...ofType,
    compileCondition(scope, include.where),
    ...required(asking, include.target, include.include, alias),
  ]);
}

/** For every required include: that there is at least one row (decision S3). */
function required(asking: Asking, parent: Resource, includes: readonly Include[], alias: string): Sql[] {
  return includes
    .map((include, index) => ({ include, inner: `${alias}_${index}` }))
    .filter(({ include }) => include.required)
    .map(({ include, inner }) => {
      const { from, parentId } = joined(asking.registry, parent, include, inner);
      return sql`exists (select 1 from ${from} where ${parentId} = ${text(alias)}.id and ${includedWhere(asking, include, inner)})`;
    });
}

/**
 * Where all that is found must be looked at before the first row is known, it is counted in the same statement: its work is
 * not done twice. It is ordered without its records, which are read for the page alone.
 */
function pageOfFound(table: Sql, from: Sql, columns: Sql, keys: readonly Key[], page: Sql): Sql {
  const named = keys.map(({ expression, direction }, index) => ({ expression, direction, key: text(`key_${index}`) }));
  const found = join(
    named.map(({ expression, key }) => sql`${expression} as ${key}`),
    ', ',
  );
  const inPage = orderBy(named.map(({ key, direction }) => ({ expression: key, direction })));
  return sql`with found as materialized (select t.seq, ${found} ${from}) select ${columns}, (select count(*) from found) as held from (select * from found ${inPage} ${page}) page join ${table} t on t.seq = page.seq ${inPage}`;
}

/** The records of a search that the caller may see, and how many there are before the limit (decisions A1, S5). */
export async function search(
  asking: Asking,
  resource: Resource,
  find: Find,
): Promise<{ count: number; rows: readonly Seen[] }> {
  const narrowed = find.phrase !== null || isNarrowed(resource, find.where);
  const scope = { ...scopeOf(asking, resource, mainTable), narrowed };
  const where = every([
    visible(scope),
    compileFixed(scope.alias, find.fixed ?? []),
    compileCondition(scope, find.where),
    ...(find.phrase === null ? [] : [compilePhrase(scope, find.phrase.words, find.phrase.fields)]),
    ...required(asking, resource, find.include, 't'),
  ]);
  const table = tableOf(resource);
  const from = sql`from ${table} t where ${where}`;
  const keys = orderKeys(scope, find.order);
  const page = sql`limit ${find.limit} offset ${find.offset}`;
  const columns = seenColumns(scope);
  // In the order of ids rows come as they are indexed, so a page of them is read without looking at the rest.
  const sorts = narrowed || find.order.length > 0;
  const rows = await asking.reader.rows(
    sorts ? pageOfFound(table, from, columns, keys, page) : sql`select ${columns} ${from} ${orderBy(keys)} ${page}`,
  );
  const seen = rows.map((row) => seenOf(resource, row));
  const complete = rows.length < find.limit && (rows.length > 0 || find.offset === 0);
  if (complete) return { count: find.offset + rows.length, rows: seen };
  const [counted] = sorts && rows.length > 0 ? rows : await asking.reader.rows(sql`select count(*) as held ${from}`);
  return { count: Number(counted?.['held'] ?? 0), rows: seen };
}

const flagsOf = (ladder: Ladder | undefined, level: number): JsonObject =>
  Object.fromEntries(Object.entries(ladder?.flags ?? {}).map(([flag, at]) => [flag, level >= at]));

/** Whether the caller may make links of an included association: says what of them he sees. Null where all of it is seen. */
function mayLink({ registry, caller }: Asking, parent: Resource, include: Include, link: Sql, at: Sql): Sql | null {
  const { properties = {}, first } = storedSide(registry, include.association);
  if (!Object.values(properties).some(({ shownToLinker }) => shownToLinker === true)) return null;
  if (linkName(parent, include.role, include.association).reversed)
    return condition(permits(first, caller, columnsOf(at)));
  const held = condition(permits(first, caller, columnsOf(text('w'))));
  return sql`exists (select 1 from ${tableOf(parent)} w where w.id = ${link}.first_id and ${held})`;
}

function linkOf(registry: Registry, include: Include, row: Row): JsonObject {
  const stored = row['link_properties'];
  const { ladder, properties = {} } = storedSide(registry, include.association);
  const extra: Json = typeof stored === 'string' ? JSON.parse(stored) : {};
  const seen = Object.entries(isObject(extra) ? extra : {}).filter(
    ([name]) => row['link_whole'] === 1 || properties[name]?.shownToLinker !== true,
  );
  return { ...flagsOf(ladder, Number(row['link_level'] ?? 0)), ...Object.fromEntries(seen) };
}

/** Parents asked about in one statement: a store binds only so many values. */
const mostParents = 10_000;

/** The rows of an include for many parents at once; each names its parent. */
export async function included(
  asking: Asking,
  parent: Resource,
  ids: readonly string[],
  include: Include,
): Promise<readonly Seen[]> {
  if (ids.length === 0 || include.limit === 0) return [];
  if (ids.length > mostParents) {
    const first = await included(asking, parent, ids.slice(0, mostParents), include);
    return [...first, ...(await included(asking, parent, ids.slice(mostParents), include))];
  }
  const scope = scopeOf(asking, include.target, text('i'));
  const { from, parentId, link } = joined(asking.registry, parent, include, 'i');
  const linker = link === null ? null : mayLink(asking, parent, include, link, scope.alias);
  const whole = linker === null ? text('') : sql`, case when ${linker} then 1 else 0 end as link_whole`;
  const extra =
    link === null ? text('') : sql`, ${link}.properties as link_properties, ${link}.level as link_level${whole}`;
  // Numbered by the store, so that no more rows than the limit of each parent ever leave it.
  const place = sql`row_number() over (partition by ${parentId} ${orderBy(orderKeys(scope, include.order))}) as place`;
  const rows = await asking.reader.rows(
    sql`select * from (select ${seenColumns(scope)}, ${parentId} as parent_id${extra}, ${place} from ${from} where ${parentId} in ${list(ids)} and ${includedWhere(asking, include, 'i')}) numbered where place <= ${include.limit} order by parent_id, place`,
  );
  return rows.map((row) => ({
    ...seenOf(include.target, row),
    parent: String(row['parent_id']),
    ...(link === null ? {} : { link: linkOf(asking.registry, include, row) }),
  }));
}
