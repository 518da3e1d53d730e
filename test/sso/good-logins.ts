import type { JsonObject } from '@inlay/contract';
import { createHash } from 'node:crypto';
import type { Behaviour } from './provider.ts';

const nowS = (): number => Math.floor(Date.now() / 1000);
const without = (claims: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([one]) => one !== name));
const half = (value: string): string =>
  createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url');

/** Logins that are accepted, by how the provider behaves and what the configuration says besides. */
export const goodProviders: Readonly<Record<string, Behaviour & { readonly config?: JsonObject }>> = {
  RS256: {},
  RS512: { algorithm: 'RS512' },
  PS256: { algorithm: 'PS256' },
  ES256: { algorithm: 'ES256' },
  ES384: { algorithm: 'ES384' },
  EdDSA: { algorithm: 'EdDSA' },
  'no kid where there is one key': { header: (one) => without(one, 'kid') },
  'a key beside it that cannot be read': {
    keys: (keys) => [{ kty: 'RSA', kid: 'broken', n: '!', e: 'AQAB' }, ...keys],
  },
  'a key of an unknown kind beside it': { keys: (keys) => [...keys, { kty: 'unknown', kid: 'odd' }] },
  'a list of one audience': { claims: (one) => ({ ...one, aud: [one['aud'] ?? ''] }) },
  'several audiences, asked for by us': {
    claims: (one) => ({ ...one, aud: [one['aud'] ?? '', 'else'], azp: one['aud'] ?? '' }),
  },
  'a token that ended 50 seconds ago': { claims: (one) => ({ ...one, exp: nowS() - 50 }) },
  'a clock that is 50 seconds ahead': { claims: (one) => ({ ...one, iat: nowS() + 50, nbf: nowS() + 50 }) },
  'no at_hash': { claims: (one) => without(one, 'at_hash') },
  'a right c_hash': { claims: (one, asked) => ({ ...one, c_hash: half(asked.get('code') ?? '') }) },
  'its issuer beside the code (RFC 9207)': {
    discovery: (one) => ({ ...one, authorization_response_iss_parameter_supported: true }),
  },
  'the secret in the body': {
    discovery: (one) => ({ ...one, token_endpoint_auth_methods_supported: ['client_secret_post'] }),
  },
  'a secret with odd characters': { secret: 'a+b/c:d e%20&=ü' },
  'no secret, which PKCE makes safe': { secret: null },
  'an e-mail address that nothing is said about': { person: { email_verified: null } },
  'the e-mail address in the user info only': { claims: (one) => without(one, 'email') },
  'no user info endpoint': { userInfo: null },
  'a claim of another name for the address': {
    person: { email: null, upn: 'upn@example.net' },
    config: { mapping: { email: 'upn' } },
  },
  'no times of a nonce but the right one': { claims: (one) => ({ ...one, auth_time: nowS() - 5 }) },
};
