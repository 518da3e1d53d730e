import { createHash, createHmac } from 'node:crypto';
import type { Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';

/**
 * Returns the scope of an Idempotency-Key. Only the same authorization gets a stored answer; without credentials, only
 * the same address.
 */
export const scopeOf = (caller: Caller | null, address: string): string =>
  caller?.authorizationId ?? `address ${address}`;

/**
 * Returns the hash under which the store keeps an Idempotency-Key. The key itself must stay secret, because
 * fingerprints are keyed with it.
 */
export const hashedKey = (idempotencyKey: string): string =>
  createHash('sha256').update(idempotencyKey).digest('base64url');

/**
 * Returns the fingerprint of a request, by which a repetition is recognized. It is an HMAC, so that the store does not
 * reveal passwords in the request.
 */
export const fingerprintOf = (parts: readonly (Json | undefined)[], idempotencyKey: string): string =>
  createHmac('sha256', idempotencyKey).update(JSON.stringify(parts)).digest('base64url');
