import type { JsonObject } from '@inlay/contract';
import type { WriteInput } from '../../commands/record.ts';
import { Faults, Problem } from '../../problems/problem.ts';
import { forVariety, ofVarieties, type Resource } from '../../resource/define.ts';
import { checkAgainst, freshRecord, varietyOf, withProperties } from '../../resource/properties.ts';
import { recordOf, type StoredRecord } from '../../resource/tables.ts';
import { authorizeLink } from './authorize-link.ts';
import { holds, mustHoldBefore, refuse, seen, type AuthorizationContext } from './held-roles.ts';
import { checkColumns, checkReferences, withAskedOf } from './references.ts';
import { shownTo, withEmbedded } from './shown-record.ts';

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

function initialVariety(resource: Resource): string | undefined {
  const initial = resource.variety === undefined ? undefined : resource.fields[resource.variety.field]?.default;
  return typeof initial === 'string' ? initial : undefined;
}
