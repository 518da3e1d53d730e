import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, type Somebody } from '../support/api.ts';
import { oneStore, type Credential } from '../support/service.ts';

/* A query that somebody wrote over files of an account stands beside other datasets in one statement. */
describe.each([oneStore])('a text over files on %s', (store) => {
  const api = new Api();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-files-'));
  const accounts = new Map<string, string>();
  let editor: Somebody;
  let pay: { readonly id: string; readonly pay: string };
  beforeAll(async () => {
    for (const scope of ['open', 'closed']) {
      mkdirSync(join(folder, scope));
      writeFileSync(join(folder, scope, 'people.csv'), scope === 'open' ? 'amount\n10\n20\n' : 'amount\n100\n200\n');
    }
    await api.start(store, { INLAY_FILES_DIR: folder });
    for (const scope of ['open', 'closed'])
      accounts.set(scope, (await api.create('account', { provider: 'duckdb', scope })).id);
    editor = await api.person({ flagEditor: true });
    await api.associate('account', accounts.get('open'), 'Users', editor.id, { flagUse: true });
    const data = [
      ['region', 'pay'],
      ['north', 1],
      ['south', 1000],
    ];
    const { id } = await api.create('data', {
      type: 'create',
      data,
      options: { header: true, name: { en: 'Pay' } },
    });
    const column = async (source_name: string): Promise<string> =>
      (await api.findIds('column', { where: { securable_id: id, source_name } }))[0] ?? '';
    pay = { id, pay: await column('pay') };
    const filters = [{ securable_id: id, column_id: await column('region'), expression: '? = ?', value: 'north' }];
    await api.associate('securable', id, 'Users', editor.id, { flagModify: true, filters });
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns a dataset whose column was told for one text, and which then has another. */
  async function dataset(scope: string, text: string, by: Credential): Promise<readonly [string, string]> {
    const source = { subtype: 'duckdb', account_id: accounts.get(scope), name: { en: scope } };
    const { id } = await api.create('dataset', { ...source, source_query: 'select 0 as n' }, by);
    await api.update('dataset', id, { update_metadata: true }, by);
    const [column = ''] = await api.findIds('column', { where: { securable_id: id } }, by);
    await api.update('dataset', id, { source_query: text }, by);
    return [id, column];
  }
  /** Returns the sums of columns, of each dataset on its own. */
  const sums = async (by: Credential, ...of: readonly (readonly [string, string])[]): Promise<Json> => {
    const measures = of.map(([dataset_id, column_id]) => ({ dataset_id, column_id, aggregation: 'sum' }));
    return (await api.call('data', { action: 'get', find: { dimensions: [], measures } }, by)).body;
  };

  it('reads no other dataset of the same query, whatever it is called', async () => {
    const over = await dataset('open', `select sum(pay) as n from "${pay.id}"`, editor.login);
    const own = [pay.id, pay.pay] as const;
    await api.associate('column', over[1], 'Joins', pay.pay, { type: 'lookup' }, editor.login);
    expect(await sums(editor.login, own)).toMatchObject({ data: [[1]] });
    for (const of of [[over], [over, own], [own, over]])
      expect([of.length, await sums(editor.login, ...of)]).toMatchObject([of.length, { code: 'source_refused' }]);
  });

  it('reads the files of its own account, where another has files of the same names', async () => {
    const text = 'select sum(amount) as n from "people.csv"';
    const [open, closed] = [await dataset('open', text, api.owner), await dataset('closed', text, api.owner)] as const;
    await api.associate('column', open[1], 'Joins', closed[1], { type: 'lookup' });
    expect(await sums(api.owner, open, closed)).toMatchObject({ data: [[30, 300]] });
    expect(await sums(api.owner, closed, open)).toMatchObject({ data: [[300, 30]] });
  });
});
