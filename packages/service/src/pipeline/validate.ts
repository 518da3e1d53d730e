import { Faults, Problem } from '../problems/problem.ts';
import type { Registry } from '../resource/registry.ts';
import type { AuthenticatedRequest } from './authenticate.ts';
import { operations, type OperationInput } from './operations/operations.ts';

/** Step 3: the content is valid, as far as can be checked without the store. */
export interface ValidatedRequest extends AuthenticatedRequest, OperationInput {
  /** Faults found so far. They are raised together with the faults that need the stored record. */
  readonly faults: Faults;
}

/** Envelope members that only some operations use. */
const members = ['properties', 'associations', 'id', 'find', 'resource', 'explain'] as const;

/** Checks the content of a request against the declarations, and collects every fault. Raises Problem: 400. */
export function validate(registry: Registry, authenticated: AuthenticatedRequest): ValidatedRequest {
  const { path, operation, envelope } = authenticated;
  const { resource } = path;
  const faults = new Faults();
  const rule = operations[operation];
  const offered =
    operation === 'associate' || operation === 'dissociate' ? resource.associations : resource.roles[operation];
  if (offered === undefined)
    throw new Problem('operation_unknown', { message: `${resource.name} has no ${operation}.` });
  const read = rule.members(resource);
  for (const name of members)
    if (envelope[name] !== undefined && !read.includes(name) && !envelope.empty.includes(name))
      faults.add(name, `is not part of ${operation}${name === 'explain' ? ` on ${resource.name}` : ''}`);
  const request = rule.read({ registry, path, envelope, faults });
  if (request === undefined) {
    faults.raise();
    throw new Problem('body_invalid');
  }
  if (!rule.waits) faults.raise();
  return { ...authenticated, ...request, faults };
}
