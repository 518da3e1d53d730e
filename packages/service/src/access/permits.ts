import { join, list, name, sql, text, type Sql } from '../store/sql.ts';
import { seesAllRows, seesWholeDashboard } from './all-rows.ts';
import { isOverseer, type Caller } from './caller.ts';
import { hasFeature } from './features.ts';
import { endUserOf, writerOf } from './end-user.ts';
import { coversAll, given } from './given.ts';
import { levelOf, type Role } from '../declare/roles.ts';
import type { Subjects } from './subjects.ts';

/** Value of a field of a record that is not stored yet, as text. */
export interface KnownValue {
  readonly known: string | null;
}

/** Returns a field for use in conditions: a column of the stored record, or the value of a new record. */
export type Columns = (field: string) => Sql | KnownValue;

/** A boolean if the result is known before the statement runs; otherwise a condition on the record. */
export type Verdict = boolean | Sql;

/** Resolves fields to columns of a table. */
export const columnsOf =
  (table: Sql) =>
  (field: string): Sql =>
    sql`${table}.${name(field)}`;

const isKnown = (value: Sql | KnownValue): value is KnownValue => 'known' in value;
const asSql = (value: Sql | KnownValue): Sql => (isKnown(value) ? sql`cast(${value.known} as text)` : value);

/** Tests that a field equals a text. A null field equals no text. */
const isEqual = (value: Sql | KnownValue, other: string): Verdict =>
  isKnown(value) ? value.known === other : sql`${value} = ${other}`;

const isNull = (value: Sql | KnownValue): Verdict => (isKnown(value) ? value.known === null : sql`${value} is null`);

/** True if a boolean field, stored as 0 or 1, is set. */
const isTrue = (value: Sql | KnownValue): Verdict => (isKnown(value) ? value.known === '1' : sql`${value} = 1`);

const allOf = (left: Verdict, right: Verdict): Verdict => {
  if (left === false || right === false) return false;
  if (left === true) return right;
  return right === true ? left : sql`(${left} and ${right})`;
};

const anyOf = (left: Verdict, right: Verdict): Verdict => {
  if (left === true || right === true) return true;
  if (left === false) return right;
  return right === false ? left : sql`(${left} or ${right})`;
};

/**
 * Condition that a securable exists for tokens of an environment: it is a dataset, or a dashboard with a version in
 * that environment.
 */
const isIn = (environment: string, id: Sql): Sql =>
  sql`(not exists (select 1 from securable d where d.id = ${id} and d.type = 'dashboard')
    or exists (select 1 from dashboardversion v where v.securable_id = ${id} and v.environment = ${environment}))`;

export type EntityRole = Role & { kind: 'entity' };

/** What a right on a record depends on. All of it must hold. specification/rights#explanations */
export const rightParts = ['role', 'organization', 'environment', 'paths', 'issuer'] as const;
export type RightPart = (typeof rightParts)[number];

/** Returns the conditions of a right on a record, by what the right depends on. */
export function partsOfRight(role: EntityRole, caller: Caller, columns: Columns): Readonly<Record<RightPart, Verdict>> {
  const level = levelOf(role.right);
  const recordId = asSql(columns(role.through));
  const id =
    role.via === undefined ? recordId : sql`(select v.securable_id from ${name(role.via)} v where v.id = ${recordId})`;
  const holds = (subjects: Subjects, rank: number): Sql =>
    role.of === 'securable' && coversAll(rank, level) ? sql`${id} is not null` : given(role.of, id, level, subjects);
  return {
    role: level <= caller.ceiling,
    organization: isEqual(columns('organization_id'), caller.organizationId),
    environment: role.of !== 'securable' || caller.environment === undefined || isIn(caller.environment, id),
    paths: holds(caller.subjects, caller.rank),
    // An embed token never has more rights than its issuer has now.
    issuer: caller.issuer === null || holds(caller.issuer.subjects, caller.issuer.rank),
  };
}

function entity(role: EntityRole, caller: Caller, columns: Columns): Verdict {
  if (levelOf(role.right) > caller.ceiling) return false;
  const parts = partsOfRight(role, caller, columns);
  return rightParts.map((part) => parts[part]).reduce(allOf, true);
}

function named({ by, right }: Role & { kind: 'named' }, caller: Caller, columns: Columns): Verdict {
  const verdict = entity({ kind: 'entity', of: by, right, through: 'id' }, caller, columnsOf(text('n')));
  if (verdict === false) return false;
  const holds = verdict === true ? text('1 = 1') : verdict;
  // The table `u` has the ids of the themes that dashboards and their versions use.
  const source =
    caller.environment === undefined
      ? sql`u.source_id`
      : sql`(select v.securable_id from dashboardversion v
          where v.id = u.source_id and v.environment = ${caller.environment})`;
  return allOf(
    isEqual(columns('organization_id'), caller.organizationId),
    sql`exists (select 1 from theme_use u join ${name(by)} n on n.id = ${source}
      where u.theme_id = ${asSql(columns('id'))} and n.organization_id = ${caller.organizationId} and ${holds})`,
  );
}

function inSuborganization({ of }: Role & { kind: 'suborganization' }, caller: Caller, columns: Columns): Verdict {
  if (caller.suborganization === null && caller.rank >= levelOf('owner')) return true;
  const suborganization =
    of === undefined
      ? columns('suborganization')
      : sql`(select v.suborganization from ${name(of.via)} v where v.id = ${asSql(columns(of.through))})`;
  return caller.suborganization === null ? isNull(suborganization) : isEqual(suborganization, caller.suborganization);
}

