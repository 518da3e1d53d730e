// A first program with the types that openapi-typescript generates: hello.ts URL KEY TOKEN
import createClient from 'openapi-fetch';
import type { components, paths } from './inlay.d.ts';

const [baseUrl, key, token] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}:${token}` } });

/** The answer; an error where the service refused. */
function answered<Answer>({ data, error }: { data?: Answer; error?: components['schemas']['Problem'] }): Answer {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

const push = await client.POST('/0.1.0/data', {
  body: {
    properties: {
      data: [
        ['flavour', 'weight'],
        ['sweet', 126.02],
        ['sour', 352.34],
      ],
      options: { name: 'Hello', header: true },
    },
  },
});
const pushed = answered(push);
const dataset = typeof pushed === 'object' && 'rows' in pushed ? pushed.rows[0] : undefined;
if (dataset === undefined) throw new Error('no dataset');

const search = answered(
  await client.POST('/0.1.0/securable', {
    body: { action: 'search', find: { where: { id: dataset.id }, include: [{ model: 'Columns' }] } },
  }),
);
const columns = ('rows' in search && typeof search.rows !== 'number' ? search.rows?.[0]?.columns : undefined) ?? [];
const column = (name: string): string => columns.find((one) => one.source_name === name)?.id ?? '';

const dataset_id = dataset.id;
const result = answered(
  await client.POST('/0.1.0/data', {
    body: {
      action: 'get',
      find: {
        dimensions: [{ dataset_id, column_id: column('flavour') }],
        measures: [{ dataset_id, column_id: column('weight'), aggregation: { type: 'sum' } }],
      },
    },
  }),
);
const rows = typeof result === 'object' && 'data' in result ? result.data : [];

const uploaded = answered(
  await client.POST('/0.1.0/data/file', {
    params: { query: { format: 'csv', name: 'Upload', header: true } },
    headers: { 'content-type': 'application/octet-stream' },
    body: 'flavour,weight\nsweet,1\nsour,2\nsalty,3\n',
    bodySerializer: (body) => body,
  }),
).rows[0];

const dashboard = answered(
  await client.POST('/0.1.0/securable', { body: { properties: { type: 'dashboard', name: { en: 'Hello' } } } }),
);
if (!('id' in dashboard)) throw new Error('no dashboard');
const renamed = answered(
  await client.PATCH('/0.1.0/securable', { body: { id: dashboard.id, properties: { name: { en: 'Hi' } } } }),
);

const embed = answered(
  await client.POST('/0.1.0/authorization', {
    body: {
      properties: {
        type: 'embed',
        expiry: '24 hours',
        username: 'typescript',
        access: { dashboards: [{ id: dashboard.id, rights: 'use' }], datasets: [{ id: dataset.id, rights: 'use' }] },
      },
    },
  }),
);

const deleted = [];
for (const id of [dashboard.id, dataset.id, uploaded?.id ?? ''])
  deleted.push(answered(await client.DELETE('/0.1.0/securable', { body: { id } })).code);
const weights = rows.map(([, weight]) => (typeof weight === 'number' ? weight : 0));
process.stdout.write(
  JSON.stringify({
    rows: rows.length,
    total: weights.reduce((sum, weight) => sum + weight, 0),
    uploaded: uploaded?.rows,
    name: renamed.name?.['en'],
    token: 'token' in embed && String(embed.token).length > 20,
    deleted,
  }),
);
