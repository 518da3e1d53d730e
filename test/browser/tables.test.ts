import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser, tableOf, type Watched } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, sumBy } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const money = (value: number): string => value.toLocaleString('en', { minimumFractionDigits: 2 });

describe.skipIf(noBrowser !== undefined)('tables in the page', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let watched: Watched;
  let page: Page;

  const column = (title: string, index: number): Promise<readonly string[]> =>
    tableOf(page, title).then((rows) => rows.slice(1).map((row) => row[index] ?? ''));
  const head = (title: string, name: string): Locator => card(page, title).getByRole('columnheader', { name });
  const box = async (one: Locator): Promise<{ readonly x: number; readonly y: number; readonly width: number }> =>
    (await one.boundingBox()) ?? { x: 0, y: 0, width: 0 };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const on = (name: 'day' | 'region' | 'product' | 'revenue' | 'quantity', more = {}) =>
      inSlot(world.dataset, name, more);
    const options = { totals: true, subtotals: true };
    const dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item(
          'Products',
          'regular-table',
          [slot('columns', on('product'), on('revenue'), on('quantity'))],
          [0, 0, 16, 18],
          {
            options,
          },
        ),
        item(
          'Pivot',
          'pivot-table',
          [
            slot('row', on('region'), on('product')),
            slot('column', on('day', { level: 2 })),
            slot('measure', on('revenue'), on('quantity')),
          ],
          [16, 0, 20, 18],
          { options: { ...options, scale: { type: 'sequential' } } },
        ),
        item(
          'Rows',
          'regular-table',
          [slot('columns', on('product'), on('day'), on('revenue', { aggregationFunc: 'none' }))],
          [0, 18, 16, 18],
        ),
      ]),
    );
    watched = await openDashboard(browser, world, dashboard, await world.token([dashboard]));
    page = watched.page;
    await rendered(page);
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('are sorted by the Enter key on a head, ascending, descending and as they came, with totals at the end', async () => {
    const came = await column('Products', 0);
    const sums = sumBy(sales, ({ product }) => product).toSorted(([, a], [, b]) => a - b);
    const names = sums.map(([product]) => product);
    const button = head('Products', 'Revenue').getByRole('button');
    expect(await head('Products', 'Revenue').getAttribute('aria-sort')).toBe('none');
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await column('Products', 0)).toEqual([...names, 'Total']);
    expect(await head('Products', 'Revenue').getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('Enter');
    expect(await column('Products', 0)).toEqual([...names.toReversed(), 'Total']);
    expect(await head('Products', 'Revenue').getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Enter');
    expect(await column('Products', 0)).toEqual(came);
    expect((await column('Products', 1)).at(-1)).toBe(money(sums.reduce((sum, [, value]) => sum + value, 0)));
  });

  it('have columns that arrow keys and a pointer make wider', async () => {
    const edge = head('Products', 'Revenue').getByRole('separator');
    const { width } = await box(head('Products', 'Revenue'));
    await edge.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect((await box(head('Products', 'Revenue'))).width).toBeCloseTo(width + 20, 0);
    expect(Number(await edge.getAttribute('aria-valuenow'))).toBe(Math.round(width + 20));
    const { x, y } = await box(edge);
    await page.mouse.move(x + 2, y + 8);
    await page.mouse.down();
    await page.mouse.move(x - 28, y + 8, { steps: 3 });
    await page.mouse.up();
    expect((await box(head('Products', 'Revenue'))).width).toBeCloseTo(width - 10, 0);
  });

  it('keep heads, the first column and totals in sight, and say where there is more', async () => {
    const pivot = card(page, 'Pivot');
    const body = pivot.locator('.body');
    const before = {
      corner: await box(head('Pivot', 'Region')),
      total: await box(pivot.locator('tfoot th').first()),
    };
    expect(await body.getAttribute('class')).toContain('beside');
    expect(await pivot.locator('.rows').innerText()).toMatch(/^1–\d+ of 15$/u);
    await body.evaluate((element) => element.scrollTo(150, 90));
    await page.waitForTimeout(100);
    expect(await box(head('Pivot', 'Region'))).toEqual(before.corner);
    expect(await box(pivot.locator('tfoot th').first())).toEqual(before.total);
    expect((await box(pivot.getByRole('rowheader', { name: 'Total: Africa' }))).x).toBe(before.corner.x);
    expect(await body.getAttribute('class')).toContain('moved');
    expect(await pivot.locator('.rows').innerText()).toMatch(/^4–\d+ of 15$/u);
  });

  it('hold only the rows in sight, at their true places', async () => {
    const rows = card(page, 'Rows');
    await rows.locator('.body').evaluate((element) => element.scrollTo(0, 100 * 30));
    await rows.locator('tr[aria-rowindex="102"]').waitFor();
    expect(await rows.locator('tbody tr').count()).toBeLessThan(50);
    const [place, frame] = [await box(rows.locator('tr[aria-rowindex="102"]')), await box(rows.locator('thead'))];
    expect(place.y - frame.y).toBeCloseTo(30, 0);
  });

  it('are nothing that axe finds fault with', async () => {
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(watched.errors).toEqual([]);
  });
});
