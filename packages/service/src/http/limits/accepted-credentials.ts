import { hash } from 'node:crypto';

/** How long credentials count as recently accepted. */
const acceptedMs = 10 * 60_000;
/** Maximum number of entries. Beyond it, the least recently used entry is evicted. */
const maxRemembered = 10_000;
/** Maximum number of entries per organization, so that no organization can evict the entries of others. */
const maxOfOrganization = 1000;

/**
 * Authorization headers accepted within the last ten minutes. They identify the sender's organization before
 * authentication.
 */
export interface AcceptedCredentials {
  add(authorization: string | undefined, organizationId: string): void;
  /**
   * Returns the organization of recently accepted credentials; null if unknown. The organization is never used as an
   * identity.
   */
  organizationOf(authorization: string | undefined): string | null;
}

interface Acceptance {
  readonly organizationId: string;
  readonly atMs: number;
}

const keyOf = (authorization: string): string => hash('sha256', authorization, 'base64url');

/** Caches hashes of headers instead of credentials; both maps are in least-recently-used order. */
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
    const ownKeys = this.#ofOrganizations.get(organizationId) ?? new Set();
    this.#ofOrganizations.set(organizationId, ownKeys.add(key));
    const [oldest] = ownKeys.size > maxOfOrganization ? ownKeys : this.#accepted.keys();
    const isFull = ownKeys.size > maxOfOrganization || this.#accepted.size > maxRemembered;
    if (isFull && oldest !== undefined) this.#forget(oldest);
  }

  organizationOf(authorization: string | undefined): string | null {
    const entry = authorization === undefined ? undefined : this.#accepted.get(keyOf(authorization));
    return entry !== undefined && this.#now() - entry.atMs < acceptedMs ? entry.organizationId : null;
  }

  #forget(key: string): void {
    const organizationId = this.#accepted.get(key)?.organizationId;
    if (organizationId === undefined) return;
    this.#accepted.delete(key);
    const ownKeys = this.#ofOrganizations.get(organizationId);
    ownKeys?.delete(key);
    if (ownKeys?.size === 0) this.#ofOrganizations.delete(organizationId);
  }
}

/** Creates the cache. `now` returns milliseconds. */
export const createAcceptedCredentials = (now: () => number): AcceptedCredentials => new RememberedCredentials(now);
