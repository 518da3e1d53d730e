import { apiVersion, isList, isObject, member, unknownWord, type Json } from '@inlay/contract';
import { Faults, Problem } from '../problems/problem.ts';
import { isByVariety } from '../declare/variety.ts';
import { operationNames, type Operation } from '../declare/declaration.ts';
import type { Resource } from '../resource/define.ts';
import type { WriteMode } from '../commands/record.ts';
import type { Path, Registry } from '../resource/registry.ts';
import type { RowsOnDisk } from '../resource/incoming/rows.ts';
import type { IncomingFile } from '../resource/incoming/file.ts';
import type { RequestTrace } from '../tracing/trace.ts';
import { isValidation, readEnvelope, type Envelope } from './operations/envelope.ts';
import { operations } from './operations/operations.ts';

/** A request independent of HTTP. */
export interface IncomingRequest {
  readonly version: string;
  readonly path: string;
  readonly method: string;
  readonly body: Json;
  readonly authorization: string | undefined;
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Value of the Prefer header, such as `handling=strict`. */
  readonly prefer: string | undefined;
  /** A streamed upload; null if there is none. If set, `body` contains the rest of the request. */
  readonly file: IncomingFile | null;
  /** Rows of the body that are in a file and not in `body`; null if there are none. */
  readonly rows: RowsOnDisk | null;
  /** True if the client accepts line-delimited answers. */
  readonly lines: boolean;
  /** Key under which the rate limit counts the request if it has no credentials; never an identity. */
  readonly address: string;
  /** Network address of the client, from the connection or a trusted proxy. */
  readonly sender: string;
  /** Log and trace data of the request. */
  readonly trace: RequestTrace;
  /** Called with the operation as soon as it is known, for logs and metrics. */
  readonly named: (operation: Operation) => void;
  /** Registers a callback that runs if the client disconnects before it has the answer. */
  readonly whenGone: (gone: () => void) => void;
  /**
   * Registers a callback that runs when the answer is written or the connection ends. Returns a function that runs it
   * earlier.
   */
  readonly hold: (release: () => void) => () => void;
  /** Called with the organization of the caller once it is authenticated. */
  readonly recognised: (organizationId: string) => void;
  /**
   * Counts the request against the default rate limit of its sender, or against `perSecond`. Raises Problem
   * `rate_limited`.
   */
  readonly admit: (subject: string, kind: 'token' | 'login', perSecond?: number | null) => void;
}

/** Step 1: resource and operation are known. */
export interface IdentifiedRequest {
  readonly incoming: IncomingRequest;
  readonly path: Path;
  readonly operation: Operation;
  readonly envelope: Envelope;
  /** How a write treats warnings; null for the default. */
  readonly mode: WriteMode | null;
}

const actions: Readonly<Record<string, Operation>> = {
  create: 'create',
  get: 'get',
  search: 'get',
  update: 'update',
  delete: 'delete',
  associate: 'associate',
  dissociate: 'dissociate',
};

/** The operation of each HTTP method except POST. specification/operations#choosing-the-operation */
export const methods: Readonly<Record<string, Operation>> = Object.fromEntries(
  operationNames.flatMap((operation) => {
    const { method } = operations[operation];
    return method === null ? [] : [[method, operation]];
  }),
);

/** All methods of resource addresses. */
export const apiMethods: readonly string[] = ['POST', ...Object.keys(methods)];

/** True if a resource supports an operation over the API. */
function hasOperation({ associations, roles }: Resource, operation: Operation): boolean {
  if (operation === 'associate' || operation === 'dissociate') return associations !== undefined;
  const role = roles[operation];
  return role !== undefined && (isByVariety(role) || role.kind !== 'operator');
}

/** Returns the methods of a resource's address: POST, and the methods of the operations that the resource supports. */
export const methodsOf = (resource: Resource): readonly string[] =>
  apiMethods.filter((method) => {
    const operation = methods[method];
    return operation === undefined || hasOperation(resource, operation);
  });

