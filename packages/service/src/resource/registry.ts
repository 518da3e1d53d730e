import type { JsonObject } from '@inlay/contract';
import type { Association, Resource } from './define.ts';
import { isStored } from '../declare/declaration.ts';

/** A path of the API: a resource, and the fields that an alias fixes. */
export interface Path {
  readonly name: string;
  readonly resource: Resource;
  readonly fixed: JsonObject;
}

/** A field that refers to a resource, with the resource that has the field. */
export interface Dependant {
  readonly resource: Resource;
  readonly field: string;
  readonly onDelete: 'refuse' | 'delete' | 'clear';
}

/** All resources, with lookups by the names in requests. */
export interface Registry {
  readonly resources: readonly Resource[];
  readonly paths: ReadonlyMap<string, Path>;
  /** Returns a declared resource. Raises Error for an unknown name, which is a bug. */
  resource(name: string): Resource;
  /** Finds an association by name: case-insensitive, singular or plural. */
  association(resource: Resource, role: string): readonly [string, Association] | undefined;
  dependants(name: string): readonly Dependant[];
}

const plain = (role: string): string => role.toLowerCase().replace(/s$/u, '');

/** Builds the registry once at start. */
export function createRegistry(resources: readonly Resource[]): Registry {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const paths = new Map<string, Path>();
  for (const resource of resources) {
    paths.set(resource.name, { name: resource.name, resource, fixed: {} });
    const { variety, alsoNamed = [] } = resource;
    for (const word of alsoNamed) paths.set(word, { name: word, resource, fixed: {} });
    if (variety?.paths !== true) continue;
    for (const word of variety.of) paths.set(word, { name: word, resource, fixed: { [variety.field]: word } });
  }
  const roles = new Map(
    resources.map((resource) => {
      const entries = Object.entries(resource.associations ?? {});
      return [resource.name, new Map(entries.map((entry) => [plain(entry[0]), entry]))];
    }),
  );
  const dependants = new Map<string, Dependant[]>();
  for (const resource of resources) {
    if (!isStored(resource)) continue;
    for (const [field, { to, onDelete = 'clear' }] of Object.entries(resource.fields)) {
      if (to === undefined) continue;
      const existing = dependants.get(to) ?? [];
      dependants.set(to, [...existing, { resource, field, onDelete }]);
    }
  }
  return {
    resources,
    paths,
    resource: (name) => {
      const match = byName.get(name);
      if (match === undefined) throw new Error(`no such resource is declared: ${name}`);
      return match;
    },
    association: (resource, role) => roles.get(resource.name)?.get(plain(role)),
    dependants: (name) => dependants.get(name) ?? [],
  };
}

/** Returns the association names of a resource. */
export const roleNames = (resource: Resource): readonly string[] => Object.keys(resource.associations ?? {});

/**
 * Returns the name under which link rows are stored. `reversed`: true if the record of this resource is the target of a
 * row.
 */
export function linkName(
  resource: Resource,
  role: string,
  association: Association,
): { readonly stored: string; readonly reversed: boolean } {
  const { relation: through, to } = association;
  return through.kind === 'inverse'
    ? { stored: `${to}.${through.of}`, reversed: true }
    : { stored: `${resource.name}.${role}`, reversed: false };
}

/** Returns the declaration of a link, with its flags and properties, from the side that stores it. */
export function storedSide(registry: Registry, association: Association): Association {
  if (association.relation.kind !== 'inverse') return association;
  const other = registry.resource(association.to).associations?.[association.relation.of];
  return other ?? association;
}
