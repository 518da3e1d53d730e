import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

/** Request bodies as published client libraries of this API send them. */
describe.each(storesToTest)('searches of published clients on %s', (store) => {
  const api = useApi(store);
  const dataset = async (name: string): Promise<string> => (await api.create('dataset', { name: { en: name } })).id;

  describe('searches', () => {
    it('name fields that clients know', async () => {
      const id = await dataset('searched');
      const [row] = await api.find('securable', {
        where: { id },
        attributes: ['slug', 'options', 'derived', 'acceleration_id'],
      });
      expect(row).toEqual({ id, slug: null, options: null, derived: false, acceleration_id: null });
      const column = await api.create('column', {
        type: 'hierarchy',
        securable_id: id,
        hierarchy_enabled: true,
        source_order: 3,
      });
      const [found] = await api.find('column', {
        where: { id: column.id },
        attributes: ['hierarchy_enabled', 'source_order'],
      });
      expect(found).toEqual({ id: column.id, hierarchy_enabled: true, source_order: 3 });
      const tag = await api.create('tag', { tag: { en: 'quarter' } });
      expect(tag).toMatchObject({ name: { en: 'quarter' }, tag: { en: 'quarter' } });
      await api.update('tag', tag.id, { name: { en: 'year' } });
      expect(await api.find('tag', { where: { 'tag.en': 'year' }, attributes: ['tag'] })).toEqual([
        { id: tag.id, tag: { en: 'year' } },
      ]);
    });

    it('include what clients include', async () => {
      const id = await dataset('included');
      await api.create('formula', { securable_id: id, expression: 'count(*)' });
      const include = ['Owner', 'Modifier', 'Formulas', 'Formula', 'Acceleration'].map((model) => ({ model }));
      const [row] = await api.find('securable', { where: { id }, include });
      expect(row).toMatchObject({
        owner: { id: api.userId },
        modifier: { id: api.userId },
        acceleration: null,
        formulas: [{ securable_id: id }],
      });
      const of = ['Securables', 'Accounts', 'Collections', 'Groups', 'Organizations', 'favorites'].map((model) => ({
        model,
      }));
      const [person] = await api.find('user', { where: { id: api.userId }, include: of });
      expect(person).toMatchObject({ groups: [], favorites: [], organizations: [{ id: api.organizationId }] });
      expect(JSON.stringify(part(person, 'securables'))).toContain(id);
      const group = await api.create('group', { name: { en: 'g' } });
      expect(await api.find('group', { where: { id: group.id }, include: [{ model: 'Accounts' }] })).toMatchObject([
        { accounts: [] },
      ]);
      expect(await api.find('organization', { include: [{ model: 'DefaultTheme' }] })).toMatchObject([
        { defaultTheme: null },
      ]);
    });

    it('show nobody what others hold or favour', async () => {
      const { id } = await api.create('dashboard', { name: { en: 'held' } });
      const [holder, colleague] = [await api.person(), await api.person()];
      for (const { id: person } of [holder, colleague])
        await api.associate('securable', id, 'Users', person, { flagRead: true });
      await api.ok(
        'securable',
        { action: 'associate', id, resource: { role: 'favorites', id: holder.id } },
        holder.login,
      );
      const include = [{ model: 'Securables' }, { model: 'favorites' }, { model: 'Accounts' }];
      const seen = async (by: typeof holder): Promise<JsonObject | undefined> =>
        (await api.find('user', { where: { id: holder.id }, include }, by.login))[0];
      expect(await seen(holder)).toMatchObject({ securables: [{ id }], favorites: [{ id }] });
      expect(await seen(colleague)).toMatchObject({ securables: [], favorites: [], accounts: [] });
    });

    it('may leave the count out', async () => {
      await dataset('counted');
      expect((await api.ok('dataset', { find: { limit: 1, count: false } }))['count']).toBeNull();
      expect((await api.ok('dataset', { find: { limit: 1 } }))['count']).toBeGreaterThan(1);
      expect((await api.refused('dataset', { find: { count: 'no' } })).validation).toHaveProperty('find.count');
    });

    it('may name write-only members, which are masked', async () => {
      const account = await api.create('account', { provider: 'postgresql', token: 'very secret' });
      const rows = await api.find('account', { where: { id: account.id }, attributes: ['token', 'name'] });
      expect(rows).toEqual([{ id: account.id, token: '********', name: null }]);
      const people = await api.find('user', { where: { id: api.userId }, attributes: ['password', 'name'] });
      expect(people).toEqual([{ id: api.userId, name: expect.any(String) }]);
    });

    it('find people by their address, where it may be seen', async () => {
      const person = await api.person(undefined, { email: `zelda.${randomUUID()}@find.example` });
      const find = { search: { keyphrase: 'zelda' } };
      expect(await api.findIds('user', find)).toEqual([person.id]);
      expect(await api.findIds('user', find, person.login)).toEqual([person.id]);
      expect(await api.findIds('user', find, (await api.person()).login)).toEqual([]);
    });

    it('order a language without case', async () => {
      const tags = ['b', 'A', 'C'];
      for (const name of tags) await api.create('tag', { name: { nl: `order ${name}` } });
      const rows = await api.find('tag', {
        where: { 'name.nl': { startsWith: 'order' } },
        order: [['name.nl', 'asc']],
      });
      expect(rows.map(({ name }) => part(name, 'nl'))).toEqual(['order A', 'order b', 'order C']);
    });

    it('name slugs that are unique in the organization', async () => {
      const slug = `sales-${randomUUID().slice(0, 8)}`;
      const { id } = await api.create('dashboard', { slug });
      expect(await api.findIds('dashboard', { where: { slug } })).toEqual([id]);
      const again = await api.refused('dashboard', { action: 'create', properties: { slug } });
      expect(again).toMatchObject({
        status: 400,
        code: 'already_taken',
        validation: { 'properties.slug': [expect.any(String)] },
      });
      const other = await api.stranger();
      await api.create('dashboard', { slug }, other.login);
    });
  });
});
