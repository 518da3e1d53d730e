import type { JsonObject } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedFilter } from '../support/sales-world.ts';
import { toggleMembers } from './filters.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser, tableOf, toldOf } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, sumBy } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;

describe.skipIf(noBrowser !== undefined)('a viewer who may read a dashboard and its dataset', () => {
  let world: EmbedWorld;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('sees its charts, filters and opens them, and asks nothing else', async () => {
    const on = (...given: Parameters<typeof inSlot> extends [unknown, ...infer Rest] ? Rest : never): JsonObject =>
      inSlot(world.dataset, ...given);
    const items = [
      item('Regions', 'column-chart', [slot('x-axis', on('region')), slot('measure', on('revenue'))], [0, 0, 16, 18]),
      item(
        'Years',
        'column-chart',
        [slot('x-axis', on('day', { level: 1 })), slot('measure', on('revenue'))],
        [16, 0, 16, 18],
      ),
      item('Product', 'dropdown-filter', [slot('dimension', on('product'))], [32, 0, 16, 18]),
      item('Amount', 'slider-filter', [slot('slidermetric', on('revenue'))], [0, 18, 16, 10]),
    ];
    const filterGroups = [
      { origin: 'global', condition: 'and', filters: [storedFilter(world.dataset, 'region', '? != ?', 'Europe')] },
    ];
    const views = [{ screenModus: 'desktop', options: { theme: { id: 'default' } }, filterGroups, items }];
    const dashboard = await world.dashboard(contentsOf(world.dataset, [], { views }));
    const token = await world.token([dashboard], {
      access: {
        dashboards: [{ id: dashboard, rights: 'read' }],
        datasets: [{ id: world.dataset.id, rights: 'read' }],
      },
    });
    const free = { dimensions: [{ dataset_id: world.dataset.id, column_id: world.dataset.columns.product }] };
    expect((await world.call('data', { action: 'get', find: free }, token)).status).toBe(403);

    const { page, context } = await openDashboard(browser, world, dashboard, token, {
      context: { reducedMotion: 'reduce' },
    });
    await rendered(page);
    const outside = sales.filter(({ region }) => region !== 'Europe');
    const regions = sumBy(outside, ({ region }) => region).map(([name]) => name);
    expect((await tableOf(page, 'Regions')).slice(1).map(([region]) => region)).toEqual(regions);
    const years = card(page, 'Years');
    await years.getByRole('button', { name: 'Show as table' }).click();
    await years.getByRole('button', { name: '2025', exact: true }).click();
    await page.waitForFunction(`${element}.getData('Regions')?.values.length === 2`);
    await years.getByRole('button', { name: 'One level down: 2025', exact: true }).click();
    await page.waitForFunction(`${element}.getData('Years')?.texts.length === 4`);
    await toggleMembers(page, 'Product', 'Bread');
    const bread = outside.filter(({ product }) => product === 'Bread');
    const wanted = sumBy(bread, ({ region }) => region)[0]?.[1] ?? 0;
    await page.waitForFunction(`Number(${element}.getData('Regions')?.values[0]?.[1]) === ${wanted}`);
    const file = await page.evaluate(`${element}.exportData('csv', 'Years').then((csv) => csv.text())`);
    expect(String(file).trim().split('\r\n')).toHaveLength(5);
    expect(await toldOf(page, 'failed')).toEqual([]);

    const quantity = storedFilter(world.dataset, 'quantity', '? > ?', 3);
    await page.evaluate(`${element}.setFilters([${JSON.stringify(quantity)}])`);
    await page.waitForFunction(`told.filter(({ name }) => name === 'failed').length >= 4`);
    const failed = await toldOf(page, 'failed');
    const message = expect.stringContaining('that no item of the dashboard shows or filters by');
    expect(failed[0]).toMatchObject({ code: 'forbidden', message });
    await context.close();
  });
});
