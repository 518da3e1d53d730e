import { hash } from 'node:crypto';

/** How long credentials count as accepted. */
const acceptedMs = 10 * 60_000;
/** The longest unused of more are forgotten. */
const maxRemembered = 10_000;

/** Authorization headers that were accepted within the last ten minutes: whose request comes, before it is authenticated again. */
export interface AcceptedCredentials {
  add(authorization: string | undefined, organizationId: string): void;
  /** The organization whose credentials a header had; null where they were not accepted lately. Never an identity. */
  organizationOf(authorization: string | undefined): string | null;
}

/** `now` gives milliseconds. Stores hashes of headers, no credentials. */
export function createAcceptedCredentials(now: () => number): AcceptedCredentials {
  const accepted = new Map<string, { readonly organizationId: string; readonly atMs: number }>();
  const keyOf = (authorization: string): string => hash('sha256', authorization, 'base64url');
  return {
    add: (authorization, organizationId) => {
      if (authorization === undefined) return;
      const key = keyOf(authorization);
      accepted.delete(key);
      accepted.set(key, { organizationId, atMs: now() });
      const [oldest] = accepted.keys();
      if (accepted.size > maxRemembered && oldest !== undefined) accepted.delete(oldest);
    },
    organizationOf: (authorization) => {
      const found = authorization === undefined ? undefined : accepted.get(keyOf(authorization));
      return found !== undefined && now() - found.atMs < acceptedMs ? found.organizationId : null;
    },
  };
}
