import { createHash } from 'node:crypto';
import { inWords, type JsonObject } from '@inlay/contract';
import type { Behaviour } from './provider.ts';

const nowS = (): number => Math.floor(Date.now() / 1000);
const without = (claims: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([one]) => one !== name));
const claim = (name: string, value: (claims: JsonObject) => JsonObject[string]): Behaviour => ({
  claims: (claims) => ({ ...claims, [name]: value(claims) }),
});
const missing = (name: string): Behaviour => ({ claims: (claims) => without(claims, name) });
const hash = (length: number): string =>
  createHash('sha256').update('other').digest().subarray(0, length).toString('base64url');

/** Logins that must not be accepted, by how the provider behaves. */
export const badProviders: Readonly<Record<string, Behaviour>> = {
  'an ID token without a signature (alg none)': { signing: 'none' },
  'HS256 with the client secret': { signing: 'secret' },
  'HS256 with the public key': { signing: 'public-key' },
  'an RS256 signature of another key': { signing: 'other-key' },
  'an ES256 signature of another key': { signing: 'other-key', algorithm: 'ES256' },
  'an EdDSA signature of another key': { signing: 'other-key', algorithm: 'EdDSA' },
  'a signature that was taken off': { signing: 'stripped' },
  'claims changed after signing': { signing: 'changed' },
  'a key in the header of the token (jwk)': { signing: 'own-jwk' },
  'the address of keys in the header (jku)': {
    signing: 'other-key',
    header: (one) => ({ ...one, jku: 'http://127.0.0.1:1/keys' }),
  },
  'the address of a certificate in the header (x5u)': {
    signing: 'other-key',
    header: (one) => ({ ...one, x5u: 'http://127.0.0.1:1/c' }),
  },
  'a critical header that nobody knows': { header: (one) => ({ ...one, crit: ['b64'], b64: true }) },
  'an unknown kid': { header: (one) => ({ ...one, kid: 'unknown' }) },
  'no kid where there are several keys': {
    header: (one) => without(one, 'kid'),
    keys: (keys) => [...keys, ...keys.map((key) => ({ ...key, kid: 'second' }))],
  },
  'only a key that cannot be read': { keys: (keys) => keys.map((key) => ({ ...key, n: '!' })) },
  'only a key for another use': { keys: (keys) => keys.map((key) => ({ ...key, use: 'enc' })) },
  'a symmetric key in the key set': {
    signing: 'secret',
    keys: () => [{ kty: 'oct', k: 'dGhlIHNlY3JldA', alg: 'HS256' }],
  },
  'no keys at all': { keys: () => [] },
  'an algorithm that was not announced': {
    algorithm: 'RS256',
    discovery: (one) => ({ ...one, id_token_signing_alg_values_supported: ['ES256'] }),
  },
  'only algorithms that are not accepted': {
    discovery: (one) => ({ ...one, id_token_signing_alg_values_supported: ['HS256', 'none'] }),
  },
  'no issuer in the token': missing('iss'),
  'another issuer': claim('iss', () => 'https://evil.example.com'),
  'an issuer with a slash at the end': claim('iss', ({ iss }) => `${inWords(iss)}/`),
  'the issuer of another tenant': claim('iss', ({ iss }) => inWords(iss).replace(/[\da-f]{8}$/u, 'ffffffff')),
  'no audience': missing('aud'),
  'another audience': claim('aud', () => 'somebody'),
  'audiences without us': claim('aud', () => ['somebody', 'else']),
  'several audiences, asked for by nobody': claim('aud', ({ aud }) => [aud ?? '', 'else']),
  'another authorized party': claim('azp', () => 'somebody'),
  'an authorized party that is not us among several audiences': {
    claims: (claims) => ({ ...claims, aud: [claims['aud'] ?? '', 'else'], azp: 'else' }),
  },
  'a token that has ended': claim('exp', () => nowS() - 3600),
  'a token that ended 62 seconds ago': claim('exp', () => nowS() - 62),
  'no end': missing('exp'),
  'an end that is a text': claim('exp', () => '9999999999'),
  'no time of making': missing('iat'),
  'a token made in the future': claim('iat', () => nowS() + 70),
  'a token not valid yet': claim('nbf', () => nowS() + 70),
  'no nonce': missing('nonce'),
  'another nonce': claim('nonce', () => 'another'),
  'no subject': missing('sub'),
  'an empty subject': claim('sub', () => ''),
  'a subject that is a number': claim('sub', () => 7),
  'a subject that is far too long': claim('sub', () => 'x'.repeat(256)),
  'a subject with a NUL': { person: { sub: 'a\0b' } },
  'a wrong at_hash': claim('at_hash', () => hash(16)),
  'a wrong c_hash': claim('c_hash', () => hash(16)),
  'a token that is none': { token: (one) => ({ ...one, id_token: 'abc' }) },
  'no ID token': { token: (one) => without(one, 'id_token') },
  'no access token': { token: (one) => without(one, 'access_token') },
  'user info about somebody else': { userInfo: (one) => ({ ...one, sub: 'somebody' }) },
  'user info about nobody': { userInfo: (one) => without(one, 'sub') },
  'user info that is refused': { userInfo: () => ({ status: 401, body: '{}' }) },
  'an unverified e-mail address': { person: { email_verified: false } },
  'an unverified e-mail address, in words': { person: { email_verified: 'false' } },
  'no e-mail address': { person: { email: null } },
  'an e-mail address that is none': { person: { email: 'nobody' } },
  'discovery that names another issuer': { discovery: (one) => ({ ...one, issuer: 'https://evil.example.com' }) },
  'discovery that leads elsewhere': {
    discovery: () => ({ status: 302, body: '', headers: { location: 'http://127.0.0.2:1/' } }),
  },
  'discovery that fails': { discovery: () => ({ status: 500, body: '{}' }) },
  'discovery that is no JSON': { discovery: () => ({ type: 'text/html', body: '<p>Hello' }) },
  'discovery without keys': { discovery: (one) => without(one, 'jwks_uri') },
  'a provider that takes plain PKCE only': {
    discovery: (one) => ({ ...one, code_challenge_methods_supported: ['plain'] }),
  },
  'keys that fail': { keys: () => ({ status: 500, body: '{}' }) },
  'a token endpoint that redirects': {
    token: () => ({ status: 302, body: '', headers: { location: 'http://127.0.0.2:1/' } }),
  },
  'a token endpoint that answers with a page': { token: () => ({ type: 'text/html', body: '<p>Hello' }) },
  'a token endpoint that answers 20 MB': { token: () => ({ body: `"${'x'.repeat(20_000_000)}"` }) },
  'a token endpoint that fails': { token: () => ({ status: 500, body: '{}' }) },
  'the wrong client secret': { token: () => ({ status: 401, body: '{"error":"invalid_client"}' }) },
  'an error in place of a code': {
    answer: (one) => new URLSearchParams({ error: 'access_denied', state: one.get('state') ?? '' }),
  },
  'an error beside a code': { answer: (one) => new URLSearchParams([...one, ['error', 'access_denied']]) },
  'neither code nor error': { answer: (one) => new URLSearchParams({ state: one.get('state') ?? '' }) },
  'two codes': { answer: (one) => new URLSearchParams([...one, ['code', 'second']]) },
  'no state': { answer: (one) => new URLSearchParams({ code: one.get('code') ?? '' }) },
  'another state': { answer: (one) => new URLSearchParams({ code: one.get('code') ?? '', state: 'x'.repeat(43) }) },
  'two states': { answer: (one) => new URLSearchParams([...one, ['state', 'x'.repeat(43)]]) },
  'no issuer beside the code, where it is announced (RFC 9207)': {
    discovery: (one) => ({ ...one, authorization_response_iss_parameter_supported: true }),
    answer: (one) => new URLSearchParams({ code: one.get('code') ?? '', state: one.get('state') ?? '' }),
  },
  'another issuer beside the code (RFC 9207)': {
    answer: (one) =>
      new URLSearchParams({
        code: one.get('code') ?? '',
        state: one.get('state') ?? '',
        iss: 'https://evil.example.com',
      }),
  },
};
