import { join, list, name, sql, text, type Sql } from '../store/sql.ts';
import { seesAllRows, seesWholeDashboard } from './all-rows.ts';
import { isOverseer, type Caller } from './caller.ts';
import { given } from './given.ts';
import { levelOf, type Role } from '../declare/roles.ts';
import type { Subjects } from './subjects.ts';

/** A value of a record that is not stored yet, as text. */
export interface KnownValue {
  readonly known: string | null;
}

/** How a condition speaks of a record: its stored columns, or the values it is about to have. */
export type Columns = (field: string) => Sql | KnownValue;

/** Certain either way, or a condition on the record. */
export type Verdict = boolean | Sql;

/** The columns of a table in a statement. */
export const columnsOf =
  (table: Sql) =>
  (field: string): Sql =>
    sql`${table}.${name(field)}`;

const isKnown = (value: Sql | KnownValue): value is KnownValue => 'known' in value;
const asSql = (value: Sql | KnownValue): Sql => (isKnown(value) ? sql`cast(${value.known} as text)` : value);

/** Whether it is this text; null is nothing, not even null. */
const is = (value: Sql | KnownValue, other: string): Verdict =>
  isKnown(value) ? value.known === other : sql`${value} = ${other}`;

const isNull = (value: Sql | KnownValue): Verdict => (isKnown(value) ? value.known === null : sql`${value} is null`);

/** Whether it is the truth, which is 1 in a column. */
const isTrue = (value: Sql | KnownValue): Verdict => (isKnown(value) ? value.known === '1' : sql`${value} = 1`);

const both = (left: Verdict, right: Verdict): Verdict => {
  if (left === false || right === false) return false;
  if (left === true) return right;
  return right === true ? left : sql`(${left} and ${right})`;
};

const either = (left: Verdict, right: Verdict): Verdict => {
  if (left === true || right === true) return true;
  if (left === false) return right;
  return right === false ? left : sql`(${left} or ${right})`;
};

/** Whether a securable is no dashboard, or one with a version in an environment: no other is there for its tokens. */
const isIn = (environment: string, id: Sql): Sql =>
  sql`(not exists (select 1 from securable d where d.id = ${id} and d.type = 'dashboard')
    or exists (select 1 from dashboardversion v where v.securable_id = ${id} and v.environment = ${environment}))`;

function entity(role: Role & { kind: 'entity' }, caller: Caller, columns: Columns): Verdict {
  const level = levelOf(role.right);
  if (level > caller.ceiling) return false;
  const named = asSql(columns(role.through));
  const id =
    role.via === undefined ? named : sql`(select v.securable_id from ${name(role.via)} v where v.id = ${named})`;
  const inOrganization = is(columns('organization_id'), caller.organizationId);
  // An organization admin has *modify* on every securable of the organization, and on nothing else.
  const asAdmin = (rank: number): boolean =>
    role.of === 'securable' && rank >= levelOf('admin') && level <= levelOf('modify');
  const holds = (subjects: Subjects, rank: number): Sql =>
    asAdmin(rank) ? sql`${id} is not null` : given(role.of, id, level, subjects);
  const own = holds(caller.subjects, caller.rank);
  // Whatever an embed token was given, it never reaches beyond what its issuer holds now.
  const bound = caller.issuer === null ? true : holds(caller.issuer.subjects, caller.issuer.rank);
  const isThere = role.of !== 'securable' || caller.environment === undefined || isIn(caller.environment, id);
  return both(both(inOrganization, isThere), both(own, bound));
}

function named({ by, right }: Role & { kind: 'named' }, caller: Caller, columns: Columns): Verdict {
  const held = entity({ kind: 'entity', of: by, right, through: 'id' }, caller, columnsOf(text('n')));
  if (held === false) return false;
  const holds = held === true ? text('1 = 1') : held;
  // The table has what dashboards and their versions name, by their ids.
  const source =
    caller.environment === undefined
      ? sql`u.source_id`
      : sql`(select v.securable_id from dashboardversion v
          where v.id = u.source_id and v.environment = ${caller.environment})`;
  return both(
    is(columns('organization_id'), caller.organizationId),
    sql`exists (select 1 from theme_use u join ${name(by)} n on n.id = ${source}
      where u.theme_id = ${asSql(columns('id'))} and n.organization_id = ${caller.organizationId} and ${holds})`,
  );
}

function inSuborganization({ of }: Role & { kind: 'suborganization' }, caller: Caller, columns: Columns): Verdict {
  if (caller.suborganization === null && caller.rank >= levelOf('owner')) return true;
  const held =
    of === undefined
      ? columns('suborganization')
      : sql`(select v.suborganization from ${name(of.via)} v where v.id = ${asSql(columns(of.through))})`;
  return caller.suborganization === null ? isNull(held) : is(held, caller.suborganization);
}

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
        is(columns('organization_id'), caller.organizationId)
      );
    case 'entity':
      return entity(role, caller, columns);
    case 'self':
      return caller.userId !== null && is(columns(role.through), caller.userId);
    case 'itself':
      return caller.type === 'embed' && is(columns('id'), caller.authorizationId);
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
      return caller.environment === undefined || is(columns(role.through), caller.environment);
    case 'unset':
      return isNull(columns(role.through));
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

/** Whether a role applies only to records of the caller's organization. */
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

/** Whether a caller holds a role on every record of the organization. */
function coversOrganization(role: Role, caller: Caller | null, columns: Columns): boolean {
  if (role.kind === 'organization') return permits(role, caller, columns) !== false;
  if (role.kind !== 'all') return false;
  const others = role.of.filter((one) => !coversOrganization(one, caller, columns));
  return others.length < role.of.length && others.every((one) => permits(one, caller, columns) === true);
}

/**
 * Of roles one of which suffices, those to ask about: a rank that the caller holds covers every record of the organization, and
 * so whatever else is held there. A condition on the organization alone lets a store read records in the order of an index.
 */
function sufficient(roles: readonly Role[], caller: Caller | null, columns: Columns): readonly Role[] {
  const rank = roles.find((one) => coversOrganization(one, caller, columns));
  return rank === undefined ? roles : [rank, ...roles.filter((one) => !isWithinOrganization(one))];
}

/**
 * Whether a caller holds a role on a record: certain, or a condition for the statement that reads the record, so that
 * searches, reads and writes ask the same question. No caller holds nothing but `anyone`. specification/rights#absence
 */
export function permits(role: Role, caller: Caller | null, columns: Columns): Verdict {
  switch (role.kind) {
    case 'anyone':
      return true;
    case 'visitor':
      return caller === null;
    case 'any':
      return sufficient(role.of, caller, columns)
        .map((one) => permits(one, caller, columns))
        .reduce(either, false);
    case 'all':
      return role.of.map((one) => permits(one, caller, columns)).reduce(both, true);
    default:
      return caller !== null && permitsCaller(role, caller, columns);
  }
}

/** A verdict as SQL. */
export const condition = (verdict: Verdict): Sql =>
  typeof verdict === 'boolean' ? text(verdict ? '1 = 1' : '1 = 0') : verdict;

/** Several conditions, all of which must hold; none holds always. */
export const every = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? text('1 = 1') : join(conditions, ' and ');
