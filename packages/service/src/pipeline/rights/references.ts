import { sameJson, type JsonObject } from '@inlay/contract';
import { entity, type Role } from '../../declare/roles.ts';
import { Faults } from '../../problems/problem.ts';
import type { Resource } from '../../resource/define.ts';
import { checkColumnReferences } from './column-references.ts';
import { holds, ofVariety, refuse, seen, type AuthorizationContext } from './held-roles.ts';

/** References inside the body: one that leads nowhere is a 400, one the caller lacks the right on a 403. */
export async function checkReferences(
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

/** Ids of columns inside the body. Raises Problem: 400. */
export const checkColumns = (
  { reader, caller }: AuthorizationContext,
  { fields }: Resource,
  set: JsonObject,
): Promise<void> => checkColumnReferences(reader, caller, fields, set, { at: 'properties', only: null });

/** The new values, with stored references whose record needs another right now. */
export function withAskedOf(resource: Resource, record: JsonObject, set: JsonObject): JsonObject {
  const asked = Object.entries(set).flatMap(([name, value]) => {
    const { askedOf } = resource.fields[name] ?? {};
    return askedOf === undefined || sameJson(value, record[name] ?? null) ? [] : [[askedOf, record[askedOf] ?? null]];
  });
  return asked.length === 0 ? set : { ...Object.fromEntries(asked), ...set };
}
