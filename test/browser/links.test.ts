import type { JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { card, noBrowser, openDashboard, rendered, startBrowser, toldOf, until, type Watched } from './page.ts';
import { contentsOf, inSlot, item, largestFirst, sales, slot } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

const shop = 'https://shop.example/orders/{Region}?of={Revenue}';

describe.skipIf(noBrowser !== undefined)('links of cells and marks', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let token: Credential;
  const open: Watched[] = [];

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const on = (...given: Parameters<typeof inSlot> extends [unknown, ...infer Rest] ? Rest : never): JsonObject =>
      inSlot(world.dataset, ...given);
    const linked = (href: string): JsonObject => on('region', { link: { href } });
    const table = (id: string, href: string, row: number): JsonObject =>
      item(id, 'regular-table', [slot('columns', linked(href), on('revenue'))], [0, row, 16, 10]);
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        table('Orders', shop, 0),
        table('Hostile', 'javascript:document.title="{Region}"', 10),
        table('Unknown', 'https://shop.example/{Nothing}', 20),
        item(
          'Pivot',
          'pivot-table',
          [slot('row', on('region', { link: { dashboardSlug: 'details' } })), slot('measure', on('revenue'))],
          [16, 0, 16, 18],
        ),
        item('Marks', 'column-chart', [slot('x-axis', on('region')), slot('measure', on('revenue'))], [32, 0, 16, 18], {
          options: { link: { href: `${world.site.url}/region/{Region}` } },
        }),
      ]),
    );
    token = await world.token([dashboard]);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const start = async (locale = 'en'): Promise<Page> => {
    const watched = await openDashboard(browser, world, dashboard, token, {
      attributes: { locale },
      context: { reducedMotion: 'reduce' },
    });
    open.push(watched);
    await rendered(watched.page);
    return watched.page;
  };
  const [first, revenue] = largestFirst(sales, 'region').toSorted(([one], [other]) => (one < other ? -1 : 1))[0] ?? [
    '',
    0,
  ];

  it('lead from cells to an address with the encoded values of the row, in every language', async () => {
    for (const locale of ['en', 'fr']) {
      const page = await start(locale);
      const link = card(page, 'Orders').getByRole('link', { name: first, exact: true });
      await link.waitFor();
      expect(await link.getAttribute('href')).toBe(`https://shop.example/orders/${first}?of=${revenue}`);
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      expect(await link.getAttribute('target')).toBe('_blank');
    }
  });

  it('never run a script, and lead nowhere without a value', async () => {
    const page = await start();
    for (const title of ['Hostile', 'Unknown']) {
      await card(page, title).locator('table').waitFor();
      expect(await card(page, title).locator('a').count()).toBe(0);
      await card(page, title).getByRole('button', { name: first, exact: true }).click();
    }
    expect(await page.title()).toBe('A page that embeds');
    expect(await toldOf(page, 'linkfollowed')).toEqual([]);
  });

  it('tell the page, which may follow them itself', async () => {
    const page = await start();
    await page.evaluate(`document.addEventListener('linkfollowed', (event) => event.preventDefault())`);
    await card(page, 'Orders').getByRole('link', { name: first, exact: true }).click();
    await card(page, 'Pivot').getByRole('button', { name: first, exact: true }).click();
    expect(page.context().pages()).toHaveLength(1);
    const filter = {
      expression: '? = ?',
      parameters: [{ dataset_id: world.dataset.id, column_id: world.dataset.columns.region }, first],
    };
    expect(await toldOf(page, 'linkfollowed')).toMatchObject([
      {
        id: 'Orders',
        href: `https://shop.example/orders/${first}?of=${revenue}`,
        dashboardSlug: null,
        values: [{ label: 'Region', value: first }, { label: 'Revenue' }],
        filters: [filter],
      },
      {
        id: 'Pivot',
        href: null,
        dashboardSlug: 'details',
        values: [{ label: 'Region', value: first }],
        filters: [filter],
      },
    ]);
    expect(await toldOf(page, 'filterschanged')).toEqual([]);
  });

  it('lead from marks, in a tab of their own', async () => {
    const page = await start();
    const canvas = card(page, 'Marks').locator('.canvas');
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    const [region = ''] = largestFirst(sales, 'region')[0] ?? [];
    await canvas.click({ position: { x: 44 + (width - 56) / 6, y: height - 40 } });
    await vi.waitFor(() => expect(world.site.asked).toContain(`GET /region/${region}`), 10_000);
    expect(page.url()).not.toContain('/region/');
    expect(await toldOf(page, 'linkfollowed')).toMatchObject([{ id: 'Marks', values: [{ value: region }] }]);
    expect(await toldOf(page, 'clicked')).toEqual([]);
    await until(page, `document.querySelector('inlay-dashboard').getFilters().length === 0`);
  });
});
