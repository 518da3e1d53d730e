import { beforeAll, describe, expect, it } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { useApi } from '../support/api.ts';
import { type Credential, storesToTest, havePostgresServer } from '../support/service.ts';
import { openShop, type ShopDatabase } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

describe.runIf(havePostgresServer).each(storesToTest)('answers over a source on %s', (store) => {
  const api = useApi(store, { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShop(api);
  });

  const ask = (find: object, by?: Credential): Promise<Json> => api.ok('data', { action: 'get', find }, by);
  const refused = (find: object, by?: Credential) => api.refused('data', { action: 'get', find }, by);
  const byRegion = (): object => ({
    dimensions: [shop.column('region')],
    measures: [shop.column('unitPrice', { aggregation: { type: 'sum' } })],
    order: [shop.column('region', { order: 'asc' })],
  });
  const token = (terms: object): Promise<Credential> =>
    api.embedToken({ access: { datasets: [{ id: shop.datasetId, rights: 'use' }] }, ...terms });
  const filter = (column: string, value: unknown, expression = '? = ?'): object => ({
    securable_id: shop.datasetId,
    column_id: part(shop.column(column), 'column_id'),
    expression,
    value,
  });

  it('group and sum where the rows are, and say so', async () => {
    const answer = await ask(byRegion());
    expect(answer).toMatchObject({ source: 'pushdown', cached: false, truncated: false });
    expect(part(answer, 'data')).toEqual([
      [{ id: 'North', name: { en: 'North' } }, 15.5],
      [{ id: 'South', name: { en: 'South' } }, 20],
      [null, 1],
    ]);
    expect(part(part(answer, 'performance'), 'rows')).toBe(3);
  });

  it('come in the order asked, and a query that fails answers in its place', async () => {
    const unknown = { measures: [shop.column('01890a5d-ac96-774b-bcce-b302099a8057')] };
    const misspelt = { ...byRegion(), mesures: [] };
    const count = { measures: [shop.column('*')] };
    const queries = [byRegion(), unknown, misspelt, count];
    const { body: answers } = await api.call('data', { action: 'get', find: { queries } });
    expect(
      isList(answers) ? answers.map((one) => part(part(one, 'error'), 'code') ?? part(one, 'data')) : answers,
    ).toEqual([expect.any(Array), 'column_unknown', 'query_invalid', [[4]]]);
    const [, , failed] = isList(answers) ? answers : [];
    expect(failed).toMatchObject({
      error: {
        type: { code: 400, description: 'Bad Request' },
        validation: { 'find.queries[2].mesures': [expect.any(String)] },
      },
    });
  });

  it('are refused as a whole where a single query is wrong', async () => {
    expect(await refused({ ...byRegion(), mesures: [] })).toMatchObject({
      status: 400,
      code: 'query_invalid',
      validation: { 'find.mesures': [expect.any(String)] },
    });
    expect(await refused({})).toMatchObject({ code: 'query_invalid' });
  });

  it('read columns that people made only where the source has them, and no other name leads to hidden ones', async () => {
    const long = `unit${'x'.repeat(60)}`;
    await shop.run(
      `create table wide ("id" integer, "${long.slice(0, 63)}" integer, "secret" text); insert into wide values (7, 42, 'hush')`,
    );
    const dataset = await api.create('dataset', {
      name: { en: 'Wide' },
      subtype: 'postgresql',
      account_id: shop.accountId,
      source_dataset: 'public.wide',
    });
    const made = async (source_name: string, type = 'hierarchy'): Promise<object> => {
      const column = await api.create('column', {
        securable_id: dataset.id,
        type,
        source_name,
        name: { en: source_name },
      });
      return { dataset_id: dataset.id, column_id: column.id };
    };
    const asked = (column: object, by?: Credential) =>
      api.call('data', { action: 'get', find: { dimensions: [column], options: { rollup_data: false } } }, by);
    const id = await made('id', 'numeric');
    const secret = await made('secret');
    const hidden = await api.embedToken({
      access: { datasets: [{ id: dataset.id, rights: 'use' }] },
      hidden_columns: [part(secret, 'column_id'), part(await made(long.slice(0, 63), 'numeric'), 'column_id')],
    });
    expect((await asked(id, hidden)).body).toMatchObject({ data: [[7]] });
    expect((await asked(secret)).body).toMatchObject({ data: [[{ id: 'hush' }]] });
    expect(await asked(secret, hidden)).toMatchObject({ status: 400, body: { code: 'column_unknown' } });
    const names = ['row_to_json', 'to_json', 't', 's', 'wide', 'public', long, 'SECRET', 'Id', 'ctid', 'tableoid', '*'];
    for (const name of [...names, 'wide.secret', 'secret"', ' secret']) {
      const { status, body } = await asked(await made(name), hidden);
      expect([name, status, part(body, 'code')]).toEqual([name, 400, 'column_unknown']);
      expect(JSON.stringify(body)).not.toMatch(/hush/u);
    }
  });

  it('are filtered by every filter that holds', async () => {
    const both = await token({ filters: [filter('region', 'North'), filter('id', 1, '? > ?')] });
    expect(part(await ask(byRegion(), both), 'data')).toEqual([[{ id: 'North', name: { en: 'North' } }, 5]]);
  });

  it('take the values of parameters from the token, else the default, else are refused', async () => {
    const value = { parameter: 'metadata.region', type: 'array[hierarchy]' };
    const filters = [filter('region', value, '? in ?')];
    const given = await token({ filters, parameter_overrides: { 'metadata.region': ['South'] } });
    expect(part(await ask(byRegion(), given), 'data')).toEqual([[{ id: 'South', name: { en: 'South' } }, 20]]);
    const initial = await token({ filters: [filter('region', { ...value, value: ['North'] }, '? in ?')] });
    expect(part(await ask(byRegion(), initial), 'data')).toEqual([[{ id: 'North', name: { en: 'North' } }, 15.5]]);
    expect(await refused(byRegion(), await token({ filters }))).toMatchObject({
      status: 400,
      code: 'parameter_missing',
    });
    const nothing = await token({ filters, parameter_overrides: { 'metadata.region': null } });
    expect(await refused(byRegion(), nothing)).toMatchObject({ code: 'parameter_missing' });
    const empty = await token({ filters, parameter_overrides: { 'metadata.region': [] } });
    expect(part(await ask(byRegion(), empty), 'data')).toEqual([]);
  });

  it('are refused where a filter names a column that is gone', async () => {
    const gone = await api.create('column', { securable_id: shop.datasetId, type: 'numeric', source_name: 'gone' });
    const filters = [{ ...filter('region', 1), column_id: gone.id }];
    const by = await token({ filters });
    await api.remove('column', gone.id);
    expect(await refused(byRegion(), by)).toMatchObject({ status: 403, code: 'row_filter_invalid' });
  });

  it('are in the language and time zone of the token', async () => {
    const by = await token({ locale_id: 'fr', timezone_id: 'Pacific/Kiritimati' });
    const find = { dimensions: [shop.column('ordered_at', { level: 5 })], measures: [shop.column('*')] };
    const days = part(
      await ask({ ...find, where: [{ expression: '? = ?', parameters: [shop.column('id'), 2] }] }, by),
      'data',
    );
    expect(days).toEqual([['2024-01-06T10:00:00.000Z', 1]]);
    expect(JSON.stringify(part(await ask(byRegion(), by), 'data'))).toContain('{"fr":"North"}');
  });

  it('are paused with the account, and told so', async () => {
    await api.update('account', shop.accountId, { active: false });
    expect(await refused(byRegion())).toMatchObject({ status: 400, code: 'account_inactive' });
    await api.update('account', shop.accountId, { active: true, expiry: '2020-01-01T00:00:00.000Z' });
    expect(await refused(byRegion())).toMatchObject({ status: 400, code: 'account_expired' });
    await api.update('account', shop.accountId, { expiry: null });
    await ask(byRegion());
  });

  it('say that the source is out of reach, with what is wrong', async () => {
    const port = shop.url.port;
    await api.update('account', shop.accountId, { port: '1', token: 'none' });
    expect(await refused(byRegion())).toMatchObject({ status: 502, code: 'source_failed' });
    await api.update('account', shop.accountId, { port, scope: 'nowhere', token: 'none' });
    expect(await refused(byRegion())).toMatchObject({ status: 502, code: 'source_failed' });
    await api.update('account', shop.accountId, { scope: shop.url.pathname.slice(1) });
    await ask(byRegion());
  });

  it('are kept as long as the dataset says, and no longer than its account stays the same', async () => {
    await api.update('dataset', shop.datasetId, { cache: 300 });
    expect(part(await ask(byRegion()), 'cached')).toBe(false);
    // That the source accepts the credentials again is noted in the background, and changes the account.
    await expect
      .poll(async () => {
        const [account] = await api.find('account', { where: { id: shop.accountId } });
        return [part(account, 'invalid'), part(await ask(byRegion()), 'cached')];
      })
      .toEqual([false, true]);
    await shop.run(`update orders set "unitPrice" = 21 where id = 2`);
    const again = await ask(byRegion());
    expect([part(again, 'cached'), JSON.stringify(part(again, 'data'))]).toEqual([
      true,
      expect.stringContaining('20]'),
    ]);
    const other = await token({ filters: [filter('region', 'South')] });
    expect(part(await ask(byRegion(), other), 'data')).toEqual([[{ id: 'South', name: { en: 'South' } }, 21]]);
    await api.update('account', shop.accountId, { name: 'Shop' });
    expect(part(await ask(byRegion()), 'cached')).toBe(false);
    await api.update('dataset', shop.datasetId, { cache: 0 });
    await shop.run(`update orders set "unitPrice" = 20 where id = 2`);
    expect(JSON.stringify(part(await ask(byRegion()), 'data'))).toContain('20]');
  });

  it('over a query of the source are those of the query', async () => {
    const { id } = await api.create('dataset', {
      account_id: shop.accountId,
      subtype: 'postgresql',
      source_query: 'select region, count(*) as number from orders group by region;',
    });
    await api.update('dataset', id, { update_metadata: true });
    const columns = await api.find('column', { where: { securable_id: id }, order: [['order', 'asc']] });
    expect(columns.map((one) => [text(one, 'source_name'), text(one, 'type')])).toEqual([
      ['region', 'hierarchy'],
      ['number', 'numeric'],
    ]);
    const number = { dataset_id: id, column_id: columns[1]?.['id'] };
    expect(part(await ask({ measures: [{ ...number, aggregation: { type: 'sum' } }] }), 'data')).toEqual([[4]]);
    await api.update('dataset', id, { source_query: 'delete from orders' });
    expect(await refused({ measures: [number] })).toMatchObject({ status: 400, code: 'source_refused' });
  });
});
