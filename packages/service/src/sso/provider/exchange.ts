import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { JWK } from 'jose';
import type * as client from 'openid-client';
import type { Configuration } from './configuration.ts';
import { quoted, SignOnFault } from '../fault.ts';
import { clockToleranceS, issuerMismatch, type Provider } from './oidc.ts';
import type { Raw, Send } from './send.ts';
import { usableKeys } from './signature.ts';

/** Secrets of a single sign-in. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface TokenResponse {
  readonly idToken: string;
  readonly accessToken: string;
}

/** Requests to a provider. Responses are validated elsewhere. All methods raise SignOnFault. */
export interface Exchange {
  /**
   * Returns the discovery document of the issuer; null if the issuer has none. The document is cached for five minutes.
   */
  discover(configuration: Configuration, isFresh?: boolean): Promise<JsonObject | null>;
  /** Returns the address to redirect the browser to. */
  authorizationUrl(
    configuration: Configuration,
    provider: Provider,
    redirectUri: string,
    secrets: Secrets,
  ): Promise<string>;
  /** Exchanges the code in the callback address. */
  redeem(configuration: Configuration, provider: Provider, cameBackTo: URL, secrets: Secrets): Promise<TokenResponse>;
  /** Returns the current keys of the issuer. */
  keys(configuration: Configuration, jwksUrl: string): Promise<readonly JWK[]>;
  userInfo(configuration: Configuration, url: string, accessToken: string): Promise<JsonObject>;
  /** Returns the provider's time in ms since 1970, with a precision of a second; null if unknown. */
  clock(configuration: Configuration): Promise<number | null>;
  /**
   * Sends a request as a browser would, without a user. Returns the status of the response, and the error in the
   * address it redirects to; null if there is none.
   */
  visit(configuration: Configuration, url: string): Promise<{ readonly code: number; readonly toError: string | null }>;
}

type Library = typeof client;

const cachedMs = 300_000;
const maxCached = 1000;

function objectOf({ status, headers, text }: Raw, source: string): JsonObject {
  const refuse = (why: string): SignOnFault => new SignOnFault('provider_wrong', `${source} ${why}.`);
  if (status !== 200) throw refuse(`answered with status ${status}`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/iu.test(headers.get('content-type') ?? ''))
    throw refuse('did not answer with JSON');
  try {
    const content: Json = JSON.parse(text);
    if (isObject(content)) return content;
  } catch {
    // Invalid JSON becomes the fault below.
  }
  throw refuse('did not answer with a JSON object');
}

const causeOf = (error: unknown): SignOnFault | undefined =>
  error instanceof SignOnFault
    ? error
    : error instanceof Error && error.cause !== undefined
      ? causeOf(error.cause)
      : undefined;

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/**
 * Returns the fault for a response that the library rejected. Messages of the library name members and contain no
 * values.
 */
function refusedByLibrary(error: unknown): SignOnFault {
  const cause = error instanceof Error ? error.cause : undefined;
  const facts = cause instanceof Error ? cause.cause : undefined;
  const expected = memberOf(facts, 'expected');
  if (memberOf(facts, 'claim') === 'iss' && typeof expected === 'string')
    return issuerMismatch(expected, memberOf(memberOf(facts, 'claims'), 'iss'), 'the token');
  const detail = cause instanceof Error ? ` ${quoted(cause.message)}` : '';
  return new SignOnFault('token_refused', `What the provider answered is not what was asked for:${detail}.`);
}

/** Converts a failure of the code flow to a fault. It quotes the provider's error and nothing else of the response. */
function inWords(library: Library, error: unknown): SignOnFault {
  if (error instanceof library.AuthorizationResponseError)
    return new SignOnFault(
      'refused_by_provider',
      `The provider answered ${quoted(error.error)}${error.error_description === undefined ? '' : `: ${quoted(error.error_description)}`}.`,
    );
  if (error instanceof library.ResponseBodyError) {
    const message = `The token endpoint answered ${quoted(error.error)}${error.error_description === undefined ? '' : `: ${quoted(error.error_description)}`}.`;
    if (error.error === 'invalid_client' || error.error === 'unauthorized_client')
      return new SignOnFault('secret_wrong', `${message} The client id or the client secret is wrong.`);
    return new SignOnFault('code_refused', message);
  }
  const ours = causeOf(error);
  if (ours !== undefined) return ours;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return new SignOnFault(
      'clock',
      'A time in the token does not fit the clock of this service. Set both clocks by NTP.',
    );
  if (/^OAUTH_(?:JWT|JSON|INVALID|PARSE|UNSUPPORTED|MISSING|KEY)/u.test(code)) return refusedByLibrary(error);
  if (code !== '') return new SignOnFault('provider_wrong', 'The token endpoint did not answer as one.');
  return new SignOnFault('token_refused', 'What the provider answered cannot be read.');
}

/** Loads the library at the first sign-in, since most services have no single sign-on. */
const load = (): Promise<Library> => import('openid-client');

const bodyText = (body: client.FetchBody): string | undefined =>
  body === undefined || body === null
    ? undefined
    : body instanceof URLSearchParams || typeof body === 'string'
      ? String(body)
      : undefined;

