import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { rowsOf, useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { datasetIn, part, text } from '../support/world.ts';

/** Request bodies as published client libraries of this API send them. */
describe.each(storesToTest)('people and tokens of published clients on %s', (store) => {
  const api = useApi(store);

  describe('people', () => {
    it('are linked to organizations with flagOwn, from either side', async () => {
      const person = await api.person();
      await api.associate('organization', api.organizationId, 'Users', person.id, { flagOwn: true });
      expect((await api.links('organization', api.organizationId, 'Users'))[person.id]).toMatchObject({
        flagOwn: true,
        flagOwner: true,
      });
      await api.associate('user', person.id, 'Organizations', api.organizationId, {
        flagEditor: true,
        flagOwner: false,
      });
      expect((await api.links('organization', api.organizationId, 'Users'))[person.id]).toMatchObject({
        flagEditor: true,
        flagOwner: false,
      });
      const group = await api.create('group', { name: { en: 'g' } });
      await api.associate('user', person.id, 'Groups', group.id);
      expect(Object.keys(await api.links('user', person.id, 'Groups'))).toEqual([group.id]);
      const member = await api.person();
      const lift = {
        action: 'associate',
        id: member.id,
        resource: { role: 'Organizations', id: api.organizationId },
        properties: { flagOwner: true },
      };
      expect((await api.refused('user', lift, member.login)).status).toBe(403);
      const join = { action: 'associate', id: member.id, resource: { role: 'Groups', id: group.id } };
      expect((await api.refused('user', join, member.login)).status).toBe(403);
    });

    it('are made with a role', async () => {
      const made = await api.create('user', { email: `${randomUUID()}@people.example`, role: 'editor' });
      expect((await api.links('organization', api.organizationId, 'Users'))[made.id]).toMatchObject({
        flagEditor: true,
        flagOwner: false,
      });
      expect(
        (await api.refused('user', { action: 'create', properties: { email: 'a@b.example', role: 'king' } }))
          .validation,
      ).toHaveProperty('properties.role');
      const inPart = await api.person({ flagOwner: true }, { suborganization: 'part' });
      const above = {
        action: 'create',
        properties: { email: `${randomUUID()}@people.example`, role: 'admin', suborganization: 'part' },
      };
      expect((await api.refused('user', above, inPart.login)).status).toBe(403);
    });
  });

  describe('countries and locales', () => {
    it('have UUIDs, and references take either', async () => {
      const [english] = await api.find('locale', { where: { code: 'en' } });
      const [belgium] = await api.find('country', { where: { id: 'BE' } });
      const [locale, country] = [text(english, 'id'), text(belgium, 'id')];
      expect(locale).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/u);
      expect(await api.get('locale', 'en')).toMatchObject({ id: locale, code: 'en' });
      for (const [sent, expected] of [
        ['BE', country],
        [country, country],
      ] as const)
        expect(await api.update('organization', api.organizationId, { country_id: sent })).toMatchObject({
          country_id: expected,
        });
      await api.update('user', api.userId, { locale_id: 'en' });
      expect(await api.findIds('user', { where: { locale_id: 'en' } })).toEqual([api.userId]);
      expect(await api.findIds('user', { where: { locale_id: { in: [locale] } } })).toEqual([api.userId]);
      const wrong = await api.refused('organization', {
        action: 'update',
        id: api.organizationId,
        properties: { country_id: randomUUID(), locale_id: 'xx' },
      });
      expect(Object.keys(wrong.validation).toSorted()).toEqual(['properties.country_id', 'properties.locale_id']);
    });
  });

  describe('tokens', () => {
    const filtered = async (): Promise<{ readonly id: string; readonly region: string }> => {
      const rows = [
        ['Europe', 1],
        ['Asia', 2],
      ];
      const made = await api.ok('data', {
        action: 'create',
        properties: { data: rows, options: { header: ['region', 'n'] } },
      });
      expect(made['count']).toBe(1);
      const id = text(datasetIn(made), 'id');
      const [column] = await api.find('column', { where: { securable_id: id, source_name: 'region' } });
      return { id, region: text(column, 'id') };
    };
    const groups = async (answer: JsonObject, id: string, region: string): Promise<Json> => {
      const by = { key: text(answer, 'id'), token: text(answer, 'token') };
      const query = {
        dimensions: [{ column_id: region, dataset_id: id }],
        measures: [{ dataset_id: id, columns: [], type: 'count' }],
      };
      const body = await api.ok('data', { action: 'get', find: { dimensions: query.dimensions } }, by);
      return body['data'] ?? null;
    };

    it('take durations in words, and other names', async () => {
      const { id } = await filtered();
      const made = await api.create('authorization', {
        type: 'sso',
        expiry: '24 hours',
        inactivity_interval: '10 minutes',
        username: 'u1',
        name: 'User One',
        email: 'u@example.com',

        environment: null,
        metadata: { region: 'Europe' },
        locale_id: 'nl-BE',
        currency_id: 'EUR',
        timezone_id: 'Europe/Brussels',
        access: { datasets: [{ id, rights: 'use' }] },
      });
      expect(made).toMatchObject({
        type: 'embed',
        inactivity_interval: 600,
        suborganization: 'u1',
        metadata: { region: 'Europe' },
        currency_id: 'EUR',
      });
      const hours = (Date.parse(text(made, 'expiry')) - Date.now()) / 3_600_000;
      expect(Math.round(hours)).toBe(24);
      const wrong = {
        type: 'embed',
        expiry: 'soon',
        inactivity_interval: '3 moons',
        locale_id: 'xx-bad-x',
        currency_id: 'euro',
      };
      const { validation } = await api.refused('authorization', { action: 'create', properties: wrong });
      expect(Object.keys(validation).toSorted()).toEqual(
        ['currency_id', 'expiry', 'inactivity_interval', 'locale_id'].map((name) => `properties.${name}`),
      );
      expect((await api.create('authorization', { type: 'embed' }))['suborganization']).toBeNull();
      const past = await api.create('authorization', { type: 'embed', username: 'u2', suborganization: null });
      expect(past['suborganization']).toBeNull();
    });

    it('take values of parameters in three forms', async () => {
      const { id, region } = await filtered();
      const filters = [
        {
          clause: 'where',
          origin: 'global',
          securable_id: id,
          column_id: region,
          expression: '? = ?',
          value: { parameter: 'metadata.region', type: 'array[hierarchy]' },
        },
      ];
      const base = { type: 'embed', username: 'u', filters, access: { datasets: [{ id, rights: 'use' }] } };
      const given: readonly JsonObject[] = [
        { metadata: { region: 'Europe' } },
        { parameter_overrides: { 'metadata.region': 'Europe' } },
        { parameter_overrides: { 'metadata.region': { value: 'Europe', sticky: true, sensitive: false } } },
        { metadata: { region: 'Asia' }, parameter_overrides: { 'metadata.region': { value: 'Europe' } } },
      ];
      for (const one of given) {
        const token = await api.create('authorization', { ...base, ...one });
        expect(JSON.stringify(await groups(token, id, region))).toMatch(/Europe/u);
        expect(JSON.stringify(await groups(token, id, region))).not.toMatch(/Asia/u);
      }
      const cleared = await api.create('authorization', {
        ...base,
        metadata: { region: 'Asia' },
        parameter_overrides: { 'metadata.region': { clear: true } },
      });
      expect(JSON.stringify(await groups(cleared, id, region))).toMatch(/Asia/u);
      const none = await api.create('authorization', {
        ...base,
        parameter_overrides: { 'metadata.region': { clear: true } },
      });
      const by = { key: none.id, token: text(none, 'token') };
      expect(
        await api.refused('data', { action: 'get', find: { dimensions: [{ dataset_id: id, column_id: region }] } }, by),
      ).toMatchObject({ code: 'parameter_missing' });
      const wrong = await api.refused('authorization', {
        action: 'create',
        properties: { ...base, parameter_overrides: { a: { valeu: 1 } } },
      });
      expect(Object.keys(wrong.validation)).toContain('properties.parameter_overrides.a.valeu');
    });

    it('are granted what an integration links, with its filters, and the answer names it', async () => {
      const { id, region } = await filtered();
      const dashboard = await api.create('dashboard', { name: { en: 'integrated' } });
      const integration = await api.create('integration', { name: { en: 'portal' } });
      const filters = [{ securable_id: id, column_id: region, expression: '? = ?', value: 'Asia' }];
      await api.associate('integration', integration.id, 'Securables', dashboard.id, { flagRead: true });
      await api.associate('securable', id, 'Integrations', integration.id, { flagUse: true, filters });
      const token = await api.create('authorization', { type: 'embed', username: 'u', integration_id: integration.id });
      expect(token['access']).toEqual({
        datasets: [{ id, rights: 'use' }],
        dashboards: [{ id: dashboard.id, rights: 'read' }],
      });
      expect(JSON.stringify(await groups(token, id, region))).toMatch(/Asia/u);
      expect(JSON.stringify(await groups(token, id, region))).not.toMatch(/Europe/u);
      const collection = await api.create('collection', { name: { en: 'c' } });
      await api.associate('collection', collection.id, 'Securables', dashboard.id);
      const collected = await api.create('authorization', {
        type: 'embed',
        access: { collections: [{ id: collection.id, inheritRights: 'use' }] },
      });
      expect(collected['access']).toMatchObject({
        collections: [{ id: collection.id }],
        dashboards: [{ id: dashboard.id, rights: 'use' }],
      });
      const unknown = { type: 'embed', integration_id: randomUUID() };
      expect(await api.refused('authorization', { action: 'create', properties: unknown })).toMatchObject({
        status: 400,
        code: 'reference_unknown',
      });
    });

    it('show the version of their environment, and no dashboard without one', async () => {
      const contents = (version: string): JsonObject => ({ version: '0.1.99', views: [], note: version });
      const released = await api.create('dashboard', { contents: contents('released') });
      await api.update('dashboard', released.id, { contents: contents('draft') });
      const [version] = await api.find('dashboardversion', { where: { securable_id: released.id } });
      await api.update('dashboardversion', text(version, 'id'), { environment: 'production' });
      const other = await api.create('dashboard', {});
      const dashboards = [released, other].map(({ id }) => ({ id, rights: 'read' }));
      const of = (environment: string | null): Promise<Credential> =>
        api.embedToken({ environment, access: { dashboards } });
      const shown = async (by: Credential, id: string): Promise<unknown> => {
        const answer = await api.call('appearance', { action: 'get', find: { dashboard_id: id } }, by);
        return answer.status === 200 ? part(part(part(answer.body, 'dashboard'), 'contents'), 'note') : answer.status;
      };
      const [production, staging, none] = [await of('production'), await of('staging'), await of(null)];
      expect(await shown(production, released.id)).toBe('released');
      expect(await shown(none, released.id)).toBe('draft');
      expect(await shown(staging, released.id)).toBe(404);
      expect(await shown(production, other.id)).toBe(404);
      expect(await api.findIds('dashboard', {}, production)).toEqual([released.id]);
      expect(await api.findIds('dashboard', {}, staging)).toEqual([]);
      expect(await api.get('dashboard', released.id, production)).toMatchObject({ contents: null });
      expect(await api.get('dashboard', released.id, none)).toMatchObject({ contents: { note: 'draft' } });
    });

    it('take other names for the members of account overrides', async () => {
      const account = await api.create('account', { provider: 'postgresql', host: 'db.example', token: 'stored' });
      const override = { user: 'u', password: 'p', database: 'd', schema: 's' };
      const token = await api.create('authorization', { type: 'embed', account_overrides: { [account.id]: override } });
      expect(token['account_overrides']).toEqual({
        [account.id]: { identifier: 'u', token: 'p', scope: 'd', properties: { schema: 's' } },
      });
      const wrong = { type: 'embed', account_overrides: { [account.id]: { pasword: 'p' } } };
      expect((await api.refused('authorization', { action: 'create', properties: wrong })).status).toBe(400);
    });

    it('of the api are accepted from their networks alone', async () => {
      const made = await api.create('authorization', {
        type: 'api',
        name: 'n',
        description: 'more',
        ip: ['192.0.2.0/24'],
      });
      const by = { key: made.id, token: text(made, 'token') };
      expect(await api.refused('tag', { find: {} }, by)).toMatchObject({ status: 401 });
      const near = await api.create('authorization', { type: 'api', ip: '127.0.0.0/8, ::1' });
      expect(near['ip']).toEqual(['127.0.0.0/8', '::1']);
      expect(isList(rowsOf(await api.ok('tag', { find: {} }, { key: near.id, token: text(near, 'token') })))).toBe(
        true,
      );
      expect(
        (await api.refused('authorization', { action: 'create', properties: { type: 'api', ip: ['300.1.1.1'] } }))
          .validation,
      ).toHaveProperty('properties.ip[0]');
      expect(isObject(await api.get('authorization', made.id))).toBe(true);
    });
  });
});
