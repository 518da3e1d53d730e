import { isUuid } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';
import type { KnownCaller } from '../callers/facts.ts';
import { Problem } from '../problems/problem.ts';
import { forVariety, ofVarieties } from '../declare/variety.ts';
import type { Resource } from '../resource/define.ts';
import type { Role } from '../declare/roles.ts';
import { isWithin } from '../access/networks.ts';
import type { IdentifiedRequest } from './identify.ts';
import type { Service } from './service.ts';

/** Step 2: the caller is known; null only if the operation needs no credentials. */
export interface AuthenticatedRequest extends IdentifiedRequest {
  readonly caller: Caller | null;
}

export interface Credentials {
  readonly key: string;
  readonly token: string;
}

const split = (pair: string): Credentials | undefined => {
  const at = pair.indexOf(':');
  return at < 1 ? undefined : { key: pair.slice(0, at), token: pair.slice(at + 1) };
};

/** Creates the problem for a key that is not a UUID. */
export const keyInvalid = (): Problem =>
  new Problem('credentials_invalid', {
    message: 'The key is not a UUID. The key is the "id" of an authorization, the token its "token".',
  });

/**
 * Parses key and token of an Authorization header; undefined if it is empty. Raises Problem 401.
 * specification/operations#credentials
 */
export function fromHeader(header: string | undefined): Credentials | undefined {
  if (header === undefined || header === '') return undefined;
  const [, scheme, value = ''] = /^(bearer|basic) +(\S+)$/iu.exec(header) ?? [];
  const isBasic = scheme?.toLowerCase() === 'basic';
  const credentials = split(isBasic ? Buffer.from(value, 'base64').toString('utf8') : value);
  if (credentials === undefined)
    throw new Problem('credentials_invalid', {
      message:
        'The Authorization header must be "Bearer <key>:<token>", or Basic with the key as user name and the token as password.',
    });
  return credentials;
}

/** True if a request is a login with a password. Any other credentials in a login are ignored. */
function isLogin({ operation, path: { resource }, envelope }: IdentifiedRequest): boolean {
  const { create } = resource.roles;
  if (operation !== 'create' || create === undefined || !takesLogins(resource)) return false;
  const variety = resource.variety === undefined ? undefined : envelope.properties?.[resource.variety.field];
  return typeof variety === 'string' && forVariety(create, variety)?.kind === 'anyone';
}

/** Returns key and token of a request; undefined if the request has no credentials or is a login. */
export function credentialsOf(identified: IdentifiedRequest): Credentials | undefined {
  const { envelope, incoming } = identified;
  if (isLogin(identified)) return undefined;
  const { key, token } = envelope;
  const header = fromHeader(incoming.authorization);
  if (key === undefined && token === undefined) return header;
  if (key === undefined || token === undefined) {
    throw new Problem('credentials_missing', { message: 'Send both "key" and "token".' });
  }
  if (header !== undefined && (header.key !== key || header.token !== token)) throw new Problem('credentials_conflict');
  return { key, token };
}

const allowsNobody = (role: Role): boolean =>
  role.kind === 'anyone' ||
  role.kind === 'visitor' ||
  ((role.kind === 'any' || role.kind === 'all') && role.of.some(allowsNobody));

const rolesOfCreate = ({ roles: { create } }: Resource): readonly Role[] =>
  create === undefined ? [] : ofVarieties(create);

/** True if some records of the resource can be created without credentials. */
export const isOpen = (resource: Resource): boolean => rolesOfCreate(resource).some(allowsNobody);

/** True if users log in by creating a record of the resource. */
export const takesLogins = (resource: Resource): boolean =>
  rolesOfCreate(resource).some(({ kind }) => kind === 'anyone');

/**
 * Counts a request of an identified caller against its rate limit, and records the use of its key. Raises Problem 401,
 * 429.
 */
export function admit(service: Service, { incoming }: IdentifiedRequest, key: string, known: KnownCaller): void {
  if (known.networks !== null && !isWithin(known.networks, incoming.sender)) {
    incoming.admit(incoming.address, 'token');
    throw new Problem('credentials_invalid');
  }
  incoming.trace.concerns.note('authorization', key);
  incoming.recognised(known.caller.organizationId);
  incoming.admit(key, 'token', known.rateLimit);
  service.used(key, known.lastUsedMs);
}

/** Identifies the caller. Raises Problem: 400, 401, 429. */
export async function authenticate(service: Service, identified: IdentifiedRequest): Promise<AuthenticatedRequest> {
  const credentials = credentialsOf(identified);
  if (credentials === undefined) {
    const caller = isLogin(identified) ? null : await service.anonymous();
    if (caller !== null) {
      identified.incoming.recognised(caller.organizationId);
      identified.incoming.admit(identified.incoming.address, 'token');
      return { ...identified, caller };
    }
    if (identified.operation !== 'create' || !isOpen(identified.path.resource))
      throw new Problem('credentials_missing');
    identified.incoming.admit(identified.incoming.address, 'login');
    return { ...identified, caller: null };
  }
  if (!isUuid(credentials.key)) throw keyInvalid();
  const key = credentials.key.toLowerCase();
  const known = await service.callers.identify(key, credentials.token, service.now());
  if (known === null) {
    identified.incoming.admit(identified.incoming.address, 'token');
    throw new Problem('credentials_invalid');
  }
  admit(service, identified, key, known);
  return { ...identified, caller: known.caller };
}
