import { createHash } from 'node:crypto';
import { isList, isObject, type JsonObject } from '@inlay/contract';
import type { Configuration } from './configuration.ts';
import { quoted, SignOnFault, textOf } from '../fault.ts';

/** Accepted signature algorithms. All use a public key of the issuer. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** Tolerated clock difference between two machines, in seconds. specification/sign-in#what-is-checked */
export const clockToleranceS = 60;

/** A provider's endpoints and capabilities. */
export interface Provider {
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userInfoUrl: string | null;
  /**
   * Address of the issuer's keys; null if it has none. Tokens are then trusted because they come from the issuer over
   * TLS.
   */
  readonly jwksUrl: string | null;
  readonly endSessionUrl: string | null;
  readonly algorithms: readonly string[];
  /** True if answers include their issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** True if the secret is sent in a header, false if in the body. */
  readonly secretInHeader: boolean;
}

const listOf = (document: JsonObject, name: string): readonly string[] | null => {
  const value = document[name];
  return value !== undefined && isList(value)
    ? value.flatMap((text) => (typeof text === 'string' ? [text] : []))
    : null;
};

const providerFault = (detail: string): SignOnFault => new SignOnFault('provider_wrong', detail);

/** Returns the fault for an issuer that differs from the configured one. */
export function issuerMismatch(expectedIssuer: string, actualIssuer: unknown, where: string): SignOnFault {
  const differsInSlash =
    typeof actualIssuer === 'string' && actualIssuer.replace(/\/$/u, '') === expectedIssuer.replace(/\/$/u, '');
  return new SignOnFault(
    'issuer_mismatch',
    `The issuer of the configuration is ${quoted(expectedIssuer)} and ${where} names ${quoted(actualIssuer)}.${differsInSlash ? ' They differ only in the slash at the end.' : ''} Copy the issuer exactly as the provider names it.`,
  );
}

function checkedAddress(name: string, address: string, issuer: string): string {
  if (!URL.canParse(address)) throw providerFault(`The ${name} ${quoted(address)} is not a web address.`);
  const { protocol } = new URL(address);
  if (protocol !== 'https:' && !(protocol === 'http:' && issuer.startsWith('http:')))
    throw providerFault(`The ${name} ${quoted(address)} does not begin with https.`);
  return address;
}

/**
 * Merges a configuration with the discovery document of its issuer. Addresses in the configuration take precedence. If
 * `discoveryDocument` is null, the issuer has none. Raises SignOnFault.
 */
export function providerOf(configuration: Configuration, discoveryDocument: JsonObject | null): Provider {
  const { issuer } = configuration;
  const document = discoveryDocument ?? {};
  if (discoveryDocument !== null && document['issuer'] !== issuer)
    throw issuerMismatch(issuer, document['issuer'], 'its discovery document');
  const address = (configured: string | null, endpoint: string): string | null => {
    const address = configured ?? textOf(document, endpoint);
    return address === null ? null : checkedAddress(endpoint, address, issuer);
  };
  const requireAddress = (address: string | null, member: string): string => {
    if (address !== null) return address;
    throw new SignOnFault(
      'set_up_wrong',
      `The issuer offers no discovery that says it, so the configuration needs ${member}.`,
    );
  };
  const challenges = listOf(document, 'code_challenge_methods_supported');
  if (challenges !== null && !challenges.includes('S256'))
    throw providerFault('The provider does not take PKCE with S256, without which nobody is signed in.');
  const jwksUrl = address(null, 'jwks_uri');
  if (discoveryDocument !== null && jwksUrl === null) throw providerFault('The discovery document names no jwks_uri.');
  const announcedAlgorithms = listOf(document, 'id_token_signing_alg_values_supported');
  const usableAlgorithms = (announcedAlgorithms ?? algorithms).filter((name) =>
    algorithms.some((algorithm) => algorithm === name),
  );
  if (usableAlgorithms.length === 0)
    throw providerFault('The provider signs with none of the algorithms that are accepted.');
  const methods = listOf(document, 'token_endpoint_auth_methods_supported');
  return {
    issuer,
    authorizationUrl: requireAddress(
      address(configuration.authorizationUrl, 'authorization_endpoint'),
      'authorization_url',
    ),
    tokenUrl: requireAddress(address(configuration.tokenUrl, 'token_endpoint'), 'token_url'),
    userInfoUrl: address(configuration.userInfoUrl, 'userinfo_endpoint'),
    jwksUrl,
    endSessionUrl: address(null, 'end_session_endpoint'),
    algorithms: usableAlgorithms,
    namesIssuer: document['authorization_response_iss_parameter_supported'] === true,
    secretInHeader:
      methods === null || methods.includes('client_secret_basic') || !methods.includes('client_secret_post'),
  };
}

const hashOf: Readonly<Record<string, string>> = { 256: 'sha256', 384: 'sha384', 512: 'sha512' };

