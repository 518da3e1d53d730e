import type { JsonObject } from '@inlay/contract';
import type { WriteInput } from '../../commands/record.ts';
import { mustHaveFeatures } from '../../access/features.ts';
import { Faults, Problem } from '../../problems/problem.ts';
import type { Role } from '../../declare/roles.ts';
import { forVariety, ofVarieties, type ByVariety } from '../../declare/variety.ts';
import type { Resource } from '../../resource/define.ts';
import { checkAgainst, freshRecord, varietyOf, withProperties } from '../../declare/properties.ts';
import { recordOf, type StoredRecord } from '../../resource/tables.ts';
import { authorizeLink } from './authorize-link.ts';
import { holds, mustHoldBefore, refuse, seen, type AuthorizationContext } from './held-roles.ts';
import { checkColumns, checkReferences, withAskedOf } from './references.ts';
import { shownTo, withEmbedded } from './shown-record.ts';

/** The stored record to write, and the properties whose values change. */
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
  const record = (): JsonObject => withProperties(resource, fresh, set);
  await mustHoldBefore(context, role, record);
  mustHaveFeatures(context.caller, resource, { operation: 'create', record, input: set });
  return { before: null, set };
}

/** Returns whether the caller has a role, for each role that a write of the record may require. */
async function verdictsOf(
  context: AuthorizationContext,
  resource: Resource,
  id: string,
  declared: ByVariety<Role> | undefined,
): Promise<ReadonlyMap<Role, boolean>> {
  const roles = declared === undefined ? [] : ofVarieties(declared);
  const verdicts = await Promise.all(roles.map((role) => holds(context, resource, id, role)));
  return new Map(roles.map((role, index) => [role, verdicts[index] === true]));
}

/**
 * Checks all rights that a write needs, and rules that depend on the stored record. Raises Problem: 400, 401, 403, 404.
 * Runs before the transaction to refuse early, and again within it. Associations of a create need its record, so
 * `write/write.ts` authorizes them once it is stored.
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
  const noVerdicts: ReadonlyMap<Role, boolean> = new Map();
  const [before, verdicts] = await Promise.all([
    seen(context, resource, input.id, fixed),
    // Sent after the statement that locks the record. A local store instead tests a single role below, once the
    // record is loaded.
    context.reader.dialect.ahead(() => verdictsOf(context, resource, input.id, declared), noVerdicts),
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
  if (!(verdicts.get(role) ?? (await holds(context, resource, input.id, role)))) refuse(role, context.caller);
  mustHaveFeatures(context.caller, resource, { operation: input.kind, record: () => record, input: set });
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
