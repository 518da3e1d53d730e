/**
 * A dataset with a column, a theme, and a dashboard that uses them; then a search that finds it.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… npx node examples/first-dashboard.ts
 *
 * INLAY_URL is the address of the service, http://127.0.0.1:8080 where it is not set.
 */
import { clientFrom } from './connect.ts';

const inlay = clientFrom(process.env);

const dataset = await inlay.create('dataset', { name: { en: 'Orders' }, subtype: 'api' });

await inlay.create('column', {
  securable_id: dataset.id,
  type: 'numeric',
  name: { en: 'Revenue' },
  format: ',.2f',
});

const theme = await inlay.create('theme', {
  name: { en: 'Evening' },
  theme: { type: 'custom', background: '#101418', colors: ['#5ad1a4', '#5a8ce6'] },
});

const screen = (screenModus: string) => ({
  screenModus,
  options: { theme: { id: theme.id } },
  filterGroups: [],
  items: [],
});

// The dashboard and its link to the dataset are made together, or not at all.
const dashboard = await inlay.create(
  'dashboard',
  { name: { en: 'Sales', fr: 'Ventes' }, contents: { views: ['desktop', 'mobile'].map(screen) } },
  [{ role: 'Datasets', id: dataset.id }],
);

const tag = await inlay.create('tag', { name: { en: 'Quarterly' } });
await inlay.associate('dashboard', dashboard.id, { role: 'Tags', id: tag.id });

const dashboards = await inlay.search('dashboard', {
  search: { keyphrase: 'ventes' },
  include: [
    { model: 'Tags', attributes: ['name'] },
    { model: 'Datasets', attributes: ['name'] },
  ],
  attributes: ['name'],
  order: [['created_at', 'desc']],
  limit: 1,
});

console.log(JSON.stringify(dashboards, null, 2));
