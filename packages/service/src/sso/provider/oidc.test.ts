import { expect, test } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import type { Configuration } from './configuration.ts';
import { SignOnFault } from '../fault.ts';
import { personOf, readMapping } from '../../resources/parts/sso-mapping.ts';
import { checkIdToken, checkLogoutToken, halfHash, providerOf, withUserInfo } from './oidc.ts';

const expected = {
  issuer: 'https://login.example.com',
  clientId: 'inlay',
  nonce: 'the nonce',
  nowS: 1_000_000,
  algorithm: 'RS256',
  accessToken: 'access',
  code: 'code',
};
const good = { iss: expected.issuer, aud: 'inlay', exp: 1_000_100, iat: 999_990, nonce: 'the nonce', sub: 'ada' };

const causeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof SignOnFault ? error.cause : 'defect';
  }
};

test.each<[string, JsonObject, string]>([
  ['as it should be', {}, 'none'],
  ['of another issuer', { iss: 'https://login.example.com/' }, 'issuer_mismatch'],
  ['of no issuer', { iss: null }, 'issuer_mismatch'],
  ['for nobody', { aud: null }, 'token_refused'],
  ['for others', { aud: ['a', 'b'] }, 'token_refused'],
  ['for us and others, asked for by us', { aud: ['a', 'inlay'], azp: 'inlay' }, 'none'],
  ['for us and others, asked for by nobody', { aud: ['a', 'inlay'] }, 'token_refused'],
  ['asked for by others', { azp: 'a' }, 'token_refused'],
  ['that ended 59 seconds ago', { exp: 999_941 }, 'none'],
  ['that ended 60 seconds ago', { exp: 999_940 }, 'clock'],
  ['that never ends', { exp: null }, 'token_refused'],
  ['made 60 seconds ahead', { iat: 1_000_060 }, 'none'],
  ['made 61 seconds ahead', { iat: 1_000_061 }, 'clock'],
  ['made at no time', { iat: '1' }, 'token_refused'],
  ['not valid for 61 seconds', { nbf: 1_000_061 }, 'clock'],
  ['of another sign-in', { nonce: 'another' }, 'token_refused'],
  ['about nobody', { sub: null }, 'token_refused'],
  ['about nobody by name', { sub: '' }, 'token_refused'],
  ['with its access token', { at_hash: halfHash('access', 'RS256') }, 'none'],
  ['with another access token', { at_hash: halfHash('other', 'RS256') }, 'token_refused'],
  ['with another code', { c_hash: halfHash('other', 'RS256') }, 'token_refused'],
])('an ID token %s is judged without the library', (_name, claims, cause) => {
  expect(causeOf(() => checkIdToken({ ...good, ...claims }, expected))).toBe(cause);
});

const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const logout = { iss: expected.issuer, aud: 'inlay', iat: 999_990, jti: 'one', sub: 'ada', events: event };

test.each<[string, JsonObject, string]>([
  ['as it should be', {}, 'none'],
  ['about a session', { sub: null, sid: 'session' }, 'none'],
  ['about nobody', { sub: null }, 'token_refused'],
  ['with a nonce', { nonce: 'x' }, 'token_refused'],
  ['without its event', { events: {} }, 'token_refused'],
  ['without an id', { jti: null }, 'token_refused'],
  ['for others', { aud: 'other' }, 'token_refused'],
  ['of others', { iss: 'https://evil.example.com' }, 'issuer_mismatch'],
  ['of long ago', { iat: 999_000 }, 'token_refused'],
  ['that has ended', { exp: 999_000 }, 'clock'],
])('a logout token %s is judged', (_name, claims, cause) => {
  expect(causeOf(() => checkLogoutToken({ ...logout, ...claims }, expected))).toBe(cause);
});

test('the hash of an access token is half of the one its algorithm has', () => {
  // The access token from the example in OpenID Connect Core, A.3.
  expect(halfHash('jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y', 'RS256')).toBe('77QmUPtjPfzWtF2AnpK9RQ');
  expect(halfHash('x', 'EdDSA')).toHaveLength(43);
});

const configuration: Configuration = {
  id: 'id',
  organizationId: 'organization',
  issuer: expected.issuer,
  clientId: 'inlay',
  clientSecret: 'secret',
  authorizationUrl: null,
  tokenUrl: null,
  userInfoUrl: null,
  mapping: readMapping(null),
  isVerified: false,
  fingerprint: '',
};
const document = {
  issuer: expected.issuer,
  authorization_endpoint: 'https://login.example.com/a',
  token_endpoint: 'https://login.example.com/t',
  jwks_uri: 'https://login.example.com/k',
};

test('addresses of the configuration come before those that are discovered', () => {
  const provider = providerOf({ ...configuration, tokenUrl: 'https://token.example.com/' }, document);
  expect(provider).toMatchObject({
    tokenUrl: 'https://token.example.com/',
    authorizationUrl: document.authorization_endpoint,
  });
});

test.each<[string, JsonObject | null, string]>([
  ['of another issuer', { ...document, issuer: 'https://evil.example.com' }, 'issuer_mismatch'],
  [
    'whose token endpoint is plain http',
    { ...document, token_endpoint: 'http://login.example.com/t' },
    'provider_wrong',
  ],
  ['whose keys are plain http', { ...document, jwks_uri: 'http://login.example.com/k' }, 'provider_wrong'],
  ['whose addresses are none', { ...document, token_endpoint: 'token' }, 'provider_wrong'],
  ['that lacks an address', { issuer: expected.issuer, jwks_uri: document.jwks_uri }, 'set_up_wrong'],
  ['that is not there, and addresses are not either', null, 'set_up_wrong'],
])('a discovery document %s is refused', (_name, discovered, cause) => {
  expect(causeOf(() => providerOf(configuration, discovered))).toBe(cause);
});

test('user info is about the person of the token, whose claims come first', () => {
  expect(causeOf(() => withUserInfo({ sub: 'a' }, { sub: 'b' }))).toBe('token_refused');
  expect(withUserInfo({ sub: 'a', email: 'a@x' }, { sub: 'a', email: 'b@x', name: 'A' })).toEqual({
    sub: 'a',
    email: 'a@x',
    name: 'A',
  });
});

test('claims are mapped by name or path, roles to the highest', () => {
  const mapping = readMapping({
    email: 'upn',
    roles: { claim: 'realm_access.roles', values: { boss: 'owner', clerk: 'editor' } },
    groups: 'teams',
  });
  const claims = { upn: 'ADA@example.com', realm_access: { roles: ['clerk', 'boss', 'x'] }, teams: ['Red', 7] };
  expect(personOf(claims, mapping)).toEqual({
    email: 'ada@example.com',
    emailVerified: null,
    name: null,
    level: 3,
    groups: ['Red'],
  });
  expect(personOf({ realm_access: { roles: [] } }, mapping)).toMatchObject({ level: 1, groups: [] });
  expect(personOf({}, mapping)).toMatchObject({ level: 1, groups: [] });
  expect(personOf({}, { ...mapping, missing: 'keep' })).toMatchObject({ level: null, groups: null });
  expect(personOf({}, readMapping({}))).toMatchObject({ level: null, groups: null });
  expect(
    personOf(JSON.parse('{"__proto__": {"roles": ["owner"]}}'), readMapping({ roles: 'constructor.name' })).level,
  ).toBe(1);
});
