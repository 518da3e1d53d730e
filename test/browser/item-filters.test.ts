import type { JsonObject } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openDashboard, rendered, startBrowser } from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

describe.skipIf(noBrowser !== undefined)('filters of an item on a page', () => {
  let world: EmbedWorld;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
  });
  afterAll(async () => {
    await Promise.all([world?.stop(), browser?.close()]);
  });

  it('stand below its title, and nowhere else', async () => {
    const { dataset } = world;
    const on = (name: 'region' | 'day' | 'revenue'): JsonObject => ({
      dataset_id: dataset.id,
      column_id: dataset.columns[name],
    });
    const slots = [slot('x-axis', inSlot(dataset, 'region')), slot('measure', inSlot(dataset, 'revenue'))];
    const filters = [
      { expression: '? = ?', parameters: [{ ...on('day'), level: 1 }, '2025-01-01'] },
      { expression: '? != ?', parameters: [on('region'), 'Europe'] },
      { expression: '? > ?', parameters: [on('revenue'), 10] },
    ];
    const contents = contentsOf(dataset, [
      item('Narrowed', 'column-chart', slots, [0, 0, 24, 18], { filters }),
      item('All', 'column-chart', slots, [24, 0, 24, 18]),
      item('Number', 'evolution-number', [slot('measure', inSlot(dataset, 'revenue'))], [0, 18, 12, 10], { filters }),
      item('Rows', 'regular-table', [slot('columns', inSlot(dataset, 'region'))], [12, 18, 12, 10], { filters }),
    ]);
    const id = await world.dashboard(contents);
    const { page, errors, context } = await openDashboard(browser, world, id, await world.token([id]));
    await rendered(page);
    const linesOf = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelector('inlay-dashboard').shadowRoot.querySelectorAll('inlay-card')].map(
        (card) => [...card.shadowRoot.querySelectorAll('.conditions [role=listitem]')].map((line) => line.textContent))`);
    const wanted = ['Day: 2025', 'Region: not Europe', 'Revenue > 10'];
    await expect.poll(linesOf).toEqual([wanted, [], wanted, wanted]);
    expect(errors).toEqual([]);
    await context.close();
  });
});
