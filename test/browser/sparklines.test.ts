import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { card, noBrowser, openDashboard, rendered, startBrowser, tableOf, toldOf, until } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, sumBy } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

describe.skipIf(noBrowser !== undefined)('lines in the cells of a table', () => {
  let world: EmbedWorld;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('show how each number went over time, by one more query, to readers of the dashboard too', async () => {
    const { id, columns } = world.dataset;
    const content = [
      inSlot(world.dataset, 'product'),
      inSlot(world.dataset, 'revenue'),
      inSlot(world.dataset, 'quantity'),
    ];
    const options = {
      sparkline: { datasetId: id, columnId: columns.day, level: 1 },
      sort: { by: 'columns', index: 1, order: 'desc' },
      limit: 2,
    };
    const dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Products', 'regular-table', [slot('columns', ...content)], [0, 0, 30, 16], { options }),
      ]),
    );
    const access = { dashboards: [{ id: dashboard, rights: 'read' }], datasets: [{ id, rights: 'read' }] };
    const { page, context, requests, errors } = await openDashboard(
      browser,
      world,
      dashboard,
      await world.token([dashboard], { access }),
      {
        context: { reducedMotion: 'reduce' },
      },
    );
    await rendered(page);
    await until(
      page,
      `document.querySelector('inlay-dashboard').shadowRoot.querySelector('inlay-card').shadowRoot.querySelectorAll('td .line').length === 4`,
    );
    const rows = await tableOf(page, 'Products');
    const [largest] = sumBy(sales, ({ product }) => product).toSorted(([, a], [, b]) => b - a);
    expect(rows).toHaveLength(3);
    expect(rows[1]?.[0]).toBe(largest?.[0]);
    const years = sumBy(
      sales.filter(({ product }) => product === largest?.[0]),
      ({ day }) => day.slice(0, 4),
    ).map(([, sum]) => sum);
    const path = (await card(page, 'Products').locator('td .line path').first().getAttribute('d')) ?? '';
    const heights = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/gu)].map(([, y]) => Number(y));
    expect(heights).toHaveLength(years.length);
    const order = (numbers: readonly number[]): readonly number[] =>
      [...numbers.keys()].toSorted((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
    expect(order(heights)).toEqual(order(years).toReversed());
    const asked = requests.filter(({ url }) => url.endsWith('/data')).map(({ body }) => body ?? '');
    expect(asked).toHaveLength(2);
    for (const body of asked) expect(body.match(/"item_id":"Products"/gu)).toHaveLength(1);
    expect(await toldOf(page, 'failed')).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
});
