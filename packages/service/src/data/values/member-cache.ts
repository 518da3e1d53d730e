import type { MemberIndex } from './member-index.ts';

/** Members of one column as one caller sees them: an index, or that there are too many of them. */
export type KnownMembers = MemberIndex | 'too many';

/** Bytes of an entry besides its index. */
const entryBytes = 200;

/** Default size of the cache: 64 MB. */
export const memberCacheBytes = 64 * 1024 * 1024;

const sizeOf = (members: KnownMembers): number => entryBytes + (members === 'too many' ? 0 : members.bytes);

/**
 * Keeps members by the cache key of the query that read them, so that only callers who see the same rows share them.
 * Drops those that were not used for the longest time.
 */
export class MemberCache {
  readonly #entries = new Map<string, { readonly members: KnownMembers; readonly untilMs: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string, nowMs: number): KnownMembers | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.untilMs <= nowMs) {
      this.#bytes -= sizeOf(entry.members);
      return undefined;
    }
    this.#entries.set(key, entry);
    return entry.members;
  }

  put(key: string, members: KnownMembers, untilMs: number): void {
    this.#forget(key);
    if (sizeOf(members) > this.#maxBytes) return;
    this.#entries.set(key, { members, untilMs });
    this.#bytes += sizeOf(members);
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(entry.members);
  }
}
