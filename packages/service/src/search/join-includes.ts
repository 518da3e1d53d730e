import { columnsOf, condition, every, permits } from '../access/permits.ts';
import type { Resource } from '../resource/define.ts';
import { linkName, storedSide } from '../resource/registry.ts';
import { tableOf } from '../resource/tables.ts';
import { name, sql, text, type Sql } from '../store/sql.ts';
import { compileCondition, visible } from './compile.ts';
import type { Include } from './find.ts';
import { scopeOf, type SearchContext } from './visible-records.ts';

/** Returns the SQL that joins an include to its parents, and the expression of the parent's id in a target row. */
export function joined(
  { registry, caller }: Pick<SearchContext, 'registry' | 'caller'>,
  parent: Resource,
  include: Include,
  alias: string,
): { from: Sql; parentId: Sql; link: Sql | null; where: Sql } {
  const joinParts = joinOf({ registry, caller }, parent, include, alias);
  const { includedBy, takenOver, levels } = include.association;
  const verdict = includedBy === undefined || permits(includedBy, caller, columnsOf(text('w')));
  if (verdict === true) return { ...joinParts, where: text('1 = 1') };
  const isIncluded = sql`exists (select 1 from ${tableOf(parent)} w where w.id = ${joinParts.parentId} and ${condition(verdict)})`;
  if (takenOver !== true || levels === undefined || joinParts.link === null) return { ...joinParts, where: isIncluded };
  // Callers who may change owners also see who the owners are.
  const owner = Math.max(...Object.values(levels.flags));
  return { ...joinParts, where: sql`(${joinParts.link}.level = ${owner} or ${isIncluded})` };
}

function joinOf(
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
      // Links of individual users, such as favourites, are visible to that user only.
      const ownOnly = storedSide(registry, association).callerOnly === true;
      const ownLinks = ownOnly ? sql` and ${link}.target_id = ${caller?.userId ?? null}` : text('');
      const [nearColumn, farColumn] = reversed
        ? [text('target_id'), text('first_id')]
        : [text('first_id'), text('target_id')];
      return {
        from: sql`link ${link} join ${table} ${at} on ${at}.id = ${link}.${farColumn} and ${link}.association = ${stored}${ownLinks}`,
        parentId: sql`${link}.${nearColumn}`,
        link,
      };
    }
    case 'reference': {
      const parentAlias = text(`p_${alias}`);
      return {
        from: sql`${tableOf(parent)} ${parentAlias} join ${table} ${at} on ${at}.id = ${parentAlias}.${name(through.field)}`,
        parentId: sql`${parentAlias}.id`,
        link: null,
      };
    }
    case 'referenced':
      return { from: sql`${table} ${at}`, parentId: sql`${at}.${name(through.by)}`, link: null };
  }
}

/** Condition for included rows. Covers the required includes of these rows. */
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

export const isRequired = ({ required: is }: Include): boolean => is;

/** Returns a condition for each required include: the parent must have at least one included row. */
export function required(context: SearchContext, parent: Resource, includes: readonly Include[], alias: string): Sql[] {
  return includes
    .map((include, index) => ({ include, inner: `${alias}_${index}` }))
    .filter(({ include }) => include.required)
    .map(({ include, inner }) => {
      const { from, parentId, where } = joined(context, parent, include, inner);
      return sql`exists (select 1 from ${from} where ${parentId} = ${text(alias)}.id and ${where}
        and ${context.reader.dialect.eachInTime(text(inner))} and ${includedWhere(context, include, inner)})`;
    });
}
