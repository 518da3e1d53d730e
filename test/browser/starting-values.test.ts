import type { JsonObject } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toggleMembers } from './filters.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser, toldOf, totalIs } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, type Sale } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;
const total = (rows: readonly Sale[]): number => rows.reduce((sum, { revenue }) => sum + revenue, 0);

describe.skipIf(noBrowser !== undefined)('starting values of a token', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;

  const starting = (name: 'region' | 'day', expression: string, value: JsonObject[string]): JsonObject => ({
    securable_id: world.dataset.id,
    column_id: world.dataset.columns[name],
    expression,
    value: value ?? null,
    origin: 'initialization',
  });

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const on = (name: 'region' | 'day' | 'revenue'): JsonObject => inSlot(world.dataset, name);
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Total', 'evolution-number', [slot('measure', on('revenue'))], [0, 0, 16, 10]),
        item('Region', 'dropdown-filter', [slot('dimension', on('region'))], [16, 0, 16, 10]),
        item('Period', 'date-filter', [slot('time', on('day'))], [32, 0, 16, 10]),
      ]),
    );
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('are set in filter items over their columns until the viewer sets something else', async () => {
    const by = await world.token([dashboard], {
      filters: [starting('region', '? in ?', ['Asia', 'Africa']), starting('day', '? >= ?', '2025-02-01')],
    });
    const { page, context, requests } = await openDashboard(browser, world, dashboard, by, {
      context: { reducedMotion: 'reduce' },
    });
    await rendered(page);
    const later = sales.filter(({ day }) => day >= '2025-02-01');
    await totalIs(page, total(later.filter(({ region }) => region !== 'Europe')));
    // The first question already has the starting values: nothing is asked twice.
    const asked = requests.filter(({ url, body }) => body !== null && url.endsWith('/data'));
    expect(asked).toHaveLength(1);
    const shown = (title: string): Promise<string> => card(page, title).locator('button.field').innerText();
    expect(await shown('Region')).toBe('2 chosen');
    expect(await shown('Period')).toBe('From Feb 1, 2025');
    const csv = await page.evaluate(`${element}.exportData('csv', 'Total').then((file) => file.text())`);
    expect(String(csv)).toContain(String(total(later.filter((sale) => sale.region !== 'Europe'))));
    await toggleMembers(page, 'Region', 'Asia');
    await totalIs(page, total(later.filter((sale) => sale.region === 'Africa')));
    for (const title of ['Region', 'Period'])
      await card(page, title)
        .getByRole('button', { name: `Clear: ${title}` })
        .click();
    await totalIs(page, total(sales));
    expect(await toldOf(page, 'failed')).toEqual([]);
    await context.close();
  });

  it('hold where the item cannot show them, and are taken back like others', async () => {
    const by = await world.token([dashboard], { filters: [starting('region', '? != ?', 'Europe')] });
    const { page, context } = await openDashboard(browser, world, dashboard, by, {
      context: { reducedMotion: 'reduce' },
    });
    await rendered(page);
    await totalIs(page, total(sales.filter(({ region }) => region !== 'Europe')));
    expect(await card(page, 'Region').locator('button.field').innerText()).toBe('Custom');
    await card(page, 'Region').getByRole('button', { name: 'Clear: Region' }).click();
    await totalIs(page, total(sales));
    expect(await toldOf(page, 'failed')).toEqual([]);
    await context.close();
  });
});
