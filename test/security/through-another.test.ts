import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, type Made, type Somebody } from '../support/api.ts';
import { type Answer, type Credential, storesToTest } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const plain = ({ status, body }: Answer, id: string): string =>
  JSON.stringify([status, { ...Object(body), request_id: '' }]).replaceAll(id, 'id');

describe.each(storesToTest)('what one record opens of another on %s', (store) => {
  const api = new Api();
  let account: Made;
  let dataset: Made;
  beforeAll(async () => {
    await api.start(store, {});
    account = await api.create('account', { provider: 'postgresql', host: 'db.example', token: 'a secret' });
    const asked = { subtype: 'postgresql', source_dataset: 'public.orders' };
    dataset = await api.create('dataset', { ...asked, name: { en: 'Orders' }, account_id: account.id });
  });
  afterAll(() => api.stop());

  const grant = (resource: string, id: string, { id: userId }: Somebody, flags: object): Promise<JsonObject> =>
    api.associate(resource, id, 'Users', userId, flags);

  describe('a dataset of a connection', () => {
    const questions = [
      { source_query: 'select * from salaries' },
      { source_dataset: 'public.salaries' },
      { source_sheet: 'salaries' },
      { source_query: 'select * from salaries', update_metadata: true },
    ];
    const update = (by: Credential, properties: object): Promise<Answer> =>
      api.call('dataset', { action: 'update', id: dataset.id, properties }, by);

    it('asks nothing else of it for an owner who may not use the connection', async () => {
      const keeper = await api.person({ flagMember: true });
      await grant('securable', dataset.id, keeper, { flagOwner: true });
      for (const properties of questions) {
        const { status, body } = await update(keeper.login, properties);
        expect([properties, status, part(body, 'code')]).toEqual([properties, 400, 'reference_unknown']);
      }
      await grant('account', account.id, keeper, { flagRead: true });
      for (const properties of questions) expect((await update(keeper.login, properties)).status).toBe(403);
      const same = { name: { en: 'Renamed' }, source_dataset: 'public.orders', source_query: null };
      expect((await update(keeper.login, same)).status).toBe(200);
      await grant('account', account.id, keeper, { flagUse: true });
      expect((await update(keeper.login, { source_sheet: 'orders' })).status).toBe(200);
    });

    it('asks nothing else of it for an embed token that owns it', async () => {
      const access = { datasets: [{ id: dataset.id, rights: 'own' }] };
      const token = await api.embedToken({ role: 'owner', access });
      for (const properties of questions) expect((await update(token, properties)).status).toBe(400);
      expect((await update(token, { name: { en: 'Orders' } })).status).toBe(200);
    });
  });

  it('a token is issued with no connection in place of an account that its issuer may not use', async () => {
    const owner = await api.person({ flagOwner: true });
    await grant('securable', dataset.id, owner, { flagUse: true });
    const issuer = await api.apiToken(owner.login);
    const issue = (id: string): Promise<Answer> => {
      const properties = { type: 'embed', account_overrides: { [id]: { scope: 'payroll' } } };
      return api.call('authorization', { action: 'create', properties }, issuer);
    };
    const refused = await issue(account.id);
    expect([refused.status, part(refused.body, 'code')]).toEqual([400, 'rights_exceeded']);
    const unknown = randomUUID();
    expect(plain(await issue(unknown), unknown)).toBe(plain(refused, account.id));
    await grant('account', account.id, owner, { flagUse: true });
    expect((await issue(account.id.toUpperCase())).status).toBe(200);
  });

  it('a hidden column has no values in another that is made over them', async () => {
    const rows = [
      ['region', 'pay'],
      ['north', 1200],
    ];
    const options = { header: true, name: { en: 'Pay' } };
    const { id } = await api.create('data', { type: 'create', data: rows, options });
    const [hidden] = await api.findIds('column', { where: { securable_id: id, source_name: 'pay' } });
    const access = { datasets: [{ id, rights: 'modify' }] };
    const designer = await api.embedToken({ role: 'designer', access, hidden_columns: [hidden] });
    const column = { securable_id: id, type: 'numeric' };
    for (const made of [{ source_name: 'pay' }, { source_name: 'PAY' }, { expression: `{${hidden}}` }]) {
      const over = await api.create('column', { ...column, ...made }, designer);
      const find = { dimensions: [{ dataset_id: id, column_id: over.id }], measures: [] };
      expect([made, (await api.call('data', { action: 'get', find }, designer)).status]).toEqual([made, 400]);
      const { body } = await api.call('data', { action: 'get', find });
      // A column is known by its exact name.
      const whole =
        'source_name' in made && made.source_name === 'PAY' ? { code: 'column_unknown' } : { data: [[1200]] };
      expect([made, body]).toMatchObject([made, whole]);
    }
  });

  it('a hidden column is answered like one that does not exist, whatever a designer makes of its name or id', async () => {
    const rows = [
      ['region', 'pay'],
      ['north', 1200],
    ];
    const options = { header: true, name: { en: 'Pay' } };
    const { id } = await api.create('data', { type: 'create', data: rows, options });
    const [hidden = ''] = await api.findIds('column', { where: { securable_id: id, source_name: 'pay' } });
    const access = { datasets: [{ id, rights: 'modify' }] };
    const designer = await api.embedToken({ role: 'designer', access, hidden_columns: [hidden] });
    /** Everything that answers show of a column over a name or an expression, without its ids and times. */
    const answersTo = async (made: { readonly source_name: string } | { readonly expression: string }) => {
      const properties = { securable_id: id, type: 'numeric', ...made };
      const column = await api.call('column', { action: 'create', properties }, designer);
      const columnId = text(column.body, 'id');
      const slots = [{ name: 'columns', content: [{ columnId, datasetId: id, type: 'numeric' }] }];
      const items = [{ id: 'i', type: 'regular-table', position: { col: 0, row: 0, sizeX: 9, sizeY: 9 }, slots }];
      const contents = { version: '0.1.99', views: [{ screenModus: 'desktop', items }] };
      const answers = [
        column,
        await api.call(
          'data',
          { action: 'get', find: { dimensions: [{ dataset_id: id, column_id: columnId }] } },
          designer,
        ),
        await api.call(
          'formula',
          { action: 'create', properties: { securable_id: id, expression: `sum({${columnId}})` } },
          designer,
        ),
        await api.call('securable', { action: 'create', properties: { type: 'dashboard', contents } }, designer),
      ];
      const named = 'source_name' in made ? made.source_name : made.expression.slice(1, -1);
      return answers.map(({ status, body }) =>
        `${status} ${JSON.stringify(body)}`
          .replaceAll(named, '<named>')
          .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, '<id>')
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '<time>'),
      );
    };
    expect(await answersTo({ source_name: 'pay' })).toEqual(await answersTo({ source_name: 'yap' }));
    expect(await answersTo({ expression: `{${hidden}}` })).toEqual(
      await answersTo({ expression: `{${randomUUID()}}` }),
    );
  });

  describe('a column that a row filter names', () => {
    const changes = [{ expression: "concat('nor', 'th')" }, { informat: '|' }, { type: 'datetime' }];
    let id: string;
    let region: string;
    let filters: readonly JsonObject[];
    beforeAll(async () => {
      const data = [['region'], ['north'], ['south']];
      id = (await api.create('data', { type: 'create', data, options: { header: true, name: { en: 'Pay' } } })).id;
      region = (await api.findIds('column', { where: { securable_id: id } }))[0] ?? '';
      const on = { clause: 'where', origin: 'global', securable_id: id, column_id: region };
      filters = [{ ...on, expression: '? = ?', value: 'north' }];
    });

    const refuses = async (by: Credential): Promise<void> => {
      for (const properties of changes)
        expect([properties, (await api.refused('column', { id: region, properties }, by)).status]).toEqual([
          properties,
          403,
        ]);
      const level = { column_id: region, level: 1, name: { en: 'Part' } };
      expect((await api.refused('hierarchylevel', { properties: level }, by)).status).toBe(403);
      const made = await api.create('hierarchylevel', level);
      expect((await api.refused('hierarchylevel', { action: 'delete', id: made.id }, by)).status).toBe(403);
      await api.remove('hierarchylevel', made.id);
      await api.update('column', region, { name: { en: 'Region' }, type: 'hierarchy' }, by);
      const find = { dimensions: [{ dataset_id: id, column_id: region }], measures: [] };
      expect(await api.ok('data', { action: 'get', find }, by)).toMatchObject({ data: [[{ id: 'north' }]] });
    };

    it('keeps its meaning for a token that may change the dataset', async () => {
      const access = { datasets: [{ id, rights: 'modify' }] };
      await refuses(await api.embedToken({ role: 'designer', access, filters }));
      const free = await api.embedToken({ role: 'designer', access });
      expect((await api.update('column', region, { informat: '|' }, free))['informat']).toBe('|');
    });

    it('keeps its meaning for a person who may change the dataset', async () => {
      const { id: userId, login } = await api.person({ flagMember: true });
      await api.associate('securable', id, 'Users', userId, { flagModify: true, filters });
      await api.update('column', region, { informat: null });
      await refuses(login);
      expect(await api.get('column', region)).toMatchObject({ type: 'hierarchy', informat: null, expression: null });
    });
  });

  it('a column tells no value of rows to somebody who may read or use the dataset', async () => {
    const made = { securable_id: dataset.id, type: 'numeric', source_name: 'pay', minimum: '1200', maximum: '98000' };
    const column = await api.create('column', made);
    const token = await api.embedToken({ access: { datasets: [{ id: dataset.id, rights: 'use' }] } });
    expect(await api.get('column', column.id, token)).toMatchObject({
      source_name: 'pay',
      minimum: null,
      maximum: null,
    });
    for (const where of [{ maximum: '98000' }, { maximum: { like: '9%' } }, { minimum: { isNull: false } }])
      expect(await api.findIds('column', { where: { id: column.id, ...where } }, token)).toEqual([]);
    const include = [{ model: 'Columns', where: { id: column.id }, attributes: ['maximum'] }];
    const [shown] = await api.find('dataset', { where: { id: dataset.id }, include }, token);
    expect(part(shown, 'columns')).toEqual([{ id: column.id, maximum: null }]);
    expect(await api.get('column', column.id)).toMatchObject({ minimum: '1200', maximum: '98000' });
  });

  it('a record tells the row filters of those who reach it to those alone who may give them', async () => {
    const column = await api.create('column', { securable_id: dataset.id, type: 'hierarchy', source_name: 'region' });
    const filter = { clause: 'where', origin: 'global', securable_id: dataset.id, column_id: column.id };
    const filters = [{ ...filter, expression: '? = ?', value: 'Secretregion' }];
    const [reader, other] = [await api.person({ flagMember: true }), await api.person({ flagMember: true })];
    const group = await api.create('group', { name: { en: 'Northerners' } });
    const collection = await api.create('collection', { name: { en: 'Regional' } });
    const integration = await api.create('integration', { name: { en: 'Portal' } });
    for (const [resource, id] of [
      ['securable', dataset.id],
      ['account', account.id],
      ['collection', collection.id],
    ] as const) {
      await grant(resource, id, reader, { flagModify: true });
      await grant(resource, id, other, { flagRead: true, filters });
      await api.associate(resource, id, 'Groups', group.id, { flagRead: true, filters });
    }
    await api.associate('integration', integration.id, 'Users', other.id, { filters });
    await api.associate('securable', dataset.id, 'Integrations', integration.id, { flagRead: true, filters });
    const finds = [
      ['securable', { where: { id: dataset.id }, include: ['Users', 'Groups', 'Integrations'] }],
      ['account', { where: { id: account.id }, include: ['Users', 'Groups'] }],
      ['collection', { where: { id: collection.id }, include: ['Users', 'Groups'] }],
      ['integration', { where: { id: integration.id }, include: ['Users', 'Securables'] }],
      ['group', { where: { id: group.id }, include: ['Securables', 'Collections'] }],
    ] as const;
    for (const [resource, { where, include }] of finds) {
      const find = { where, include: include.map((model) => ({ model })) };
      const [own, seen] = [await api.find(resource, find), await api.find(resource, find, reader.login)];
      expect([resource, JSON.stringify(own).split('Secretregion').length]).toEqual([resource, include.length + 1]);
      expect([resource, JSON.stringify(seen)]).toEqual([resource, expect.stringContaining('"link":{')]);
      expect(JSON.stringify(seen)).not.toContain('Secretregion');
    }
  });

  it('an identity tells who somebody is to owners who see that person', async () => {
    const [north, whole] = [
      await api.person({ flagOwner: true }, { suborganization: 'north' }),
      await api.person({ flagOwner: true }),
    ];
    const issuer = 'https://login.example.com';
    const identities = await Promise.all(
      ['north', 'south', null].map(async (suborganization) => {
        const { id } = await api.person({ flagMember: true }, { suborganization });
        return (await api.create('identity', { user_id: id, issuer, subject: randomUUID() })).id;
      }),
    );
    const [mine = ''] = identities;
    const sorted = async (by: Credential): Promise<readonly string[]> =>
      (await api.findIds('identity', {}, by)).toSorted();
    expect(await sorted(north.login)).toEqual([mine]);
    expect(await sorted(whole.login)).toEqual(identities.toSorted());
    for (const id of identities.slice(1)) {
      expect((await api.call('identity', { action: 'get', id }, north.login)).status).toBe(404);
      expect((await api.call('identity', { action: 'delete', id }, north.login)).status).toBe(404);
    }
  });
});
