import type { JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  card,
  noBrowser,
  openDashboard,
  rendered,
  startBrowser,
  tableOf,
  toldOf,
  totalIs,
  type Watched,
} from './page.ts';
import { contentsOf, inSlot, item, largestFirst, type Sale, sales, slot, sumBy } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;
const total = (rows: readonly Sale[]): number => rows.reduce((sum, { revenue }) => sum + revenue, 0);
const of = (region: string): readonly Sale[] => sales.filter((sale) => sale.region === region);

describe.skipIf(noBrowser !== undefined)('items of a dashboard', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let token: Credential;
  const open: Watched[] = [];

  const start = async (by: Credential = token): Promise<Watched> => {
    const watched = await openDashboard(browser, world, dashboard, by, { context: { reducedMotion: 'reduce' } });
    open.push(watched);
    await rendered(watched.page);
    return watched;
  };

  const filter = (name: 'region' | 'product', expression: string, value: string | readonly string[]): JsonObject => ({
    expression,
    parameters: [{ datasetId: world.dataset.id, columnId: world.dataset.columns[name] }, value],
  });

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const on = (...given: Parameters<typeof inSlot> extends [unknown, ...infer Rest] ? Rest : never): JsonObject =>
      inSlot(world.dataset, ...given);
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Regions', 'column-chart', [slot('x-axis', on('region')), slot('measure', on('revenue'))], [0, 0, 16, 18]),
        item(
          'Years',
          'column-chart',
          [slot('x-axis', on('day', { level: 1 })), slot('measure', on('revenue'))],
          [16, 0, 16, 18],
        ),
        item(
          'Products',
          'donut-chart',
          [slot('category', on('product')), slot('measure', on('revenue'))],
          [32, 0, 16, 18],
        ),
        item('Total', 'evolution-number', [slot('measure', on('revenue'))], [0, 18, 16, 10]),
        item('Region', 'dropdown-filter', [slot('dimension', on('region'))], [16, 18, 16, 10]),
        item('Period', 'date-filter', [slot('time', on('day'))], [32, 18, 16, 10]),
        item(
          'Amount',
          'slider-filter',
          [slot('slidermetric', on('revenue', { aggregationFunc: 'none' }))],
          [0, 28, 16, 10],
        ),
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

  /** Clicks the n-th of three bars, near its foot. */
  const clickBar = async (page: Page, title: string, nth: number, clickCount = 1): Promise<void> => {
    const canvas = card(page, title).locator('.canvas');
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    await canvas.click({ position: { x: 44 + ((width - 56) * (nth + 0.5)) / 3, y: height - 40 }, clickCount });
  };

  it('are narrowed by a mark that is clicked in another, until it is clicked again', async () => {
    const { page } = await start();
    const regions = largestFirst(sales, 'region').map(([region]) => region);
    await clickBar(page, 'Regions', regions.indexOf('Asia'));
    await totalIs(page, total(of('Asia')));
    expect(await toldOf(page, 'clicked')).toEqual([
      { id: 'Regions', values: [{ label: 'Region', text: 'Asia', value: 'Asia' }] },
    ]);
    expect(await tableOf(page, 'Regions')).toHaveLength(4);
    await card(page, 'Regions').getByRole('button', { name: 'Clear: Asia' }).click();
    await totalIs(page, total(sales));
    expect((await toldOf(page, 'filterschanged')).map(({ filters }) => filters)).toMatchObject([
      [{ expression: '? = ?', columnId: world.dataset.columns.region, value: 'Asia' }],
      [],
    ]);
  });

  it('are drilled into by a double click, level by level, and up again', async () => {
    const { page } = await start();
    await clickBar(page, 'Years', 1, 2);
    await page.waitForFunction(`${element}.getData('Years')?.texts.length === 4`);
    expect((await tableOf(page, 'Years')).slice(1).map(([quarter]) => quarter)).toEqual(
      [1, 2, 3, 4].map((quarter) => `Q${quarter} 2025`),
    );
    await totalIs(page, total(sales));
    const file = await page.evaluate(`${element}.exportData('csv', 'Years').then((csv) => csv.text())`);
    expect(String(file).trim().split('\r\n')).toHaveLength(5);
    await card(page, 'Years').getByRole('button', { name: 'One level up: 2025' }).click();
    await page.waitForFunction(`${element}.getData('Years')?.texts.length === 3`);
  });

  it('can be chosen from, drilled into and cleared by the keyboard alone', async () => {
    const { page } = await start();
    const years = card(page, 'Years');
    const press = async (name: string): Promise<void> => {
      await years.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Show as table');
    await press('2024');
    await totalIs(page, total(sales.filter(({ day }) => day.startsWith('2024'))));
    await press('One level down: 2024');
    await page.waitForFunction(`${element}.getData('Years')?.texts.length === 4`);
    await press('Q2 2024');
    await totalIs(page, total(sales.filter(({ day }) => day >= '2024-04' && day < '2024-07')));
    await press('Clear: Q2 2024');
    await press('One level up: 2024');
    await totalIs(page, total(sales));
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('are narrowed by filters of the page, and say what they show', async () => {
    const { page } = await start();
    const set = (filters: readonly JsonObject[]): Promise<unknown> =>
      page.evaluate(`${element}.setFilters(${JSON.stringify(filters)})`);
    await set([{ or: [filter('region', '? = ?', 'Asia'), filter('product', '? in ?', ['Bread'])] }]);
    const either = sales.filter(({ region, product }) => region === 'Asia' || product === 'Bread');
    await totalIs(page, total(either));
    const least = largestFirst(either, 'product').at(-1)?.[1];
    await page.waitForFunction(`${element}.getData('Products')?.values.at(-1)?.[1] === ${least}`);
    expect(await page.evaluate(`${element}.getData('Products')`)).toMatchObject({
      columns: ['Product', 'Revenue'],
      values: largestFirst(either, 'product').map(([name, sum]) => [{ id: name, name: { en: name } }, sum]),
    });
    const exported = await page.evaluate(`${element}.exportData('csv', 'Products').then((file) => file.text())`);
    expect(String(exported).trim().split('\r\n').slice(1)).toEqual(
      largestFirst(either, 'product').map(([name, sum]) => `"${name}",${sum}`),
    );
    await set([]);
    await totalIs(page, total(sales));
  });

  it('show what was asked for last, however answers come', async () => {
    const { page } = await start();
    let first = true;
    await page.route('**/0.1.0/data', async (route) => {
      const wait = first ? 700 : 0;
      first = false;
      await new Promise((resolve) => setTimeout(resolve, wait));
      await route.continue().catch(() => undefined);
    });
    await page.evaluate(`${element}.setFilters(${JSON.stringify([filter('region', '? = ?', 'Asia')])})`);
    await page.evaluate(`${element}.setFilters(${JSON.stringify([filter('region', '? = ?', 'Africa')])})`);
    await totalIs(page, total(of('Africa')));
    await new Promise((resolve) => setTimeout(resolve, 900));
    await totalIs(page, total(of('Africa')));
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('go on with a new token when the old one has ended, without being mounted again', async () => {
    const short = await world.token([dashboard]);
    const { page } = await start(short);
    const next = await world.token([dashboard]);
    await page.evaluate(`
      ${element}.shadowRoot.querySelector('inlay-card').wasHere = true;
      globalThis.asked = 0;
      ${element}.getToken = async () => { asked += 1; return ${JSON.stringify(next)}; };
    `);
    await world.ok('authorization', { action: 'delete', id: short.key });
    await page.evaluate(
      `${element}.setFilters(${JSON.stringify([filter('region', '? = ?', 'Asia')])}); ${element}.refresh('Years');`,
    );
    await totalIs(page, total(of('Asia')));
    expect(await page.evaluate('asked')).toBe(1);
    expect(await page.evaluate(`${element}.shadowRoot.querySelector('inlay-card').wasHere`)).toBe(true);
    expect(await toldOf(page, 'failed')).toEqual([]);
    expect(await page.locator('.state').count()).toBe(0);
  });

  it('leave nothing in the page when the token has ended and there is no other', async () => {
    const short = await world.token([dashboard]);
    const { page } = await start(short);
    await tableOf(page, 'Products');
    await world.ok('authorization', { action: 'delete', id: short.key });
    await page.evaluate(`${element}.refresh('Total')`);
    await page.waitForFunction(`told.some(({ name }) => name === 'failed')`);
    await page.waitForFunction(`${element}.shadowRoot.querySelectorAll('inlay-card').length > 0`);
    await card(page, 'Products').locator('.state').waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    const texts = await page.locator('inlay-card').allInnerTexts();
    for (const word of ['Apples', 'Europe', ...sumBy(sales, ({ product }) => product).map(([, sum]) => sum.toFixed(2))])
      expect(texts.join(' ')).not.toContain(word);
    expect(await page.evaluate(`${element}.getData('Products')`)).toBeNull();
    expect((await toldOf(page, 'failed')).at(-1)).toMatchObject({ id: null, code: 'credentials_invalid' });
  });

  it('show a refusal in words where the dashboard may not be seen', async () => {
    const other = await world.token([]);
    const watched = await openDashboard(browser, world, dashboard, other);
    open.push(watched);
    await watched.page.getByRole('alert').waitFor();
    expect(await watched.page.getByRole('alert').innerText()).toBe('This could not be loaded\nTry again');
    expect((await toldOf(watched.page, 'failed'))[0]).toMatchObject({ id: null, code: 'not_found' });
    expect(await watched.page.locator('inlay-card').count()).toBe(0);
  });

  it('tell whoever builds a page that the service does not allow its origin', async () => {
    const watched = await openDashboard(browser, world, dashboard, token);
    open.push(watched);
    const { page } = watched;
    await page.goto(page.url().replace('127.0.0.1', 'localhost'));
    await page.getByRole('alert').waitFor();
    const origin = await page.evaluate('location.origin');
    const [failed] = await toldOf(page, 'failed');
    expect(failed?.['code']).toBe('unreachable');
    expect(failed?.['hint']).toContain(
      `pages of ${String(origin)}. Its setting INLAY_CORS_ORIGINS must name that origin`,
    );
    expect(watched.errors.some((text) => text.includes('INLAY_CORS_ORIGINS'))).toBe(true);
    const alert = page.getByRole('alert');
    expect(await alert.innerText()).toBe('The service cannot be reached right now. Try again later.\nTry again');
    await page.evaluate(`${element}.setAttribute('locale', 'fr')`);
    await page.waitForFunction(
      `${element}.shadowRoot.querySelector('[role=alert]')?.innerText.startsWith('Le service est injoignable')`,
    );
  });

  it('get only rows that the row filters of the token let through, in every request', async () => {
    const european = await world.token([dashboard], {
      filters: [
        {
          clause: 'where',
          origin: 'global',
          securable_id: world.dataset.id,
          column_id: world.dataset.columns.region,
          expression: '? = ?',
          value: 'Europe',
        },
      ],
    });
    const watched = await openDashboard(browser, world, dashboard, european, {
      context: { reducedMotion: 'reduce' },
    });
    open.push(watched);
    const answers: Promise<string>[] = [];
    watched.page.on('response', (response) => {
      if (response.url().includes('/0.1.0/') && response.request().method() === 'POST')
        answers.push(response.text().catch(() => ''));
    });
    const { page } = watched;
    await rendered(page);
    await totalIs(page, total(of('Europe')));
    await page.evaluate(`${element}.setFilters(${JSON.stringify([filter('region', '? in ?', ['Asia', 'Africa'])])})`);
    await page.waitForFunction(`${element}.getData('Products')?.values.length === 0`);
    await page.evaluate(`${element}.setFilters([])`);
    await totalIs(page, total(of('Europe')));
    await clickBar(page, 'Years', 2);
    await totalIs(page, total(of('Europe').filter(({ day }) => day.startsWith('2026'))));
    const exported = await page.evaluate(`${element}.exportData('svg').then((file) => file.text())`);
    answers.push(Promise.resolve(String(exported)));
    const texts = await Promise.all(answers);
    expect(texts.length).toBeGreaterThan(4);
    for (const text of texts) expect(text).not.toMatch(/Asia|Africa/u);
  });
});
