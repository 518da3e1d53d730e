import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type Credential, type TestService } from '../support/service.ts';
import { part, text } from '../support/world.ts';

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'inlay-files-'));
beforeAll(async () => {
  writeFileSync(join(folder, 'orders.csv'), 'id,region,price\n1,North,10.5\n2,South,20\n3,North,5\n');
  service = await startTestService({
    store: 'sqlite',
    settings: { INLAY_FILES_DIR: folder, INLAY_QUERY_TIMEOUT_S: '600' },
  });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const by = (): Credential => service.owner;
const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content);

/** Returns the dataset of a file of the folder, and its columns by name. */
async function datasetOf(name: string): Promise<(column: string) => JsonObject> {
  const account = await service.call('account', { properties: { provider: 'duckdb', name: 'Files' } }, by());
  const accountId = text(account.body, 'id');
  const made = await service.call('dataprovider', { properties: { account_id: accountId, datasets: [name] } }, by());
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const datasets = part(made.body, 'rows');
  const dataset = text(Array.isArray(datasets) ? datasets[0] : null, 'id');
  const found = await service.call('column', { find: { where: { securable_id: dataset } } }, by());
  const columns = part(found.body, 'rows');
  return (column) => {
    const one = Array.isArray(columns) ? columns.find((each) => part(each, 'source_name') === column) : undefined;
    return { dataset_id: dataset, column_id: text(one, 'id') };
  };
}

const ask = (find: JsonObject) => service.call('data', { action: 'get', find }, by());

it('answers a query over files in the engine', async () => {
  const column = await datasetOf('orders.csv');
  const answer = await ask({
    dimensions: [column('region')],
    measures: [{ ...column('price'), aggregation: { type: 'sum' } }],
    order: [{ ...column('region'), order: 'asc' }],
  });
  expect(part(answer.body, 'data'), JSON.stringify(answer.body)).toEqual([
    [{ id: 'North', name: { en: 'North' } }, 15.5],
    [{ id: 'South', name: { en: 'South' } }, 20],
  ]);
  expect(answer.body).toMatchObject({ source: 'engine', cached: false });
});

it.each<[string, string | Uint8Array, readonly string[], readonly (readonly (string | number)[])[]]>([
  [
    'a line feed in its header',
    '"a\r\nb",n\r\nx,2\r\ny,4\r\n',
    ['a\r\nb', 'n'],
    [
      ['x', 2],
      ['y', 4],
    ],
  ],
  [
    'years in its header',
    'country,2019,2020\nBE,1,2\nNL,3,4\n',
    ['country', '2020'],
    [
      ['BE', 2],
      ['NL', 4],
    ],
  ],
  [
    'a line that names the delimiter',
    'sep=;\ncity;n\nGent;1\nLier;2\n',
    ['city', 'n'],
    [
      ['Gent', 1],
      ['Lier', 2],
    ],
  ],
  [
    'ends of lines of two kinds',
    'a,n\r\nx,1\ny,2\r\n',
    ['a', 'n'],
    [
      ['x', 1],
      ['y', 2],
    ],
  ],
  ['a mark before a quote', '\uFEFF"a","n"\n"x","1"\n', ['a', 'n'], [['x', 1]]],
  ['UTF-16', Buffer.from('\uFEFFa,n\nü,1\n', 'utf16le'), ['a', 'n'], [['ü', 1]]],
])('reads a file of the folder as it was written, with %s', async (_, content, names, rows) => {
  put('written.csv', content);
  const column = await datasetOf('written.csv');
  const [member = '', number = ''] = names;
  for (const _again of [1, 2]) {
    const answer = await ask({
      dimensions: [column(member)],
      measures: [{ ...column(number), aggregation: { type: 'sum' } }],
    });
    const data = part(answer.body, 'data');
    expect(
      Array.isArray(data)
        ? data.map((row: unknown) => (Array.isArray(row) ? [part(row[0], 'id'), row[1]] : row))
        : answer,
    ).toEqual(rows);
  }
  expect(readFileSync(join(folder, 'written.csv'))).toEqual(Buffer.from(content));
});

it('refuses a file of the folder that is cut within a quote, also once it was whole', async () => {
  put('cut.csv', 'name,v\nAda,1\n"Bob",2\nCy,3\n');
  const column = await datasetOf('cut.csv');
  const rows = { dimensions: [column('name')], measures: [] };
  expect((await ask(rows)).status).toBe(200);
  put('cut.csv', 'name,v\nAda,1\n"Bob,2\nCy,3');
  const answer = await ask(rows);
  expect(answer.status).toBe(400);
  expect(text(answer.body, 'message')).toMatch(
    /^The rows cannot be read: cut\.csv, line 3, column 1: a quote is opened/u,
  );
  const account = await service.call('account', { properties: { provider: 'duckdb', name: 'Files' } }, by());
  const again = { account_id: text(account.body, 'id'), datasets: ['cut.csv'] };
  const made = await service.call('dataprovider', { properties: again }, by());
  expect(made.status).toBe(400);
  expect(JSON.stringify(made.body)).toContain('cut.csv, line 3, column 1');
});

it('reads a folder of a thousand files, of other headers and of none but a header too', async () => {
  mkdirSync(join(folder, 'days'));
  for (let day = 0; day < 1000; day += 1) put(`days/${day}.csv`, `"it's ""n""",note\n${day},x\n`);
  put('days/empty.csv', `"it's ""n""",note\n`);
  put('days/other.csv', `more;"it's ""n"""\nz;500\n`);
  const column = await datasetOf('days');
  const sum = { ...column(`it's "n"`), aggregation: { type: 'sum' } };
  const answer = await ask({ dimensions: [column('more')], measures: [sum], order: [{ ...sum, order: 'asc' }] });
  expect(part(answer.body, 'data'), JSON.stringify(answer.body)).toEqual([
    [{ id: 'z', name: { en: 'z' } }, 500],
    [null, 499_500],
  ]);
}, 600_000);

it('notices that a file of the folder has changed, though its size and the time of its last write are the same', async () => {
  const path = join(folder, 'same.csv');
  put('same.csv', 'a,n\nx,1\n');
  const { atime, mtime } = statSync(path);
  utimesSync(path, atime, mtime);
  const column = await datasetOf('same.csv');
  const sum = { dimensions: [], measures: [{ ...column('n'), aggregation: { type: 'sum' } }] };
  expect(part((await ask(sum)).body, 'data')).toEqual([[1]]);
  put('same.csv', 'a;n\nx;2\n');
  utimesSync(path, atime, mtime);
  expect(part((await ask(sum)).body, 'data')).toEqual([[2]]);
});

it('answers a query in SQL over a file of the folder, whatever is wrong with other files', async () => {
  put('broken.csv', 'a,n\n"x,1\n');
  const account = await service.call('account', { properties: { provider: 'duckdb', name: 'Files' } }, by());
  const query = 'select region, sum(price) as price from "orders.csv" group by region order by region';
  const properties = { account_id: text(account.body, 'id'), subtype: 'duckdb', source_query: query };
  const made = await service.call('dataset', { properties }, by());
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const id = text(made.body, 'id');
  const synced = await service.call('dataset', { id, properties: { update_metadata: true } }, by());
  expect(synced.status, JSON.stringify(synced.body)).toBe(200);
  const found = await service.call('column', { find: { where: { securable_id: id, source_name: 'price' } } }, by());
  const columns = part(found.body, 'rows');
  const price = { dataset_id: id, column_id: text(Array.isArray(columns) ? columns[0] : null, 'id') };
  const answer = await ask({ dimensions: [], measures: [{ ...price, aggregation: { type: 'sum' } }] });
  expect(part(answer.body, 'data'), JSON.stringify(answer.body)).toEqual([[35.5]]);
});
