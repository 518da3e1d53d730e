import { createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { SignOnFault } from '../fault.ts';

const publicMembers = ['kty', 'kid', 'use', 'alg', 'crv', 'x', 'y', 'n', 'e'] as const;

/** Returns the public part of a key; null if the key is unreadable, symmetric, or for another use. */
function usableKey(key: Json): JWK | null {
  if (!isObject(key)) return null;
  const members = publicMembers.flatMap((name) => {
    const value = key[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const jwk: JWK = Object.fromEntries(members);
  if ((jwk.use ?? 'sig') !== 'sig') return null;
  try {
    createPublicKey({ key: jwk, format: 'jwk' });
    return jwk;
  } catch {
    return null;
  }
}

/** Returns the keys of a key set that can verify a signature. Other keys are skipped. */
export function usableKeys(document: JsonObject): readonly JWK[] {
  const keys = document['keys'];
  return (keys !== undefined && isList(keys) ? keys : []).flatMap((key) => usableKey(key) ?? []);
}

export interface SignedToken {
  readonly algorithm: string;
  readonly claims: JsonObject;
}

function objectOf(bytes: Uint8Array): JsonObject {
  const content: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (!isObject(content)) throw new SyntaxError('not an object');
  return content;
}

const refusedToken = (detail: string): SignOnFault => new SignOnFault('token_refused', detail);

const otherAlgorithm = 'The token is signed by an algorithm that is not accepted.';
const unreadableMessage = 'The token cannot be read.';

/**
 * Verifies the signature of a token and returns its claims. A key in the header of the token is ignored. Raises
 * SignOnFault.
 */
export async function verifySigned(
  token: string,
  keys: readonly JWK[],
  algorithms: readonly string[],
): Promise<SignedToken> {
  // Loaded with the first token, since most services have no single sign-on.
  const { compactVerify, createLocalJWKSet, errors } = await import('jose');
  try {
    const keySet = createLocalJWKSet({ keys: [...keys] });
    const { payload, protectedHeader } = await compactVerify(token, keySet, { algorithms: [...algorithms] });
    return { algorithm: protectedHeader.alg, claims: objectOf(payload) };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      throw refusedToken('The token is signed by a key that is not among those of the issuer.');
    if (error instanceof errors.JWKSMultipleMatchingKeys)
      throw refusedToken('The token does not say by which of several keys it is signed.');
    if (error instanceof errors.JOSEAlgNotAllowed) throw refusedToken(otherAlgorithm);
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw refusedToken('The signature of the token is wrong.');
    throw refusedToken(unreadableMessage);
  }
}

/**
 * Reads a token without checking its signature. Only for tokens received directly from the issuer over TLS, if the
 * issuer publishes no keys (OpenID Connect Core, 3.1.3.7). Raises SignOnFault.
 */
export function readUnverified(token: string, algorithms: readonly string[]): SignedToken {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  const readPart = (part: string): JsonObject => {
    try {
      return objectOf(Buffer.from(part, 'base64url'));
    } catch {
      throw refusedToken(unreadableMessage);
    }
  };
  const { alg } = readPart(header);
  if (typeof alg !== 'string' || !algorithms.includes(alg) || signature === '' || more.length > 0)
    throw refusedToken(otherAlgorithm);
  return { algorithm: alg, claims: readPart(payload) };
}
