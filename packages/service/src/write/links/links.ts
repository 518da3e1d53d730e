import type { Json, JsonObject } from '@inlay/contract';
import { mustOutrank } from '../../access/outranks.ts';
import { Problem } from '../../problems/problem.ts';
import type { LinkCommand } from '../../commands/record.ts';
import type { Association, Resource } from '../../resource/define.ts';
import { initialOf } from '../../declare/properties.ts';
import { recordOf, type StoredRecord } from '../../resource/tables.ts';
import { sql } from '../../store/sql.ts';
import { limitedLink, ownersLink, type DelegatedLink } from './delegation.ts';
import { levelAfter } from './level-after.ts';
import { sideOf, standingLink, type Side, type StandingLink } from './link-side.ts';
import { inheritedFilters, mayLift } from './own-filters.ts';
import { newestOther } from './newest-other.ts';
import { changeRecord, load, putLink, workOf, type WriteContext } from '../context.ts';
import { remove } from '../remove.ts';

/** Keeps the field that names an owner of the record correct, and refuses to remove the last owner. */
async function settleOwner(
  context: WriteContext,
  side: Side,
  level: number | null,
  before: number | null,
): Promise<void> {
  const { declared, owner, firstId, targetId } = side;
  const keep = declared.levels?.keep;
  if (keep === undefined) return;
  const field = declared.levels?.ownerField;
  const isOwner = (level ?? 0) >= keep;
  if (!isOwner && (before ?? 0) >= keep) {
    // Lock the record before counting other owners, so that the last two owners cannot leave concurrently.
    const record = await load(context, owner, firstId);
    const other = await newestOther(context, side, keep);
    if (other === null) throw new Problem('last_owner');
    if (field !== undefined && record !== null && recordOf(record)[field] === targetId) {
      await changeRecord(context, owner, firstId, { [field]: other });
    }
  }
  if (isOwner && (before ?? 0) < keep && field !== undefined)
    await changeRecord(context, owner, firstId, { [field]: targetId });
}

/** Determines level and grantor of a link after an associate. */
async function settled(
  context: WriteContext,
  side: Side,
  before: StandingLink | null,
  { flags, set }: LinkCommand,
): Promise<DelegatedLink> {
  const { declared, owner, firstId } = side;
  if (declared.limitedToGrantor === true) return limitedLink(context, owner, firstId, before);
  const level = levelAfter(declared, before?.level ?? null, flags);
  if (declared.levels?.withinRank === true) mustOutrank(context.caller, Math.max(level ?? 0, before?.level ?? 0));
  if (declared.delegates !== true) return { level, grantor: { grantorId: null, filters: null } };
  const filtersChange = set['filters'] !== undefined;
  return ownersLink(context, owner, firstId, before, { level, filtersChange });
}

/** Returns the default properties of a link. */
const initialProperties = ({ properties = {} }: Association): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      field.default === undefined || field.default === null ? [] : [[name, initialOf(field, undefined)]],
    ),
  );

async function link(context: WriteContext, side: Side, command: LinkCommand): Promise<void> {
  const { set } = command;
  await side.declared.mayChange?.(side, context.caller, context.transaction);
  const before = await standingLink(context, side);
  if (set['filters'] !== undefined) await mayLift(context, side, before);
  const { level, grantor } = await settled(context, side, before, command);
  await settleOwner(context, side, level, before?.level ?? null);
  if (side.declared.single === true) {
    await context.transaction.run(
      sql`delete from link where first_id = ${side.firstId} and association = ${side.stored}`,
    );
  }
  const properties = { ...before?.properties, ...set, ...(await inheritedFilters(context, side, before, set)) };
  const newProperties = {
    ...initialProperties(side.declared),
    ...Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null)),
  };
  await putLink(context, side.firstId, side.stored, side.targetId, level, newProperties, grantor);
  const { firstId, targetId } = side;
  await side.declared.linked?.({ firstId, targetId, properties: newProperties }, context.transaction);
}

async function unlink(context: WriteContext, side: Side): Promise<void> {
  const before = await standingLink(context, side);
  if (before === null) return;
  await side.declared.mayChange?.(side, context.caller, context.transaction);
  await mayLift(context, side, before);
  if (side.declared.levels?.withinRank === true) mustOutrank(context.caller, before.level ?? 0);
  await settleOwner(context, side, null, before.level);
  await context.transaction.run(
    sql`delete from link where first_id = ${side.firstId} and target_id = ${side.targetId} and association = ${side.stored}`,
  );
}

