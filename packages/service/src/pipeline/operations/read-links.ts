import { emptyListAsObject, isList, isObject, member, unknownWord, type Json, type JsonObject } from '@inlay/contract';
import type { Faults } from '../../problems/problem.ts';
import type { Association, Resource } from '../../resource/define.ts';
import { accepted } from '../../declare/properties.ts';
import { roleNames, storedSide, type Registry } from '../../resource/registry.ts';
import { checkId } from './envelope.ts';
import type { LinkRequest } from './input.ts';
import { checkLink } from './link-properties.ts';

/** Returns the field of a new record that an association sets; null if the association is stored separately. */
export function parentField(resource: Resource, { relation }: Association): string | null {
  const field = relation.kind === 'reference' ? resource.fields[relation.field] : undefined;
  return relation.kind === 'reference' && field !== undefined && accepted(field, undefined).includes('create')
    ? relation.field
    : null;
}

/** Resolves the association that an entry names; undefined if it is unknown. */
export function readLink(
  registry: Registry,
  resource: Resource,
  at: string,
  value: JsonObject,
  isUndone: boolean,
  faults: Faults,
): LinkRequest | undefined {
  const role = member(value, 'role');
  if (typeof role !== 'string' || role === '') {
    faults.add(`${at}.role`, 'is required: the name of an association');
    return undefined;
  }
  const resolved = registry.association(resource, role);
  const isParent =
    at.startsWith('associations') && resolved !== undefined && parentField(resource, resolved[1]) !== null;
  if (resolved === undefined || (resolved[1].readOnly === true && !isParent)) {
    const names = roleNames(resource).filter((name) => resource.associations?.[name]?.readOnly !== true);
    faults.add(`${at}.role`, unknownWord(role, names), 'association_unknown');
    return undefined;
  }
  const [name, association] = resolved;
  const target = registry.resource(association.to);
  const targetId = checkId(member(value, 'id'), `${at}.id`, target, faults);
  const propertiesAt = at.startsWith('associations') ? `${at}.properties` : 'properties';
  const sent = emptyListAsObject(member(value, 'properties') ?? {});
  const properties = checkLink(
    storedSide(registry, association),
    isObject(sent) ? sent : {},
    propertiesAt,
    isUndone,
    faults,
  );
  if (!isObject(sent)) faults.add(propertiesAt, 'must be an object');
  return { at, role: name, association, targetId, properties };
}

/** Limit of associations in a create request. */
export const maxAssociations = 200;

/** Reads the associations of a create request. */
export function readLinks(
  registry: Registry,
  resource: Resource,
  sent: Json | undefined,
  faults: Faults,
): readonly LinkRequest[] {
  if (sent === undefined || (isObject(sent) && Object.keys(sent).length === 0)) return [];
  if (!isList(sent) || sent.length > maxAssociations) {
    faults.add('associations', `must be a list of at most ${maxAssociations} {role, id, properties}`);
    return [];
  }
  return sent.flatMap((value, index) => {
    const at = `associations[${index}]`;
    if (!isObject(value)) {
      faults.add(at, 'must be an object {role, id, properties}');
      return [];
    }
    for (const name of Object.keys(value)) {
      if (!['role', 'id', 'properties'].includes(name))
        faults.add(`${at}.${name}`, unknownWord(name, ['role', 'id', 'properties']));
    }
    return readLink(registry, resource, at, value, false, faults) ?? [];
  });
}
