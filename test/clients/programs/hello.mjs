// Node: node hello.mjs URL KEY TOKEN
const [url, key, token] = process.argv.slice(2);

async function call(resource, body) {
  const answer = await fetch(`${url}/0.1.0/${resource}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version: '0.1.0', key, token, ...body }),
  });
  if (!answer.ok) throw new Error(`${resource}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const create = (resource, properties, associations = []) =>
  call(resource, { action: 'create', properties, associations });
const name = (text) => ({ en: text });

const dataset = await create('securable', { type: 'dataset', name: name('Hello from Node') });
const columns = [];
for (const [order, [title, type]] of [
  ['Burrito', 'hierarchy'],
  ['Weight', 'numeric'],
].entries())
  columns.push(
    await create('column', { type, order, source_name: title, name: name(title) }, [
      { role: 'Securable', id: dataset.id },
    ]),
  );
const rows = [
  ['sweet', 126.02],
  ['sour', 352.34],
];
await create('data', { securable_id: dataset.id, data: rows });
const query = {
  dimensions: [{ dataset_id: dataset.id, column_id: columns[0].id }],
  measures: [{ dataset_id: dataset.id, column_id: columns[1].id, aggregation: { type: 'sum' } }],
};
const { data } = await call('data', { action: 'get', find: { queries: [query] } });
const dashboard = await create('securable', { type: 'dashboard', name: name('Hello') });
const embed = await create('authorization', {
  type: 'sso',
  expiry: '24 hours',
  inactivity_interval: '10 minutes',
  username: 'node',
  name: 'Node',
  email: 'node@example.com',
  access: { dashboards: [{ id: dashboard.id, rights: 'use' }], datasets: [{ id: dataset.id, rights: 'use' }] },
});
for (const [resource, { id }] of [
  ['authorization', embed],
  ['securable', dashboard],
  ['securable', dataset],
])
  await call(resource, { action: 'delete', id, properties: {} });
process.stdout.write(
  JSON.stringify({
    rows: data.length,
    total: data.reduce((sum, row) => sum + row[1], 0),
    token: embed.token.length > 20,
  }),
);
