import { createHash, createHmac } from 'node:crypto';
import type { Json } from '@inlay/contract';
import type { Caller } from '../access/caller.ts';

/**
 * Scope of an Idempotency-Key: only the same authorization gets a stored answer, or without credentials the same
 * address.
 */
export const scopeOf = (caller: Caller | null, address: string): string =>
  caller?.authorizationId ?? `address ${address}`;

/** Hash of an Idempotency-Key for the store. The key must stay secret because fingerprints are keyed with it. */
export const hashedKey = (idempotencyKey: string): string =>
  createHash('sha256').update(idempotencyKey).digest('base64url');

/**
 * Fingerprint of a request to recognize its repetition. It is an HMAC, so that the store does not reveal passwords of
 * the request.
 */
export const fingerprintOf = (parts: readonly (Json | undefined)[], idempotencyKey: string): string =>
  createHmac('sha256', idempotencyKey).update(JSON.stringify(parts)).digest('base64url');
