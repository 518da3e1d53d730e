import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi, type Somebody } from '../support/api.ts';
import { filterOrigins, totalOf, totals } from '../support/filter-origins.ts';
import { counted } from '../support/counts.ts';
import { bothStores } from '../support/service.ts';
import { text } from '../support/world.ts';

/** More than are bound to a statement by name. */
const many = counted(70, 1000);

describe.each(bothStores)('a person in very many groups on %s', (store) => {
  const api = useApi(store);
  const { world, load, filter, regions, seen, refused } = filterOrigins(api);
  const groups: string[] = [];
  const people: { joiner?: Somebody } = {};
  const joiner = (): Somebody => people.joiner ?? expect.unreachable();

  beforeAll(async () => {
    await load();
    people.joiner = await api.person({ flagMember: true });
    for (let index = 0; index < many; index += 1) {
      const { id } = await api.create('group', { name: { en: `Group ${index}` } });
      await api.associate('group', id, 'Users', joiner().id);
      groups.push(id);
    }
  });

  const last = (): string => groups.at(-1) ?? '';
  const share = (flags: JsonObject): Promise<unknown> =>
    api.associate('securable', world.dataset.id, 'Groups', last(), flags);
  const unshare = (): Promise<unknown> => api.dissociate('securable', world.dataset.id, 'Groups', last());

  it('holds what the last of them was given, as long as they are in it', async () => {
    expect(await refused(regions(), joiner().login)).toMatchObject({ code: 'dataset_unknown' });
    await share({ flagUse: true });
    expect(await seen(regions(), joiner().login)).toEqual(totals);
    expect(
      await api.refused('dataset', { id: world.dataset.id, properties: { cache: 1 } }, joiner().login),
    ).toMatchObject({
      status: 403,
    });
    await api.dissociate('group', last(), 'Users', joiner().id);
    expect(await refused(regions(), joiner().login)).toMatchObject({ code: 'dataset_unknown' });
    await api.associate('group', last(), 'Users', joiner().id);
    await unshare();
    expect(await refused(regions(), joiner().login)).toMatchObject({ code: 'dataset_unknown' });
  });

  it('holds by a collection what a group of theirs holds', async () => {
    const { id } = await api.create('collection', { name: { en: 'Some' } });
    await api.associate('securable', world.dataset.id, 'Collections', id);
    await api.associate('collection', id, 'Groups', last(), { flagUse: true });
    expect(await seen(regions(), joiner().login)).toEqual(totals);
    await api.remove('collection', id);
    expect(await refused(regions(), joiner().login)).toMatchObject({ code: 'dataset_unknown' });
  });

  it('is bounded by the row filters of a group, and cannot lift them by leaving it', async () => {
    await api.associate('securable', world.dataset.id, 'Users', joiner().id, { flagModify: true });
    await share({ flagUse: true, filters: [filter('region', '? = ?', 'Asia')] });
    expect(await seen(regions(), joiner().login)).toEqual(totalOf('Asia'));
    const leave = { action: 'dissociate', id: last(), resource: { role: 'Users', id: joiner().id } };
    expect(await api.refused('group', leave, joiner().login)).toMatchObject({ status: 403 });
    const shown = await api.ok('dataset', { action: 'get', id: world.dataset.id }, joiner().login);
    expect(shown).toMatchObject({ rows: null });
    await unshare();
    expect(await seen(regions(), joiner().login)).toEqual(totals);
  });

  it('as an issuer of tokens gives what their groups hold', async () => {
    const owner = await api.person({ flagOwner: true });
    for (const group of groups) await api.associate('group', group, 'Users', owner.id);
    const access = { datasets: [{ id: world.dataset.id, rights: 'use' }] };
    const properties = { type: 'embed', username: 'ada', access };
    const made = await api.ok('authorization', { action: 'create', properties: { type: 'api' } }, owner.login);
    const issuer = { key: text(made, 'id'), token: text(made, 'token') };
    expect(await api.refused('authorization', { action: 'create', properties }, issuer)).toMatchObject({ status: 400 });
    await share({ flagUse: true, filters: [filter('region', '? = ?', 'Asia')] });
    const token = await api.ok('authorization', { action: 'create', properties }, issuer);
    const by = { key: text(token, 'id'), token: text(token, 'token') };
    expect(await seen(regions(), by)).toEqual(totalOf('Asia'));
    await unshare();
    expect(await refused(regions(), by)).toMatchObject({ code: 'dataset_unknown' });
  });
});
