import { isObject, sameJson, type Json, type JsonObject } from '@inlay/contract';
import { isOverseer, type Caller } from '../../access/caller.ts';
import { columnsOf, condition, permits, type Columns } from '../../access/permits.ts';
import { entity, levelOf, says, type Role } from '../../access/roles.ts';
import { Faults, Problem } from '../../problems/problem.ts';
import { forVariety, ofVarieties, type Association, type Resource } from '../../resource/define.ts';
import { checkAgainst, freshRecord, varietyOf, withProperties } from '../../resource/properties.ts';
import { storedSide, type Registry } from '../../resource/registry.ts';
import {
  columnValue,
  recordOf,
  mainTable,
  storedColumns,
  storedOf,
  tableOf,
  type StoredRecord,
} from '../../resource/tables.ts';
import { compileFixed, visible } from '../../search/compile.ts';
import { seenAfterwards } from '../../search/run.ts';
import { sql, type Sql } from '../../store/sql.ts';
import type { Reader } from '../../store/store.ts';
import { checkColumnReferences } from './column-references.ts';
import type { LinkCommand, WriteInput } from '../../commands/command.ts';

/** Where rights are asked, and for whom. The same questions are asked before a write and again inside it. */
export interface AuthorizationContext {
  readonly reader: Reader;
  readonly registry: Registry;
  readonly caller: Caller | null;
  /** Locks the rows it reads until the commit; empty outside a transaction. */
  readonly lock: Sql;
  /** Keeps what the write refers to from being deleted before the commit; empty outside a transaction. */
  readonly sharedLock: Sql;
}

const table = mainTable;

/** Whether the caller holds a role on a stored record. */
export async function holds(
  { reader, caller }: AuthorizationContext,
  resource: Resource,
  id: string,
  role: Role,
): Promise<boolean> {
  const verdict = permits(role, caller, columnsOf(table));
  if (typeof verdict === 'boolean') return verdict;
  const rows = await reader.rows(sql`select 1 as held from ${tableOf(resource)} t where t.id = ${id} and ${verdict}`);
  return rows.length === 1;
}

/** The stored record, where the caller may see it. */
async function seen(
  context: AuthorizationContext,
  resource: Resource,
  id: string,
  fixed: JsonObject,
): Promise<StoredRecord | null> {
  const scope = { dialect: context.reader.dialect, resource, alias: table, caller: context.caller };
  const narrowed = compileFixed(
    table,
    Object.entries(fixed).map(([field, value]) => ({ field, value })),
  );
  const rows = await context.reader.rows(
    sql`select ${storedColumns(table)} from ${tableOf(resource)} t where t.id = ${id} and ${visible(scope)} and ${narrowed}${context.lock}`,
  );
  return rows[0] === undefined ? null : storedOf(rows[0]);
}

function refuse(role: Role, caller: Caller | null): never {
  if (caller === null) throw new Problem('credentials_missing');
  throw new Problem('forbidden', { message: `Your role does not allow this; it needs: ${says(role)}.` });
}

/** What a record of a variety has in the field that tells it. */
const ofVariety = ({ variety }: Resource, word: string | undefined): JsonObject =>
  word === undefined || variety === undefined ? {} : { [variety.field]: word };

/** References inside the body: one that leads nowhere is a 400, one the caller lacks the right on a 403. */
async function checkReferences(
  context: AuthorizationContext,
  { fields }: Pick<Resource, 'fields'>,
  set: JsonObject,
): Promise<void> {
  const faults = new Faults();
  let missing: Role | undefined;
  for (const [name, value] of Object.entries(set)) {
    const field = fields[name];
    if (field?.kind !== 'reference' || field.to === undefined || typeof value !== 'string') continue;
    const target = context.registry.resource(field.to);
    const isSeen = async (): Promise<boolean> =>
      (await seen({ ...context, lock: context.sharedLock }, target, value, ofVariety(target, field.targetOf))) !== null;
    const there = await isSeen();
    const role = there && field.right !== undefined ? entity(field.to, field.right) : undefined;
    if (role !== undefined && (await holds(context, target, value, role))) continue;
    // Nobody holds a right on what was deleted between the two questions: it is unknown, not forbidden.
    if (!there || (role !== undefined && !(await isSeen()))) {
      const what = field.targetOf ?? field.to;
      faults.add(`properties.${name}`, `there is no such ${what}, or you may not see it`, 'reference_unknown');
    } else missing ??= role;
  }
  faults.raise();
  if (missing !== undefined) refuse(missing, context.caller);
}

const checkColumns = ({ reader, caller }: AuthorizationContext, { fields }: Resource, set: JsonObject): Promise<void> =>
  checkColumnReferences(reader, caller, fields, set, { at: 'properties', only: null });

