import { type JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { toggleMembers } from './filters.ts';
import { openedPages } from './opened-pages.ts';
import { card, noBrowser, startBrowser, toldOf, type Seen, type Watched } from './page.ts';
import { contentsOf, inSlot, item, sales, slot } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;
const money = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const total = (region?: string): string =>
  money(sales.reduce((sum, sale) => sum + (region === undefined || sale.region === region ? sale.revenue : 0), 0));

describe.skipIf(noBrowser !== undefined)('tabs', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let token: Credential;
  const openPage = openedPages();
  const start = (seen: Seen = {}): Promise<Watched> => openPage(browser, world, dashboard, token, seen);
  const tab = (page: Page, name: string) => card(page, 'Parts').getByRole('tab', { name });
  /** Ids of the items that were asked for, in each request. */
  const askedIn = ({ requests }: Watched): readonly (readonly string[])[] =>
    requests
      .filter(({ url }) => url.endsWith('/data'))
      .map(({ body }) => [...(body ?? '').matchAll(/"item_id":"([^"]+)"/gu)].map(([, id = '']) => id));
  const says = async (page: Page, title: string, text: string): Promise<void> => {
    await expect.poll(() => card(page, title).locator('.figure').innerText()).toContain(text);
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const revenue = slot('measure', inSlot(world.dataset, 'revenue'));
    const tabs: readonly JsonObject[] = [
      { id: 'money', title: { en: 'Money', ar: 'المال' }, items: ['Revenue', 'Region'] },
      { id: 'goods', title: { en: '<b>Goods</b>' }, items: ['Quantity', 'Products'] },
      { id: 'none', title: { en: 'None' }, items: [] },
    ];
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Parts', 'tabs', [], [0, 0, 48, 5], { options: { tabs } }),
        item('Region', 'dropdown-filter', [slot('dimension', inSlot(world.dataset, 'region'))], [0, 5, 24, 4]),
        item('Revenue', 'evolution-number', [revenue], [24, 5, 24, 8]),
        item('Quantity', 'evolution-number', [revenue], [0, 5, 24, 8]),
        item('Products', 'column-chart', [slot('x-axis', inSlot(world.dataset, 'product')), revenue], [0, 13, 48, 16]),
      ]),
    );
    token = await world.token([dashboard]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('show and ask for the items of one tab, which take no more room than they need', async () => {
    const watched = await start();
    const { page } = watched;
    expect(askedIn(watched)).toEqual([['Region', 'Revenue']]);
    const height = (): Promise<unknown> => page.evaluate(`${element}.getBoundingClientRect().height`);
    const before = Number(await height());
    await tab(page, '<b>Goods</b>').click();
    await says(page, 'Quantity', total());
    expect(askedIn(watched)).toEqual([
      ['Region', 'Revenue'],
      ['Quantity', 'Products'],
    ]);
    await expect.poll(async () => Number(await height())).toBe(before + 16 * 16);
    expect(await page.getByRole('heading', { name: 'Revenue', exact: true }).count()).toBe(0);
    expect(await page.getByRole('tabpanel', { name: '<b>Goods</b>' }).count()).toBe(2);
    await tab(page, 'Money').click();
    await says(page, 'Revenue', total());
    expect(askedIn(watched)).toHaveLength(2);
    expect(await toldOf(page, 'failed')).toEqual([]);
    expect(watched.errors).toEqual([]);
  });

  it('keep the filters of hidden tabs in force, and what they show', async () => {
    const watched = await start();
    const { page } = watched;
    await tab(page, '<b>Goods</b>').click();
    await says(page, 'Quantity', total());
    await tab(page, 'Money').click();
    await toggleMembers(page, 'Region', 'Asia');
    await says(page, 'Revenue', total('Asia'));
    expect(askedIn(watched).at(-1)).toEqual(['Revenue']);
    await tab(page, '<b>Goods</b>').click();
    await says(page, 'Quantity', total('Asia'));
    await tab(page, 'Money').click();
    expect(await card(page, 'Region').locator('button.field').innerText()).toBe('Asia');
  });

  it.each([
    ['en', 'ArrowRight', 'Money'],
    ['ar', 'ArrowLeft', 'المال'],
  ])('are chosen by the keyboard: %s', async (locale, forward, first) => {
    const { page } = await start({ locale });
    const chosen = (): Promise<string> => card(page, 'Parts').locator('[role=tab][aria-selected=true]').innerText();
    expect(await chosen()).toBe(first);
    await tab(page, first).focus();
    await page.keyboard.press(forward);
    await expect.poll(chosen).toBe('<b>Goods</b>');
    await page.keyboard.press('End');
    await expect.poll(chosen).toBe('None');
    await page.keyboard.press(forward);
    await expect.poll(chosen).toBe(first);
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await expect.poll(chosen).toBe(first);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('stand above their items on a phone', async () => {
    const { page } = await start({ width: 390, height: 800 });
    const top = async (title: string): Promise<number> => (await card(page, title).boundingBox())?.y ?? 0;
    expect(await top('Parts')).toBeLessThan(await top('Region'));
    const first = await top('Region');
    await tab(page, '<b>Goods</b>').click();
    await says(page, 'Quantity', total());
    expect(Math.abs((await top('Quantity')) - first)).toBeLessThan(2);
  });

  it('are all in a file, one below another', async () => {
    const { page } = await start();
    const svg = String(await page.evaluate(`${element}.exportData('svg').then((file) => file.text())`));
    const at = ['Money', 'Revenue', '&lt;b&gt;Goods&lt;/b&gt;', 'Quantity', 'None'].map((text) =>
      svg.indexOf(`>${text}<`),
    );
    expect(at.every((place) => place > 0)).toBe(true);
    const size = await page.evaluate(`${element}.exportData('pdf').then((file) => file.size)`);
    expect(Number(size)).toBeGreaterThan(1000);
  });
});
