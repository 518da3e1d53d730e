import { withArticle } from '@inlay/contract';
import { isOverseer } from '../../access/caller.ts';
import { mustHaveFeatures } from '../../access/features.ts';
import { levelOf } from '../../declare/roles.ts';
import type { LinkCommand } from '../../commands/record.ts';
import { Problem } from '../../problems/problem.ts';
import type { Association, Resource } from '../../resource/define.ts';
import { varietyOf } from '../../declare/properties.ts';
import { storedSide } from '../../resource/registry.ts';
import { recordOf, type StoredRecord } from '../../resource/tables.ts';
import { checkColumnReferences } from './column-references.ts';
import { holds, ofVariety, refuse, seen, type AuthorizationContext } from './held-roles.ts';

/**
 * True if the link only makes a member an owner of a record, and the caller is an Organization Owner of the whole
 * organization.
 */
function takesOver(
  { caller }: AuthorizationContext,
  { takenOver, levels }: Association,
  { organizationId }: StoredRecord,
  { flags, set }: LinkCommand,
): boolean {
  if (takenOver !== true || caller === null || !isOverseer(caller)) return false;
  const entries = Object.entries(flags);
  const isOwn = entries.length > 0 && entries.every(([flag, value]) => value && levels?.flags[flag] === levelOf('own'));
  return isOwn && Object.keys(set).length === 0 && organizationId === caller.organizationId;
}

/** Authorizes an associate or dissociate: the caller must see both records and have both roles. */
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
      validation: { [`${link.at}.role`]: [`is not an association of ${withArticle(variety ?? resource.name)}`] },
    });
  }
  const target = context.registry.resource(association.to);
  const fixed = ofVariety(target, association.targetOf);
  // Concurrent, so that a remote store needs a single round trip.
  const [targetRecord, holdsFirst, holdsTarget] = await Promise.all([
    seen({ ...context, lock: context.sharedLock }, target, link.targetId, fixed),
    holds(context, resource, first.id, association.roleHere),
    holds(context, target, link.targetId, association.roleThere),
  ]);
  if (targetRecord === null) {
    const what = association.targetOf ?? association.to;
    throw new Problem('reference_unknown', {
      validation: { [`${link.at}.id`]: [`there is no such ${what}, or you may not see it`] },
    });
  }
  if (!holdsFirst && !takesOver(context, association, first, link)) refuse(association.roleHere, context.caller);
  if (!holdsTarget) refuse(association.roleThere, context.caller);
  for (const [of, record] of [
    [resource, first],
    [target, targetRecord],
  ] as const)
    mustHaveFeatures(context.caller, of, { operation: 'associate', record: () => recordOf(record), input: {} });
  if (association.callerOnly === true && link.targetId !== context.caller?.userId) {
    throw new Problem('validation_failed', { validation: { [`${link.at}.id`]: ['must be your own user id'] } });
  }
  // A link of a dataset may have row filters, whose columns must be in that dataset. The dataset is on either side.
  const datasetId = [
    { of: resource, id: first.id, record: recordOf(first) },
    { of: target, id: link.targetId, record: recordOf(targetRecord) },
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
