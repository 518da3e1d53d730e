import { isUuid } from '@inlay/contract';
import { identifyCaller } from '../../callers/identify.ts';
import { presumeCaller } from '../../callers/presumed.ts';
import { Problem } from '../../problems/problem.ts';
import { keyInvalid, type Credentials } from '../authenticate.ts';
import type { IncomingRequest } from '../identify.ts';
import type { Service } from '../service.ts';

/**
 * Makes sure that credentials are somebody's before more of a request is read. The caller is found out again, with what was
 * read, when it is answered. Where little is still to come, a caller that the store has named lately will do. Raises Problem: 401, 429.
 */
export async function recognise(
  service: Service,
  credentials: Credentials,
  { address, admit, recognised }: Pick<IncomingRequest, 'address' | 'admit' | 'recognised'>,
  isMuch: boolean,
): Promise<void> {
  const { store } = service;
  const { token } = credentials;
  const key = credentials.key.toLowerCase();
  const cache = service.callerFacts;
  const facts = isMuch ? '' : (cache.get(key) ?? '');
  const presumed = facts === '' ? null : presumeCaller(facts, token, service.now());
  const known = presumed ?? (isUuid(key) ? await identifyCaller(store, key, token, service.now()) : null);
  if (known === null) {
    admit(address, 'token');
    throw isUuid(key) ? new Problem('credentials_invalid') : keyInvalid();
  }
  if (presumed === null) cache.set(key, known.facts);
  recognised(known.caller.organizationId);
  admit(key, 'token', known.rateLimit);
}
