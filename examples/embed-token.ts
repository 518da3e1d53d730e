/**
 * A token for one reader inside your product: it opens one dashboard, sees only the rows of its region, and nothing else.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… npx node examples/embed-token.ts
 *
 * INLAY_URL is the address of the service, http://127.0.0.1:8080 where it is not set.
 */
import { addressFrom, clientFrom, clientWith } from './connect.ts';

const inlay = clientFrom(process.env);

const dataset = await inlay.create('dataset', { name: { en: 'Orders' } });
const region = await inlay.create('column', { securable_id: dataset.id, type: 'hierarchy', name: { en: 'Region' } });
const dashboard = await inlay.create('dashboard', { name: { en: 'Sales' } }, [{ role: 'Datasets', id: dataset.id }]);
await inlay.create('dashboard', { name: { en: 'Board only' } });

const authorization = await inlay.create('authorization', {
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
});

// The key is the id; the token is shown this once.
const reader = clientWith(addressFrom(process.env), { key: authorization.id, token: authorization.token ?? '' });
const visible = await reader.search('dashboard', { attributes: ['name'] });
console.log(JSON.stringify(visible, null, 2));
