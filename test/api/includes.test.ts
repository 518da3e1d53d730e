import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

describe.each(storesToTest)('what a search includes on %s', (store) => {
  const api = useApi(store);

  it('is what hangs on a record three deep, each with its link', async () => {
    const tag = await api.create('tag', { name: { en: 'Deep' } });
    const dataset = await api.create('dataset', { name: { en: 'Deep data' } });
    const dashboard = await api.create('dashboard', { name: { en: 'Deep view' } });
    for (const en of ['c', 'a', 'b'])
      await api.create('column', { securable_id: dataset.id, type: 'numeric', name: { en } });
    await api.associate('tag', tag.id, 'Securables', dashboard.id);
    await api.associate('securable', dashboard.id, 'Datasets', dataset.id);
    const columns = {
      model: 'Columns',
      attributes: ['name'],
      order: [['name', 'asc']],
      limit: 2,
      where: { type: 'numeric' },
    };
    const datasets = { model: 'Datasets', attributes: ['id'], include: [columns] };
    const include = [{ model: 'Securables', attributes: ['name'], include: [datasets] }];
    const [found] = await api.find('tag', { where: { id: tag.id }, include });
    expect(found).toMatchObject({
      name: { en: 'Deep' },
      securables: [
        {
          id: dashboard.id,
          name: { en: 'Deep view' },
          datasets: [{ id: dataset.id, columns: [{ name: { en: 'a' } }, { name: { en: 'b' } }] }],
        },
      ],
    });
    const fourth = [
      { model: 'Securables', include: [{ ...datasets, include: [{ ...columns, include: [{ model: 'Joins' }] }] }] },
    ];
    expect((await api.refused('tag', { find: { include: fourth } })).code).toBe('find_invalid');
    for (const wrong of [
      [{ model: 'Nothing' }],
      ['Securables'],
      [{}],
      { model: 'Securables' },
      [{ model: 'Securables', requird: true }],
      [{ model: 'Nothing', as: 'Securables' }],
      [{ model: 5, as: 'Securables' }],
      [{ as: 'Securables' }],
      [{ model: 'Securables', as: 5 }],
    ]) {
      expect([wrong, (await api.refused('tag', { find: { include: wrong } })).status]).toEqual([wrong, 400]);
    }
  });

  it('is named by its association, by the resource it leads to, or by both; a wrong name is told at its place', async () => {
    for (const include of [
      { model: 'Securables' },
      { model: 'securable', as: 'Securables' },
      { model: 'Securables', as: 'securable' },
    ])
      await api.ok('tag', { find: { include: [include] } });
    const { validation } = await api.refused('tag', { find: { include: [{ model: 'Securables', as: 'people' }] } });
    expect(Object.keys(validation ?? {})).toEqual(['find.include[0].as']);
    const other = await api.refused('account', { find: { include: [{ model: 'Users', as: 'Groups' }] } });
    expect(other.validation).toEqual({ 'find.include[0].model': ['must be "Groups" or "group", as `as` says'] });
  });

  it('leaves a documented member of its name alone', async () => {
    const made = await api.create('plugin', { slug: `included-${store}` });
    const find = { where: { id: made.id }, include: [{ model: 'Organization' }] };
    const [found] = await api.find('plugin', find);
    expect(found?.['organization']).toEqual(made['organization']);
    expect(found?.['organizations']).toEqual([]);
  });

  it('is only what the caller may see, and required follows it', async () => {
    const tag = await api.create('tag', {});
    const seen = await api.create('dashboard', { name: { en: 'Seen' } });
    const unseen = await api.create('dashboard', { name: { en: 'Unseen' } });
    for (const { id } of [seen, unseen]) await api.associate('securable', id, 'Tags', tag.id);
    const person = await api.person();
    await api.associate('securable', seen.id, 'Users', person.id, { flagRead: true });
    const find = (include: object): object => ({
      where: { id: tag.id },
      include: [{ model: 'Securables', ...include }],
    });
    const [row] = await api.find('tag', find({}), person.login);
    expect(row?.['securables']).toMatchObject([{ id: seen.id }]);
    const unseenOnly = { where: { name: 'Unseen' }, required: true };
    expect(await api.find('tag', find(unseenOnly), person.login)).toEqual([]);
    expect(await api.find('tag', find(unseenOnly))).toHaveLength(1);
    const optional = await api.find('tag', find({ where: { name: 'Unseen' } }), person.login);
    expect(optional).toMatchObject([{ id: tag.id, securables: [] }]);
  });

  it("shows one's own favourites, and nobody else's, however they are asked for", async () => {
    const dashboard = await api.create('securable', { name: { en: 'Liked' } });
    const reader = await api.person({ flagMember: true });
    await api.associate('securable', dashboard.id, 'Users', reader.id, { flagRead: true });
    const like = (by?: Credential, id = api.userId) =>
      api.associate('securable', dashboard.id, 'favorites', id, undefined, by);
    const include = [{ model: 'favorites', attributes: ['id'] }];
    const liked = async (by?: Credential) => {
      const [row] = await api.find('securable', { where: { id: dashboard.id }, include }, by);
      return part(row, 'favorites');
    };
    const required = (by?: Credential) =>
      api.findIds('securable', { include: [{ model: 'favorites', required: true }] }, by);
    await like(reader.login, reader.id);
    expect(await liked()).toEqual([]);
    expect(await required()).toEqual([]);
    await like();
    expect(await liked()).toEqual([expect.objectContaining({ id: api.userId })]);
    expect(await liked(reader.login)).toEqual([expect.objectContaining({ id: reader.id })]);
    expect(await required(reader.login)).toEqual([dashboard.id]);
    const token = await api.embedToken({ access: { dashboards: [{ id: dashboard.id, rights: 'read' }] } });
    expect(await liked(token)).toEqual([]);
  });
});