/** What is set, with the stored references whose records are asked for something else now. */
function withAskedOf(resource: Resource, record: JsonObject, set: JsonObject): JsonObject {
  const asked = Object.entries(set).flatMap(([name, value]) => {
    const { askedOf } = resource.fields[name] ?? {};
    return askedOf === undefined || sameJson(value, record[name] ?? null) ? [] : [[askedOf, record[askedOf] ?? null]];
  });
  return asked.length === 0 ? set : { ...Object.fromEntries(asked), ...set };
}

/** A record that is not stored yet, as conditions see it. Few of them ask for more than its organization. */
const prospective =
  (record: () => JsonObject, caller: Caller | null): Columns =>
  (field) => {
    const value: Json = field === 'organization_id' ? (caller?.organizationId ?? null) : (record()[field] ?? null);
    const held = columnValue(isObject(value) ? null : value);
    return { known: held === null ? null : String(held) };
  };

/** A role where there is no record, or none yet. */
async function mustHoldBefore(
  context: AuthorizationContext,
  role: Role | undefined,
  record: () => JsonObject,
): Promise<void> {
  if (role === undefined) throw new Problem('operation_unknown');
  const verdict = permits(role, context.caller, prospective(record, context.caller));
  const allowed =
    typeof verdict === 'boolean'
      ? verdict
      : (await context.reader.rows(sql`select 1 as held where ${condition(verdict)}`)).length === 1;
  if (!allowed) refuse(role, context.caller);
}

/** The role of a get that a part answers; the part asks for the rights on whatever it is asked about. Raises Problem: 401, 403. */
export async function authorizeAsk(context: AuthorizationContext, resource: Resource): Promise<void> {
  const role = resource.roles.get === undefined ? undefined : forVariety(resource.roles.get, undefined);
  await mustHoldBefore(context, role, () => ({}));
}

/** Whether an owner of the whole organization makes somebody owner of a record of it, and nothing else. */
function takesOver(
  { caller }: AuthorizationContext,
  { takenOver, levels }: Association,
  { organizationId }: StoredRecord,
  { flags, set }: LinkCommand,
): boolean {
  if (takenOver !== true || caller === null || !isOverseer(caller)) return false;
  const given = Object.entries(flags);
  const isOwn = given.length > 0 && given.every(([flag, value]) => value && levels?.flags[flag] === levelOf('own'));
  return isOwn && Object.keys(set).length === 0 && organizationId === caller.organizationId;
}

/** An associate or dissociate: both records are seen, both roles held. */
export async function authorizeLink(
  context: AuthorizationContext,
  resource: Resource,
  first: StoredRecord,
  link: LinkCommand,
): Promise<Association> {
  const association = resource.associations?.[link.role];
  const variety = varietyOf(resource, recordOf(first));
  const has =
    association !== undefined && (association.of === undefined || association.of.some((word) => word === variety));
  if (association === undefined || !has) {
    throw new Problem('association_unknown', {
      validation: { [`${link.at}.role`]: [`is not an association of a ${variety ?? resource.name}`] },
    });
  }
  const target = context.registry.resource(association.to);
  const fixed = ofVariety(target, association.targetOf);
  // Asked together, which where the store is far is one way there and back.
  const [found, holdsFirst, holdsTarget] = await Promise.all([
    seen({ ...context, lock: context.sharedLock }, target, link.targetId, fixed),
    holds(context, resource, first.id, association.roleHere),
    holds(context, target, link.targetId, association.roleThere),
  ]);
  if (found === null) {
    const what = association.targetOf ?? association.to;
    throw new Problem('reference_unknown', {
      validation: { [`${link.at}.id`]: [`there is no such ${what}, or you may not see it`] },
    });
  }
  if (!holdsFirst && !takesOver(context, association, first, link)) refuse(association.roleHere, context.caller);
  if (!holdsTarget) refuse(association.roleThere, context.caller);
  if (association.callerOnly === true && link.targetId !== context.caller?.userId) {
    throw new Problem('validation_failed', { validation: { [`${link.at}.id`]: ['must be your own user id'] } });
  }
  // A link of a dataset bounds that dataset; seen from the other side, the dataset is the target.
  const datasetId = [
    { of: resource, id: first.id, record: recordOf(first) },
    { of: target, id: link.targetId, record: recordOf(found) },
  ].find(({ of, record }) => varietyOf(of, record) === 'dataset')?.id;
  await checkColumnReferences(
    context.reader,
    context.caller,
    storedSide(context.registry, association).properties ?? {},
    link.set,
    {
      at: `${link.at}.properties`,
      only: datasetId ?? null,
    },
  );
  return association;
}

/** What a write may go on with: the stored record it is about, and the properties left to set. */
export interface AuthorizedWrite {
  readonly before: StoredRecord | null;
  readonly set: JsonObject;
}

