import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../support/counts.ts';
import { storesToTest } from '../support/service.ts';
import { between } from '../support/load.ts';
import { text } from '../support/world.ts';
import { badProviders } from './bad-logins.ts';
import { goodProviders } from './good-logins.ts';
import { beginAt, loggedIn, makeTenant, openBrowser, signIn } from './visitor.ts';
import { useStage } from './stage.ts';

describe.each(storesToTest)('single sign-on on %s', (store) => {
  const { api, browser, provider, rows, isVerified, expectNobody } = useStage(store);

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
          await sleep(between(0, 12));
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
});
