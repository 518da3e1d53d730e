import { isUuid } from '@inlay/contract';
import { Problem } from '../../problems/problem.ts';
import { keyInvalid, type Credentials } from '../authenticate.ts';
import type { IncomingRequest } from '../identify.ts';
import type { Service } from '../service.ts';

/**
 * Checks credentials before the body is read. `pipeline/authenticate.ts` identifies the caller again when the request
 * is handled. For a small body, a presumed caller is sufficient. Raises Problem: 401, 429.
 */
export async function recognise(
  service: Service,
  credentials: Credentials,
  { address, admit, recognised }: Pick<IncomingRequest, 'address' | 'admit' | 'recognised'>,
  isMuch: boolean,
): Promise<void> {
  const { callers, now } = service;
  const { token } = credentials;
  const key = credentials.key.toLowerCase();
  const presumed = isMuch ? null : callers.presume(key, token, now());
  const known = presumed ?? (isUuid(key) ? await callers.identify(key, token, now()) : null);
  if (known === null) {
    admit(address, 'token');
    throw isUuid(key) ? new Problem('credentials_invalid') : keyInvalid();
  }
  recognised(known.caller.organizationId);
  admit(key, 'token', known.rateLimit);
}