/** Runs those rules of a record that apply to changes of its associations. */
async function runAssociated(context: WriteContext, resource: Resource, id: string, sent: JsonObject): Promise<void> {
  const rules = (resource.rules ?? []).filter(({ associated }) => associated === true);
  const stored = rules.length === 0 ? null : await load(context, resource, id);
  if (stored === null) return;
  const { caller, now } = context;
  const before = recordOf(stored);
  const after = { ...before, ...sent };
  const change = { operation: 'update', id, caller, before, sent, after, prepared: {}, now } as const;
  for (const rule of rules) await rule.run(change, workOf(context));
}

async function setFields(
  context: WriteContext,
  resource: Resource,
  id: string,
  association: Association,
  linked: boolean,
  field: JsonObject,
  on: 'first' | 'target',
): Promise<void> {
  const { sets } = association;
  const extra = sets === undefined || sets.on !== on ? {} : linked ? sets.whenLinked : sets.whenUndone;
  await runAssociated(context, resource, id, field);
  await changeRecord(context, resource, id, { ...field, ...extra });
}

const moved = (): never => {
  throw new Problem('association_required');
};

/**
 * An association stored in a field: the record that has the field, and the value of the field while the association
 * exists.
 */
interface FieldSide {
  readonly resource: Resource;
  readonly id: string;
  readonly field: string;
  readonly value: string;
  readonly on: 'first' | 'target';
  /** True if the field is set once, and then never moved or cleared. */
  readonly isFixed: boolean;
  /** True if the record is deleted together with the association. */
  readonly isDeleted: boolean;
}

/** Returns the field that stores an association; null if a row of the link table stores it. */
function fieldSideOf(
  { environment }: WriteContext,
  resource: Resource,
  first: StoredRecord,
  { targetId }: LinkCommand,
  { relation, to }: Association,
): FieldSide | null {
  switch (relation.kind) {
    case 'link':
    case 'inverse':
      return null;
    case 'reference':
      return {
        resource,
        id: first.id,
        field: relation.field,
        value: targetId,
        on: 'first',
        isFixed: relation.fixed === true,
        isDeleted: false,
      };
    case 'referenced':
      return {
        resource: environment.registry.resource(to),
        id: targetId,
        field: relation.by,
        value: first.id,
        on: 'target',
        isFixed: relation.onDissociate === 'refuse',
        isDeleted: relation.onDissociate === 'delete',
      };
  }
}

/** Creates an authorized association. Raises Problem: `last_owner`, `association_required`. */
export async function associate(
  context: WriteContext,
  resource: Resource,
  first: StoredRecord,
  command: LinkCommand,
  association: Association,
): Promise<void> {
  const { targetId, role } = command;
  const side = fieldSideOf(context, resource, first, command, association);
  if (side === null) return link(context, sideOf(context, resource, first.id, role, association, targetId), command);
  const stored = await load(context, side.resource, side.id);
  const currentValue = stored === null ? null : fieldIn(stored, side.field);
  if (currentValue === side.value) return undefined;
  if (currentValue !== null && (side.isFixed || side.isDeleted)) return moved();
  refuseItself(first.id, targetId, command);
  return setFields(context, side.resource, side.id, association, true, { [side.field]: side.value }, side.on);
}

function refuseItself(firstId: string, targetId: string, { at }: LinkCommand): void {
  if (firstId === targetId)
    throw new Problem('validation_failed', { validation: { [`${at}.id`]: ['must be another record'] } });
}

/** Removes an authorized association. Does nothing if the association does not exist. */
export async function dissociate(
  context: WriteContext,
  resource: Resource,
  first: StoredRecord,
  command: LinkCommand,
  association: Association,
): Promise<void> {
  const { targetId, role } = command;
  const side = fieldSideOf(context, resource, first, command, association);
  if (side === null) return unlink(context, sideOf(context, resource, first.id, role, association, targetId));
  const stored = await load(context, side.resource, side.id);
  if (stored === null || fieldIn(stored, side.field) !== side.value) return undefined;
  if (side.isFixed) return moved();
  if (side.isDeleted) return remove(context, side.resource, stored);
  return setFields(context, side.resource, side.id, association, false, { [side.field]: null }, side.on);
}

/** Returns a field of a stored record, including hidden columns. */
const fieldIn = (stored: StoredRecord, field: string): Json =>
  field === 'organization_id' ? stored.organizationId : (recordOf(stored)[field] ?? null);
