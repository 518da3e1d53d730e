import { describe, expect, it } from 'vitest';
import { sql } from '../../packages/service/src/store/sql.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';
import { app, codeOf, loggedIn, makeTenant, newVerifier, openBrowser, signIn, takeLogin } from './visitor.ts';
import { useStage } from './stage.ts';

describe.each(storesToTest)('people who sign in on %s', (store) => {
  const { api, browser, provider, rows, isVerified, expectNobody } = useStage(store);

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
      expect((await api.get('user', id, tenant.owner))['email']).toBe(`new-${store}@example.com`);
    });

    it.each(['by id', 'by name'])('joins no group of a suborganization by a mapping %s', async (how) => {
      const tenant = await makeTenant(api, provider().add({ person: { groups: ['red', 'green'] } }));
      const open = await api.create('group', { name: { en: 'red' } }, tenant.owner);
      const closed = await api.create('group', { name: { en: 'green' }, suborganization: 'north' }, tenant.owner);
      const values = how === 'by id' ? { values: { red: open.id, green: closed.id } } : {};
      const mapping = { groups: { claim: 'groups', ...values } };
      await api.update('ssoconfig', tenant.configurationId, { config: { mapping } }, tenant.owner);
      await loggedIn(api, browser(), tenant);
      const members = await api.service.app.service.store.rows(
        sql`select first_id from link where association = 'group.Users' and first_id in (${open.id}, ${closed.id})
          and target_id in (select id from "user" where record like '%"name":"Ada"%')`,
      );
      expect(members.map((row) => row['first_id'])).toEqual([open.id]);
    });

    it('is mapped to groups of the organization alone', async () => {
      const tenant = await makeTenant(api, provider().add({}));
      const foreign = await api.create('group', { name: { en: 'Elsewhere' } });
      const own = await api.create('group', { name: { en: 'Here' } }, tenant.owner);
      const values = { a: own.id, b: foreign.id, c: '0190b8c0-0000-7000-8000-000000000000' };
      const config = { mapping: { groups: { claim: 'groups', values } } };
      const body = { action: 'update', id: tenant.configurationId, properties: { config } };
      const place = 'properties.config.mapping.groups.values';
      const { status, validation } = await api.refused('ssoconfig', body, tenant.owner);
      expect([status, Object.keys(validation)]).toEqual([400, [`${place}.b`, `${place}.c`]]);
    });

    it.each([
      ['left out', {}],
      ['empty', { groups: [], roles: [] }],
      ['null', { groups: null, roles: null }],
    ])('leaves the last group and role when the claims are %s, unless the mapping keeps them', async (_how, claims) => {
      const full = { person: { roles: ['boss'], groups: ['red'] } };
      const issuer = provider().add(full);
      const tenant = await makeTenant(api, issuer);
      const red = await api.create('group', { name: { en: 'Red' } }, tenant.owner);
      const mapping = {
        roles: { claim: 'roles', values: { boss: 'owner' } },
        groups: { claim: 'groups', values: { red: red.id } },
      };
      const setMapping = (more: object) =>
        api.update('ssoconfig', tenant.configurationId, { config: { mapping: { ...mapping, ...more } } }, tenant.owner);
      const held = async (): Promise<readonly unknown[]> => {
        const rows = await api.service.app.service.store.rows(
          sql`select l.association, l.level from link l join "user" u on u.id = l.target_id
            where l.association in ('group.Users', 'organization.Users')
            and (l.first_id = ${red.id} or l.first_id = ${tenant.organizationId}) and u.record like '%"name":"Ada"%'
            order by l.association`,
        );
        return rows.map((row) => [row['association'], Number(row['level'])]);
      };
      const both = [
        ['group.Users', 1],
        ['organization.Users', 3],
      ];
      await setMapping({ missing: 'keep' });
      await loggedIn(api, browser(), tenant);
      expect(await held()).toEqual(both);
      const keeps = !('groups' in claims) || claims.groups === null;
      issuer.behaviour = { person: claims };
      await loggedIn(api, browser(), tenant);
      if (keeps) expect(await held()).toEqual(both);
      issuer.behaviour = full;
      await loggedIn(api, browser(), tenant);
      await setMapping({});
      issuer.behaviour = { person: claims };
      await loggedIn(api, browser(), tenant);
      expect(await held()).toEqual([['organization.Users', 1]]);
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
