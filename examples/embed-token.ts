/**
 * A token for one reader inside your product: it opens one dashboard, sees only the rows of its region, and nothing else.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… npx node examples/embed-token.ts
 *
 * INLAY_URL is the address of the service, http://127.0.0.1:8080 where it is not set.
 */
import { callForOne, connectionFrom, search, type Connection } from './api.ts';

const inlay = connectionFrom(process.env);

const dataset = await callForOne(inlay, 'dataset', { action: 'create', properties: { name: { en: 'Orders' } } });
const region = await callForOne(inlay, 'column', {
  action: 'create',
  properties: { securable_id: dataset.id, type: 'hierarchy', name: { en: 'Region' } },
});
const dashboard = await callForOne(inlay, 'dashboard', {
  action: 'create',
  properties: { name: { en: 'Sales' } },
  associations: [{ role: 'Datasets', id: dataset.id }],
});
await callForOne(inlay, 'dashboard', { action: 'create', properties: { name: { en: 'Board only' } } });

const made = await callForOne(inlay, 'authorization', {
  action: 'create',
  properties: {
    type: 'embed',
    username: 'reader-42',
    name: 'Ada',
    role: 'viewer',
    expiry: new Date(Date.now() + 60 * 60 * 1000).toISOString(),
    access: { dashboards: [{ id: dashboard.id, rights: 'use' }], datasets: [{ id: dataset.id, rights: 'use' }] },
    filters: [
      {
        clause: 'where',
        origin: 'global',
        expression: '? = ?',
        parameters: [
          { dataset_id: dataset.id, column_id: region.id },
          { parameter: 'metadata.region', type: 'hierarchy' },
        ],
      },
    ],
    parameter_overrides: { region: 'North' },
  },
});

// The key is the id; the token is shown this once.
const reader: Connection = { url: inlay.url, key: made.id, token: String(made['token']) };
const visible = await search(reader, 'dashboard', { attributes: ['name'] });
console.log(JSON.stringify(visible, null, 2));
