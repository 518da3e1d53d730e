import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '@inlay/contract';
import type { Api } from '../support/api.ts';
import { text } from '../support/world.ts';
import type { Issuer } from './provider.ts';

export const base = 'http://127.0.0.1:8080';
export const app = 'https://app.example.com';

/** What the service answered to a browser. */
export interface Shown {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

type Ask = (method: 'GET' | 'POST', url: string, form?: Record<string, string>) => Promise<Shown>;

/** Creates a browser with a cookie jar, in front of one service. */
export function openBrowser(
  service: () => Api['service'],
  jar = new Map<string, string>(),
): { readonly ask: Ask; readonly jar: Map<string, string> } {
  const ask: Ask = async (method, url, form) => {
    const answer = await service().server.inject({
      method,
      url: url.replace(base, ''),
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return {
      status: answer.statusCode,
      location: String(answer.headers.location ?? ''),
      body: answer.body,
      headers: answer.headers,
    };
  };
  return { ask, jar };
}

export type Browser = ReturnType<typeof openBrowser>;

/** An organization with a provider of its own. */
export interface Tenant {
  readonly organizationId: string;
  readonly configurationId: string;
  readonly owner: { readonly key: string; readonly token: string };
  readonly issuer: Issuer;
}

export async function makeTenant(api: Api, issuer: Issuer, config: JsonObject = {}): Promise<Tenant> {
  const { login, organizationId } = await api.stranger();
  const owner = await api.apiToken(login);
  const { secret = 'the secret' } = issuer.behaviour;
  const given = {
    client_id: 'inlay',
    issuer: issuer.issuer,
    ...(secret === null ? {} : { client_secret: secret }),
    ...config,
  };
  const made = await api.create('ssoconfig', { protocol: 'OIDC', config: given }, owner);
  return { organizationId, configurationId: made.id, owner, issuer };
}

export interface Verifier {
  readonly verifier: string;
  readonly challenge: string;
}

export const newVerifier = (): Verifier => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

const page = `${app}/dashboards?tab=1`;

/** Begins a sign-in: the address at the provider, or the page that says why not. */
export function beginAt(
  { ask }: Browser,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  challenge = newVerifier().challenge,
): Promise<Shown> {
  const query = new URLSearchParams({ return_to: page, challenge });
  return ask('GET', `/sso/${organizationId}/login?${query.toString()}`);
}

/** Returns a whole sign-in, up to what the browser is shown last. */
export async function signIn(browser: Browser, tenant: Tenant, challenge?: string): Promise<Shown> {
  const begun = await beginAt(browser, tenant, challenge);
  if (begun.status !== 302) return begun;
  return browser.ask('GET', tenant.issuer.authorize(begun.location));
}

export const codeOf = ({ location }: Shown): string =>
  new URLSearchParams(new URL(location).hash.slice(1)).get('inlay_code') ?? '';

/** Takes the login of a code as the page does. */
export async function takeLogin(
  api: Api,
  code: string,
  verifier: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await api.service.server.inject({
    method: 'POST',
    url: '/sso/token',
    headers: { origin: app, 'content-type': 'application/json' },
    payload: JSON.stringify({ code, verifier }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** Returns the login of somebody who signed in, as a credential. */
export async function loggedIn(
  api: Api,
  browser: Browser,
  tenant: Tenant,
): Promise<{ readonly key: string; readonly token: string }> {
  const { verifier, challenge } = newVerifier();
  const shown = await signIn(browser, tenant, challenge);
  if (shown.status !== 303) throw new Error(`nobody was signed in: ${shown.status} ${shown.body}`);
  const { body } = await takeLogin(api, codeOf(shown), verifier);
  return { key: text(body, 'key'), token: text(body, 'token') };
}
