/**
 * A dataset with a column, a theme, and a dashboard that uses them; then a search that finds it.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… npx node examples/first-dashboard.ts
 *
 * INLAY_URL is the address of the service, http://127.0.0.1:8080 where it is not set.
 */
import { callForOne, connectionFrom, search } from './api.ts';

const inlay = connectionFrom(process.env);

const dataset = await callForOne(inlay, 'dataset', {
  action: 'create',
  properties: { name: { en: 'Orders' }, subtype: 'api' },
});

await callForOne(inlay, 'column', {
  action: 'create',
  properties: { securable_id: dataset.id, type: 'numeric', name: { en: 'Revenue' }, format: ',.2f' },
});

const theme = await callForOne(inlay, 'theme', {
  action: 'create',
  properties: {
    name: { en: 'Evening' },
    theme: { type: 'custom', background: '#101418', colors: ['#5ad1a4', '#5a8ce6'] },
  },
});

const screen = (screenModus: string): object => ({
  screenModus,
  options: { theme: { id: theme.id } },
  filterGroups: [],
  items: [],
});

// The dashboard and its link to the dataset are made together, or not at all.
const dashboard = await callForOne(inlay, 'dashboard', {
  action: 'create',
  properties: { name: { en: 'Sales', fr: 'Ventes' }, contents: { views: ['desktop', 'mobile'].map(screen) } },
  associations: [{ role: 'Datasets', id: dataset.id }],
});

const tag = await callForOne(inlay, 'tag', { action: 'create', properties: { name: { en: 'Quarterly' } } });
await callForOne(inlay, 'dashboard', {
  action: 'associate',
  id: dashboard.id,
  resource: { role: 'Tags', id: tag.id },
});

const found = await search(inlay, 'dashboard', {
  search: { keyphrase: 'ventes' },
  include: [
    { model: 'Tags', attributes: ['name'] },
    { model: 'Datasets', attributes: ['name'] },
  ],
  attributes: ['name'],
  order: [['created_at', 'desc']],
  limit: 1,
});

console.log(JSON.stringify(found, null, 2));