const discoveryUrl = ({ issuer }: Configuration): string =>
  `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;

/** Cache of discovery documents by issuer. */
class DiscoveryDocuments {
  readonly #send: Send;
  readonly #now: () => number;
  readonly #cache = new Map<string, { readonly at: number; readonly document: JsonObject | null }>();

  constructor(send: Send, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  async of(configuration: Configuration, isFresh: boolean): Promise<JsonObject | null> {
    const { id, issuer } = configuration;
    const cachedEntry = this.#cache.get(issuer);
    const now = this.#now();
    if (!isFresh && cachedEntry !== undefined && now - cachedEntry.at < cachedMs && now >= cachedEntry.at)
      return cachedEntry.document;
    const rawAnswer = await this.#send(id, discoveryUrl(configuration), {
      method: 'GET',
      headers: { accept: 'application/json' },
    });
    const document =
      rawAnswer.status === 404 || rawAnswer.status === 410 ? null : objectOf(rawAnswer, 'The discovery document');
    if (this.#cache.size >= maxCached) this.#cache.clear();
    // A document of another issuer is not cached, since it cannot be used.
    if (document === null || document['issuer'] === issuer) this.#cache.set(issuer, { at: this.#now(), document });
    return document;
  }
}

/** Returns a `fetch` for the library that sends requests through `send`. */
const fetchThrough =
  (send: Send, configurationId: string): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const text = bodyText(body);
    const rawAnswer = await send(configurationId, url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
    const isBare = rawAnswer.status === 204 || rawAnswer.status === 205 || rawAnswer.status === 304;
    return new Response(isBare ? null : rawAnswer.text, { status: rawAnswer.status, headers: [...rawAnswer.headers] });
  };

/**
 * Creates the library's configuration for a provider. `skewS` is the number of seconds by which the clock for token
 * checks is ahead of the system clock.
 */
function clientOf(
  library: Library,
  { clientId, clientSecret, issuer, id }: Configuration,
  provider: Provider,
  send: Send,
  skewS: number,
): client.Configuration {
  const authentication =
    clientSecret === null
      ? library.None()
      : provider.secretInHeader
        ? library.ClientSecretBasic(clientSecret)
        : library.ClientSecretPost(clientSecret);
  const libraryConfiguration = new library.Configuration(
    {
      issuer,
      authorization_endpoint: provider.authorizationUrl,
      token_endpoint: provider.tokenUrl,
      id_token_signing_alg_values_supported: [...provider.algorithms],
      authorization_response_iss_parameter_supported: provider.namesIssuer,
    },
    clientId,
    { [library.clockTolerance]: clockToleranceS, [library.clockSkew]: skewS },
    authentication,
  );
  if (issuer.startsWith('http:')) library.allowInsecureRequests(libraryConfiguration);
  libraryConfiguration[library.customFetch] = fetchThrough(send, id);
  return libraryConfiguration;
}

/** Creates an exchange that sends requests through `send`. `now` is the clock for token checks, in ms. */
export function createExchange(send: Send, now: () => number): Exchange {
  const documents = new DiscoveryDocuments(send, now);
  const clientFor = (library: Library, configuration: Configuration, provider: Provider): client.Configuration =>
    clientOf(library, configuration, provider, send, Math.round((now() - Date.now()) / 1000));
  return {
    discover: (configuration, isFresh = false) => documents.of(configuration, isFresh),
    authorizationUrl: async (configuration, provider, redirectUri, { state, nonce, verifier }) => {
      const library = await load();
      return library.buildAuthorizationUrl(clientFor(library, configuration, provider), {
        redirect_uri: redirectUri,
        scope: configuration.mapping.scope,
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    },
    redeem: async (configuration, provider, cameBackTo, { state, nonce, verifier }) => {
      const library = await load();
      try {
        const answer = await library.authorizationCodeGrant(clientFor(library, configuration, provider), cameBackTo, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return { idToken: answer.id_token ?? '', accessToken: answer.access_token };
      } catch (error) {
        throw inWords(library, error);
      }
    },
    keys: async ({ id }, jwksUrl) => {
      const rawAnswer = await send(id, jwksUrl, {
        method: 'GET',
        headers: { accept: 'application/jwk-set+json, application/json' },
      });
      return usableKeys(objectOf(rawAnswer, 'The address of the keys (jwks_uri)'));
    },
    userInfo: async ({ id }, url, accessToken) => {
      const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
      return objectOf(await send(id, url, { method: 'GET', headers }), 'The user info endpoint');
    },
    clock: async (configuration) => {
      const { headers } = await send(configuration.id, discoveryUrl(configuration), { method: 'GET' });
      const at = Date.parse(headers.get('date') ?? '');
      return Number.isNaN(at) ? null : at;
    },
    visit: async ({ id }, url) => {
      const { status, headers } = await send(id, url, { method: 'GET', headers: { accept: 'text/html' } });
      const location = headers.get('location') ?? '';
      const error = URL.canParse(location) ? new URL(location).searchParams.get('error') : null;
      return { code: status, toError: error === null ? null : quoted(error) };
    },
  };
}
