import { all, any, ordinary, wholeOrganization } from '../declare/roles.ts';
import { isByVariety } from '../declare/variety.ts';
import type { Association, Resource } from './define.ts';
import type { Field } from '../declare/fields.ts';

/**
 * Lets Organization Owners of the whole organization see an outline of every record and its owners, and make any member
 * an owner of the record, so that nothing is lost when a person leaves. Without *read*, the fields outside the outline
 * are null. specification/rights#oversight
 */
export function overseen(resource: Resource, outline: readonly string[]): Resource {
  const { get } = resource.roles;
  const { Users: users } = resource.associations ?? {};
  if (get === undefined || isByVariety(get) || users === undefined)
    throw new Error(`${resource.name} has no role of get or no people`);
  const read = any(ordinary, get);
  const shownTo = (field: Field): Field => ({
    ...field,
    shownTo: field.shownTo === undefined ? read : all(field.shownTo, read),
  });
  const seen = (name: string, field: Field): Field =>
    outline.includes(name) || field.hidden === true || field.transient === true ? field : shownTo(field);
  const fields = Object.entries(resource.fields).map(([name, field]) => [name, seen(name, field)]);
  const associations = Object.entries(resource.associations ?? {}).map(([role, association]): [string, Association] => [
    role,
    { ...association, includedBy: read, ...(role === 'Users' ? ({ takenOver: true } as const) : {}) },
  ]);
  return {
    ...resource,
    roles: { ...resource.roles, get: any(get, wholeOrganization('owner')) },
    fields: Object.fromEntries(fields),
    associations: Object.fromEntries(associations),
  };
}
