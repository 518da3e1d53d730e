import { isList } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { sql } from '../../packages/service/src/store/sql.ts';
import { inlay } from '../support/command.ts';
import { useApi, type Somebody } from '../support/api.ts';
import { type Credential, storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

describe.each(storesToTest)('somebody who leaves on %s', (store) => {
  const api = useApi(store);

  /** Returns a person who owns a dashboard, a dataset, an account with a password, a collection and a group. */
  async function owner(): Promise<Somebody & { readonly owned: Readonly<Record<string, string>> }> {
    const person = await api.person({ flagEditor: true });
    const make = async (resource: string, properties: object): Promise<string> =>
      (await api.create(resource, properties, person.login)).id;
    const name = { en: 'Left' };
    const owned = {
      dashboard: await make('dashboard', { name }),
      dataset: await make('data', { type: 'create', data: [['n'], [1]], options: { header: true, name } }),
      account: await make('account', {
        name: 'Left',
        provider: 'postgresql',
        host: 'db.example',
        identifier: 'u',
        token: 'pw',
      }),
      collection: await make('collection', { name }),
      group: await make('group', { name }),
    };
    return { ...person, owned };
  }
  const remove = (id: string, toId?: string) => ({
    action: 'delete',
    id,
    ...(toId === undefined ? {} : { properties: { transfer_to: toId } }),
  });

  it('is deleted only when it is said who takes over, who then owns everything', async () => {
    const person = await owner();
    const heir = await api.person({ flagEditor: true });
    const { code, validation } = await api.refused('user', remove(person.id));
    expect([code, JSON.stringify(validation)]).toEqual(['last_owner', expect.stringContaining('transfer_to')]);
    await api.ok('user', remove(person.id, heir.id));
    for (const id of [person.owned['dashboard'], person.owned['dataset']])
      expect(await api.get('securable', id, heir.login)).toMatchObject({ owner_id: heir.id });
    expect(await api.get('account', person.owned['account'], heir.login)).toMatchObject({ user_id: heir.id });
    await api.remove('collection', person.owned['collection'], heir.login);
    await api.remove('group', person.owned['group'], heir.login);
    const find = { measures: [{ dataset_id: person.owned['dataset'], column_id: '*' }] };
    expect((await api.ok('data', { action: 'get', find }, heir.login))['data']).toEqual([[1]]);
    const gone = await api.call('user', { find: {} }, person.login);
    expect(gone.status).toBe(401);
  });

  it('keeps stored passwords sealed: nobody is shown them, and they stay in use', async () => {
    const person = await owner();
    const heir = await api.person({ flagEditor: true });
    const sealed = async (): Promise<unknown> => {
      const rows = await api.service.app.service.store.rows(
        sql`select secrets from account where id = ${person.owned['account'] ?? ''}`,
      );
      return rows[0]?.['secrets'];
    };
    const before = await sealed();
    await api.ok('user', remove(person.id, heir.id));
    expect(await sealed()).toEqual(before);
    expect(JSON.stringify(await api.get('account', person.owned['account'], heir.login))).not.toContain('"pw"');
  });

  it('hands on through whoever takes over', async () => {
    const person = await owner();
    const [heir, receiver] = [await api.person({ flagEditor: true }), await api.person({ flagEditor: true })];
    const reader = await api.person({ flagEditor: true });
    await api.associate('securable', person.owned['dataset'], 'Users', reader.id, { flagUse: true }, person.login);
    const shared = await api.create('collection', { name: { en: 'Shared' } }, reader.login);
    await api.associate('securable', person.owned['dataset'], 'Collections', shared.id, undefined, reader.login);
    await api.associate('collection', shared.id, 'Users', receiver.id, { flagUse: true }, reader.login);
    const find = { measures: [{ dataset_id: person.owned['dataset'], column_id: '*' }] };
    const seen = async () => (await api.call('data', { action: 'get', find }, receiver.login)).status;
    expect(await seen()).toBe(200);
    await api.ok('user', remove(reader.id, heir.id));
    expect(await seen()).not.toBe(200);
    await api.associate('securable', person.owned['dataset'], 'Users', heir.id, { flagUse: true }, person.login);
    expect(await seen()).toBe(200);
  });

  it('is not handed over by others, to others, or by mistake', async () => {
    const person = await owner();
    const heir = await api.person({ flagEditor: true });
    const stranger = await api.stranger();
    const apart = await api.person({ flagOwner: true }, { suborganization: 'apart' });
    const within = await api.person({ flagMember: true }, { suborganization: 'apart' });
    expect(await api.refused('user', remove(within.id, apart.id), apart.login)).toMatchObject({ code: 'forbidden' });
    expect(await api.refused('user', remove(person.id, heir.id), heir.login)).toMatchObject({ code: 'forbidden' });
    expect(await api.refused('user', remove(person.id, stranger.id))).toMatchObject({ code: 'reference_unknown' });
    expect(await api.refused('user', remove(person.id, person.id))).toMatchObject({
      code: 'validation_failed',
      validation: { 'properties.transfer_to': [expect.any(String)] },
    });
    const misspelt = { action: 'delete', id: person.id, properties: { transferto: heir.id } };
    expect(await api.refused('user', misspelt)).toMatchObject({ code: 'field_unknown' });
    const elsewhere = { action: 'delete', id: person.owned['group'], properties: { transfer_to: heir.id } };
    expect((await api.refused('group', elsewhere, person.login)).status).toBe(400);
    expect(await api.get('securable', person.owned['dashboard'], person.login)).toMatchObject({ owner_id: person.id });
  });

  it('leaves the rank of an owner of the organization to be given by an owner', async () => {
    const { id, login } = await api.stranger();
    const heir = await api.create('user', { email: `heir-${store}@others.example`, name: 'Heir' }, login);
    expect(await api.refused('user', remove(id, heir.id), login)).toMatchObject({ code: 'last_owner' });
  });

  /** Returns a dataset of two regions; its rows for somebody, and a filter on one of them. */
  async function regions() {
    const options = { header: true, name: { en: 'Pay' } };
    const { id } = await api.create('data', { type: 'create', data: [['region'], ['north'], ['south']], options });
    const [column = ''] = await api.findIds('column', { where: { securable_id: id } });
    const filtered = (value: string): object => ({
      filters: [{ securable_id: id, column_id: column, expression: '? = ?', value }],
    });
    const share = (who: Somebody, properties: object, by?: Credential) =>
      api.associate('securable', id, 'Users', who.id, properties, by);
    const seen = async (by: Credential): Promise<readonly string[]> => {
      const find = { dimensions: [{ dataset_id: id, column_id: column }], measures: [] };
      const { data } = await api.ok('data', { action: 'get', find }, by);
      return (isList(data ?? null) ? [data].flat(2) : []).map((cell) => String(part(cell, 'id'))).toSorted();
    };
    return { id, filtered, share, seen };
  }

  it.each([
    ['by their link', 'nothing', ['north']],
    ['by their link', 'a filter', []],
    ['by their link', 'all rows', ['north', 'south']],
    ['by whoever made them owner', 'nothing', ['north']],
    ['by whoever made them owner', 'a filter', ['south']],
    ['by whoever made them owner', 'all rows', ['north', 'south']],
  ] as const)('bounded %s opens to who held %s before no more than both saw', async (how, before, expected) => {
    const { id, filtered, share, seen } = await regions();
    const [leaving, heir] = [await api.person({ flagEditor: true }), await api.person({ flagEditor: true })];
    const north = filtered('north');
    if (how === 'by their link') await share(leaving, { flagOwner: true, ...north });
    else {
      const bounded = await api.person({ flagEditor: true });
      await share(bounded, { flagOwner: true, ...north });
      await share(leaving, { flagOwner: true }, bounded.login);
      await api.dissociate('securable', id, 'Users', bounded.id);
    }
    if (before === 'all rows') await share(heir, { flagUse: true });
    if (before === 'a filter') await share(heir, { flagUse: true, ...filtered('south') });
    await api.dissociate('securable', id, 'Users', api.userId);
    expect(await seen(leaving.login)).toEqual(['north']);
    await api.ok('user', remove(leaving.id, heir.id));
    expect(await seen(heir.login)).toEqual(expected);
  });

  it('leaves what has another owner to that one, and what they made to whoever takes over', async () => {
    const [leaving, other] = [await api.person({ flagEditor: true }), await api.person({ flagEditor: true })];
    const heir = await api.person({ flagEditor: true });
    const both = await api.create('dashboard', {}, leaving.login);
    await api.associate('securable', both.id, 'Users', other.id, { flagOwner: true }, leaving.login);
    const slug = `left-${store}`;
    const plugin = await api.create('plugin', { slug, base_url: 'https://left.example' }, leaving.login);
    await api.ok('user', remove(leaving.id, heir.id));
    expect((await api.refused('securable', { action: 'get', id: both.id }, heir.login)).status).toBe(404);
    expect(await api.get('securable', both.id, other.login)).toMatchObject({ owner_id: other.id });
    await api.update('plugin', plugin.id, { name: { en: 'Ours' } }, heir.login);
  });

  it('ends their logins, api tokens and the embed tokens issued with them', async () => {
    const leaving = await api.person({ flagOwner: true });
    const heir = await api.person();
    const apiToken = await api.apiToken(leaving.login);
    const tokens = [leaving.login, apiToken, await api.embedToken({ access: {} }, apiToken)];
    for (const token of tokens) expect((await api.call('securable', { find: {} }, token)).status).toBe(200);
    await api.ok('user', remove(leaving.id, heir.id));
    for (const token of tokens) expect((await api.call('securable', { find: {} }, token)).status).toBe(401);
  });

  it('and who would take over do not leave to each other at one moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await api.person({ flagEditor: true }), await api.person({ flagEditor: true })];
      const records = [await api.create('dashboard', {}, one.login), await api.create('dashboard', {}, two.login)];
      const answers = await Promise.all([
        api.call('user', remove(one.id, two.id)),
        api.call('user', remove(two.id, one.id)),
      ]);
      for (const { status } of answers) expect([200, 400, 404, 503]).toContain(status);
      for (const { id } of records) {
        const [record] = await api.find('securable', { where: { id }, include: [{ model: 'Users' }] });
        expect(record?.['users']).toHaveLength(1);
      }
    }
  });

  it('is handed over by the operator too', async () => {
    const person = await owner();
    const heir = await api.person({ flagEditor: true });
    const run = (...words: readonly string[]) => inlay(['user', 'transfer', ...words], settings());
    const { dataDir, databaseUrl } = api.service;
    const settings = (): Record<string, string> => ({
      INLAY_DATA_DIR: dataDir,
      ...(databaseUrl === undefined ? {} : { INLAY_DATABASE_URL: databaseUrl }),
    });
    const done = await run(person.id, heir.id, '--keep');
    expect(done.out).toContain('owns 5 records');
    expect(await api.findIds('user', { where: { id: person.id } })).toEqual([person.id]);
    expect(await api.get('securable', person.owned['dashboard'], heir.login)).toMatchObject({
      id: person.owned['dashboard'],
    });
    expect((await run(person.id)).code).not.toBe(0);
    expect((await run(person.id, (await api.stranger()).id)).code).not.toBe(0);
    const deleted = await run(person.id, heir.id);
    expect([deleted.code, deleted.out]).toEqual([0, expect.stringContaining('is deleted')]);
    expect(await api.findIds('user', { where: { id: person.id } })).toEqual([]);
    expect((await api.call('securable', { action: 'get', id: person.owned['dashboard'] }, person.login)).status).toBe(
      401,
    );
    const last = await api.stranger();
    const member = await api.person(undefined, {}, last.login);
    const refused = await run(last.id, member.id);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('only owner of: 1 × organization')]);
    expect(await api.findIds('user', { where: { id: last.id } }, last.login)).toEqual([last.id]);
  });
});
