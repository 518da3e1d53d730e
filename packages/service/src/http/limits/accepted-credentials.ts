import { hash } from 'node:crypto';

/** How long credentials count as accepted. */
const acceptedMs = 10 * 60_000;
/** The longest unused of more are forgotten. */
const maxRemembered = 10_000;
/** The longest unused of one organization are forgotten, so that no organization keeps out the others. */
const maxOfOrganization = 1000;

/** Authorization headers that were accepted within the last ten minutes: whose request comes, before it is authenticated again. */
export interface AcceptedCredentials {
  add(authorization: string | undefined, organizationId: string): void;
  /** The organization whose credentials a header had; null where they were not accepted lately. Never an identity. */
  organizationOf(authorization: string | undefined): string | null;
}

interface Acceptance {
  readonly organizationId: string;
  readonly atMs: number;
}

const keyOf = (authorization: string): string => hash('sha256', authorization, 'base64url');

/** Remembers hashes of headers, no credentials; both maps have the longest unused first. */
class RememberedCredentials implements AcceptedCredentials {
  readonly #now: () => number;
  readonly #accepted = new Map<string, Acceptance>();
  readonly #ofOrganizations = new Map<string, Set<string>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(authorization: string | undefined, organizationId: string): void {
    if (authorization === undefined) return;
    const key = keyOf(authorization);
    this.#forget(key);
    this.#accepted.set(key, { organizationId, atMs: this.#now() });
    const own = this.#ofOrganizations.get(organizationId) ?? new Set();
    this.#ofOrganizations.set(organizationId, own.add(key));
    const [oldest] = own.size > maxOfOrganization ? own : this.#accepted.keys();
    const isFull = own.size > maxOfOrganization || this.#accepted.size > maxRemembered;
    if (isFull && oldest !== undefined) this.#forget(oldest);
  }

  organizationOf(authorization: string | undefined): string | null {
    const found = authorization === undefined ? undefined : this.#accepted.get(keyOf(authorization));
    return found !== undefined && this.#now() - found.atMs < acceptedMs ? found.organizationId : null;
  }

  #forget(key: string): void {
    const organizationId = this.#accepted.get(key)?.organizationId;
    if (organizationId === undefined) return;
    this.#accepted.delete(key);
    const own = this.#ofOrganizations.get(organizationId);
    own?.delete(key);
    if (own?.size === 0) this.#ofOrganizations.delete(organizationId);
  }
}

/** `now` gives milliseconds. */
export const createAcceptedCredentials = (now: () => number): AcceptedCredentials => new RememberedCredentials(now);
