/**
 * Two linked datasets, a formula, and a dashboard of eight charts with filters; then a token for one tenant, and what it sees.
 * docs/guides/writing-dashboards.md explains each step.
 *
 *   INLAY_KEY=… INLAY_TOKEN=… npx node examples/sales-dashboard.ts
 *
 * INLAY_URL is the address of the service, http://127.0.0.1:8080 where it is not set.
 */
import {
  barChart,
  column,
  columnChart,
  dashboardContents,
  dateFilter,
  donutChart,
  dropdownFilter,
  evolutionNumber,
  filter,
  formula,
  lineChart,
  pivotTable,
  regularTable,
  scatterPlot,
  storedFormula,
} from '@inlay/contract/dashboard';
import { addressFrom, clientFrom, clientWith } from './connect.ts';

const inlay = clientFrom(process.env);

const push = async (name: string, data: readonly (readonly (string | number)[])[]): Promise<string> => {
  const properties = { type: 'create', data, options: { header: true, name: { en: name } } };
  const answer = await inlay.transport.call('data', { action: 'create', properties });
  return /"id":"(?<id>[^"]+)"/u.exec(JSON.stringify(answer))?.groups?.['id'] ?? '';
};

const columnsOf = async (dataset: string): Promise<(name: string) => string> => {
  const rows = await inlay.search('column', { where: { securable_id: dataset }, attributes: ['source_name'] });
  return (name) => rows.find((row) => row.source_name === name)?.id ?? '';
};

// 1. Datasets.
const customers = await push('Customers', [
  ['name', 'segment', 'tenant'],
  ['Ada', 'Retail', 'acme'],
  ['Bea', 'Industry', 'acme'],
  ['Cem', 'Retail', 'bolt'],
]);
const orders = await push('Orders', [
  ['day', 'customer', 'product', 'amount', 'cost'],
  ['2025-01-14', 'Ada', 'Books', 120, 80],
  ['2025-02-03', 'Bea', 'Games', 300, 240],
  ['2025-02-17', 'Ada', 'Games', 80, 50],
  ['2025-03-09', 'Cem', 'Books', 500, 310],
  ['2024-12-30', 'Bea', 'Books', 60, 45],
]);
const [ofCustomers, ofOrders] = [await columnsOf(customers), await columnsOf(orders)];

// 2. A link, from the column that refers to the key that it refers to.
await inlay.associate('column', ofOrders('customer'), { role: 'Joins', id: ofCustomers('name') }, { type: 'lookup' });

// 3. A formula that several charts use.
const margin = await inlay.create('formula', {
  securable_id: orders,
  name: { en: 'Margin', fr: 'Marge' },
  expression: `(sum({${ofOrders('amount')}}) - sum({${ofOrders('cost')}})) / sum({${ofOrders('amount')}})`,
  type: 'numeric',
  format: '.1%',
});

// 4. The dashboard.
const of = (name: string, options = {}) => column(orders, ofOrders(name), options);
const amount = of('amount', { label: { en: 'Revenue', fr: 'Chiffre d’affaires' }, format: ',.0f' });
const month = of('day', { level: 3 });
const segment = column(customers, ofCustomers('segment'));
const at = (col: number, row: number, sizeX = 16, sizeY = 16) => ({ position: { col, row, sizeX, sizeY } });
const contents = dashboardContents(
  [
    dateFilter({ id: 'when', ...at(0, 0, 24, 8), time: of('day') }),
    dropdownFilter({ id: 'products', ...at(24, 0, 24, 8), dimension: of('product') }),
    evolutionNumber({
      id: 'latest',
      ...at(0, 8),
      title: { en: 'Latest month', fr: 'Dernier mois' },
      measure: amount,
      evolution: month,
    }),
    columnChart({
      id: 'months',
      ...at(16, 8),
      xAxis: month,
      measure: amount,
      legend: of('product'),
      options: { stacked: true },
    }),
    barChart({
      id: 'customers',
      ...at(32, 8),
      title: { en: 'Top customers', fr: 'Meilleurs clients' },
      yAxis: of('customer'),
      measure: amount,
      options: { sort: { by: 'measure', order: 'desc' }, limit: 10 },
    }),
    donutChart({ id: 'segments', ...at(0, 24), category: segment, measure: amount }),
    lineChart({ id: 'both', ...at(16, 24), xAxis: month, measure: [amount, of('cost')] }),
    pivotTable({ id: 'pivot', ...at(32, 24), row: segment, column: of('product'), measure: amount }),
    regularTable({ id: 'table', ...at(0, 40, 24), columns: [of('product'), amount, storedFormula(orders, margin.id)] }),
    scatterPlot({
      id: 'points',
      ...at(24, 40, 24),
      name: of('customer'),
      xAxis: amount,
      yAxis: formula(orders, `sum({${ofOrders('cost')}})`, { label: 'Cost' }),
    }),
  ],
  { filters: [filter('? = ?', of('day', { level: 1 }), '2025-01-01')] },
);
await inlay.transport.call('dashboard', { action: 'validate', properties: { contents } });
const dashboard = await inlay.create('dashboard', { name: { en: 'Sales', fr: 'Ventes' }, contents });

// 5. A token for one tenant: the filter on customers follows the link to orders.
const { id: key, token } = await inlay.create('authorization', {
  type: 'embed',
  username: 'acme',
  access: {
    dashboards: [{ id: dashboard.id, rights: 'read' }],
    datasets: [orders, customers].map((id) => ({ id, rights: 'read' })),
  },
  filters: [{ expression: '? = ?', parameters: [{ dataset_id: customers, column_id: ofCustomers('tenant') }, 'acme'] }],
});
const acme = clientWith(addressFrom(process.env), { key, token: token ?? '' });

const items = ['latest', 'months', 'customers', 'segments', 'both', 'pivot', 'table', 'points'];
const queries = items.map((item) => ({ dashboard_id: dashboard.id, item_id: item }));
const answers = await acme.transport.call('data', { action: 'get', find: { queries } });
const rows = Array.isArray(answers) ? answers.map(({ data }: { data: unknown }) => data) : [];
for (const [index, item] of items.entries()) console.log(item, JSON.stringify(rows[index]));
