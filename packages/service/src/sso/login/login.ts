import { findConfiguration, type Configuration } from '../provider/configuration.ts';
import { SignOnFault } from '../fault.ts';
import { providerOf, type Provider } from '../provider/oidc.ts';
import { isSecure, redirectUri, type SignOn, type Visit } from '../sign-on.ts';
import { cookieName, loginLastsMs, setCookie, type HandOver } from './state.ts';

export interface LoginRedirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

/**
 * A page's request for a login. `returnTo`: the page's address; `challenge`: the challenge of the code, or null to get
 * the login by a message to the page's window.
 */
export interface LoginRequest {
  readonly organization: string;
  readonly returnTo: string | null;
  readonly challenge: string | null;
}

const maxPending = 4;
const longestReturn = 1500;

/**
 * Determines how the page receives the login. Only origins that are listed exactly are accepted. Raises SignOnFault
 * `return_refused`. specification/sign-in#login
 */
export function handOverOf({ returnTo, challenge }: LoginRequest, origins: readonly string[]): HandOver {
  if (returnTo === null) return { kind: 'none' };
  const refuse = (detail: string): SignOnFault => new SignOnFault('return_refused', detail);
  if (returnTo.length > longestReturn || !URL.canParse(returnTo))
    throw refuse('return_to is not a web address of at most 1500 characters.');
  const url = new URL(returnTo);
  if (url.username !== '' || url.password !== '' || url.hash !== '' || !/^https?:$/u.test(url.protocol))
    throw refuse('return_to holds a name, a password or a fragment, or is not a web address.');
  if (!origins.includes(url.origin)) throw refuse(`The origin ${url.origin} is not listed in INLAY_SSO_ORIGINS.`);
  if (challenge === null) return { kind: 'message', origin: url.origin };
  if (!/^[\w-]{43}$/u.test(challenge)) throw refuse('challenge is not the SHA-256 of a verifier in base64url.');
  return { kind: 'code', returnTo: url.href, challenge };
}

/** Returns the current provider of a configuration. Raises SignOnFault. */
export const providerFor = async ({ exchange }: SignOn, configuration: Configuration): Promise<Provider> =>
  providerOf(configuration, await exchange.discover(configuration));

/** Redirects the browser to the provider. The secrets of this sign-in are sealed in a cookie. Raises SignOnFault. */
export async function send(
  signOn: SignOn,
  visit: Visit,
  configuration: Configuration,
  organization: string,
  handOver: HandOver,
): Promise<LoginRedirect> {
  const provider = await providerFor(signOn, configuration);
  const secrets = { state: signOn.random(256), nonce: signOn.random(256), verifier: signOn.random(256) };
  const location = await signOn.exchange.authorizationUrl(configuration, provider, redirectUri(visit), secrets);
  const secure = isSecure(visit);
  const name = cookieName(secure, secrets.state);
  const sealed = signOn.sealer.seal('login', name, {
    ...secrets,
    configurationId: configuration.id,
    organization,
    fingerprint: configuration.fingerprint,
    handOver: { ...handOver },
    until: signOn.now() + loginLastsMs,
  });
  // Deletes the cookies of the oldest abandoned sign-ins, so that all cookies stay within the limit of a request.
  const olderCookies = [...visit.cookies.keys()].slice(0, Math.max(0, visit.cookies.size - maxPending + 1));
  return {
    location,
    cookies: [...olderCookies.map((cookie) => setCookie(secure, cookie, '')), setCookie(secure, name, sealed)],
  };
}

/** Starts a sign-in for a page. Raises SignOnFault. */
export async function begin(signOn: SignOn, visit: Visit, request: LoginRequest): Promise<LoginRedirect> {
  const handOver = handOverOf(request, [...signOn.origins, new URL(visit.base).origin]);
  const configuration = await findConfiguration(signOn.store, signOn.open, request.organization);
  return send(signOn, visit, configuration, request.organization, handOver);
}
