import { dataItemTypes } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opened } from './filters.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser, tableOf, toldOf, type Watched } from './page.ts';
import { contentsOf, oneOfEach, sales, sumBy, type Sale } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const money = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const month = (day: string): string =>
  new Date(day).toLocaleDateString('en', { year: 'numeric', month: 'short', timeZone: 'UTC' });
const quantity = ({ quantity: value }: Sale): number => value;

/** Sums by one or several keys as a table writes them. */
const sums = (...keys: readonly ((sale: Sale) => string)[]): readonly (readonly string[])[] =>
  sumBy(sales, (sale) => keys.map((key) => key(sale)).join('|')).map(([key, sum]) => [...key.split('|'), money(sum)]);

const byRegion = ({ region }: Sale): string => region;
const byProduct = ({ product }: Sale): string => product;
const byMonth = ({ day }: Sale): string => day.slice(0, 7);
const byYear = ({ day }: Sale): string => day.slice(0, 4);
const withMonth = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows.map(([first = '', ...rest]) => [month(`${first}-01`), ...rest]);
const twice = (key: (sale: Sale) => string): readonly (readonly string[])[] =>
  sumBy(sales, key).map(([name, sum], index) => [
    name,
    money(sum),
    money(sumBy(sales, key, quantity)[index]?.[1] ?? 0),
  ]);
const inOrder = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows.toSorted((a, b) => (String(a) < String(b) ? -1 : 1));

const all = (): string => '';
const totals = [[money(sumBy(sales, all, quantity)[0]?.[1] ?? 0), money(sumBy(sales, all)[0]?.[1] ?? 0)]];

/** What the table behind each chart holds, worked out from the rows that were pushed. */
const expected: Readonly<Record<string, readonly [readonly string[], readonly (readonly string[])[]]>> = {
  'area-chart': [['Day', 'Region', 'Revenue'], withMonth(sums(byMonth, byRegion))],
  'bar-chart': [['Product', 'Revenue', 'Quantity'], twice(byProduct)],
  'bubble-chart': [['Product', 'Region', 'Revenue'], sums(byProduct, byRegion)],
  'circle-pack-chart': [['Region', 'Product', 'Revenue'], sums(byRegion, byProduct)],
  'column-chart': [['Region', 'Product', 'Revenue'], sums(byRegion, byProduct)],
  'donut-chart': [['Product', 'Revenue'], sums(byProduct)],
  'bullet-chart': [['Region', 'Revenue', 'Quantity'], twice(byRegion)],
  'heat-table': [['Day', 'Region', 'Revenue'], sums(byYear, byRegion)],
  'funnel-chart': [['Product', 'Revenue'], sums(byProduct)],
  'waterfall-chart': [['Region', 'Revenue'], sums(byRegion)],
  'choropleth-map': [['Region', 'Revenue'], sums(byRegion)],
  'symbol-map': [['Region', 'Product', 'Revenue'], sums(byRegion, byProduct)],
  'circular-gauge': [['Quantity', 'Revenue'], totals],
  'speedometer-chart': [['Quantity', 'Revenue'], totals],
  'combination-chart': [['Day', 'Revenue', 'Quantity'], withMonth(twice(byMonth))],
  'line-chart': [['Day', 'Revenue', 'Quantity'], withMonth(twice(byMonth))],
  'scatter-plot': [
    ['Product', 'Region', 'Revenue', 'Quantity'],
    sumBy(sales, (sale) => `${sale.product}|${sale.region}`).map(([key, sum], index) => [
      ...key.split('|'),
      money(sum),
      money(sumBy(sales, (sale) => `${sale.product}|${sale.region}`, quantity)[index]?.[1] ?? 0),
    ]),
  ],
  'sunburst-chart': [['Region', 'Product', 'Revenue'], sums(byRegion, byProduct)],
  'treemap-chart': [['Product', 'Region', 'Revenue'], sums(byProduct, byRegion)],
};

