import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@inlay/contract';
import { rowsOf, runBehind, useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

/** Request bodies as published client libraries of this API send them. */
describe.each(storesToTest)('members and parents of published clients on %s', (store) => {
  const api = useApi(store);
  const dataset = async (name: string): Promise<string> => (await api.create('dataset', { name: { en: name } })).id;

  describe('empty members', () => {
    it('that an operation does not use are ignored', async () => {
      for (const properties of [{}, [], null]) {
        const { id } = await api.create('dataset', {});
        expect(await api.ok('dataset', { action: 'delete', id, properties })).toEqual({ code: 200 });
      }
      const tag = await api.create('tag', { name: { en: 'a' } });
      const { id } = await api.create('dataset', {});
      const resource = { role: 'Tags', id: tag.id };
      await api.ok('securable', { action: 'associate', id, resource, properties: [] });
      await api.ok('securable', { action: 'dissociate', id, resource, properties: {} });
      expect(rowsOf(await api.ok('tag', { action: 'get', find: {}, properties: {}, associations: [] }))).toHaveLength(
        1,
      );
      expect(
        await api.ok('tag', {
          action: 'update',
          id: tag.id,
          properties: { name: { en: 'b' } },
          find: {},
          resource: {},
        }),
      ).toMatchObject({ name: { en: 'b' } });
    });

    it('leave a repeated request what it is, which its answer says', async () => {
      const body = { action: 'create', properties: { name: { en: 'once' } } };
      const headers = { 'idempotency-key': `once-${store}` };
      const [first, second] = [
        await api.call('tag', body, undefined, headers),
        await api.call('tag', body, undefined, headers),
      ];
      expect(second.body).toEqual(first.body);
      expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
        undefined,
        'true',
      ]);
    });

    it('choose the operation nevertheless, and others are refused', async () => {
      const { id } = await api.create('dataset', {});
      const tag = await api.create('tag', {});
      const forgotten = { id, resource: { role: 'Tags', id: tag.id }, properties: {} };
      expect(await api.refused('securable', forgotten)).toMatchObject({ status: 400, code: 'operation_unknown' });
      const more = await api.refused('dataset', { action: 'delete', id, properties: { name: { en: 'x' } } });
      expect(more).toMatchObject({ status: 400, validation: { properties: [expect.any(String)] } });
      expect((await api.refused('securable', { action: 'associate', id, resource: {} })).validation).toHaveProperty(
        'resource.role',
      );
    });

    it('of objects may be empty lists, and are answered as objects', async () => {
      const made = await api.create('dashboard', {
        name: [],
        contents: {
          views: [{ screenModus: 'desktop', options: [], items: [], filterGroups: [] }],
          datasetLinks: [],
          timezone: [],
        },
      });
      expect(made).toMatchObject({
        name: {},
        contents: { views: [{ options: {}, items: [] }], datasetLinks: {}, timezone: {} },
      });
      const account = await api.create('account', { provider: 'postgresql', properties: [] });
      expect(account['properties']).toEqual({});
      expect((await api.find('dashboard', { where: [], search: [], include: [], order: [] })).length).toBeGreaterThan(
        0,
      );
      expect((await api.refused('dashboard', { action: 'create', properties: { name: ['a'] } })).status).toBe(400);
    });
  });

  describe('parents of records', () => {
    it('may be named by an association of the create', async () => {
      const id = await dataset('parents');
      const associations = [{ role: 'Securable', id }];
      const column = await api.ok('column', {
        action: 'create',
        properties: { type: 'numeric', name: { en: 'a' } },
        associations,
      });
      expect(column['securable_id']).toBe(id);
      const formula = await api.ok('formula', {
        action: 'create',
        properties: { expression: 'count(*)' },
        associations,
      });
      expect(formula['securable_id']).toBe(id);
      const level = await api.ok('hierarchylevel', {
        action: 'create',
        properties: { level: 1 },
        associations: [{ role: 'Column', id: column['id'] ?? null }],
      });
      expect(level['column_id']).toBe(column['id']);
      const account = await api.create('account', { provider: 'postgresql' });
      const of = await api.ok('dataset', {
        action: 'create',
        properties: {},
        associations: [{ role: 'Account', id: account.id }],
      });
      expect(of['account_id']).toBe(account.id);
      const other = await dataset('another');
      const twice = { action: 'create', properties: { type: 'numeric', securable_id: other }, associations };
      expect((await api.refused('column', twice)).validation).toHaveProperty('associations[0].id');
      expect(await api.refused('schedule', { action: 'create', properties: {} })).toMatchObject({ status: 400 });
    });

    it('may be named later, by whoever made the record, and then stay', async () => {
      const [id, other] = [await dataset('first'), await dataset('second')];
      const colleague = await api.person({ flagEditor: true });
      const made: readonly (readonly [string, JsonObject, string])[] = [
        ['column', { type: 'numeric', name: { en: 'later' } }, 'Columns'],
        ['formula', { expression: 'count(*)' }, 'Formulas'],
      ];
      for (const [resource, properties, role] of made) {
        const draft = await api.create(resource, properties);
        expect(draft['securable_id']).toBeNull();
        expect(await api.findIds(resource, { where: { id: draft.id } })).toEqual([draft.id]);
        expect(await api.findIds(resource, { where: { id: draft.id } }, colleague.login)).toEqual([]);
        expect((await api.refused(resource, { action: 'delete', id: draft.id }, colleague.login)).status).toBe(404);
        await api.update(resource, draft.id, { name: { en: 'renamed' } });
        await api.associate('securable', id, role, draft.id);
        expect((await api.get(resource, draft.id))['securable_id']).toBe(id);
        const moved = await api.refused('securable', {
          action: 'associate',
          id: other,
          resource: { role, id: draft.id },
        });
        expect(moved).toMatchObject({ status: 400, code: 'association_required' });
        const from = await api.create(resource, properties);
        await api.associate(resource, from.id, 'Securable', id);
      }
      const [level, column] = [
        await api.create('hierarchylevel', { level: 1 }),
        await api.create('column', { type: 'hierarchy', securable_id: id }),
      ];
      await api.associate('column', column.id, 'Hierarchylevels', level.id);
      expect(Object.keys(await api.links('column', column.id, 'Hierarchylevels'))).toEqual([level.id]);
      const viewer = await api.person();
      expect(
        (await api.refused('column', { action: 'create', properties: { type: 'numeric' } }, viewer.login)).status,
      ).toBe(403);
    });

    it('that never come: the record is deleted after a day', async () => {
      const draft = await api.create('column', { type: 'numeric' });
      const kept = await api.create('column', { type: 'numeric', securable_id: await dataset('kept') });
      const sweep = (): Promise<unknown> =>
        api.service.app.service.store.write({
          kind: 'sweep',
          answersBefore: '',
          loginsBefore: '',
          requestsBeforeMs: 0,
          tasksBefore: '',
        });
      await sweep();
      expect(await api.findIds('column', { where: { id: draft.id } })).toEqual([draft.id]);
      await runBehind(
        api.service,
        `update "column" set created_at = '2026-01-01T00:00:00.000Z' where id = '${draft.id}'`,
      );
      await sweep();
      expect(await api.findIds('column', { where: { id: { in: [draft.id, kept.id] } } })).toEqual([kept.id]);
    });

    it('of a schedule and a share stay too', async () => {
      const [first, second] = [await api.create('dashboard', {}), await api.create('dashboard', {})];
      const share = await api.create('share', { securable_id: first.id });
      const body = { action: 'associate', id: second.id, resource: { role: 'Share', id: share.id } };
      expect(await api.refused('securable', body)).toMatchObject({ code: 'association_required' });
    });
  });
});
