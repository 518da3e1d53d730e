import { createHash } from 'node:crypto';
import { timestamp, type JsonObject } from '@inlay/contract';
import type { Change, Work } from '../../resource/rules.ts';

/** Returns the hash of a token. Only the hash is stored; a token of 256 random bits needs no slow hash. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const hoursAfter = (now: string, hours: number): string => timestamp(Date.parse(now) + hours * 3_600_000);

/** Creates an authorization and returns its key and token. The token is not stored. */
export async function issueToken(
  change: Change,
  work: Work,
  fields: JsonObject,
): Promise<{ id: string; token: string }> {
  const id = work.id();
  const token = work.random(256);
  const hours = Number(change.prepared['tokenHours'] ?? 24);
  await work.insert(
    'authorization',
    { expiry: hoursAfter(change.now, hours), ...fields, id },
    { token_hash: tokenHash(token) },
  );
  return { id, token };
}
