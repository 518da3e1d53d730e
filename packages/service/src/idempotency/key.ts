import { createHash, createHmac } from 'node:crypto';
import type { Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';

/** Who may be answered from a stored answer: the same authorization, or without credentials the same address. */
export const scopeOf = (caller: Caller | null, address: string): string =>
  caller?.authorizationId ?? `address ${address}`;

/** An Idempotency-Key as it is stored: hashed, since the fingerprint is only as secret as the key. */
export const hashedKey = (idempotencyKey: string): string =>
  createHash('sha256').update(idempotencyKey).digest('base64url');

/** What two requests have in common if they are the same; keyed, so that the store does not reveal a password in them. */
export const fingerprintOf = (parts: readonly (Json | undefined)[], idempotencyKey: string): string =>
  createHmac('sha256', idempotencyKey).update(JSON.stringify(parts)).digest('base64url');
