import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyContents, isList, isObject, itemQuery, readItem, type Json, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type Answer, type TestService } from '../support/service.ts';
import { part, text } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-charts-'));
const lines = Array.from(
  { length: 60 },
  (_, row) =>
    `${row},${['North', 'South', 'East'][row % 3]},${['A', 'B'][row % 2]},${row * 10}.5,${row % 7},2024-${String((row % 12) + 1).padStart(2, '0')}-05`,
);
writeFileSync(
  join(folder, 'orders.csv'),
  ['order_id,region,category,revenue,quantity,order_date', ...lines].join('\n'),
);

let service: TestService;
let dataset = '';
const call = (resource: string, body: object): Promise<Answer> => service.call(resource, body, service.owner);
const first = (answer: Answer): unknown => {
  const rows = part(answer.body, 'rows');
  return Array.isArray(rows) ? rows[0] : null;
};

beforeAll(async () => {
  service = await startTestService({ store: 'sqlite', settings: { INLAY_FILES_DIR: folder } });
  const organization = text(first(await call('organization', { find: {} })), 'id');
  await call('organization', { id: organization, properties: { flag_experimental_ai: true } });
  const account_id = text((await call('account', { properties: { provider: 'duckdb', name: 'Files' } })).body, 'id');
  const table = text(first(await call('dataprovider', { find: { account_id } })), 'id');
  dataset = text(first(await call('dataprovider', { properties: { account_id, datasets: [table] } })), 'id');
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const list = (value: Json | undefined): readonly Json[] => (isList(value ?? null) && isList(value) ? value : []);

/** Returns the data query that the element sends for an item. */
function queryOf(item: JsonObject): JsonObject {
  const read = readItem({ ...item, id: 'one' });
  const asked = read === null ? null : itemQuery(read);
  if (asked === null) throw new Error(`nothing to ask for: ${JSON.stringify(item)}`);
  return asked.query;
}

const questions: readonly (readonly [question: string | null, type: string])[] = [
  ['revenue by region', 'generate-chart'],
  ['revenue by month split by category', 'generate-chart'],
  ['number of orders per quarter', 'generate-chart'],
  ['average revenue by quantity', 'generate-chart'],
  ['distribution of revenue', 'generate-chart'],
  ['total revenue', 'generate-chart'],
  ['how many orders', 'generate-chart'],
  ['pivot of revenue by region and category', 'generate-chart'],
  ['sunburst of region and category', 'generate-chart'],
  ['table of region, category and revenue', 'generate-chart'],
  ['top 2 regions by revenue', 'generate-chart'],
  ['orders per weekday', 'generate-chart'],
  ['filter on region', 'generate-filter'],
  [null, 'generate-chart'],
  [null, 'treemap-chart'],
  [null, 'scatter-plot'],
];

describe('a suggested chart', () => {
  it.each(questions)('is queried and kept in a dashboard as it is: %s %s', async (question, type) => {
    const answer = await call('aichart', { properties: { dataset_id: dataset, type, question } });
    const item = part(answer.body, 'generatedChart');
    if (!isObject(item)) throw new Error(JSON.stringify(answer.body));
    const found = await call('data', { action: 'get', find: queryOf(item) });
    expect(found.status, `${JSON.stringify(queryOf(item))} ${JSON.stringify(found.body)}`).toBe(200);
    const data = part(found.body, 'data');
    expect(Array.isArray(data) && data.length > 0).toBe(true);
    const empty = emptyContents();
    const views = list(empty['views']).map((view) =>
      isObject(view) ? { ...view, items: [{ ...item, id: 'one' }] } : view,
    );
    const kept = await call('dashboard', {
      properties: { contents: { ...empty, datasetLinks: { [dataset]: [] }, views } },
    });
    expect(kept.status).toBe(200);
    expect(JSON.stringify(kept.body)).toContain(JSON.stringify(item['slots']));
  });

  it('has a group for each weekday where it is asked for by weekday', async () => {
    const answer = await call('aichart', {
      properties: { dataset_id: dataset, type: 'generate-chart', question: 'revenue by weekday' },
    });
    const item = part(answer.body, 'generatedChart');
    if (!isObject(item)) throw new Error(JSON.stringify(answer.body));
    const data = part((await call('data', { action: 'get', find: queryOf(item) })).body, 'data');
    const days = Array.isArray(data) ? data.map((row: unknown) => (Array.isArray(row) ? row[0] : null)) : [];
    // Orders are of the fifth of each month, which in 2024 falls on every weekday.
    expect(days).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
