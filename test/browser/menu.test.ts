import type { JsonObject } from '@inlay/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { languages } from '../../packages/embed/src/locale/words.ts';
import { menuWordsFor } from '../../packages/embed/src/locale/menu-words.ts';
import {
  attribute,
  card,
  noBrowser,
  openDashboard,
  openPage,
  rendered,
  startBrowser,
  toldOf,
  until,
  type Seen,
  type Watched,
} from './page.ts';
import { contentsOf, inSlot, item, largestFirst, sales, slot } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

const formats = ['PNG', 'SVG', 'PDF', 'XLSX', 'CSV'].map((format) => `Export as ${format}`);

describe.skipIf(noBrowser !== undefined)('the menu of an item', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let plain: string;
  let token: Credential;
  const open: Watched[] = [];

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const on = (...given: Parameters<typeof inSlot> extends [unknown, ...infer Rest] ? Rest : never): JsonObject =>
      inSlot(world.dataset, ...given);
    const regions = [slot('x-axis', on('region')), slot('measure', on('revenue'))];
    const items = [
      item('Regions', 'column-chart', regions, [0, 0, 16, 18], {
        options: {
          description: { en: 'Net of tax, <b>without</b> returns', fr: 'Hors taxes' },
          actions: [
            { id: 'remind', label: { en: 'Remind me', fr: 'Me le rappeler' } },
            { id: 'bare', label: '' },
          ],
        },
      }),
      item(
        'Years',
        'column-chart',
        [slot('x-axis', on('day', { level: 1 })), slot('measure', on('revenue'))],
        [16, 0, 16, 18],
      ),
      item('Total', 'evolution-number', [slot('measure', on('revenue'))], [32, 0, 16, 9]),
      item('Rows', 'regular-table', [slot('columns', on('region'), on('revenue'))], [32, 9, 16, 9], {
        options: { exports: ['csv', 'xlsx'] },
      }),
      item('Region', 'dropdown-filter', [slot('dimension', on('region'))], [0, 18, 16, 10]),
      item('Hidden', 'column-chart', regions, [16, 18, 16, 12], { options: { menu: false } }),
    ];
    dashboard = await world.dashboard(contentsOf(world.dataset, items));
    const views = [
      {
        screenModus: 'desktop',
        options: { menu: false, exports: [] },
        items: [
          item('Regions', 'column-chart', regions, [0, 0, 16, 18]),
          item('Years', 'column-chart', regions, [16, 0, 16, 18], { options: { menu: true } }),
        ],
      },
    ];
    plain = await world.dashboard(contentsOf(world.dataset, [], { views }));
    token = await world.token([dashboard, plain]);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const start = async (seen: Seen = {}, shown = dashboard): Promise<Page> => {
    const watched = await openDashboard(browser, world, shown, token, {
      ...seen,
      context: { reducedMotion: 'reduce', ...seen.context },
    });
    open.push(watched);
    await rendered(watched.page);
    return watched.page;
  };
  const buttonOf = (page: Page, title: string): Locator => card(page, title).locator('button.more');
  const opened = async (page: Page, title: string): Promise<Locator> => {
    await buttonOf(page, title).click();
    const menu = card(page, title).getByRole('menu');
    await menu.waitFor();
    return menu;
  };
  const entriesOf = (menu: Locator): Promise<readonly string[]> =>
    menu
      .getByRole('menuitem')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()));

  it('has what fits the item, and is left out where the item or its view says so', async () => {
    const page = await start();
    expect(await entriesOf(await opened(page, 'Regions'))).toEqual([
      'Show as table',
      'Copy rows',
      'Full screen',
      ...formats,
      'Remind me',
      'bare',
    ]);
    await page.keyboard.press('Escape');
    expect(await entriesOf(await opened(page, 'Total'))).toEqual(['Copy rows', 'Full screen', ...formats]);
    await page.keyboard.press('Escape');
    expect(await entriesOf(await opened(page, 'Rows'))).toEqual([
      'Copy rows',
      'Full screen',
      'Export as XLSX',
      'Export as CSV',
    ]);
    for (const title of ['Region', 'Hidden']) expect(await buttonOf(page, title).count()).toBe(0);
    await card(page, 'Hidden').getByRole('button', { name: 'Show as table' }).click();
    await card(page, 'Hidden').locator('table').waitFor();
    const other = await start({}, plain);
    expect(await buttonOf(other, 'Regions').count()).toBe(0);
    expect(await entriesOf(await opened(other, 'Years'))).toEqual(['Show as table', 'Copy rows', 'Full screen']);
  });

  it('is used by the keyboard alone, and gives the focus back', async () => {
    const page = await start();
    const button = buttonOf(page, 'Regions');
    const focused = (): Promise<unknown> =>
      page.evaluate(
        `(() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at.getAttribute('aria-label') ?? at.textContent.trim(); })()`,
      );
    await button.focus();
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    const menu = card(page, 'Regions').getByRole('menu', { name: 'Regions' });
    await menu.waitFor();
    await until(
      page,
      `document.querySelector('inlay-dashboard').shadowRoot.querySelector('inlay-card').shadowRoot.activeElement?.role === 'menuitem'`,
    );
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await focused()).toBe('Show as table');
    for (const [key, wanted] of [
      ['ArrowDown', 'Copy rows'],
      ['ArrowUp', 'Show as table'],
      ['ArrowUp', 'bare'],
      ['Home', 'Show as table'],
      ['End', 'bare'],
      ['c', 'Copy rows'],
      ['r', 'Remind me'],
      ['Home', 'Show as table'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(wanted);
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Menu: Regions');
    await page.keyboard.press('Enter');
    await menu.waitFor();
    await until(
      page,
      `document.querySelector('inlay-dashboard').shadowRoot.querySelector('inlay-card').shadowRoot.activeElement?.role === 'menuitem'`,
    );
    await page.keyboard.press('Enter');
    await card(page, 'Regions').locator('table').waitFor();
    await menu.waitFor({ state: 'hidden' });
    await button.click();
    await menu.waitFor();
    await button.click();
    await menu.waitFor({ state: 'hidden' });
    await button.click();
    await page.mouse.click(4, 4);
    await menu.waitFor({ state: 'hidden' });
  });

  it('describes the item in words that stay words', async () => {
    const page = await start();
    const menu = await opened(page, 'Regions');
    const description = card(page, 'Regions').locator('.menu .description');
    expect(await description.innerText()).toBe('Net of tax, <b>without</b> returns');
    expect(await menu.getAttribute('aria-describedby')).toBe(await description.getAttribute('id'));
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('copies the rows as they are shown, separated by tabs', async () => {
    const page = await start({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    await (await opened(page, 'Regions')).getByRole('menuitem', { name: 'Copy rows' }).click();
    await card(page, 'Regions').getByRole('status').filter({ hasText: 'Rows copied' }).waitFor();
    const shown = largestFirst(sales, 'region').map(
      ([region, sum]) => `${region}\t${sum.toLocaleString('en', { minimumFractionDigits: 2 })}`,
    );
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(['Region\tRevenue', ...shown].join('\n'));
  });

  it('gives files, and says where it could not', async () => {
    const page = await start();
    const menu = await opened(page, 'Rows');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      menu.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Rows.csv');
    await page.route('**/0.1.0/export', (route) => route.abort());
    await (await opened(page, 'Rows')).getByRole('menuitem', { name: 'Export as XLSX' }).click();
    await card(page, 'Rows').getByRole('status').filter({ hasText: 'The file could not be made' }).waitFor();
    expect((await toldOf(page, 'failed')).at(-1)).toMatchObject({ id: 'Rows', code: 'unreachable' });
  });

  it('leads up where a viewer drilled down, tells the page of its entries, and fills the screen', async () => {
    const page = await start();
    await card(page, 'Years').getByRole('button', { name: 'Show as table' }).click();
    await card(page, 'Years').getByRole('button', { name: '2025', exact: true }).click();
    await card(page, 'Years').getByRole('button', { name: 'One level down: 2025' }).click();
    await card(page, 'Years').getByRole('button', { name: 'Q1 2025', exact: true }).waitFor();
    await (await opened(page, 'Years')).getByRole('menuitem', { name: 'One level up: 2025' }).click();
    await card(page, 'Years').getByRole('button', { name: '2024', exact: true }).waitFor();

    await page.evaluate(
      `document.querySelector('inlay-dashboard').setSelectedData([{ label: 'Region', value: 'Asia' }], 'Regions')`,
    );
    await (await opened(page, 'Regions')).getByRole('menuitem', { name: 'Remind me' }).click();
    expect(await toldOf(page, 'actionchosen')).toEqual([
      { id: 'Regions', action: 'remind', values: [{ label: 'Region', text: 'Asia', value: 'Asia' }] },
    ]);

    await (await opened(page, 'Regions')).getByRole('menuitem', { name: 'Full screen' }).click();
    await until(page, 'document.fullscreenElement !== null');
    await until(
      page,
      `document.querySelector('inlay-dashboard').shadowRoot.querySelector('inlay-card').clientWidth === innerWidth`,
    );
    await (await opened(page, 'Regions')).getByRole('menuitem', { name: 'Leave full screen' }).click();
    await until(page, 'document.fullscreenElement === null');
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('speaks each language, from right to left too', async () => {
    const page = await start({ attributes: { locale: 'ar' } });
    const words = menuWordsFor('ar');
    const menu = await opened(page, 'Regions');
    expect(await entriesOf(menu)).toContain(words.copy);
    const [button, popup] = [
      await buttonOf(page, 'Regions').boundingBox(),
      await card(page, 'Regions').locator('.menu').boundingBox(),
    ];
    expect(Math.round(popup?.x ?? -1)).toBe(Math.round(button?.x ?? -2));
    expect(new Set(languages.map((one) => JSON.stringify(menuWordsFor(one)))).size).toBe(languages.length);
  });

  it('shows where a pointer or the focus is, and always on touch', async () => {
    const page = await start();
    const isSeen = (on: Page): Promise<boolean> =>
      buttonOf(on, 'Total').evaluate((button) => button.checkVisibility({ opacityProperty: true }));
    await page.mouse.move(2, 2);
    expect(await isSeen(page)).toBe(false);
    await card(page, 'Total').hover();
    expect(await isSeen(page)).toBe(true);
    await page.mouse.move(2, 2);
    expect(await isSeen(page)).toBe(false);
    await buttonOf(page, 'Total').focus();
    expect(await isSeen(page)).toBe(true);
    const touched = await start({ context: { hasTouch: true, isMobile: true } });
    expect(await isSeen(touched)).toBe(true);
  });

  it('has no files of an item that no dashboard stores', async () => {
    const given: Readonly<Record<string, string>> = {
      'auth-key': token.key,
      'auth-token': token.token,
      'api-host': world.service.url,
      type: 'column-chart',
      'item-title': 'Regions',
      slots: JSON.stringify([
        slot('x-axis', inSlot(world.dataset, 'region')),
        slot('measure', inSlot(world.dataset, 'revenue')),
      ]),
    };
    const written = Object.entries(given).map(([name, value]) => `${name}="${attribute(value)}"`);
    const watched = await openPage(browser, world, `<inlay-item ${written.join(' ')}></inlay-item>`);
    open.push(watched);
    await rendered(watched.page);
    expect(await entriesOf(await opened(watched.page, 'Regions'))).toEqual([
      'Show as table',
      'Copy rows',
      'Full screen',
    ]);
    expect(
      await watched.page.evaluate(`document.querySelector('inlay-item').exportData('csv').catch(({ code }) => code)`),
    ).toBe('not_stored');
  });
});
