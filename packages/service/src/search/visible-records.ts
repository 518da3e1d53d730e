import type { JsonObject } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import { columnsOf, condition, permits } from '../access/permits.ts';
import type { Role } from '../declare/roles.ts';
import type { Resource } from '../resource/define.ts';
import { derived } from '../declare/derived.ts';
import type { Registry } from '../resource/registry.ts';
import { storedColumns, storedOf, type StoredRecord } from '../resource/tables.ts';
import { join, name, sql, type Sql } from '../store/sql.ts';
import type { Reader, Row } from '../store/store.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { Scope } from './compile.ts';
import type { Find } from './find.ts';

/** Context of searches. */
export interface SearchContext {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly caller: Caller | null;
  /** Limits of the answer; unlimited if omitted. */
  readonly budget?: AnswerBudget;
}

/** A stored record that the caller may see, with the names of fields that they may not see. */
export interface VisibleRecord {
  readonly stored: StoredRecord;
  readonly hiddenFields: readonly string[];
  /** For an included record: the id of the record that includes it. */
  readonly parent?: string;
  readonly link?: JsonObject;
}

/** Returns the restricted fields of a resource by the role that may see them. */
export const guarded = derived((resource): readonly (readonly [Role, readonly string[]])[] => {
  const byRole = new Map<Role, string[]>();
  for (const [field, { shownTo }] of Object.entries(resource.fields))
    if (shownTo !== undefined) byRole.set(shownTo, [...(byRole.get(shownTo) ?? []), field]);
  return [...byRole];
});

/** Selects the whole record of a table or only the requested fields. A record with an older structure is selected whole. */
export function recordColumn({ resource, dialect, alias }: Scope, attributes: Find['attributes']): Sql {
  const record = sql`${alias}.record`;
  if (attributes === null) return record;
  const fields = attributes.filter((field) => field !== 'id' && Object.hasOwn(resource.fields, field));
  return sql`(case when ${alias}.shape = 1 then ${dialect.picked(sql`${alias}.id`, record, [...new Set(fields)])} else ${record} end)`;
}

/** One boolean per role that guards requested fields: true if the caller holds it. Null if no requested field is guarded. */
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

/** The stored columns of a record, with the whole record or only the requested fields. */
export function recordColumns(scope: Scope, attributes: Find['attributes'] = null): Sql {
  const { alias } = scope;
  if (attributes === null) return storedColumns(alias);
  const record = sql`${recordColumn(scope, attributes)} as record`;
  return sql`${alias}.id, ${alias}.organization_id, ${record}, ${alias}.shape, ${alias}.revision, ${alias}.secrets`;
}

/** The columns of a visible record: the stored ones and the guards. */
export function seenColumns(scope: Scope, attributes: Find['attributes'] = null): Sql {
  const guards = guardColumns(scope, attributes);
  const columnList = recordColumns(scope, attributes);
  return guards === null ? columnList : sql`${columnList}, ${guards}`;
}

export const nothingHidden: readonly string[] = [];

export function seenOf(resource: Resource, row: Row): VisibleRecord {
  const fields = guarded(resource);
  if (fields.length === 0) return { stored: storedOf(row), hiddenFields: nothingHidden };
  const hiddenFields = fields.flatMap(([, names], index) => (row[`sees_${index}`] === 1 ? [] : names));
  return { stored: storedOf(row), hiddenFields };
}

export const scopeOf = ({ reader, caller }: SearchContext, resource: Resource, alias: Sql): Scope => ({
  dialect: reader.dialect,
  resource,
  alias,
  caller,
});