/** Limit of an Idempotency-Key in characters. */
export const longestIdempotencyKey = 255;

function byShape(envelope: Envelope): Operation | undefined {
  const { find, id, resource, properties } = envelope;
  if (find !== undefined)
    return id === undefined && resource === undefined && properties === undefined ? 'get' : undefined;
  if (id !== undefined && resource !== undefined) return properties === undefined ? 'dissociate' : undefined;
  if (id !== undefined) return properties === undefined ? undefined : 'update';
  return properties !== undefined && resource === undefined ? 'create' : undefined;
}

const validated = ({ paths }: Registry): readonly string[] => [
  ...new Set([...paths.values()].flatMap(({ resource }) => (resource.validates === true ? [resource.name] : []))),
];

/** Returns the operation that `validate` checks. */
const changeOf = ({ id }: Envelope): Operation => (id === undefined ? 'create' : 'update');

function operationOf(method: string, envelope: Envelope, registry: Registry): Operation {
  const { action } = envelope;
  if (action !== undefined) {
    const named = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (named !== undefined) return named;
    if (action === 'validate')
      throw new Problem('operation_unknown', {
        message: `This resource has no validate; these have it: ${validated(registry).join(', ')}.`,
      });
    throw new Problem('operation_unknown', {
      validation: { action: [unknownWord(action, [...Object.keys(actions), 'validate'])] },
    });
  }
  const operation = methods[method] ?? byShape(envelope);
  if (operation === undefined) throw new Problem('operation_unknown');
  return operation;
}

/**
 * Raises Problem 405 if the resource does not support the method's operation and the body has no `action` that selects
 * another.
 */
function checkMethod(resource: Resource, { method, body }: IncomingRequest): void {
  const operation = methods[method];
  if (operation === undefined || hasOperation(resource, operation)) return;
  if (isObject(body) && member(body, 'action') !== undefined) return;
  const allow = methodsOf(resource);
  throw new Problem('method_not_allowed', {
    message: `${resource.name} has no ${operation}. This address takes ${allow.join(', ')}.`,
    allow,
  });
}

/** Returns the fault of a body that is not an object; a missing body counts as null. */
function notAnObject(body: Json): string {
  if (typeof body === 'string') return 'The body must be a JSON object, not a text; it may have been encoded twice.';
  return `The body must be a JSON object${isList(body) ? ', not a list: one record a request' : ''}.`;
}

/** Determines resource and operation of a request. Raises Problem: 404, 405, 400. */
export function identify(registry: Registry, incoming: IncomingRequest): IdentifiedRequest {
  if (incoming.version !== apiVersion) throw new Problem('version_unknown');
  const path = registry.paths.get(incoming.path);
  if (path === undefined) {
    const known = [...registry.paths.keys()];
    throw new Problem('resource_unknown', {
      message: `The resource ${unknownWord(incoming.path, known)}`,
    });
  }
  checkMethod(path.resource, incoming);
  if (!isObject(incoming.body)) throw new Problem('body_invalid', { message: notAnObject(incoming.body) });
  const faults = new Faults();
  const envelope = readEnvelope(incoming.body, path.resource, faults);
  const { idempotencyKey } = incoming;
  if (idempotencyKey !== undefined && (idempotencyKey === '' || idempotencyKey.length > longestIdempotencyKey))
    faults.add('Idempotency-Key', `must have 1 to ${longestIdempotencyKey} characters`);
  faults.raise();
  const validates = isValidation(envelope) && path.resource.validates === true;
  const operation = validates ? changeOf(envelope) : operationOf(incoming.method, envelope, registry);
  incoming.named(operation);
  const isStrict = operation !== 'get' && /(?:^|,)\s*handling=strict\s*(?:,|;|$)/iu.test(incoming.prefer ?? '');
  return { incoming, path, envelope, operation, mode: validates ? 'validate' : isStrict ? 'strict' : null };
}
