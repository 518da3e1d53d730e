import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { list, sql } from '../../packages/service/src/store/sql.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { oneStore, type Credential } from '../support/service.ts';
import { part } from '../support/world.ts';

const data = [['region', 'pay'], ...['north', 'south', 'east', 'west'].map((region, index) => [region, index + 1])];

/** How somebody was given a dataset, before they hand it on. */
const restrictions = ['nothing', 'a filter', 'a group with a filter', 'a bounded collection'] as const;
type Restriction = (typeof restrictions)[number];
const rowsOf: Readonly<Record<Restriction, readonly string[]>> = {
  nothing: ['east', 'north', 'south', 'west'],
  'a filter': ['north'],
  'a group with a filter': ['north'],
  'a bounded collection': ['north'],
};

/** How they hand it on, and what right that takes. */
const ways = ['a person', 'ownership', 'a group', 'a collection', 'a collection and a group', 'a token'] as const;
type Way = (typeof ways)[number];
const asOwner: readonly Way[] = ['a person', 'ownership', 'a group'];

describe.each([oneStore])('handing on a dataset on %s', (store) => {
  const api = useApi(store);
  let datasetId: string;
  let region: string;
  let north: readonly JsonObject[];
  beforeAll(async () => {
    const options = { header: true, name: { en: 'Pay' } };
    datasetId = (await api.create('data', { type: 'create', data, options })).id;
    region = (await api.findIds('column', { where: { securable_id: datasetId, source_name: 'region' } }))[0] ?? '';
    north = [{ securable_id: datasetId, column_id: region, expression: '? = ?', value: 'north' }];
  });

  const find = (): object => ({
    action: 'get',
    find: { dimensions: [{ dataset_id: datasetId, column_id: region }], measures: [] },
  });
  /** Returns the regions that somebody sees, or the code of the refusal. */
  async function seen(by: Credential): Promise<readonly string[] | string> {
    const { body } = await api.call('data', find(), by);
    const rows = part(body, 'data');
    if (!Array.isArray(rows)) return String(part(body, 'code'));
    return rows.map((row: unknown) => String(part(Array.isArray(row) ? row[0] : null, 'id'))).toSorted();
  }
  const share = (to: Somebody, properties: object, by?: Credential): Promise<JsonObject> =>
    api.associate('securable', datasetId, 'Users', to.id, properties, by);
  const collection = async (by: Credential): Promise<string> =>
    (await api.create('collection', { name: { en: 'Kept' } }, by)).id;
  const collect = (id: string, by?: Credential): Promise<JsonObject> =>
    api.associate('securable', datasetId, 'Collections', id, undefined, by);
  const keep = (
    id: string,
    to: Somebody,
    by: Credential,
    properties: object = { flagUse: true },
  ): Promise<JsonObject> => api.associate('collection', id, 'Users', to.id, properties, by);

  async function giver(restriction: Restriction, right: object): Promise<Somebody> {
    const person = await api.person({ flagOwner: true });
    if (restriction === 'nothing') await share(person, right);
    if (restriction === 'a filter') await share(person, { ...right, filters: north });
    if (restriction === 'a group with a filter') {
      const { id } = await api.create('group', { name: { en: 'Northerners' } });
      await api.associate('group', id, 'Users', person.id);
      await api.associate('securable', datasetId, 'Groups', id, { ...right, filters: north });
    }
    if (restriction === 'a bounded collection') {
      const before = await api.person({ flagEditor: true });
      await share(before, { ...right, filters: north });
      const id = await collection(before.login);
      await collect(id, before.login);
      await keep(id, person, before.login, right);
    }
    return person;
  }

  async function handOn(way: Way, by: Somebody): Promise<Credential> {
    if (way === 'a token') {
      const token = await api.apiToken(by.login);
      return api.embedToken({ access: { datasets: [{ id: datasetId, rights: 'use' }] } }, token);
    }
    const receiver = await api.person({ flagMember: true });
    if (way === 'a person') await share(receiver, { flagUse: true }, by.login);
    if (way === 'ownership') await share(receiver, { flagOwner: true }, by.login);
    if (way === 'a group') {
      const { id } = await api.create('group', { name: { en: 'Receivers' } }, by.login);
      await api.associate('group', id, 'Users', receiver.id, undefined, by.login);
      await api.associate('securable', datasetId, 'Groups', id, { flagUse: true }, by.login);
    }
    if (way === 'a collection') {
      const id = await collection(by.login);
      await collect(id, by.login);
      await keep(id, receiver, by.login);
    }
    if (way === 'a collection and a group') {
      const id = await collection(by.login);
      await collect(id, by.login);
      const group = (await api.create('group', { name: { en: 'Receivers' } }, by.login)).id;
      await api.associate('group', group, 'Users', receiver.id, undefined, by.login);
      await api.associate('collection', id, 'Groups', group, { flagUse: true }, by.login);
    }
    return receiver.login;
  }

  it('gives no more rows than the giver sees, by any way and under any restriction', async () => {
    for (const restriction of restrictions) {
      for (const way of ways) {
        const owns = asOwner.includes(way);
        // A collection hands on less than ownership, so nobody owns by one that somebody else filled.
        if (owns && restriction === 'a bounded collection') continue;
        const by = await giver(restriction, owns ? { flagOwner: true } : { flagUse: true });
        expect([restriction, await seen(by.login)]).toEqual([restriction, rowsOf[restriction]]);
        const receiver = await handOn(way, by);
        expect([restriction, way, await seen(receiver)]).toEqual([restriction, way, rowsOf[restriction]]);
      }
    }
  });

  it('through a collection lasts as long as the giver holds the dataset', async () => {
    const by = await giver('nothing', { flagUse: true });
    const receiver = await handOn('a collection', by);
    expect(await seen(receiver)).toEqual(rowsOf.nothing);
    await share(by, { flagUse: true, filters: north });
    expect(await seen(receiver)).toEqual(['north']);
    await share(by, { flagUse: false, flagRead: true });
    expect(await seen(receiver)).toBe('forbidden');
    await api.dissociate('securable', datasetId, 'Users', by.id);
    expect(await seen(receiver)).toBe('dataset_unknown');
    expect(await api.findIds('dataset', { where: { id: datasetId } }, receiver)).toEqual([]);
  });

  it('as an owner outlives the giver, with the filters the giver had', async () => {
    const free = await giver('nothing', { flagOwner: true });
    const bounded = await giver('a filter', { flagOwner: true });
    const [all, some] = [await handOn('a collection', free), await handOn('a collection', bounded)];
    for (const { id } of [free, bounded]) await api.dissociate('securable', datasetId, 'Users', id);
    expect([await seen(all), await seen(some)]).toEqual([rowsOf.nothing, ['north']]);
  });

  it('in a circle opens nothing once nobody in it holds the dataset otherwise', async () => {
    const first = await giver('nothing', { flagUse: true });
    const second = await api.person({ flagEditor: true });
    const one = await collection(first.login);
    const other = await collection(second.login);
    await collect(one, first.login);
    await keep(one, second, first.login);
    await collect(other, second.login);
    await keep(other, first, second.login);
    expect(await seen(second.login)).toEqual(rowsOf.nothing);
    await api.dissociate('securable', datasetId, 'Users', first.id);
    expect([await seen(first.login), await seen(second.login)]).toEqual(['dataset_unknown', 'dataset_unknown']);
  });

  it('by two givers opens what either of them sees', async () => {
    const receiver = await api.person({ flagMember: true });
    const south = north.map((filter) => ({ ...filter, value: 'south' }));
    for (const filters of [north, south]) {
      const by = await api.person({ flagEditor: true });
      await share(by, { flagUse: true, filters });
      const id = await collection(by.login);
      await collect(id, by.login);
      await keep(id, receiver, by.login);
    }
    expect(await seen(receiver.login)).toEqual(['north', 'south']);
    await share(receiver, { flagUse: true });
    expect(await seen(receiver.login)).toEqual(rowsOf.nothing);
  });

  it('made again by somebody who holds more becomes theirs', async () => {
    const by = await giver('a filter', { flagUse: true });
    const receiver = await api.person({ flagMember: true });
    const id = await collection(by.login);
    await collect(id, by.login);
    await keep(id, receiver, by.login);
    expect(await seen(receiver.login)).toEqual(['north']);
    await api.associate('collection', id, 'Users', api.userId, { flagModify: true }, by.login);
    await collect(id);
    expect(await seen(receiver.login)).toEqual(rowsOf.nothing);
  });

  it('passes on the filters that stand on the giver’s own link to a collection', async () => {
    const keeper = await api.person({ flagEditor: true });
    const id = await collection(api.owner);
    await collect(id);
    await keep(id, keeper, api.owner, { flagOwner: true, filters: north });
    const receiver = await api.person({ flagMember: true });
    await keep(id, receiver, keeper.login);
    expect(await seen(receiver.login)).toEqual(['north']);
    const { id: group } = await api.create('group', { name: { en: 'Ours' } }, keeper.login);
    const another = await api.person({ flagMember: true });
    await api.associate('group', group, 'Users', another.id, undefined, keeper.login);
    await api.associate('collection', id, 'Groups', group, { flagUse: true }, keeper.login);
    expect(await seen(another.login)).toEqual(['north']);
  });

  it('is not bounded by filters of groups that an owner of the dataset made for others', async () => {
    const maker = await api.person({ flagEditor: true });
    await share(maker, { flagOwner: true });
    const receivers: Credential[] = [];
    for (const value of ['north', 'south']) {
      const { id } = await api.create('group', { name: { en: value } }, maker.login);
      const receiver = await api.person({ flagMember: true });
      await api.associate('group', id, 'Users', receiver.id, undefined, maker.login);
      const filters = north.map((filter) => ({ ...filter, value }));
      await api.associate('securable', datasetId, 'Groups', id, { flagUse: true, filters }, maker.login);
      receivers.push(receiver.login);
    }
    expect(await Promise.all(receivers.map(seen))).toEqual([['north'], ['south']]);
  });

  it('is not for a token with filters or hidden columns of its own', async () => {
    const id = await collection(api.owner);
    const access = { datasets: [{ id: datasetId, rights: 'modify' }], collections: [{ id, inheritRights: 'modify' }] };
    const body = { action: 'associate', id: datasetId, resource: { role: 'Collections', id } };
    for (const own of [{ filters: north }, { hidden_columns: [region] }]) {
      const token = await api.embedToken({ role: 'designer', access, ...own });
      expect((await api.refused('securable', body, token)).status).toBe(403);
    }
    await api.ok('securable', body, await api.embedToken({ role: 'designer', access }));
    const { id: group } = await api.create('embedfiltergroup', { name: { en: 'Northerners' } });
    await api.associate('securable', datasetId, 'EmbedFilterGroups', group, { filters: north });
    expect((await api.refused('securable', body, await api.embedToken({ role: 'designer', access }))).status).toBe(403);
    await api.remove('embedfiltergroup', group);
  });

  it('back and forth through many groups keeps no more filters than there are', async () => {
    const first = await giver('a filter', { flagOwner: true });
    const people = [await api.person({ flagEditor: true }), await api.person({ flagEditor: true })];
    for (const one of people) await share(one, { flagOwner: true }, first.login);
    const groups: string[][] = [];
    for (const [index, { login }] of people.entries()) {
      const made: string[] = [];
      for (let count = 0; count < 4; count += 1) {
        const { id } = await api.create('group', { name: { en: 'Others' } }, login);
        await api.associate('group', id, 'Users', people[1 - index]?.id, undefined, login);
        made.push(id);
      }
      groups.push(made);
    }
    for (let round = 0; round < 4; round += 1)
      for (const [index, { login }] of people.entries())
        for (const id of groups[index] ?? [])
          await api.associate('securable', datasetId, 'Groups', id, { flagOwner: true, filters: [] }, login);
    const kept = await api.service.app.service.store.rows(
      sql`select given from link where target_id in ${list(groups.flat())} and given is not null`,
    );
    expect(kept).toHaveLength(8);
    for (const { given } of kept) expect(String(given).length).toBeLessThan(1000);
    expect(await Promise.all(people.map(({ login }) => seen(login)))).toEqual([['north'], ['north']]);
  });

  it('lifts no filter that holds for oneself', async () => {
    const person = await api.person({ flagEditor: true });
    const { id: group } = await api.create('group', { name: { en: 'Northerners' } });
    await api.associate('group', group, 'Users', person.id, { flagOwner: true });
    await api.associate('securable', datasetId, 'Groups', group, { flagOwner: true, filters: north });
    await share(person, { flagOwner: true, filters: north });
    const kept = await collection(api.owner);
    await collect(kept);
    await keep(kept, person, api.owner, { flagModify: true, filters: north });
    const link = { action: 'associate', id: datasetId, resource: { role: 'Users', id: person.id } };
    const attempts: readonly (readonly [string, object])[] = [
      ['securable', { ...link, properties: { flagOwner: true, filters: [] } }],
      ['securable', { ...link, properties: { flagOwner: true, filters: null } }],
      ['securable', { id: datasetId, resource: { role: 'Users', id: person.id } }],
      ['securable', { id: datasetId, resource: { role: 'Groups', id: group } }],
      ['group', { id: group, resource: { role: 'Users', id: person.id } }],
      ['group', { action: 'delete', id: group }],
      ['securable', { id: datasetId, resource: { role: 'Collections', id: kept } }],
      ['collection', { id: kept, resource: { role: 'Securables', id: datasetId } }],
    ];
    for (const [resource, body] of attempts)
      expect([body, (await api.refused(resource, body, person.login)).code]).toEqual([body, 'forbidden']);
    expect(await seen(person.login)).toEqual(['north']);
  });
});
