import type { JsonObject } from '@inlay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { pushSales, salesContents } from '../support/sales-world.ts';
import { storesToTest } from '../support/service.ts';
import { part } from '../support/world.ts';

/** Request bodies as published client libraries of this API send them. */
describe.each(storesToTest)('queries and files of published clients on %s', (store) => {
  const api = useApi(store);
  const held: { dashboard: string; query: JsonObject } = { dashboard: '', query: {} };
  beforeAll(async () => {
    const dataset = await pushSales(api);
    held.dashboard = (await api.create('dashboard', { contents: salesContents(dataset) })).id;
    held.query = { measures: [{ dataset_id: dataset.id, column_id: '*', aggregation: { type: 'count' } }] };
  });

  it('a list of one query is answered like the query alone', async () => {
    const answer = await api.ok('data', { action: 'get', find: { queries: [held.query] } });
    expect(part(answer, 'data')).toEqual([[360]]);
  });

  it('the failure of the only query of a list is the status of the answer', async () => {
    const queries = [{ measures: [{ dataset_id: held.dashboard, column_id: '*' }] }];
    expect(await api.refused('data', { action: 'get', find: { queries } })).toMatchObject({
      status: 400,
      code: 'dataset_unknown',
    });
  });

  it('an export names its dashboard by securable_id alone', async () => {
    const export_ = async (properties: JsonObject) => {
      const { statusCode, body } = await api.service.server.inject({
        method: 'POST',
        url: '/0.1.0/export',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ ...api.owner, action: 'create', properties }),
      });
      return [statusCode, body.slice(0, 4)];
    };
    expect(await export_({ type: 'svg', securable_id: held.dashboard })).toEqual([200, '<svg']);
  });
});
