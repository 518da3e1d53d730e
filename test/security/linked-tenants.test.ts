import { isObject, listOr, type Json, type JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { storesToTest } from '../support/service.ts';
import { text } from '../support/world.ts';

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

describe.each(storesToTest)('row filters over linked datasets on %s', (store) => {
  const api = useApi(store);

  const { dataset, link, filter, issue, credential, uses, token, on, rowsFind, values } = linkedDatasets(api);

  let customers: LinkedDataset;
  let orders: LinkedDataset;
  let lines: LinkedDataset;
  beforeAll(async () => {
    customers = await dataset([
      ['id', 'tenant', 'city'],
      [1, 'acme', 'Ghent'],
      [2, 'bolt', 'Lyon'],
      [3, 'acme', 'Bruges'],
      [3, 'bolt', 'Paris'],
    ]);
    orders = await dataset([
      ['id', 'customer', 'amount'],
      [10, 1, 100],
      [11, 2, 200],
      [12, 3, 300],
      [13, null, 400],
      [14, 9, 500],
    ]);
    lines = await dataset([
      ['order', 'price'],
      [10, 1],
      [11, 2],
      [10, 3],
      [77, 4],
    ]);
    await link(orders, 'customer', customers, 'id');
    await link(lines, 'order', orders, 'id');
  });
  const acme = (): JsonObject => filter(customers, 'tenant', 'acme');

  it('bound what looks them up, over any number of links, whether the filtered dataset is open or not', async () => {
    for (const open of [
      [customers, orders, lines],
      [orders, lines],
    ]) {
      const by = await token(open, [acme()]);
      expect(await values(orders, 'amount', by)).toEqual([100]);
      expect(await values(lines, 'price', by)).toEqual([1, 3]);
    }
  });

  it('leave no group of other tenants in a query over both', async () => {
    const by = await token([customers, orders], [acme()]);
    const find = { dimensions: [on(customers, 'tenant')], measures: [{ ...on(orders, '*'), column_id: '*' }] };
    const { data } = await api.ok('data', { action: 'get', find }, by);
    expect(data).toEqual([[expect.objectContaining({ id: 'acme' }), 1]]);
  });

  it('hold in an export too', async () => {
    const by = await token([orders], [acme()]);
    const answer = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        ...by,
        action: 'create',
        properties: { type: 'csv', query: rowsFind(orders, 'amount') },
      }),
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body.match(/\d{3}/gu)).toEqual(['100']);
  });

  it('hold for people, groups and collections as for tokens', async () => {
    const person = await api.person({ flagEditor: true });
    await api.associate('securable', customers.id, 'Users', person.id, { flagUse: true, filters: [acme()] });
    await api.associate('securable', orders.id, 'Users', person.id, { flagUse: true });
    expect(await values(orders, 'amount', person.login)).toEqual([100]);
    const other = await api.person({ flagEditor: true });
    const group = await api.create('group', { name: { en: 'Bolt' } });
    await api.associate('group', group.id, 'Users', other.id);
    const bolt = filter(customers, 'tenant', 'bolt');
    await api.associate('securable', customers.id, 'Groups', group.id, { flagUse: true, filters: [bolt] });
    await api.associate('securable', orders.id, 'Users', other.id, { flagUse: true });
    expect(await values(orders, 'amount', other.login)).toEqual([200]);
    // Whoever made the group is in it, and bound by its filters like everybody there.
    await api.dissociate('securable', customers.id, 'Groups', group.id);
  });

  it('bound what a filtered person hands on', async () => {
    const giver = await api.person({ flagEditor: true });
    await api.associate('securable', customers.id, 'Users', giver.id, { flagUse: true, filters: [acme()] });
    await api.associate('securable', orders.id, 'Users', giver.id, { flagUse: true });
    const collection = await api.create('collection', { name: { en: 'Kept' } }, giver.login);
    await api.associate('securable', orders.id, 'Collections', collection.id, undefined, giver.login);
    const receiver = await api.person({ flagEditor: true });
    await api.associate('collection', collection.id, 'Users', receiver.id, { flagUse: true }, giver.login);
    expect(await values(orders, 'amount', receiver.login)).toEqual([100]);
  });

  it('do not follow links where they say so, nor exact links', async () => {
    const all = [100, 200, 300, 400, 500];
    expect(await values(orders, 'amount', await token([orders], [{ ...acme(), propagate: false }]))).toEqual(all);
    const notes = await dataset([
      ['customer', 'pages'],
      [1, 7],
      [2, 8],
    ]);
    await link(notes, 'customer', customers, 'id', 'exact');
    expect(await values(notes, 'pages', await token([notes], [acme()]))).toEqual([7, 8]);
  });

  it('are refused where they name no dataset, or no column of it; so are hidden columns', async () => {
    const refused = (properties: object) =>
      api.refused('authorization', {
        action: 'create',
        properties: { type: 'embed', username: 'ada', access: uses(orders), ...properties },
      });
    const at = (place: string) => ({
      status: 400,
      code: 'reference_unknown',
      validation: { [place]: [expect.any(String)] },
    });
    const noDataset = { ...acme(), securable_id: unknownId };
    expect(await refused({ filters: [acme(), noDataset] })).toEqual(at('properties.filters[1].column_id'));
    expect(await refused({ filters: [{ ...acme(), column_id: unknownId }] })).toEqual(
      at('properties.filters[0].column_id'),
    );
    expect(await refused({ filters: [{ ...acme(), column_id: orders.columns['id'] }] })).toEqual(
      at('properties.filters[0].column_id'),
    );
    expect(await refused({ hidden_columns: [unknownId] })).toEqual(at('properties.hidden_columns[0]'));
    const person = await api.person({ flagEditor: true });
    const linking = (filters: readonly JsonObject[]) =>
      api.refused('securable', {
        action: 'associate',
        id: orders.id,
        resource: { role: 'Users', id: person.id },
        properties: { flagUse: true, filters },
      });
    expect(await linking([acme()])).toMatchObject({ status: 400, code: 'reference_unknown' });
    expect(await linking([filter(orders, 'none', 1)])).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('are unknown where they name what another organization has', async () => {
    const stranger = await api.stranger();
    const options = { header: true, name: { en: 'Theirs' } };
    const theirs = await api.create('data', { type: 'create', data: [['a'], [1]], options }, stranger.login);
    const [theirColumn] = await api.findIds('column', { where: { securable_id: theirs.id } }, stranger.login);
    const properties = { type: 'embed', username: 'ada', access: uses(orders), hidden_columns: [theirColumn ?? ''] };
    expect(await api.refused('authorization', { action: 'create', properties })).toMatchObject({
      code: 'reference_unknown',
    });
  });

  it('that were stored before and name no dataset, or hide no column, refuse every query', async () => {
    const made = await issue({ access: uses(orders, lines) });
    const lost = { ...acme(), securable_id: unknownId };
    await api.overwrite('authorization', text(made, 'id'), { filters: [lost] }, {});
    expect(await values(lines, 'price', credential(made))).toBe('row_filter_invalid');
    const hiding = await issue({ access: uses(orders, lines) });
    await api.overwrite('authorization', text(hiding, 'id'), {}, { hidden_columns: JSON.stringify([unknownId]) });
    expect(await values(orders, 'amount', credential(hiding))).toBe('row_filter_invalid');
  });

  it('that are missing are told when the token is made, or refused where the organization wants that', async () => {
    const apart = await dataset([['n'], [1]]);
    const collection = await api.create('collection', { name: { en: 'Kept' } });
    await api.associate('securable', apart.id, 'Collections', collection.id);
    const given = {
      access: { ...uses(orders), collections: [{ id: collection.id, inheritRights: 'use' }] },
      filters: [acme()],
    };
    const missing = (made: JsonObject): readonly Json[] =>
      listOr(made['warnings']).filter((one) => isObject(one) && one['code'] === 'row_filter_missing');
    expect(missing(await issue(given))).toEqual([
      { path: 'properties.access', code: 'row_filter_missing', message: expect.stringContaining(apart.id) },
    ]);
    expect(missing(await issue({ access: uses(lines), filters: [acme()] }))).toEqual([]);
    await api.update('organization', api.organizationId, { require_row_filters: true });
    const properties = { type: 'embed', username: 'ada', ...given };
    expect(await api.refused('authorization', { action: 'create', properties })).toMatchObject({
      status: 400,
      code: 'row_filters_required',
      validation: { 'properties.filters': [expect.stringContaining(apart.id)] },
    });
    await api.update('securable', apart.id, { shared_across_tenants: true });
    expect(missing(await issue(given))).toEqual([]);
    await api.update('organization', api.organizationId, { require_row_filters: false });
  });
});
