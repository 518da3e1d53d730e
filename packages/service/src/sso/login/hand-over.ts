import { timestamp } from '@inlay/contract';
import { Problem } from '../../problems/problem.ts';
import { hoursAfter, tokenHash } from '../../resources/parts/tokens.ts';
import type { HandedOver } from './callback.ts';
import { writeSso, type SignOn } from '../sign-on.ts';

/**
 * Exchanges a code for the login. `verifier` proves that the caller chose the challenge of the code. Raises Problem
 * `sso_code_invalid`.
 */
export async function takeLogin(signOn: SignOn, code: unknown, verifier: unknown): Promise<HandedOver> {
  if (typeof code !== 'string' || typeof verifier !== 'string') throw new Problem('sso_code_invalid');
  const token = signOn.random(256);
  const expiry = hoursAfter(timestamp(signOn.now()), signOn.tokenHours);
  const result = await writeSso(signOn, {
    kind: 'sso',
    step: 'take',
    codeHash: tokenHash(code),
    // The challenge is the SHA-256 of the verifier in base64url, which is how tokens are hashed.
    challenge: tokenHash(verifier),
    tokenHash: tokenHash(token),
    expiry,
  });
  if (result.kind !== 'done' || result.count === 0 || result.id === null) throw new Problem('sso_code_invalid');
  return { key: result.id, token, expiry };
}
