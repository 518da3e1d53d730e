import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../packages/service/src/store/sql.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../support/counts.ts';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';
import { badProviders } from './bad-logins.ts';
import { goodProviders } from './good-logins.ts';
import { startProvider, type Provider } from './provider.ts';
import {
  app,
  base,
  beginAt,
  codeOf,
  loggedIn,
  makeTenant,
  newVerifier,
  openBrowser,
  signIn,
  takeLogin,
  type Tenant,
} from './visitor.ts';

const held: { provider?: Provider } = {};
beforeAll(async () => {
  held.provider = await startProvider();
});
afterAll(() => held.provider?.stop());
const provider = (): Provider => {
  if (held.provider === undefined) throw new Error('no provider');
  return held.provider;
};

describe.each(storesToTest)('single sign-on on %s', (store) => {
  const api = useApi(store, {
    INLAY_BASE_URL: base,
    INLAY_ALLOW_PRIVATE_HOSTS: 'true',
    INLAY_SSO_ORIGINS: app,
  });
  const browser = () => openBrowser(() => api.service);
  const rows = async (table: 'identity' | 'user' | 'authorization', organizationId: string): Promise<number> => {
    const statements = {
      identity: sql`select count(*) as n from identity where organization_id = ${organizationId}`,
      user: sql`select count(*) as n from "user" where organization_id = ${organizationId}`,
      authorization: sql`select count(*) as n from "authorization" where organization_id = ${organizationId} and identity_id is not null`,
    };
    return Number((await api.service.app.service.store.rows(statements[table]))[0]?.['n']);
  };
  const isVerified = async ({ configurationId, owner }: Tenant): Promise<unknown> =>
    (await api.get('ssoconfig', configurationId, owner))['is_verified'];
  const expectNobody = async (tenant: Tenant): Promise<void> => {
    expect(await isVerified(tenant)).toBe(false);
    const { organizationId } = tenant;
    expect([
      await rows('identity', organizationId),
      await rows('user', organizationId),
      await rows('authorization', organizationId),
    ]).toEqual([0, 1, 0]);
  };

  it.each(Object.entries(badProviders))('lets nobody in with %s', async (_name, behaviour) => {
    const tenant = await makeTenant(api, provider().add(behaviour));
    const shown = await signIn(browser(), tenant);
    expect(shown.status, shown.body).toBeGreaterThanOrEqual(400);
    expect(shown.status).not.toBe(500);
    expect(shown.headers['content-type']).toContain('text/html');
    await expectNobody(tenant);
  });

  it.each(Object.entries(goodProviders))('lets people in with %s', async (_name, { config = {}, ...behaviour }) => {
    const tenant = await makeTenant(api, provider().add(behaviour), config);
    expect(await isVerified(tenant)).toBe(false);
    const login = await loggedIn(api, browser(), tenant);
    expect(await isVerified(tenant)).toBe(true);
    const [me] = await api.find('user', { where: { name: 'Ada' } }, login);
    expect(text(me, 'organization_id')).toBe(tenant.organizationId);
    const asked = tenant.issuer.requests.find(({ path }) => path === '/token');
    expect(asked?.body.get('code_verifier')).toMatch(/^[\w-]{43}$/u);
  });

  it('lets people in without discovery, by the addresses of the configuration', async () => {
    const issuer = provider().add({ discovery: () => ({ status: 404, body: '{}' }) });
    const at = (path: string): string => `${issuer.issuer}/${path}`;
    const tenant = await makeTenant(api, issuer, {
      authorization_url: at('authorize'),
      token_url: at('token'),
      user_info_url: at('userinfo'),
    });
    await loggedIn(api, browser(), tenant);
    expect(await isVerified(tenant)).toBe(true);
    issuer.behaviour = { ...issuer.behaviour, signing: 'none' };
    expect((await signIn(browser(), tenant)).status).toBe(400);
  });

  it('takes a key that was made after the last sign-in', async () => {
    const issuer = provider().add({});
    const tenant = await makeTenant(api, issuer);
    await loggedIn(api, browser(), tenant);
    issuer.behaviour = {
      algorithm: 'RS256',
      keys: (keys) => keys.map((key) => ({ ...key, kid: 'rotated' })),
      header: (one) => ({ ...one, kid: 'rotated' }),
    };
    await loggedIn(api, browser(), tenant);
    expect(await rows('user', tenant.organizationId)).toBe(2);
  });

  describe('a sign-in under way', () => {
    it('comes back once, whatever comes back with it', async () => {
      const tenant = await makeTenant(
        api,
        provider().add({ token: () => ({ status: 400, body: '{"error":"invalid_grant"}' }) }),
      );
      const one = browser();
      const begun = await beginAt(one, tenant);
      const jar = new Map(one.jar);
      const back = tenant.issuer.authorize(begun.location);
      expect((await one.ask('GET', back)).status).toBe(400);
      tenant.issuer.behaviour = {};
      const again = openBrowser(() => api.service, jar);
      expect((await again.ask('GET', back)).status).toBe(400);
      expect((await again.ask('GET', tenant.issuer.authorize(begun.location))).status).toBe(400);
      await expectNobody(tenant);
    });

    it('comes back twice at the same moment and lets one in', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const one = browser();
      const begun = await beginAt(one, tenant);
      const jar = [...one.jar];
      const backs = Array.from({ length: 5 }, () => tenant.issuer.authorize(begun.location));
      const shown = await Promise.all(
        backs.map((back) => openBrowser(() => api.service, new Map(jar)).ask('GET', back)),
      );
      expect(shown.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        303, 400, 400, 400, 400,
      ]);
      expect(await rows('authorization', tenant.organizationId)).toBe(1);
    });

    it('belongs to its browser: nobody is signed in by an address that somebody else gives them', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const begun = await beginAt(browser(), tenant);
      const back = tenant.issuer.authorize(begun.location);
      expect((await browser().ask('GET', back)).status).toBe(400);
      const other = browser();
      await beginAt(other, tenant);
      expect((await other.ask('GET', back)).status).toBe(400);
      await expectNobody(tenant);
    });

    it('is not taken from a cookie that was changed, or is of another sign-in', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const one = browser();
      const begun = await beginAt(one, tenant);
      const [name = '', value = ''] = [...one.jar][0] ?? [];
      const at = value.length - 5;
      one.jar.set(name, `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`);
      expect((await one.ask('GET', tenant.issuer.authorize(begun.location))).status).toBe(400);
      const other = browser();
      const second = await beginAt(other, tenant);
      const [another = ''] = other.jar.keys();
      other.jar.set(another, value);
      expect((await other.ask('GET', tenant.issuer.authorize(second.location))).status).toBe(400);
      await expectNobody(tenant);
    });

    it('ends when its configuration changes on the way', async () => {
      for (const change of [{ client_id: 'other', client_secret: 'the secret' }, { client_secret: 'another' }]) {
        const tenant = await makeTenant(api, provider().add({}));
        const one = browser();
        const begun = await beginAt(one, tenant);
        await api.update('ssoconfig', tenant.configurationId, { config: change }, tenant.owner);
        expect((await one.ask('GET', tenant.issuer.authorize(begun.location))).status).toBe(400);
        expect(tenant.issuer.requests.some(({ path }) => path === '/token')).toBe(false);
        await expectNobody(tenant);
      }
    });

    it('verifies no configuration that is put in place at the same moment', async () => {
      const ends = { verified: 0, refused: 0 };
      for (let turn = 0; turn < counted(12, 200); turn += 1) {
        const tenant = await makeTenant(api, provider().add({}));
        const one = browser();
        const begun = await beginAt(one, tenant);
        const back = tenant.issuer.authorize(begun.location);
        const change = async () => {
          await sleep(Math.random() * 12);
          await api.update('ssoconfig', tenant.configurationId, { config: { client_id: 'other' } }, tenant.owner);
        };
        const [shown] = await Promise.all([one.ask('GET', back), change()]);
        ends[shown.status === 303 ? 'verified' : 'refused'] += 1;
        expect(await isVerified(tenant)).toBe(false);
      }
      expect(ends.verified + ends.refused).toBe(counted(12, 200));
    });

    it('is not mixed up with one at the provider of another organization', async () => {
      const [honest, evil] = [await makeTenant(api, provider().add({})), await makeTenant(api, provider().add({}))];
      const one = browser();
      const [atHonest, atEvil] = [await beginAt(one, honest), await beginAt(one, evil)];
      // The evil provider sends the browser on to the honest one, with its own state.
      const mixed = new URL(atHonest.location);
      mixed.searchParams.set('state', new URL(atEvil.location).searchParams.get('state') ?? '');
      expect((await one.ask('GET', honest.issuer.authorize(mixed.href))).status).toBe(400);
      expect(evil.issuer.requests.some(({ path }) => path === '/token')).toBe(false);
      await expectNobody(evil);
      // The sign-in that was not touched goes on.
      expect((await one.ask('GET', honest.issuer.authorize(atHonest.location))).status).toBe(303);
      await expectNobody(evil);
    });

    it('does not take an ID token of an earlier sign-in', async () => {
      const kept: { token?: string } = {};
      const issuer = provider().add({
        token: (one) => {
          kept.token ??= text(one, 'id_token');
          return { ...one, id_token: kept.token };
        },
      });
      const tenant = await makeTenant(api, issuer);
      await loggedIn(api, browser(), tenant);
      expect((await signIn(browser(), tenant)).status).toBe(400);
    });
  });

  describe('who is let in', () => {
    it('is bound by issuer and subject, never by the e-mail address', async () => {
      const somebody = await api.person(undefined, { email: `victim-${store}@example.com` });
      const tenant = await makeTenant(api, provider().add({ person: { email: `victim-${store}@example.com` } }));
      expect((await signIn(browser(), tenant)).status).toBe(403);
      await expectNobody(tenant);
      expect((await api.get('user', somebody.id))['email']).toBe(`victim-${store}@example.com`);
    });

    it('proves that an address of the same organization is theirs by the password they had', async () => {
      const issuer = provider().add({ person: { email: `old-${store}@example.com` } });
      const tenant = await makeTenant(api, issuer);
      const password = 'a long pass phrase';
      const old = await api.create('user', { email: `old-${store}@example.com`, password }, tenant.owner);
      const one = browser();
      const { verifier, challenge } = newVerifier();
      const asked = await signIn(one, tenant, challenge);
      expect([asked.status, await isVerified(tenant)]).toEqual([200, false]);
      const state = /name="state" value="([\w-]{43})"/u.exec(asked.body)?.[1] ?? '';
      expect((await browser().ask('POST', '/sso/prove', { state, password })).status).toBe(400);
      expect((await one.ask('POST', '/sso/prove', { state, password: 'something else' })).status).toBe(400);
      expect(await isVerified(tenant)).toBe(false);
      const jar = new Map(one.jar);
      const proven = await one.ask('POST', '/sso/prove', { state, password });
      expect(proven.status, proven.body).toBe(303);
      expect((await openBrowser(() => api.service, jar).ask('POST', '/sso/prove', { state, password })).status).toBe(
        400,
      );
      const { body } = await takeLogin(api, codeOf(proven), verifier);
      const login = { key: text(body, 'key'), token: text(body, 'token') };
      expect((await api.find('user', { where: { id: old.id } }, login))[0]?.['email']).toBe(`old-${store}@example.com`);
      expect(await rows('user', tenant.organizationId)).toBe(2);
      await loggedIn(api, browser(), tenant);
    });

    it('is bound by an owner beforehand, to people of the organization only', async () => {
      const issuer = provider().add({ person: { sub: 'known', email: `bound-${store}@example.com` } });
      const tenant = await makeTenant(api, issuer);
      const person = await api.create('user', { email: `bound-${store}@example.com` }, tenant.owner);
      const identity = { issuer: issuer.issuer, subject: 'known' };
      const foreign = await api.person();
      expect(
        (
          await api.refused(
            'identity',
            { action: 'create', properties: { ...identity, user_id: foreign.id } },
            tenant.owner,
          )
        ).status,
      ).toBe(400);
      const made = await api.create('identity', { ...identity, user_id: person.id }, tenant.owner);
      const login = await loggedIn(api, browser(), tenant);
      expect(await api.findIds('user', { where: { email: `bound-${store}@example.com` } }, login)).toEqual([person.id]);
      await api.remove('identity', made.id, tenant.owner);
      expect((await api.refused('user', { find: {} }, login)).status).toBe(401);
    });

    it('has the name, the address, the role and the groups that the provider says', async () => {
      const issuer = provider().add({ person: { roles: ['boss'], groups: ['red', 'blue'] } });
      const tenant = await makeTenant(api, issuer);
      const red = await api.create('group', { name: { en: 'Red' } }, tenant.owner);
      const green = await api.create('group', { name: { en: 'Green' } }, tenant.owner);
      const mapping = {
        roles: { claim: 'roles', values: { boss: 'owner', clerk: 'editor' } },
        groups: { claim: 'groups', values: { red: red.id, green: green.id } },
      };
      await api.update('ssoconfig', tenant.configurationId, { config: { mapping } }, tenant.owner);
      const first = await loggedIn(api, browser(), tenant);
      const [me] = await api.find('user', { where: { name: 'Ada' } }, tenant.owner);
      const id = text(me, 'id');
      expect(await api.findIds('ssoconfig', {}, first)).toEqual([tenant.configurationId]);
      expect(Object.keys(await api.links('user', id, 'Groups'))).toEqual([]);
      const groups = async (): Promise<readonly string[]> =>
        (
          await api.service.app.service.store.rows(
            sql`select first_id from link where target_id = ${id} and association = 'group.Users'`,
          )
        ).map((row) => String(row['first_id']));
      expect(await groups()).toEqual([red.id]);
      issuer.behaviour = {
        person: { roles: [], groups: ['green'], name: 'Ada Lovelace', email: `new-${store}@example.com` },
      };
      const second = await loggedIn(api, browser(), tenant);
      expect(await groups()).toEqual([green.id]);
      expect(
        (await api.refused('ssoconfig', { action: 'get', id: tenant.configurationId }, second)).status,
      ).toBeGreaterThanOrEqual(403);
      expect(await api.get('user', id, tenant.owner)).toMatchObject({
        name: 'Ada Lovelace',
        email: `new-${store}@example.com`,
      });
      issuer.behaviour = { person: { email: 'first@example.com', name: 'Ada' } };
      await loggedIn(api, browser(), tenant);
      expect(await groups()).toEqual([green.id]);
      expect((await api.get('user', id, tenant.owner))['email']).toBe(`new-${store}@example.com`);
    });

    it('is a member already where new ones are not made, and nobody who was taken out', async () => {
      const tenant = await makeTenant(api, provider().add({}), { mapping: { create: false } });
      expect((await signIn(browser(), tenant)).status).toBe(403);
      await expectNobody(tenant);
      await api.update('ssoconfig', tenant.configurationId, { config: { mapping: null } }, tenant.owner);
      await loggedIn(api, browser(), tenant);
      const [me] = await api.find('user', { where: { name: 'Ada' } }, tenant.owner);
      await api.dissociate('organization', tenant.organizationId, 'Users', text(me, 'id'), tenant.owner);
      expect((await signIn(browser(), tenant)).status).toBe(403);
    });

    it('is one person, however many browsers they sign in with at once', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const shown = await Promise.all(Array.from({ length: 6 }, () => signIn(browser(), tenant)));
      expect(shown.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 303));
      expect(await rows('user', tenant.organizationId)).toBe(2);
      expect(await rows('identity', tenant.organizationId)).toBe(1);
    });
  });

  describe('the page that asked', () => {
    it('is of a listed origin, letter by letter', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const { challenge } = newVerifier();
      const bad = [
        'https://evil.example.com/',
        'http://app.example.com/',
        'https://app.example.com.evil.example/',
        'https://app.example.com@evil.example/',
        'https://evil.example/https://app.example.com',
        String.raw`https://evil.example\@app.example.com/`,
        'https://user:pw@app.example.com/',
        'https://app.example.com:444/',
        'https://app.example.com/#x',
        '//app.example.com/',
        '/dashboards',
        'javascript:alert(1)',
        'data:text/html,x',
        'https://app.example.com:443@evil.example/',
      ];
      for (const address of bad) {
        const query = new URLSearchParams({ return_to: address, challenge });
        const shown = await browser().ask('GET', `/sso/${tenant.organizationId}/login?${query.toString()}`);
        expect([address, shown.status, shown.location]).toEqual([address, 400, '']);
      }
    });

    it('gets its login for the code and its verifier, once, within a minute', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const { verifier, challenge } = newVerifier();
      const good = codeOf(await signIn(browser(), tenant, challenge));
      expect((await takeLogin(api, good, verifier)).status).toBe(200);
      expect((await takeLogin(api, good, verifier)).status).toBe(400);
      const guessed = codeOf(await signIn(browser(), tenant, challenge));
      expect((await takeLogin(api, guessed, newVerifier().verifier)).status).toBe(400);
      expect((await takeLogin(api, guessed, verifier)).status).toBe(400);
      expect((await takeLogin(api, 'nothing', verifier)).status).toBe(400);
    });

    it('gets no token in an address, and a message to its own origin only', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const one = browser();
      const query = new URLSearchParams({ return_to: `${app}/x` });
      const begun = await one.ask('GET', `/sso/${tenant.organizationId}/login?${query.toString()}`);
      const shown = await one.ask('GET', tenant.issuer.authorize(begun.location));
      expect(shown.status).toBe(200);
      expect(shown.body).toContain(`},"${app}")`);
      expect(shown.headers['content-security-policy']).toMatch(
        /default-src 'none'.*script-src 'nonce-[\w-]{22}'.*frame-ancestors 'none'/u,
      );
      expect(shown.headers['cache-control']).toBe('no-store');
    });
  });
});