describe.skipIf(noBrowser !== undefined)('a dashboard in a page of another site', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let watched: Watched;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const id = await world.dashboard(contentsOf(world.dataset, oneOfEach(world.dataset)));
    watched = await openDashboard(browser, world, id, await world.token([id]), { height: 2000 });
    await rendered(watched.page);
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('shows every type that there is', async () => {
    const shown = await watched.page
      .locator('inlay-card article')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(shown).toHaveLength(dataItemTypes.length);
    expect(new Set(shown)).toEqual(new Set(dataItemTypes));
    expect(await watched.page.locator('.state').count()).toBe(0);
  });

  it.each(Object.keys(expected))('has a table behind the %s that holds the very rows', async (type) => {
    const [head, rows] = expected[type] ?? [[], []];
    const [names, ...body] = await tableOf(watched.page, type);
    expect(new Set(names)).toEqual(new Set(head));
    const place = head.map((name) => names?.indexOf(name) ?? -1);
    expect(inOrder(body.map((row) => place.map((at) => row[at] ?? '')))).toEqual(inOrder(rows));
  });

  it('sums by region and year in the pivot table', async () => {
    const [head, ...rows] = await tableOf(watched.page, 'pivot-table');
    expect(head).toEqual(['Region', '2024', '2025', '2026']);
    const cells = new Map(sums(byRegion, byYear).map(([region, year, sum]) => [`${region}|${year}`, sum]));
    expect(rows).toEqual(
      ['Africa', 'Asia', 'Europe'].map((region) => [
        region,
        ...['2024', '2025', '2026'].map((year) => cells.get(`${region}|${year}`)),
      ]),
    );
  });

  it('lists raw rows in the regular table, of which only those in sight are in the page', async () => {
    const table = card(watched.page, 'regular-table').locator('table');
    expect(await table.getAttribute('aria-rowcount')).toBe(String(sales.length + 1));
    expect(await table.locator('tbody tr').count()).toBeLessThan(80);
    await card(watched.page, 'regular-table')
      .locator('.body')
      .evaluate((body) => body.scrollTo(0, body.scrollHeight));
    const last = sales.at(-1);
    await table
      .getByText(new Date(last?.day ?? '').toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' }))
      .waitFor();
  });

  it('says the last year and its change in the evolution number', async () => {
    // A year that has not ended counts up to today, and so does the one before.
    const today = new Date().toISOString().slice(0, 10);
    const lastYear = sumBy(sales, byYear).at(-1)?.[0] ?? '';
    const isOpen = lastYear === today.slice(0, 4);
    const sumIn = (year: string): number =>
      sumBy(
        sales.filter((sale) => byYear(sale) === year && (!isOpen || sale.day.slice(5) <= today.slice(5))),
        byYear,
      )[0]?.[1] ?? 0;
    const [last, before] = [sumIn(lastYear), sumIn(String(Number(lastYear) - 1))];
    const change = (last - before) / before;
    const changed = change.toLocaleString('en', {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    });
    const figure = card(watched.page, 'evolution-number').locator('.figure');
    await expect
      .poll(async () => (await figure.innerText()).replaceAll(/\s+/gu, ' '))
      .toSatisfy((text: string) => text.includes(money(last)) && text.includes(changed));
  });

  it('offers what there is in the filters', async () => {
    const texts = (title: string): Promise<string> => card(watched.page, title).locator('.body').innerText();
    const dropdown = await opened(watched.page, 'dropdown-filter');
    expect(await dropdown.getByRole('option').allInnerTexts()).toEqual(['Africa', 'Asia', 'Europe']);
    await watched.page.keyboard.press('Escape');
    expect(await texts('dropdown-filter')).toBe('All');
    for (const row of sums(byProduct)) for (const word of row) expect(await texts('slicer-filter')).toContain(word);
    expect(await texts('date-filter')).toContain('Jan 1, 2024 – Dec 13, 2026');
    const ends = card(watched.page, 'slider-filter').getByRole('spinbutton');
    expect(await ends.evaluateAll((fields) => fields.map((field) => field.getAttribute('placeholder')))).toEqual([
      '0.50',
      '99.50',
    ]);
  });

  it('asks once for how it looks, once for the rows of all items and once for what numbers are compared with', async () => {
    const calls = watched.requests.filter(({ url }) => url.includes('/0.1.0/')).map(({ url }) => url.split('/').at(-1));
    expect(calls).toEqual(['appearance', 'data', 'data']);
    expect(await toldOf(watched.page, 'failed')).toEqual([]);
  });

  it('asks nobody else, sets no cookie, stores nothing and says nothing in the console', async () => {
    const origins = watched.requests.map(({ url }) => new URL(url)).filter(({ protocol }) => protocol !== 'data:');
    const hosts = new Set(origins.map(({ origin }) => origin));
    expect(hosts).toEqual(new Set([world.site.url, world.service.url]));
    expect(await watched.context.cookies()).toEqual([]);
    expect(await watched.page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(await watched.page.locator('iframe').count()).toBe(0);
    expect(watched.errors).toEqual([]);
  });
});
