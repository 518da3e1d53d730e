import { isList, isObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import postgres from 'postgres';
import { useApi } from '../support/api.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';
import { columnsOfDataset } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

const words = ['acme', 'Acme', 'ACME', 'acme ', 'acmé', 'acme\u0301', 'straße', 'strasse', '', '1', 'a/b', "o'neil"];
const copies = 200;
const rowOf = (sum: number | null): string => JSON.stringify([[sum]]);

const table = `
create collation anycase (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
create table visits (
  id integer primary key,
  plain varchar(40),
  english text collate "en-US-x-icu",
  anycase text collate anycase,
  points text collate "C",
  padded char(10),
  key uuid,
  amount integer
);
insert into visits
  select n * ${words.length} + w.at, w.word, w.word, w.word, w.word, w.word, md5(w.word)::uuid, 1
  from generate_series(0, ${copies - 1}) n, unnest($1::text[]) with ordinality w(word, at);
insert into visits
  select 1000000 + n, 'f' || n, 'f' || n, 'f' || n, 'f' || n, 'f', md5(n::text)::uuid, 0 from generate_series(1, 40000) n;
create index visits_plain on visits (plain);
create index visits_english on visits (english);
create index visits_anycase on visits (anycase);
create index visits_points on visits (points);
create index visits_key on visits (key);
analyze visits`;

describe.runIf(havePostgresServer)('filters on texts of PostgreSQL', () => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true' });

  it('find the same rows whatever the collation of the column, by its own index', async () => {
    const url = new URL(await freshDatabase());
    const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
    for (const statement of table.split(';\n')) await sql.unsafe(statement, statement.includes('$1') ? [words] : []);
    const account = await api.create('account', {
      provider: 'postgresql',
      host: url.hostname,
      port: url.port,
      scope: url.pathname.slice(1),
      identifier: url.username,
      token: url.password === '' ? 'none' : url.password,
    });
    const made = await api.ok('dataprovider', {
      properties: { account_id: account.id, provider: 'postgresql', datasets: ['public.visits'] },
    });
    const rows: unknown = part(made, 'rows');
    const dataset_id = text(Array.isArray(rows) ? rows[0] : null, 'id');
    const columns = await columnsOfDataset(api, dataset_id);
    const on = (name: string): object => ({ dataset_id, column_id: columns.get(name) });
    const sum = { ...on('amount'), aggregation: { type: 'sum' } };
    const total = async (name: string, expression: string, value: unknown): Promise<unknown> => {
      const where = [{ expression, parameters: [on(name), value] }];
      const { body } = await api.call('data', { action: 'get', find: { queries: [{ measures: [sum], where }] } });
      return isObject(body) && isList(body['data'] ?? null) ? JSON.stringify(body['data']) : body;
    };
    for (const name of ['plain', 'english', 'anycase', 'points']) {
      for (const word of words)
        expect([name, word, await total(name, '? = ?', word)]).toEqual([name, word, rowOf(copies)]);
      expect(await total(name, '? in ?', ['acme', 'Acme', 'nobody'])).toBe(rowOf(2 * copies));
      expect(await total(name, '? != ?', 'acme')).toBe(rowOf((words.length - 1) * copies));
    }
    // A type that compares with texts in another way is compared as text alone.
    expect(await total('padded', '? = ?', 'acme')).toBe(rowOf(2 * copies));
    expect(await total('key', '? = ?', 'no uuid')).toBe(rowOf(null));
    // A session tells its use of indexes at its end at the latest.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const scansOf = async (name: string): Promise<number> => {
      const [row] =
        await sql`select idx_scan as scans from pg_stat_user_indexes where indexrelname = ${`visits_${name}`}`;
      return Number(row?.['scans'] ?? 0);
    };
    for (const name of ['plain', 'english', 'anycase', 'points'])
      await expect.poll(() => scansOf(name)).toBeGreaterThanOrEqual(words.length);
    await sql.end();
  });
});
