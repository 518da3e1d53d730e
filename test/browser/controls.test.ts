import { type JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { datasetIn } from '../support/world.ts';
import { opened, toggleMembers, typeDays } from './filters.ts';
import { openedPages } from './opened-pages.ts';
import { card, noBrowser, startBrowser, toldOf, totalIs, type Seen } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, type Sale, type SalesDataset } from './sales.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;
const total = (rows: readonly Sale[]): number => rows.reduce((sum, { revenue }) => sum + revenue, 0);
const of = (...regions: readonly string[]): readonly Sale[] => sales.filter(({ region }) => regions.includes(region));

/** What has the focus, through shadow roots. */
const focused = (page: Page, what: string): Promise<unknown> =>
  page.evaluate(
    `(() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at.${what}; })()`,
  );

const shown = (page: Page, title: string): Promise<string> => card(page, title).locator('button.field').innerText();

describe.skipIf(noBrowser !== undefined)('filter items', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let token: Credential;
  let dashboard: string;
  const openPage = openedPages();
  const start = async (id = dashboard, by = token, seen: Seen = {}): Promise<Page> =>
    (await openPage(browser, world, id, by, seen)).page;

  const itemsOf = (dataset: SalesDataset): readonly JsonObject[] => {
    const on = (...given: Parameters<typeof inSlot> extends [unknown, ...infer Rest] ? Rest : never): JsonObject =>
      inSlot(dataset, ...given);
    return [
      item('Region', 'dropdown-filter', [slot('dimension', on('region'))], [0, 0, 12, 4]),
      item('Period', 'date-filter', [slot('time', on('day'))], [12, 0, 12, 4]),
      item('Search', 'search-filter', [slot('dimension', on('product'))], [24, 0, 12, 4]),
      item('One', 'dropdown-filter', [slot('dimension', on('product'))], [36, 0, 12, 4], {
        options: { multiple: false },
      }),
      item('Buttons', 'slicer-filter', [slot('dimension', on('product'))], [0, 4, 24, 5], {
        options: { style: 'buttons' },
      }),
      item('Total', 'evolution-number', [slot('measure', on('revenue'))], [24, 4, 12, 5]),
    ];
  };

  /** Returns a dashboard over other rows, and a token for it. */
  const over = async (
    rows: readonly (readonly [string, string])[],
    timeZone: string,
  ): Promise<{ readonly id: string; readonly by: Credential }> => {
    const data = [
      ['day', 'region', 'product', 'revenue', 'quantity'],
      ...rows.map(([day, region]) => [day, region, 'Bread', 1, 1]),
    ];
    const options = { header: true, name: { en: 'Others' } };
    const pushed = await world.ok('data', { action: 'create', properties: { type: 'create', data, options } });
    const dataset = await world.datasetOf(textOf(datasetIn(pushed)['id']));
    const id = await world.dashboard(
      contentsOf(dataset, itemsOf(dataset), { timezone: { type: 'fixed', id: timeZone } }),
    );
    await world.ok('dashboard', { action: 'associate', id, resource: { role: 'Datasets', id: dataset.id } });
    const access = { dashboards: [{ id, rights: 'read' }], datasets: [{ id: dataset.id, rights: 'use' }] };
    return { id, by: await world.token([id], { access }) };
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    dashboard = await world.dashboard(contentsOf(world.dataset, itemsOf(world.dataset)));
    token = await world.token([dashboard]);
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('narrow the items of the dashboard, all together', async () => {
    const page = await start();
    await toggleMembers(page, 'Region', 'Europe', 'Asia');
    const both = of('Europe', 'Asia');
    await totalIs(page, total(both));
    await typeDays(page, 'Period', { From: '2/1/2025', To: '2025-03-31' });
    const spring = both.filter(({ day }) => day >= '2025-02-01' && day <= '2025-03-31');
    await totalIs(page, total(spring));
    for (const name of ['Period', 'Region'].map((title) => `Clear: ${title}`))
      await page.getByRole('button', { name }).click();
    await totalIs(page, total(sales));
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('offer members in a list that opens above the page, by the keyboard alone', async () => {
    const page = await start();
    expect(await shown(page, 'Region')).toBe('All');
    await card(page, 'Region').locator('button.field').focus();
    await page.keyboard.press('ArrowDown');
    await card(page, 'Region').getByRole('listbox').waitFor();
    await expect.poll(() => focused(page, `getAttribute('role')`)).toBe('listbox');
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await totalIs(page, total(of('Europe')));
    await page.keyboard.press('a');
    await page.keyboard.press('s');
    await page.keyboard.press('Enter');
    await totalIs(page, total(of('Asia', 'Europe')));
    await page.keyboard.press('Escape');
    expect(await shown(page, 'Region')).toBe('2 chosen');
    await expect.poll(() => focused(page, `getAttribute('aria-label')`)).toBe('Region: 2 chosen');
    const svg = await page.evaluate(`${element}.exportData('svg').then((file) => file.text())`);
    expect(String(svg)).toContain('Region: Asia, Europe');
    expect(String(svg)).toContain('Period: All');
    await page.keyboard.press('Enter');
    await card(page, 'Region').getByRole('button', { name: 'Clear', exact: true }).click();
    await totalIs(page, total(sales));
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('are a line high, and what opens is cut off by nothing', async () => {
    const page = await start(dashboard, token, { height: 700 });
    for (const title of ['Region', 'Period', 'Search', 'One']) {
      const box = await card(page, title).boundingBox();
      const field = await card(page, title).locator('.field').boundingBox();
      expect(field?.height).toBeGreaterThanOrEqual(32);
      expect(field?.y).toBeGreaterThan(box?.y ?? 0);
      expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
    }
    await opened(page, 'Period');
    const last = card(page, 'Period').getByRole('gridcell').last();
    const [day, board] = [await last.boundingBox(), await page.locator('inlay-dashboard').boundingBox()];
    const field = await card(page, 'Period').getByLabel('To', { exact: true }).boundingBox();
    expect((day?.x ?? 0) + (day?.width ?? 0)).toBeCloseTo((field?.x ?? 0) + (field?.width ?? 0), 0);
    expect(day?.y).toBeGreaterThan((board?.y ?? 0) + (board?.height ?? 0));
    await last.getByRole('button').click({ trial: true });
  });

  it('let one member alone be chosen where the item says so', async () => {
    const page = await start();
    const popup = await opened(page, 'One');
    await popup.getByRole('option', { name: 'Bread' }).click();
    await totalIs(page, total(sales.filter(({ product }) => product === 'Bread')));
    await popup.waitFor({ state: 'hidden' });
    expect(await shown(page, 'One')).toBe('Bread');
    expect(await focused(page, `getAttribute('aria-label')`)).toBe('One: Bread');
  });

  it('search a column as a viewer types, and offer members as buttons', async () => {
    const page = await start();
    await card(page, 'Search').getByRole('searchbox').fill('che');
    await totalIs(page, total(sales.filter(({ product }) => product === 'Cheese')));
    await card(page, 'Search').getByRole('button', { name: 'Clear: Search' }).click();
    await totalIs(page, total(sales));
    expect(await card(page, 'Search').getByRole('searchbox').inputValue()).toBe('');
    await card(page, 'Buttons').getByRole('button', { name: 'Dates' }).click();
    await totalIs(page, total(sales.filter(({ product }) => product === 'Dates')));
    expect(await card(page, 'Buttons').getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['Dates']);
  });

  it('choose a range of days in a calendar by the keyboard alone', async () => {
    const page = await start();
    await card(page, 'Period').locator('button.field').focus();
    await page.keyboard.press('Enter');
    await card(page, 'Period').getByRole('grid').waitFor();
    await card(page, 'Period').getByLabel('From', { exact: true }).fill('2/10/2025');
    await card(page, 'Period').getByLabel('From', { exact: true }).press('Enter');
    await card(page, 'Period').getByRole('button', { name: 'February 10, 2025' }).focus();
    await page.keyboard.press('Home');
    expect(await focused(page, 'innerText')).toBe('9');
    await page.keyboard.press('Enter');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await totalIs(page, total(sales.filter(({ day }) => day >= '2025-02-09' && day <= '2025-03-15')));
    expect((await shown(page, 'Period')).replaceAll(/\s/gu, ' ')).toBe('Feb 9 – Mar 15, 2025');
    expect(await focused(page, 'className')).toBe('field');
    await opened(page, 'Period');
    await card(page, 'Period').getByRole('button', { name: 'Last year' }).click();
    const year = String(new Date().getUTCFullYear() - 1);
    await totalIs(page, total(sales.filter(({ day }) => day.startsWith(year))));
  });

  it('take days as those of the zone of the dashboard', async () => {
    const rows = [
      '2025-01-31T22:59:00Z',
      '2025-01-31T23:00:00Z',
      '2025-02-28T22:59:00Z',
      '2025-02-28T23:00:00Z',
    ] as const;
    const { id, by } = await over(
      rows.map((day) => [day, 'Europe'] as const),
      'Europe/Brussels',
    );
    const page = await start(id, by);
    const popup = await opened(page, 'Period');
    await popup.getByLabel('From', { exact: true }).fill('2/1/2025');
    await popup.getByLabel('From', { exact: true }).press('Tab');
    await totalIs(page, 3);
    await popup.getByLabel('To', { exact: true }).fill('2/28/2025');
    await popup.getByLabel('To', { exact: true }).press('Tab');
    await totalIs(page, 2);
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('find one of many members', async () => {
    const names = Array.from({ length: 9_000 }, (_, index) => `Member ${String(index).padStart(5, '0')}`);
    const { id, by } = await over(
      names.map((name) => ['2025-01-01T10:00:00Z', name] as const),
      'UTC',
    );
    const page = await start(id, by);
    const popup = await opened(page, 'Region');
    expect(await popup.getByRole('option').count()).toBe(200);
    expect(await popup.innerText()).toContain('The first 200; keep typing');
    await page.keyboard.type('08999');
    await page.keyboard.press('Enter');
    await totalIs(page, 1);
    expect(await shown(page, 'Region')).toBe('Member 08999');
  });

  it.each([
    ['default', 'en', 1280],
    ['default_dark', 'fr', 1280],
    ['high_contrast', 'ar', 390],
  ])('have nothing that axe finds while they are open, in theme %s and %s', async (theme, locale, width) => {
    const page = await start(dashboard, token, { width, height: 844, attributes: { theme, locale } });
    for (const title of ['Region', 'Period']) {
      await opened(page, title);
      await page.waitForTimeout(200);
      expect(await accessibilityFaults(page)).toEqual([]);
      const popup = await card(page, title).locator('.popup').boundingBox();
      expect(popup?.x).toBeGreaterThanOrEqual(0);
      expect((popup?.x ?? 0) + (popup?.width ?? 0)).toBeLessThanOrEqual(width);
      await page.keyboard.press('Escape');
    }
  });
});