async function authorizeCreate(
  context: AuthorizationContext,
  resource: Resource,
  input: Extract<WriteInput, { kind: 'create' }>,
  faults: Faults,
): Promise<AuthorizedWrite> {
  const variety = varietyOf(resource, input.set) ?? initialVariety(resource);
  const fresh = freshRecord(resource, variety);
  const set = checkAgainst(resource, 'create', input, fresh, faults);
  faults.raise();
  await checkReferences(context, resource, set);
  await checkColumns(context, resource, set);
  const { create } = resource.roles;
  const role = create === undefined ? undefined : forVariety(create, variety);
  await mustHoldBefore(context, role, () => withProperties(resource, fresh, set));
  return { before: null, set };
}

/**
 * Asks every question of rights about a write, and the faults that need the stored record. Raises Problem: 400, 401,
 * 403, 404. Run before the write to refuse early, and inside its transaction to be certain.
 */
export async function authorizeWrite(
  context: AuthorizationContext,
  resource: Resource,
  input: WriteInput,
  fixed: JsonObject,
  faults: Faults = new Faults(),
): Promise<AuthorizedWrite> {
  if (input.kind === 'create') return authorizeCreate(context, resource, input, faults);
  const isLink = input.kind === 'associate' || input.kind === 'dissociate';
  const declared = isLink ? undefined : resource.roles[input.kind];
  // Where the store is far, in the same way there and back, one after the other: the rights are those once the row is locked.
  const early = context.reader.dialect.isFar === true && declared !== undefined ? ofVarieties(declared) : [];
  const [before, ...verdicts] = await Promise.all([
    seen(context, resource, input.id, fixed),
    ...early.map((role) => holds(context, resource, input.id, role)),
  ]);
  const record = before === null ? null : recordOf(before);
  const set =
    input.kind === 'update' && record !== null
      ? checkAgainst(
          resource,
          'update',
          { set: input.set, echoes: input.echoes },
          await withEmbedded(
            context,
            resource,
            before?.organizationId ?? null,
            await shownTo(context, resource, before, input),
            input.echoes,
          ),
          faults,
        )
      : {};
  faults.raise();
  if (before === null || record === null) throw new Problem('not_found');
  if (input.kind === 'associate' || input.kind === 'dissociate') {
    await authorizeLink(context, resource, before, input.link);
    return { before, set };
  }
  const role = declared === undefined ? undefined : forVariety(declared, varietyOf(resource, record));
  if (role === undefined) throw new Problem('operation_unknown');
  const held = verdicts[early.indexOf(role)] ?? (await holds(context, resource, input.id, role));
  if (!held) refuse(role, context.caller);
  if (input.kind === 'update') {
    await checkReferences(context, resource, withAskedOf(resource, record, set));
    await checkColumns(context, resource, set);
  }
  if (input.kind === 'delete') {
    await checkReferences(context, { fields: resource.deletes ?? {} }, input.set);
    return { before, set: input.set };
  }
  return { before, set };
}

/** What of a record the caller sees: what is sent back is compared with that, or it would tell the rest. */
async function shownTo(
  { reader, registry, caller }: AuthorizationContext,
  resource: Resource,
  before: StoredRecord | null,
  { echoes }: { readonly echoes: JsonObject },
): Promise<JsonObject> {
  if (before === null) return {};
  const record = current(resource, recordOf(before));
  if (Object.keys(echoes).length === 0) return record;
  const { unseen } = await seenAfterwards({ reader, registry, caller }, resource, before);
  return { ...record, ...Object.fromEntries(unseen.map((field) => [field, null])) };
}

/** The record as the caller sees it, with the records it embeds where one was sent back. */
async function withEmbedded(
  { reader, registry, caller }: AuthorizationContext,
  resource: Resource,
  organizationId: string | null,
  record: JsonObject,
  echoes: JsonObject,
): Promise<JsonObject> {
  const shown: Record<string, Json> = { ...record };
  for (const [alias, of] of Object.entries(resource.embeds ?? {})) {
    if (!Object.hasOwn(echoes, alias)) continue;
    const rows = await reader.rows(
      sql`select ${storedColumns(table)} from ${tableOf(registry.resource(of))} t where t.id = ${organizationId}`,
    );
    shown[alias] = rows[0] === undefined ? null : recordOf(storedOf(rows[0]));
  }
  return resource.present === undefined || caller === null ? shown : resource.present(shown, caller);
}

/** A stored record in today's structure. */
export const current = (resource: Resource, record: JsonObject): JsonObject =>
  resource.older?.(record) === true && resource.upgrade !== undefined ? resource.upgrade(record) : record;

function initialVariety(resource: Resource): string | undefined {
  const initial = resource.variety === undefined ? undefined : resource.fields[resource.variety.field]?.default;
  return typeof initial === 'string' ? initial : undefined;
}