function isWriter(caller: Caller, value: Sql | KnownValue): Verdict {
  const writer = writerOf(caller);
  return writer !== null && isEqual(value, writer);
}

/** A token of an environment does not see the contents that dashboards have now, so it makes none. */
const isDesigner = (caller: Caller): boolean =>
  caller.type === 'embed' &&
  caller.ceiling >= levelOf('own') &&
  caller.environment === undefined &&
  endUserOf(caller) !== null &&
  (caller.issuer?.rank ?? 0) >= levelOf('editor');

type CallerRole = Exclude<Role, { kind: 'anyone' | 'visitor' | 'any' | 'all' }>;

function permitsCaller(role: CallerRole, caller: Caller, columns: Columns): Verdict {
  switch (role.kind) {
    case 'operator':
      return false;
    case 'ordinary':
      return !isOverseer(caller);
    case 'loggedIn':
      return caller.type !== 'embed';
    case 'token':
      return caller.type === role.type;
    case 'organization':
      return (
        caller.rank >= levelOf(role.rank) &&
        (role.whole !== true || caller.suborganization === null) &&
        isEqual(columns('organization_id'), caller.organizationId)
      );
    case 'entity':
      return entity(role, caller, columns);
    case 'self':
      return caller.userId !== null && isEqual(columns(role.through), caller.userId);
    case 'designer':
      return isDesigner(caller);
    case 'itself':
      return caller.type === 'embed' && isEqual(columns('id'), caller.authorizationId);
    case 'flagged':
      return caller.type !== 'embed' && isTrue(columns(role.through));
    case 'linked':
      return (
        caller.rank >= levelOf(role.rank) &&
        sql`exists (select 1 from link o where o.first_id = ${asSql(columns('id'))}
          and o.association = ${role.association} and o.target_id = ${caller.organizationId})`
      );
    case 'suborganization':
      return inSuborganization(role, caller, columns);
    case 'current':
      return caller.environment === undefined;
    case 'unhidden':
      return caller.hiddenColumns.length === 0;
    case 'named':
      return named(role, caller, columns);
    case 'environment':
      return caller.environment === undefined || isEqual(columns(role.through), caller.environment);
    case 'valued':
      return isEqual(columns(role.through), role.value);
    case 'writer':
      return isWriter(caller, columns(role.through));
    case 'unset':
      return isNull(columns(role.through));
    case 'feature':
      return hasFeature(caller, role.feature);
    case 'allRows':
      return seesAllRows(caller, asSql(columns(role.through)));
    case 'wholeDashboard':
      return caller.hiddenColumns.length === 0 && seesWholeDashboard(caller, asSql(columns(role.through)));
    case 'shown':
      return (
        caller.hiddenColumns.length === 0 || sql`${asSql(columns(role.through))} not in ${list(caller.hiddenColumns)}`
      );
  }
}

/** True if a role can be held only on records of the caller's organization. */
function isWithinOrganization(role: Role): boolean {
  switch (role.kind) {
    case 'organization':
    case 'entity':
    case 'self':
    case 'itself':
    case 'named':
      return true;
    case 'all':
      return role.of.some(isWithinOrganization);
    case 'any':
      return role.of.every(isWithinOrganization);
    default:
      return false;
  }
}

/** True if a caller holds a role on every record of the caller's organization. */
function coversOrganization(role: Role, caller: Caller | null, columns: Columns): boolean {
  if (role.kind === 'organization') return permits(role, caller, columns) !== false;
  if (role.kind !== 'all') return false;
  const others = role.of.filter((part) => !coversOrganization(part, caller, columns));
  return others.length < role.of.length && others.every((other) => permits(other, caller, columns) === true);
}

/**
 * Returns those of alternative roles that are worth testing. If a rank of the caller covers every record of the
 * organization, the other roles within the organization are redundant. The condition on the organization alone lets the
 * store read records in index order.
 */
function sufficient(roles: readonly Role[], caller: Caller | null, columns: Columns): readonly Role[] {
  const rank = roles.find((role) => coversOrganization(role, caller, columns));
  return rank === undefined ? roles : [rank, ...roles.filter((role) => !isWithinOrganization(role))];
}

/**
 * Tests a role on a record. Returns a boolean if the result is already known, otherwise a condition for the statement
 * that reads the record. So searches, reads and writes share the same rule. Without a caller, only `anyone` is
 * permitted. specification/rights#absence
 */
export function permits(role: Role, caller: Caller | null, columns: Columns): Verdict {
  switch (role.kind) {
    case 'anyone':
      return true;
    case 'visitor':
      return caller === null;
    case 'any':
      return sufficient(role.of, caller, columns)
        .map((entry) => permits(entry, caller, columns))
        .reduce(anyOf, false);
    case 'all':
      return role.of.map((part) => permits(part, caller, columns)).reduce(allOf, true);
    default:
      return caller !== null && permitsCaller(role, caller, columns);
  }
}

/** Converts a verdict to SQL. */
export const condition = (verdict: Verdict): Sql =>
  typeof verdict === 'boolean' ? text(verdict ? '1 = 1' : '1 = 0') : verdict;

/** Combines conditions by AND; true for an empty list. */
export const every = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? text('1 = 1') : join(conditions, ' and ');
