import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { inlay } from '../support/command.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';
import { startProvider, type Provider, type Signing } from './provider.ts';
import { app, base, loggedIn, makeTenant, openBrowser, type Tenant } from './visitor.ts';

const held: { provider?: Provider } = {};
beforeAll(async () => {
  held.provider = await startProvider();
});
afterAll(() => held.provider?.stop());
const provider = (): Provider => {
  if (held.provider === undefined) throw new Error('no provider');
  return held.provider;
};
const password = 'a long pass phrase';

describe.each(storesToTest)('after a sign-in on %s', (store) => {
  const api = useApi(store, {
    INLAY_BASE_URL: base,
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    INLAY_SSO_ORIGINS: app,
    INLAY_CORS_ORIGINS: 'https://other.example.com',
  });
  const browser = () => openBrowser(() => api.service);
  const works = async (login: Credential): Promise<boolean> =>
    (await api.call('user', { find: {} }, login)).status === 200;
  const post = (url: string, payload: string, type: string, headers: Record<string, string> = {}) =>
    api.service.server.inject({ method: 'POST', url, payload, headers: { 'content-type': type, ...headers } });
  const signOut = (login: Credential) =>
    post('/sso/logout', JSON.stringify(login), 'application/json', { origin: app });
  const tellLogout = async (tenant: Tenant, token: string): Promise<number> =>
    (
      await post(
        `/sso/${tenant.organizationId}/backchannel`,
        new URLSearchParams({ logout_token: token }).toString(),
        'application/x-www-form-urlencoded',
      )
    ).statusCode;

  it('signs out here, and says where to sign out at the provider', async () => {
    const tenant = await makeTenant(api, provider().add({}));
    const login = await loggedIn(api, browser(), tenant);
    const answer = await signOut(login);
    expect(answer.statusCode).toBe(200);
    const url = new URL(text(answer.json(), 'url'));
    expect(`${url.origin}${url.pathname}`).toBe(`${tenant.issuer.issuer}/end`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/u);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${base}/sso/signed-out`);
    expect(await works(login)).toBe(false);
    expect((await signOut(login)).statusCode).toBe(401);
    expect((await browser().ask('GET', '/sso/signed-out')).status).toBe(200);
  });

  it('lets the pages of listed origins read the answers, and no others', async () => {
    for (const [origin, allowed] of [
      [app, app],
      ['https://evil.example.com', undefined],
      ['https://other.example.com', undefined],
      ['null', undefined],
    ] as const) {
      const preflight = await api.service.server.inject({
        method: 'OPTIONS',
        url: '/sso/token',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      });
      const answer = await post('/sso/token', '{"code":"x","verifier":"y"}', 'application/json', { origin });
      expect([
        origin,
        preflight.headers['access-control-allow-origin'],
        answer.headers['access-control-allow-origin'],
      ]).toEqual([origin, allowed, allowed]);
      expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('ends the logins that the provider says have ended', async () => {
    const tenant = await makeTenant(api, provider().add({ person: { sub: 'ada', sid: 'first' } }));
    const first = await loggedIn(api, browser(), tenant);
    tenant.issuer.behaviour = { person: { sub: 'ada', sid: 'second' } };
    const second = await loggedIn(api, browser(), tenant);
    const third = await loggedIn(api, browser(), tenant);
    expect(await tellLogout(tenant, await tenant.issuer.logoutToken({ sub: 'ada', sid: 'first' }))).toBe(200);
    expect([await works(first), await works(second)]).toEqual([false, true]);
    const token = await tenant.issuer.logoutToken({ sub: 'ada', jti: 'once' });
    expect(await tellLogout(tenant, token)).toBe(200);
    expect([await works(second), await works(third)]).toEqual([false, false]);
    const again = await loggedIn(api, browser(), tenant);
    expect(await tellLogout(tenant, token)).toBe(200);
    expect(await works(again)).toBe(true);
  });

  it('believes no logout that is not signed, or is about something else', async () => {
    const tenant = await makeTenant(api, provider().add({ person: { sub: 'ada', sid: 'first' } }));
    const login = await loggedIn(api, browser(), tenant);
    const bad: readonly (readonly [object, Signing?])[] = [
      [{}, 'none'],
      [{}, 'secret'],
      [{}, 'public-key'],
      [{}, 'other-key'],
      [{}, 'stripped'],
      [{ iss: 'https://evil.example.com' }],
      [{ aud: 'somebody' }],
      [{ events: {} }],
      [{ events: null }],
      [{ nonce: 'x' }],
      [{ jti: null }],
      [{ iat: 1 }],
      [{ sub: null }],
    ];
    for (const [claims, signing] of bad) {
      const token = await tenant.issuer.logoutToken({ sub: 'ada', ...claims }, signing);
      expect([claims, signing, await tellLogout(tenant, token)]).toEqual([claims, signing, 400]);
    }
    expect(await tellLogout(tenant, '')).toBe(400);
    const other = await makeTenant(api, provider().add({}));
    expect(await tellLogout(other, await tenant.issuer.logoutToken({ sub: 'ada' }))).toBe(400);
    expect(await works(login)).toBe(true);
  });

  describe('with passwords disabled', () => {
    async function disabled() {
      const tenant = await makeTenant(api, provider().add({}));
      const email = `${tenant.organizationId}@example.com`;
      const person = await api.create('user', { email, password }, tenant.owner);
      const invited = { key: text(person, 'key'), token: text(person, 'token') };
      const made = await api.create('authorization', { type: 'login', email, password }, null);
      const byPassword = { key: made.id, token: text(made, 'token') };
      const bySso = await loggedIn(api, browser(), tenant);
      expect([await works(byPassword), await works(invited), await works(bySso)]).toEqual([true, true, true]);
      await api.update('ssoconfig', tenant.configurationId, { disable_email_password: true }, tenant.owner);
      return { tenant, email, person, logins: { byPassword, invited, bySso } };
    }

    it('ends the logins that were not made by the provider', async () => {
      const { logins, tenant } = await disabled();
      expect(await works(logins.byPassword)).toBe(false);
      expect(await works(logins.invited)).toBe(false);
      expect(await works(logins.bySso)).toBe(true);
      expect(await works(tenant.owner)).toBe(true);
    });

    it('refuses new ones, and new passwords', async () => {
      const { tenant, email, person, logins } = await disabled();
      const again = { action: 'create', properties: { type: 'login', email, password } };
      expect((await api.refused('authorization', again, null)).status).toBe(401);
      const reset = { action: 'update', id: person.id, properties: { password: 'another long phrase' } };
      expect((await api.refused('user', reset, tenant.owner)).code).toBe('password_login_disabled');
      const [me] = await api.find('user', { where: { name: 'Ada' } }, logins.bySso);
      const own = { action: 'update', id: text(me, 'id'), properties: { password: 'another long phrase' } };
      expect((await api.refused('user', own, logins.bySso)).code).toBe('password_login_disabled');
      const added = { action: 'create', properties: { email: `a-${email}`, password } };
      expect((await api.refused('user', added, tenant.owner)).code).toBe('password_login_disabled');
      const member = await api.create('user', { email: `b-${email}` }, tenant.owner);
      expect(member['token'] ?? null).toBe(null);
    });

    it('lets an owner back in by a command of the operator', async () => {
      const { tenant, email } = await disabled();
      const { dataDir, databaseUrl } = api.service;
      const env = {
        INLAY_DATA_DIR: dataDir,
        ...(databaseUrl === undefined ? {} : { INLAY_DATABASE_URL: databaseUrl }),
      };
      const end = await inlay(['sso', 'unlock', '--organization', tenant.organizationId, '--email', email], {
        ...env,
        INLAY_NEW_PASSWORD: 'a new pass phrase of hers',
      });
      expect(end).toMatchObject({ code: 0, err: '' });
      expect(end.out).toContain('can use their passwords again');
      const login = { type: 'login', email, password: 'a new pass phrase of hers' };
      expect(text(await api.create('authorization', login, null), 'token')).not.toBe('');
      const nobody = await inlay(['sso', 'unlock', '--organization', tenant.owner.key], env);
      expect(nobody.code).toBe(1);
    });
  });

  it('an owner tests a configuration step by step, and reads in words what is wrong', async () => {
    const issuer = provider().add({});
    const tenant = await makeTenant(api, issuer);
    const test = async (by: Credential = tenant.owner) =>
      browser().ask('POST', `/sso/${tenant.organizationId}/test`, { ...by });
    expect((await browser().ask('GET', `/sso/${tenant.organizationId}/test`)).body).toContain(`${base}/sso/callback`);
    const member = await api.person();
    expect((await test(member.login)).status).toBe(400);
    const fine = await test();
    expect(fine.body).toContain('The provider knows the client and takes its secret.');
    expect(fine.body).not.toContain(': wrong.');
    const one = browser();
    const page = await one.ask('POST', `/sso/${tenant.organizationId}/test`, { ...tenant.owner });
    const at = /rel="noreferrer" href="([^"]+)"/u.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const shown = await one.ask('GET', issuer.authorize(at));
    expect(shown.body).toContain('verified now');
    expect((await api.get('ssoconfig', tenant.configurationId, tenant.owner))['is_verified']).toBe(true);
    issuer.behaviour = { secret: 'another' };
    expect((await test()).body).toContain('The client id or the client secret is wrong.');
    issuer.behaviour = { discovery: (one) => ({ ...one, issuer: `${issuer.issuer}/` }) };
    expect((await test()).body).toContain('They differ only in the slash at the end.');
    issuer.behaviour = { authorize: { status: 400, body: 'redirect_uri' } };
    expect((await test()).body).toContain('the redirect URI is not registered');
    issuer.behaviour = {
      discovery: (one) => ({
        body: JSON.stringify(one),
        headers: { date: new Date(Date.now() - 300_000).toUTCString() },
      }),
    };
    expect((await test()).body).toMatch(/The clock of the provider is 30\d s behind this one/u);
  });
});
