import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { part, text } from '../support/world.ts';

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'inlay-files-'));
beforeAll(async () => {
  writeFileSync(join(folder, 'orders.csv'), 'id,region,price\n1,North,10.5\n2,South,20\n3,North,5\n');
  service = await startTestService({ store: 'sqlite', settings: { INLAY_FILES_DIR: folder } });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

it('answers a query over files in the engine', async () => {
  const by = service.owner;
  const account = await service.call('account', { properties: { provider: 'duckdb', name: 'Files' } }, by);
  const accountId = text(account.body, 'id');
  const listed = await service.call('dataprovider', { find: { account_id: accountId } }, by);
  expect(listed.body).toMatchObject({ count: 1 });
  const rows = part(listed.body, 'rows');
  const table = text(Array.isArray(rows) ? rows[0] : null, 'id');
  const made = await service.call('dataprovider', { properties: { account_id: accountId, datasets: [table] } }, by);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const datasets = part(made.body, 'rows');
  const dataset = text(Array.isArray(datasets) ? datasets[0] : null, 'id');
  const found = await service.call('column', { find: { where: { securable_id: dataset } } }, by);
  const columns = part(found.body, 'rows');
  const column = (name: string): object => {
    const one = Array.isArray(columns) ? columns.find((each) => part(each, 'source_name') === name) : undefined;
    return { dataset_id: dataset, column_id: part(one, 'id') };
  };
  const body = {
    action: 'get',
    find: {
      dimensions: [column('region')],
      measures: [{ ...column('price'), aggregation: { type: 'sum' } }],
      order: [{ ...column('region'), order: 'asc' }],
    },
  };
  const answer = await service.call('data', body, by);
  expect(part(answer.body, 'data'), JSON.stringify(answer.body)).toEqual([
    [{ id: 'North', name: { en: 'North' } }, 15.5],
    [{ id: 'South', name: { en: 'South' } }, 20],
  ]);
  expect(answer.body).toMatchObject({ source: 'engine', cached: false });
});
