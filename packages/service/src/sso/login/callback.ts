import { timestamp, type JsonObject } from '@inlay/contract';
import { hoursAfter, tokenHash } from '../../resources/parts/tokens.ts';
import type { Login, SignedIn } from '../../commands/sso.ts';
import { readConfiguration, type Configuration } from '../provider/configuration.ts';
import { SignOnFault } from '../fault.ts';
import { providerFor } from './login.ts';
import { personOf } from '../../resources/parts/sso-mapping.ts';
import { checkIdToken, withUserInfo, type Provider } from '../provider/oidc.ts';
import { countOf, isSecure, redirectUri, writeSso, type SignOn, type Visit } from '../sign-on.ts';
import { readUnverified, verifySigned } from '../provider/signature.ts';
import { loginStateOf, type HandOver, type LoginState } from './state.ts';
import { isSafeText } from '../text.ts';

/** A completed login, as sent to the requesting page. */
export interface HandedOver {
  readonly key: string;
  readonly token: string;
  readonly expiry: string;
}

/** The result of a completely verified sign-in. */
export type SignInResult =
  | { readonly kind: 'message'; readonly origin: string; readonly login: HandedOver }
  | { readonly kind: 'code'; readonly location: string }
  | { readonly kind: 'plain'; readonly verified: boolean; readonly tested: boolean }
  | { readonly kind: 'prove'; readonly userId: string; readonly signedIn: SignedIn };

const codeLastsMs = 60_000;

/**
 * Restores the pending sign-in that a callback in this browser continues. Works once per sign-in. Raises SignOnFault.
 * specification/sign-in#callback
 */
export async function resume(signOn: SignOn, visit: Visit, query: URLSearchParams): Promise<LoginState> {
  const state = query.get('state') ?? '';
  const loginState = loginStateOf(signOn.sealer, visit.cookies, {
    state,
    secure: isSecure(visit),
    nowMs: signOn.now(),
  });
  const useResult = await writeSso(signOn, {
    kind: 'sso',
    step: 'use',
    id: `login ${tokenHash(state)}`,
    until: timestamp(loginState.until),
  });
  if (countOf(useResult) === 0)
    throw new SignOnFault('already_used', 'The browser came back with this sign-in before.');
  return loginState;
}

async function claimsOf(
  signOn: SignOn,
  configuration: Configuration,
  provider: Provider,
  login: LoginState,
  cameBackTo: URL,
): Promise<{ readonly claims: JsonObject; readonly subject: string; readonly idToken: string }> {
  const { exchange } = signOn;
  const { idToken, accessToken } = await exchange.redeem(configuration, provider, cameBackTo, login);
  const { algorithm, claims } =
    provider.jwksUrl === null
      ? readUnverified(idToken, provider.algorithms)
      : await verifySigned(idToken, await exchange.keys(configuration, provider.jwksUrl), provider.algorithms);
  const subject = checkIdToken(claims, {
    issuer: configuration.issuer,
    clientId: configuration.clientId,
    nonce: login.nonce,
    nowS: signOn.now() / 1000,
    algorithm,
    accessToken,
    code: cameBackTo.searchParams.get('code') ?? '',
  });
  if (provider.userInfoUrl === null && provider.jwksUrl === null)
    throw new SignOnFault('set_up_wrong', 'The issuer offers no discovery, so the configuration needs user_info_url.');
  const info =
    provider.userInfoUrl === null ? null : await exchange.userInfo(configuration, provider.userInfoUrl, accessToken);
  return { claims: withUserInfo(claims, info), subject, idToken };
}

/** Stores a verified sign-in, and creates its hand-over to the page. Raises SignOnFault. */
export async function complete(
  signOn: SignOn,
  signedIn: SignedIn,
  handOver: HandOver,
  idToken: string,
  provenUserId: string | null,
): Promise<SignInResult> {
  const now = timestamp(signOn.now());
  const [token, code] = [signOn.random(256), signOn.random(256)];
  const until = timestamp(signOn.now() + codeLastsMs);
  const base = { tokenHash: tokenHash(token), expiry: hoursAfter(now, signOn.tokenHours), idToken };
  const login: Login | null =
    handOver.kind === 'message'
      ? { ...base, code: null }
      : handOver.kind === 'code'
        ? { ...base, code: { hash: tokenHash(code), challenge: handOver.challenge, until } }
        : null;
  const result = await writeSso(signOn, { kind: 'sso', step: 'sign-in', signedIn, provenUserId, login });
  if (result.kind !== 'sso') throw new Error(`a sign-in was answered ${result.kind}`);
  const { outcome } = result;
  if (outcome.kind === 'refused') throw new SignOnFault(outcome.cause, refusals[outcome.cause]);
  if (outcome.kind === 'prove') return { kind: 'prove', userId: outcome.userId, signedIn };
  if (handOver.kind === 'code') return { kind: 'code', location: `${handOver.returnTo}#inlay_code=${code}` };
  if (handOver.kind === 'message' && outcome.authorizationId !== null)
    return {
      kind: 'message',
      origin: handOver.origin,
      login: { key: outcome.authorizationId, token, expiry: base.expiry },
    };
  return { kind: 'plain', verified: outcome.verified, tested: handOver.kind === 'test' };
}

const refusals = {
  changed_meanwhile: 'The configuration was changed between the beginning and the end of this sign-in.',
  person_incomplete:
    'The provider gave no e-mail address, one that is none, or said that it is not verified. Ask for the scope "email", or name the claim in mapping.email.',
  email_taken: 'The e-mail address belongs to somebody of another organization.',
  not_a_member:
    'Nobody here is bound to this subject, and mapping.create is false; or they were taken out of the organization.',
} as const;

/** Verifies a callback and returns the person that the provider describes. Raises SignOnFault. */
export async function finish(
  signOn: SignOn,
  visit: Visit,
  query: URLSearchParams,
  login: LoginState,
): Promise<SignInResult> {
  const configuration = await readConfiguration(signOn.store, signOn.open, login.configurationId);
  if (configuration.fingerprint !== login.fingerprint)
    throw new SignOnFault('changed_meanwhile', refusals.changed_meanwhile);
  const provider = await providerFor(signOn, configuration);
  const cameBackTo = new URL(`${redirectUri(visit)}?${query.toString()}`);
  const { claims, subject, idToken } = await claimsOf(signOn, configuration, provider, login, cameBackTo);
  const { sid } = claims;
  const signedIn: SignedIn = {
    configurationId: configuration.id,
    fingerprint: configuration.fingerprint,
    issuer: configuration.issuer,
    subject,
    session: typeof sid === 'string' && sid !== '' ? sid : null,
    ...personOf(claims, configuration.mapping),
  };
  if (!isSafeText(signedIn)) throw new SignOnFault('token_refused', 'A claim holds characters that cannot be stored.');
  const provenUserId = login.handOver.kind === 'test' ? login.handOver.userId : null;
  return complete(signOn, signedIn, login.handOver, idToken, provenUserId);
}
