import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import postgres from 'postgres';
import { openDashboard, rendered, startBrowser } from '../../test/browser/page.ts';
import { contentsOf, inSlot, item, slot, type SalesDataset } from '../../test/browser/sales.ts';
import { startEmbedWorld, textOf, type EmbedWorld } from '../../test/browser/world.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { median, say, within } from '../measure.ts';
import { millionRows, twelve } from './million.ts';
import { mount } from './mount.ts';

const rowCount = 200_000;

/** Four more than the twelve, so that each column is asked for in several ways. */
function sixteen(dataset: SalesDataset): readonly JsonObject[] {
  const [revenue, quantity] = [inSlot(dataset, 'revenue'), inSlot(dataset, 'quantity')];
  const [month, year] = [inSlot(dataset, 'day', { level: 3 }), inSlot(dataset, 'day', { level: 1 })];
  const place = (index: number): readonly [number, number, number, number] => [
    (index % 3) * 16,
    72 + Math.floor(index / 3) * 18,
    16,
    18,
  ];
  return [
    ...twelve(dataset),
    item('Total', 'conditional-number', [slot('measure', quantity)], place(0)),
    item('Both', 'combination-chart', [slot('x-axis', month), slot('measure', revenue, quantity)], place(1)),
    item(
      'Heat',
      'heat-table',
      [slot('x-axis', year), slot('y-axis', inSlot(dataset, 'region')), slot('measure', revenue)],
      place(2),
    ),
    item('List', 'regular-table', [slot('columns', inSlot(dataset, 'product'), revenue, quantity)], place(3)),
  ];
}

async function atSource(world: EmbedWorld, url: URL): Promise<SalesDataset> {
  const account = await world.ok('account', {
    action: 'create',
    properties: {
      provider: 'postgresql',
      host: url.hostname,
      port: url.port,
      scope: url.pathname.slice(1),
      identifier: url.username,
      token: 'none',
    },
  });
  const made: Json = await world.ok('dataprovider', {
    action: 'create',
    properties: { account_id: textOf(account['id']), provider: 'postgresql', datasets: ['public.sales'] },
  });
  const rows = made['rows'] ?? null;
  const first = isList(rows) ? (rows[0] ?? null) : null;
  return world.datasetOf(isObject(first) ? textOf(first['id']) : '');
}

/** Opens a dashboard of 16 items over rows at PostgreSQL, nothing of which is cached. */
export async function measureSource(rounds: number): Promise<void> {
  const server = await startPostgres();
  const url = new URL(await server.createDatabase());
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  await sql.unsafe(
    'create table sales (day date, region text, product text, revenue double precision, quantity integer)',
  );
  const into = await sql.unsafe('copy sales from stdin (format csv, header true)').writable();
  await new Promise<void>((resolve, reject) => {
    into.on('error', reject).on('finish', resolve);
    into.end(millionRows(rowCount));
  });
  await sql.unsafe('analyze sales');
  await sql.end();
  const world = await startEmbedWorld({ INLAY_DEMO: 'false', INLAY_ALLOW_PRIVATE_HOSTS: 'true' });
  const browser = await startBrowser();
  try {
    const dataset = await atSource(world, url);
    const id = await world.dashboard(contentsOf(dataset, sixteen(dataset)));
    const access = { dashboards: [{ id, rights: 'read' }], datasets: [{ id: dataset.id, rights: 'use' }] };
    const { page } = await openDashboard(browser, world, id, await world.token([id], { access }), { height: 1800 });
    await rendered(page);
    const measured: { readonly firstMs: number; readonly allMs: number }[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await mount(page));
    say(
      `\n16 items over ${rowCount.toLocaleString('en')} rows at PostgreSQL, headless Chromium, ${rounds} rounds, nothing cached`,
    );
    within('the first chart', median(measured.map(({ firstMs }) => firstMs)), 500, 'ms');
    within('all drawn', median(measured.map(({ allMs }) => allMs)), 1500, 'ms');
  } finally {
    await browser.close();
    await world.stop();
    await server.stop();
  }
}
