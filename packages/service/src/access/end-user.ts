import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

const identified = (...names: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('base64url');

/**
 * Identifies the end user of embed tokens, who is the same over several tokens of one organization, suborganization and
 * username. Null for a token without a username, which nobody in particular uses. The result is a hash, since these
 * texts together are longer than an index allows.
 */
export const endUserOf = ({
  organizationId,
  suborganization,
  username,
}: Pick<Caller, 'organizationId' | 'suborganization' | 'username'>): string | null =>
  username === null
    ? null
    : identified('end user', organizationId, ...(suborganization === null ? [] : [suborganization]), username);

/** Identifies who writes a draft: a person, or the end user of an embed token. Null if nobody in particular does. */
export const writerOf = (caller: Caller): string | null =>
  caller.userId === null ? endUserOf(caller) : identified('person', caller.organizationId, caller.userId);