/** Returns the left half of a text's hash in the form of `at_hash` and `c_hash` (OpenID Connect Core, 3.1.3.6). */
export function halfHash(text: string, algorithm: string): string {
  const hash = createHash(hashOf[algorithm.slice(-3)] ?? 'sha512')
    .update(text)
    .digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
}

/** Expected claims of an ID token. Times in seconds since 1970. specification/sign-in#what-is-checked */
export interface ExpectedClaims {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  readonly nowS: number;
  readonly algorithm: string;
  readonly accessToken: string;
  readonly code: string;
}

const refusedToken = (detail: string): SignOnFault => new SignOnFault('token_refused', detail);
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Checks the issuer, audience and times of a token, which ID tokens and logout tokens share. Raises SignOnFault. */
function checkStanding(
  claims: JsonObject,
  { issuer, clientId, nowS }: Pick<ExpectedClaims, 'issuer' | 'clientId' | 'nowS'>,
): void {
  const { iss, aud, azp, exp, iat, nbf } = claims;
  if (iss !== issuer) throw issuerMismatch(issuer, iss, 'the token');
  const audiences = aud === undefined ? [] : isList(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) throw refusedToken(`The token is for ${quoted(aud)}, not for this client.`);
  if (azp !== undefined && azp !== clientId)
    throw refusedToken(`The token was asked for by ${quoted(azp)}, not by this client.`);
  if (audiences.length > 1 && azp === undefined)
    throw refusedToken('The token is for several clients and does not say which asked.');
  if (!isTime(exp)) throw refusedToken('The token does not say when it ends.');
  if (!isTime(iat)) throw refusedToken('The token does not say when it was made.');
  const clockDifference = (time: number): string =>
    `${Math.round(Math.abs(time - nowS))} s ${time > nowS ? 'ahead of' : 'behind'} the clock of this service. Set both clocks by NTP.`;
  if (exp <= nowS - clockToleranceS)
    throw new SignOnFault('clock', `The token ended at a time that is ${clockDifference(exp)}`);
  if (iat > nowS + clockToleranceS)
    throw new SignOnFault('clock', `The token was made at a time that is ${clockDifference(iat)}`);
  if (nbf !== undefined && (!isTime(nbf) || nbf > nowS + clockToleranceS))
    throw new SignOnFault(
      'clock',
      `The token is not valid before a time that is ${isTime(nbf) ? clockDifference(nbf) : 'no number.'}`,
    );
}

/** Checks all claims of an ID token, but not the signature. Returns the subject. Raises SignOnFault. */
export function checkIdToken(claims: JsonObject, expected: ExpectedClaims): string {
  checkStanding(claims, expected);
  const { sub, nonce, at_hash: atHash, c_hash: cHash } = claims;
  if (nonce !== expected.nonce)
    throw refusedToken('The token does not belong to this sign-in: its nonce is another one.');
  if (typeof sub !== 'string' || sub === '' || sub.length > 255)
    throw refusedToken('The token does not name a person in "sub".');
  if (atHash !== undefined && atHash !== halfHash(expected.accessToken, expected.algorithm))
    throw refusedToken('The token does not belong to the access token it came with (at_hash).');
  if (cHash !== undefined && cHash !== halfHash(expected.code, expected.algorithm))
    throw refusedToken('The token does not belong to the code (c_hash).');
  return sub;
}

/**
 * Merges claims of the user info endpoint into the claims of the token. Both must have the same subject. Raises
 * SignOnFault.
 */
export function withUserInfo(claims: JsonObject, info: JsonObject | null): JsonObject {
  if (info === null) return claims;
  if (info['sub'] !== claims['sub']) throw refusedToken('The user info endpoint answered about somebody else.');
  return { ...info, ...claims };
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const longestLogoutAgeS = 600;

/** The id of a logout token, and the subject or session that it ends. */
export interface LogoutClaims {
  readonly id: string;
  readonly subject: string | null;
  readonly session: string | null;
}

/**
 * Checks all claims of a logout token, but not its signature (OpenID Connect Back-Channel Logout, 2.6). Raises
 * SignOnFault.
 */
export function checkLogoutToken(
  claims: JsonObject,
  expected: Pick<ExpectedClaims, 'issuer' | 'clientId' | 'nowS'>,
): LogoutClaims {
  checkStanding({ ...claims, exp: claims['exp'] ?? expected.nowS + 1 }, expected);
  const { iat, jti, sub, sid, nonce, events } = claims;
  if (isTime(iat) && iat < expected.nowS - longestLogoutAgeS) throw refusedToken('The logout token is too old.');
  if (events === undefined || !isObject(events) || !isObject(events[logoutEvent]))
    throw refusedToken('The token is not about a logout.');
  if (nonce !== undefined) throw refusedToken('A logout token has no nonce.');
  if (typeof jti !== 'string' || jti === '') throw refusedToken('The logout token has no jti.');
  const subject = typeof sub === 'string' && sub !== '' ? sub : null;
  const session = typeof sid === 'string' && sid !== '' ? sid : null;
  if (subject === null && session === null) throw refusedToken('The logout token names nobody.');
  return { id: jti, subject, session };
}
