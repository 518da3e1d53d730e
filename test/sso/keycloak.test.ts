import { expect, test } from 'vitest';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { isFull } from '../support/counts.ts';
import { firstOwner } from '../support/load.ts';
import { startService } from '../support/process.ts';
import { text } from '../support/world.ts';
import { startBalancer } from './balancer.ts';
import { createVisitor, named, startKeycloak, unpackKeycloak } from './keycloak.ts';
import { app, codeOf, newVerifier } from './visitor.ts';

const host = '127.0.0.5';

async function ask(base: string, path: string, body: object): Promise<{ status: number; body: JsonObject }> {
  const answer = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app, connection: 'close' },
    body: JSON.stringify(body),
  });
  const read: Json = JSON.parse((await answer.text()) || 'null');
  return { status: answer.status, body: isObject(read) ? read : {} };
}

/** Groups joined and left, roles given and taken, and both ways of signing out, as the recipe for Keycloak has them. */
test.skipIf(!isFull)(
  'the recipe for Keycloak holds against Keycloak itself',
  async ({ skip }) => {
    const unpacked = await unpackKeycloak();
    if ('missing' in unpacked) {
      process.stdout.write(`skipped, single sign-on against Keycloak: ${unpacked.missing}\n`);
      return skip(unpacked.missing);
    }
    const [keycloak, balancer] = await Promise.all([startKeycloak(unpacked.folder, host), startBalancer()]);
    const { port } = new URL(keycloak.issuer);
    const base = balancer.url;
    const service = await startService({
      env: {
        ...firstOwner().settings,
        INLAY_SIGNUP: 'true',
        INLAY_BASE_URL: base,
        INLAY_ALLOW_HOSTS: `${host}/32:${port}`,
        INLAY_SSO_ORIGINS: app,
      },
    });
    balancer.to([service.port]);
    try {
      const made = (await ask(base, '/0.1.0/user', { properties: { email: 'owner@people.example', name: 'O' } })).body;
      const owner = { key: text(made, 'key'), token: text(made, 'token') };
      const organizationId = text(made, 'organization_id');
      await keycloak.setUp(base, organizationId);
      const call = async (resource: string, body: object): Promise<JsonObject> => {
        const answer = await ask(base, `/0.1.0/${resource}`, { ...owner, ...body });
        if (answer.status !== 200) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
        return answer.body;
      };
      const group = text(await call('group', { properties: { name: { en: 'Sales' } } }), 'id');
      const config = {
        issuer: keycloak.issuer,
        client_id: 'inlay',
        client_secret: 'the secret of a test client',
        mapping: {
          roles: { claim: 'realm_access.roles', values: { 'analytics-owner': 'owner' } },
          groups: { claim: 'groups', values: { sales: group } },
        },
      };
      await call('ssoconfig', { properties: { protocol: 'OIDC', config } });

      const signIn = async () => {
        const visitor = createVisitor();
        const { verifier, challenge } = newVerifier();
        const query = new URLSearchParams({ return_to: `${app}/`, challenge });
        const page = await visitor.visit(`${base}/sso/${organizationId}/login?${query.toString()}`);
        const back = await visitor.logIn(page, 'ada');
        if (!back.url.startsWith(app)) throw new Error(`${back.status} ${back.url}: ${back.body.slice(0, 1500)}`);
        const code = codeOf({ status: back.status, location: back.url, body: '', headers: {} });
        const { body } = await ask(base, '/sso/token', { code, verifier });
        return { visitor, login: { key: text(body, 'key'), token: text(body, 'token') } };
      };
      const stands = async (login: object): Promise<boolean> =>
        (await ask(base, '/0.1.0/user', { ...login, find: { limit: 0 } })).status === 200;
      /** Where Ada is: her groups here, and whether she owns the organization. */
      const held = async (): Promise<{ readonly groups: number; readonly owns: boolean }> => {
        const linked = async (resource: string, id: string): Promise<readonly JsonObject[]> => {
          const { rows = null } = await call(resource, { find: { where: { id }, include: [{ model: 'Users' }] } });
          const [row] = isList(rows) ? rows : [];
          const users = isObject(row ?? null) ? Object(row)['users'] : [];
          return isList(users)
            ? users.filter((one) => isObject(one) && one['email'] === 'ada@people.example').map(Object)
            : [];
        };
        const [member] = await linked('organization', organizationId);
        const link = member?.['link'] ?? null;
        return { groups: (await linked('group', group)).length, owns: isObject(link) && link['flagOwner'] === true };
      };

      const first = await signIn();
      expect(await stands(first.login)).toBe(true);
      expect(await held()).toEqual({ groups: 1, owns: true });

      const ada = text(named(await keycloak.admin('GET', '/users?username=ada'), 'ada'), 'id');
      const sales = text(named(await keycloak.admin('GET', '/groups'), 'sales'), 'id');
      const role = await keycloak.admin('GET', '/roles/analytics-owner');
      await keycloak.admin('DELETE', `/users/${ada}/groups/${sales}`);
      await keycloak.admin('DELETE', `/users/${ada}/role-mappings/realm`, [role]);
      await signIn();
      expect(await held()).toEqual({ groups: 0, owns: false });
      await keycloak.admin('PUT', `/users/${ada}/groups/${sales}`);
      const third = await signIn();
      expect(await held()).toEqual({ groups: 1, owns: false });

      const { body } = await ask(base, '/sso/logout', third.login);
      const signedOut = await third.visitor.visit(text(body, 'url'));
      expect([new URL(signedOut.url).pathname, await stands(third.login)]).toEqual(['/sso/signed-out', false]);

      const fourth = await signIn();
      expect(await stands(fourth.login)).toBe(true);
      await keycloak.admin('POST', `/users/${ada}/logout`);
      await expect.poll(() => stands(fourth.login)).toBe(false);
    } finally {
      await service.stop();
      await Promise.all([keycloak.stop(), balancer.stop()]);
    }
  },
  1_200_000,
);
