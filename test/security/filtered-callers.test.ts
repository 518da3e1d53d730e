import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { oneStore, type Credential } from '../support/service.ts';

const header = { header: true };

/*
 * Numbers that follow from the rows of a dataset (how many there are, how many values a column has, the smallest and the
 * largest) tell of hidden rows, and a write can replace them.
 */
describe.each([oneStore])('somebody who does not see all rows on %s', (store) => {
  const api = useApi(store);
  let id: string;
  let region: string;
  let pay: string;
  let filters: JsonObject[];
  let callers: Readonly<Record<string, Credential>>;

  beforeAll(async () => {
    const data = [
      ['region', 'pay'],
      ['north', 1200],
      ['south', 98_000],
    ];
    id = (await api.create('data', { type: 'create', data, options: { ...header, name: { en: 'Pay' } } })).id;
    const column = async (source: string): Promise<string> =>
      (await api.findIds('column', { where: { securable_id: id, source_name: source } }))[0] ?? '';
    [region, pay] = [await column('region'), await column('pay')];
    filters = [{ securable_id: id, column_id: region, expression: '? = ?', value: 'north' }];
    const access = { datasets: [{ id, rights: 'modify' }] };
    const person = async (properties: object): Promise<Credential> => {
      const made = await api.person({ flagEditor: true });
      await api.associate('securable', id, 'Users', made.id, properties);
      return made.login;
    };
    const giver = await api.person({ flagEditor: true });
    await api.associate('securable', id, 'Users', giver.id, { flagModify: true, filters });
    const { id: collection } = await api.create('collection', { name: { en: 'Kept' } }, giver.login);
    await api.associate('securable', id, 'Collections', collection, undefined, giver.login);
    const receiver = await api.person({ flagMember: true });
    await api.associate('collection', collection, 'Users', receiver.id, { flagModify: true }, giver.login);
    const alsoReader = await api.person({ flagMember: true });
    await api.associate('collection', collection, 'Users', alsoReader.id, { flagModify: true }, giver.login);
    await api.associate('securable', id, 'Users', alsoReader.id, { flagRead: true });
    callers = {
      'a filtered owner': await person({ flagOwner: true, filters }),
      'a filtered modifier': await person({ flagModify: true, filters }),
      'a receiver of a filtered giver': receiver.login,
      'a receiver who may also read without filters': alsoReader.login,
      'a filtered token': await api.embedToken({ role: 'designer', access, filters }),
      'a token that hides a column': await api.embedToken({ role: 'designer', access, hidden_columns: [region] }),
    };
  });

  const filtered = (): readonly (readonly [string, Credential])[] =>
    Object.entries(callers).filter(([says]) => says !== 'a token that hides a column');
  const rowsNow = async (): Promise<JsonObject> =>
    api.ok('data', { action: 'get', find: { dimensions: [{ dataset_id: id, column_id: region }], measures: [] } });

  it('is told nothing that follows from the hidden ones', async () => {
    for (const [says, by] of filtered()) {
      const [dataset] = await api.find('dataset', { where: { id }, include: [{ model: 'Columns' }] }, by);
      expect([says, dataset]).toMatchObject([says, { rows: null }]);
      const unseen = { cardinality: null, minimum: null, maximum: null };
      expect([says, dataset?.['columns']]).toMatchObject([says, [unseen, unseen]]);
      expect([says, await api.get('column', pay, by)]).toMatchObject([says, unseen]);
      expect([says, await api.findIds('dataset', { where: { id, rows: 2 } }, by)]).toEqual([says, []]);
      expect([says, await api.findIds('column', { where: { id: pay, cardinality: { gt: 0 } } }, by)]).toEqual([
        says,
        [],
      ]);
      const renamed = await api.update('column', pay, { name: { en: 'Pay' } }, by);
      expect([says, renamed]).toMatchObject([says, unseen]);
    }
    expect(await api.get('dataset', id)).toMatchObject({ rows: 2 });
    expect(await api.get('column', pay)).toMatchObject({ cardinality: 2, minimum: '1200', maximum: '98000' });
  });

  it('writes no rows', async () => {
    const before = await rowsNow();
    for (const [says, by] of Object.entries(callers)) {
      for (const type of ['append', 'upsert', 'replace']) {
        const options = { ...header, ...(type === 'upsert' ? { key: ['region'] } : {}) };
        const properties = {
          type,
          securable_id: id,
          data: [
            ['region', 'pay'],
            ['south', 1],
          ],
          options,
        };
        const { status, code } = await api.refused('data', { action: 'create', properties }, by);
        expect([says, type, status, code]).toEqual([says, type, 403, 'forbidden']);
      }
    }
    expect((await rowsNow())['data']).toEqual(before['data']);
  });

  it('deletes no column and changes no origin that a filter needs', async () => {
    for (const [says, by] of filtered()) {
      const bodies = [
        ['column', { action: 'delete', id: region }],
        ['column', { action: 'delete', id: pay }],
        ['dataset', { id, resource: { role: 'Columns', id: region } }],
        ['dataset', { action: 'update', id, properties: { source_query: "select 'north' as region, pay from pay" } }],
      ] as const;
      for (const [resource, body] of bodies)
        expect([says, body, (await api.refused(resource, body, by)).status]).toEqual([says, body, 403]);
    }
    expect(await api.findIds('column', { where: { securable_id: id } })).toHaveLength(2);
  });

  it('moves no column that a filter needs to a dataset of their own, nor one from there', async () => {
    const mine = await api.create('dataset', {});
    const access = { datasets: [id, mine.id].map((one) => ({ id: one, rights: 'modify' })) };
    const move = (to: string, column: string): object => ({
      action: 'associate',
      id: to,
      resource: { role: 'Columns', id: column },
    });
    const person = await api.person({ flagEditor: true });
    await api.associate('securable', id, 'Users', person.id, { flagModify: true, filters });
    await api.associate('securable', mine.id, 'Users', person.id, { flagOwner: true });
    const other = await api.create('column', { securable_id: mine.id, type: 'hierarchy' });
    for (const by of [person.login, await api.embedToken({ role: 'designer', access, filters })]) {
      // A column is moved by nobody.
      expect((await api.refused('dataset', move(mine.id, region), by)).code).toBe('association_required');
      expect((await api.refused('dataset', move(id, other.id), by)).code).toBe('association_required');
      await api.ok('dataset', move(id, region), by);
    }
    const draft = await api.create('column', { type: 'hierarchy' }, person.login);
    expect((await api.refused('dataset', move(id, draft.id), person.login)).status).toBe(403);
    await api.ok('dataset', move(mine.id, draft.id), person.login);
  });
});
