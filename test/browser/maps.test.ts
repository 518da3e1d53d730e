import type { JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadCountries } from '../../packages/embed/src/charts/map/level.ts';
import { projectionOf, viewAround } from '../../packages/embed/src/charts/map/projection.ts';
import { boxOf, joined, type Shape } from '../../packages/embed/src/charts/map/shapes.ts';
import { datasetIn } from '../support/world.ts';
import {
  card,
  noBrowser,
  openDashboard,
  rendered,
  startBrowser,
  tableOf,
  toldOf,
  totalIs,
  type Seen,
  type Watched,
} from './page.ts';
import { contentsOf, inSlot, item, slot, type SalesDataset } from './sales.ts';
import { startEmbedWorld, textOf, type EmbedWorld } from './world.ts';

const rows = [
  ['Germany', '52.52, 13.40', 'Shop', 300],
  ['FRA', '48.86, 2.35', 'Stores', 200],
  ['España', '40.42, -3.70', 'Shop', 100],
  ['Italia', '45.46, 9.19', 'Stores', 60],
  ['Foo', 'nowhere', 'Shop', 7],
  ['Bar', '', 'Shop', 5],
] as const;
const total = rows.reduce((sum, [, , , revenue]) => sum + revenue, 0);

describe.skipIf(noBrowser !== undefined)('maps in a page', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let access: JsonObject;
  const open: Watched[] = [];

  const start = async (locale = 'en', seen: Seen = {}): Promise<Watched> => {
    const by = await world.token([dashboard], { access });
    const watched = await openDashboard(browser, world, dashboard, by, {
      locale,
      attributes: { language: locale },
      context: { reducedMotion: 'reduce', locale },
      ...seen,
    });
    open.push(watched);
    return watched;
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const pushed = await world.ok('data', {
      action: 'create',
      properties: {
        type: 'create',
        data: [['country', 'place', 'channel', 'revenue'], ...rows.map((row) => [...row])],
        options: { header: true, name: { en: 'Orders' } },
      },
    });
    const { id } = datasetIn(pushed);
    const found = await world.ok('column', { find: { where: { securable_id: id } } });
    const columns = new Map(
      (Array.isArray(found['rows']) ? found['rows'] : []).map((row: JsonObject) => [
        textOf(row['source_name']),
        textOf(row['id']),
      ]),
    );
    const column = (name: string): string => columns.get(name) ?? '';
    const dataset: SalesDataset = {
      id,
      columns: {
        ...world.dataset.columns,
        region: column('country'),
        product: column('place'),
        revenue: column('revenue'),
      },
    };
    const channel = inSlot({ ...dataset, columns: { ...dataset.columns, region: column('channel') } }, 'region', {
      label: 'Channel',
    });
    const revenue = slot('measure', inSlot(dataset, 'revenue', { format: ',.0f' }));
    const country = slot('geo', inSlot(dataset, 'region', { label: 'Country' }));
    const place = slot('geo', inSlot(dataset, 'product', { label: 'Place' }));
    dashboard = await world.dashboard(
      contentsOf(dataset, [
        item('Countries', 'choropleth-map', [country, revenue], [0, 0, 24, 22]),
        item('Cities', 'symbol-map', [place, revenue, slot('category', channel)], [24, 0, 24, 22]),
        item('Total', 'evolution-number', [revenue], [0, 22, 24, 12]),
      ]),
    );
    access = {
      dashboards: [{ id: dashboard, rights: 'read' }],
      datasets: [{ id, rights: 'use' }],
    };
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  /** Clicks a country of the map, where the projection says that it lies. */
  const clickCountry = async (page: Page, name: string): Promise<void> => {
    const countries = await loadCountries();
    const find = (text: string): Shape | null => countries.find([text], 'en');
    const canvas = card(page, 'Countries').locator('.canvas');
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    const boxes = rows.flatMap(([text]) => find(text)?.box ?? []);
    const view = viewAround(boxes.reduce(joined, boxOf([])), 0.06);
    const [x, y] = projectionOf(view, width, height - 22).place(find(name)?.center ?? [0, 0]);
    await canvas.click({ position: { x, y } });
  };

  it('draw countries by name, code and language, and say which names they did not find, below their table too', async () => {
    const { page, errors } = await start();
    await rendered(page);
    const map = card(page, 'Countries');
    expect(await map.locator('.note').allInnerTexts()).toEqual(['2 names not found: Bar, Foo']);
    expect(await card(page, 'Cities').locator('.note').allInnerTexts()).toEqual(['2 names not found: “”, nowhere']);
    expect((await tableOf(page, 'Countries')).length).toBe(rows.length + 1);
    expect(await map.locator('.note:not(.rows)').allInnerTexts()).toEqual(['2 names not found: Bar, Foo']);
    expect(errors).toEqual([]);
  });

  it.each([
    ['fr', '2 noms introuvables'],
    ['ar', 'أسماء لم يُعثر عليها'],
  ])('say so in the language %s', async (locale, text) => {
    const { page } = await start(locale);
    await rendered(page);
    expect(await card(page, 'Countries').locator('.note').innerText()).toContain(text);
  });

  it('filter the other items by a click on a country, until it is clicked again', async () => {
    const { page } = await start();
    await rendered(page);
    await totalIs(page, total);
    await clickCountry(page, 'Germany');
    await totalIs(page, 300);
    await clickCountry(page, 'Spain');
    await totalIs(page, 100);
    await clickCountry(page, 'Spain');
    await totalIs(page, total);
    const clicked = await toldOf(page, 'clicked');
    expect(clicked.map(({ values }) => values)).toMatchObject([
      [{ value: 'Germany' }],
      [{ value: 'España' }],
      [{ value: 'España' }],
    ]);
  });

  it('fill the room that a note leaves', async () => {
    const { page } = await start();
    await rendered(page);
    const room = async (): Promise<readonly number[]> => {
      const sizes: unknown = await card(page, 'Cities').evaluate((one) =>
        ['.canvas', 'canvas'].map((name) => one.shadowRoot?.querySelector(name)?.clientHeight ?? 0),
      );
      return Array.isArray(sizes) ? sizes.map(Number) : [];
    };
    const [before = 0] = await room();
    await clickCountry(page, 'Germany');
    await totalIs(page, 300);
    await card(page, 'Cities').locator('.note').waitFor({ state: 'detached' });
    const [place = 0, drawn = 0] = await room();
    expect(place).toBeGreaterThan(before);
    expect(drawn).toBe(place);
  });

  it('filter by keyboard in their table', async () => {
    const { page } = await start();
    await rendered(page);
    await card(page, 'Countries').getByRole('button', { name: 'Show as table' }).focus();
    await page.keyboard.press('Enter');
    const cell = card(page, 'Countries').getByRole('button', { name: 'FRA' });
    await cell.focus();
    await page.keyboard.press('Enter');
    await totalIs(page, 200);
    expect(await card(page, 'Countries').getByRole('button', { name: 'Clear: FRA' }).count()).toBe(1);
  });

  it('load their shapes once, as a file of the service', async () => {
    const { page, requests } = await start();
    await rendered(page);
    const files = requests.map(({ url }) => url).filter((url) => /countries|regions/u.test(url));
    expect(files.filter((url) => url.includes('countries'))).toHaveLength(1);
    expect(files.every((url) => url.startsWith(world.service.url))).toBe(true);
  });

  it('are drawn although parts of the elements come only when they are loaded once more', async () => {
    const missing: string[] = [];
    const { page } = await start('en', {
      prepare: async (opened) =>
        void (await opened.route(/\/embed\/chunk-(?:card|map-chart|countries)-[^?]*$/u, (route) => {
          if (missing.includes(route.request().url())) return route.continue();
          missing.push(route.request().url());
          return route.fulfill({ status: 404, body: '' });
        })),
    });
    await rendered(page);
    await card(page, 'Countries').locator('canvas').waitFor();
    expect(missing).toHaveLength(3);
  });

  it('offer to load them again where that failed', async () => {
    const { page } = await start('en', {
      prepare: async (opened) => void (await opened.route(/chunk-countries/u, (route) => route.abort())),
    });
    const map = card(page, 'Countries');
    await map.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await map.locator('.state').innerText()).toContain('This could not be loaded');
    await totalIs(page, total);
    await page.unroute(/chunk-countries/u);
    await map.getByRole('button', { name: 'Try again' }).click();
    await map.locator('canvas').waitFor();
  });
});
