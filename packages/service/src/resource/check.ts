import type { Association, Resource } from './define.ts';
import type { Registry } from './registry.ts';
import { servedOperations } from '../declare/served-spec.ts';

function associationFaults(registry: Registry, resource: Resource, role: string, association: Association): string[] {
  const at = `${resource.name}.${role}`;
  const target = registry.resources.find(({ name }) => name === association.to);
  if (target === undefined) return [`${at} leads to no resource: ${association.to}`];
  const { relation: through } = association;
  switch (through.kind) {
    case 'link':
      return [];
    case 'inverse': {
      const other = target.associations?.[through.of];
      const sound = other?.relation.kind === 'link' && other.to === resource.name;
      return sound ? [] : [`${at} is the other side of nothing: ${association.to}.${through.of}`];
    }
    case 'reference':
      return resource.fields[through.field]?.to === association.to
        ? []
        : [`${at}: ${through.field} does not refer to ${association.to}`];
    case 'referenced':
      return target.fields[through.by]?.to === resource.name
        ? []
        : [`${at}: ${association.to}.${through.by} does not refer to ${resource.name}`];
  }
}

function fieldFaults(registry: Registry, resource: Resource): string[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const at = `${resource.name}.${name}`;
    return [
      ...(field.to !== undefined && !registry.resources.some((resource) => resource.name === field.to)
        ? [`${at} refers to no resource: ${field.to}`]
        : []),
      ...(field.kind === 'reference' && field.to === undefined ? [`${at} is a reference to nothing`] : []),
      ...(field.askedOf !== undefined && resource.fields[field.askedOf]?.kind !== 'reference'
        ? [`${at} is asked of no record: ${field.askedOf} is no reference`]
        : []),
      ...(field.unique === true && !field.column ? [`${at} must have a column to be unique`] : []),
      ...(/^[a-zA-Z_0-9]+$/u.test(name) ? [] : [`${at} is not a field name`]),
    ];
  });
}

function servedFaults({ name, served, roles }: Resource): string[] {
  if (served === undefined) return [];
  return servedOperations.flatMap((operation) => {
    const declared = served[operation];
    if (declared === undefined) return roles[operation] === undefined ? [] : [`${name}.${operation} is not served`];
    return [
      ...(roles[operation] === undefined ? [`${name}.${operation} is served to nobody`] : []),
      ...(operation === 'get' && declared.find === undefined ? [`${name}.get does not say what find holds`] : []),
    ];
  });
}

/**
 * Returns every fault of the declarations. Any fault stops the service at start, so a resource without roles is never
 * served.
 */
export function declarationFaults(registry: Registry): readonly string[] {
  return registry.resources.flatMap((resource) => {
    const { variety, roles, associations = {} } = resource;
    const undeclared = Object.keys(roles).length === 0 ? [`${resource.name} declares no role at all`] : [];
    const partial = Object.entries(roles).flatMap(([action, role]) =>
      'byVariety' in role && (variety?.of ?? []).some((word) => role.byVariety[word] === undefined)
        ? [`${resource.name}.${action} has no role for every variety`]
        : [],
    );
    return [
      ...undeclared,
      ...partial,
      ...fieldFaults(registry, resource),
      ...servedFaults(resource),
      ...Object.entries(associations).flatMap(([role, association]) =>
        associationFaults(registry, resource, role, association),
      ),
    ];
  });
}

/** Raises Error with every fault of the declarations. */
export function checkDeclarations(registry: Registry): void {
  const faults = declarationFaults(registry);
  if (faults.length > 0) throw new Error(`The declarations do not hold together:\n${faults.join('\n')}`);
}
