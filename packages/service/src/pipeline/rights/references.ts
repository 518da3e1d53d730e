import { sameJson, type Json, type JsonObject } from '@inlay/contract';
import type { Field, NamedRecord } from '../../declare/fields.ts';
import { entity, type Role } from '../../declare/roles.ts';
import { Faults } from '../../problems/problem.ts';
import type { Resource } from '../../resource/define.ts';
import { checkColumnReferences } from './column-references.ts';
import { holds, ofVariety, refuse, seen, type AuthorizationContext } from './held-roles.ts';

/** Returns the ids of records in the value of a field. */
function recordsIn({ kind, references }: Field, value: Json): readonly NamedRecord[] {
  if (references !== undefined) return value === null ? [] : references(value);
  return kind === 'reference' && typeof value === 'string' ? [{ inside: '', id: value }] : [];
}

/**
 * Checks references in the body. Raises Problem: 400 for an unknown target, and 401 or 403 for a target on which the
 * caller lacks the right.
 */
export async function checkReferences(
  context: AuthorizationContext,
  { fields }: Pick<Resource, 'fields'>,
  set: JsonObject,
): Promise<void> {
  const faults = new Faults();
  let missing: Role | undefined;
  for (const [name, value] of Object.entries(set)) {
    const field = fields[name];
    if (field?.to === undefined) continue;
    const target = context.registry.resource(field.to);
    for (const { inside, id } of recordsIn(field, value)) {
      const isSeen = async (): Promise<boolean> =>
        (await seen({ ...context, lock: context.sharedLock }, target, id, ofVariety(target, field.targetOf))) !== null;
      const there = await isSeen();
      const role = there && field.right !== undefined ? entity(field.to, field.right) : undefined;
      if (role !== undefined && (await holds(context, target, id, role))) continue;
      // A record deleted between the two queries is unknown, not forbidden.
      if (!there || (role !== undefined && !(await isSeen()))) {
        const what = field.targetOf ?? field.to;
        const at = `properties.${name}${inside}`;
        faults.add(at, `there is no such ${what}, or you may not see it`, 'reference_unknown');
      } else missing ??= role;
    }
  }
  faults.raise();
  if (missing !== undefined) refuse(missing, context.caller);
}

/** Checks ids of columns in the body. Raises Problem: 400. */
export const checkColumns = (
  { reader, caller }: AuthorizationContext,
  { fields }: Resource,
  set: JsonObject,
): Promise<void> => checkColumnReferences(reader, caller, fields, set, { at: 'properties', only: null });

/**
 * Returns the new values, plus the stored reference of each changed value that requires the right to refer to that
 * target.
 */
export function withAskedOf(resource: Resource, record: JsonObject, set: JsonObject): JsonObject {
  const changed = Object.entries(set).flatMap(([name, value]) => {
    const { askedOf } = resource.fields[name] ?? {};
    return askedOf === undefined || sameJson(value, record[name] ?? null) ? [] : [[askedOf, record[askedOf] ?? null]];
  });
  return changed.length === 0 ? set : { ...Object.fromEntries(changed), ...set };
}
