import { dataItemTypes, type Json } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import {
  card,
  noBrowser,
  openDashboard,
  openPage,
  rendered,
  settled,
  startBrowser,
  tableOf,
  toldOf,
  type Seen,
  type Watched,
} from './page.ts';
import { contentsOf, inSlot, item, oneOfEach, slot } from './sales.ts';
import { isFull } from '../support/counts.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

/** Returns a custom property of the theme as the dashboard has it. */
const themed = (page: Page, name: string): Promise<unknown> =>
  page.evaluate(
    `getComputedStyle(document.querySelector('inlay-dashboard')).getPropertyValue('--inlay-${name}').trim()`,
  );

const spacing = (page: Page, of: string): Promise<unknown> => page.evaluate(`getComputedStyle(${of}).letterSpacing`);

describe.skipIf(noBrowser !== undefined)('a dashboard', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let token: Credential;
  const open: Watched[] = [];

  const start = async (id = dashboard, by = token, seen: Seen = {}): Promise<Page> => {
    const watched = await openDashboard(browser, world, id, by, seen);
    open.push(watched);
    await rendered(watched.page);
    expect(watched.errors).toEqual([]);
    return watched.page;
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    dashboard = await world.dashboard(contentsOf(world.dataset, oneOfEach(world.dataset)));
    token = await world.token([dashboard]);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  // Contrast is measured for all themes elsewhere.
  it.each(isFull ? Object.keys(builtInThemes) : ['vivid_dark'])(
    'in theme %s has nothing that axe finds',
    async (theme) => {
      // Without motion, so that no colour is measured in the middle of a transition.
      const page = await start(dashboard, token, { attributes: { theme }, context: { reducedMotion: 'reduce' } });
      expect(await accessibilityFaults(page)).toEqual([]);
      for (const type of ['donut-chart', 'scatter-plot', 'bubble-chart']) await tableOf(page, type);
      await card(page, 'donut-chart').getByRole('button', { name: 'Apples' }).click();
      await card(page, 'donut-chart').getByRole('button', { name: 'Clear: Apples' }).waitFor();
      await settled(page);
      expect(await accessibilityFaults(page)).toEqual([]);
    },
  );

  it('takes the theme of the organization, then its own, then that of the token, then that of the element', async () => {
    const theme = (mainColor: string): Json => ({ type: 'custom', mainColor, itemsBackground: '#ffffff' });
    const [ofOrganization, ofDashboard] = await Promise.all(
      ['#7a0000', '#006600'].map((color) =>
        world.ok('theme', { action: 'create', properties: { name: { en: color }, theme: theme(color) } }),
      ),
    );
    await world.ok('theme', {
      action: 'associate',
      id: ofOrganization?.['id'] ?? null,
      resource: { role: 'defaultTheme', id: ofOrganization?.['organization_id'] ?? null },
    });
    const plain = await start();
    expect(await themed(plain, 'main')).toBe('rgb(122,0,0)');
    const views = (id: Json): Json => [
      {
        screenModus: 'desktop',
        options: { theme: { id } },
        filterGroups: [],
        items: [item('One', 'evolution-number', [slot('measure', inSlot(world.dataset, 'revenue'))], [0, 0, 24, 12])],
      },
    ];
    const own = await world.dashboard(contentsOf(world.dataset, [], { views: views(ofDashboard?.['id'] ?? null) }));
    const reader = await world.token([own]);
    expect(await themed(await start(own, reader), 'main')).toBe('rgb(0,102,0)');
    const themedToken = await world.token([own], { theme: theme('#000077'), css: 'h2 { letter-spacing: 3px }' });
    const withToken = await start(own, themedToken);
    expect(await themed(withToken, 'main')).toBe('rgb(0,0,119)');
    expect(
      await spacing(
        withToken,
        `document.querySelector('inlay-dashboard').shadowRoot.querySelector('inlay-card').shadowRoot.querySelector('h2')`,
      ),
    ).toBe('3px');
    expect(await spacing(withToken, `document.querySelector('h1')`)).toBe('normal');
    const given = await start(own, themedToken, { attributes: { theme: JSON.stringify(theme('#550055')) } });
    expect(await themed(given, 'main')).toBe('rgb(85,0,85)');
    await world.ok('theme', {
      id: ofOrganization?.['id'] ?? null,
      resource: { role: 'defaultTheme', id: ofOrganization?.['organization_id'] ?? null },
    });
  });

  it.each([
    ['en', 'ltr', 'Day', 'Jan 2024', /^1,\d{3}\.\d\d$/u],
    ['fr', 'ltr', 'Jour', 'janv. 2024', /^1\u202f\d{3},\d\d$/u],
    ['ar-EG', 'rtl', 'اليوم', 'يناير ٢٠٢٤', /^[٠-٩]{1}٬[٠-٩]{3}٫[٠-٩]{2}$/u],
  ])('in %s is written as its viewer reads', async (locale, direction, day, january, number) => {
    const page = await start(dashboard, token, { attributes: { locale } });
    expect(await page.locator('inlay-dashboard').getAttribute('dir')).toBe(direction);
    const name = { en: 'Show as table', fr: 'Afficher en tableau', 'ar-EG': 'عرض كجدول' }[locale] ?? '';
    await card(page, 'line-chart').getByRole('button', { name }).click();
    await card(page, 'line-chart').locator('td').first().waitFor();
    const cells = await card(page, 'line-chart').locator('th, td').allInnerTexts();
    expect(cells.map((cell) => cell.trim())).toEqual(expect.arrayContaining([day, january]));
    await card(page, 'column-chart').getByRole('button', { name }).click();
    expect((await card(page, 'column-chart').locator('td.number').first().innerText()).trim()).toMatch(number);
    const left = async (title: string): Promise<number> => (await card(page, title).boundingBox())?.x ?? 0;
    const [first, second] = [await left('area-chart'), await left('bar-chart')];
    expect(direction === 'rtl' ? first > second : first < second).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('is shown in the zone of the dashboard, of the token or of the element, the last one strongest', async () => {
    const days = [
      item(
        'Raw',
        'regular-table',
        [
          slot(
            'columns',
            inSlot(world.dataset, 'day', { level: null, subtype: 'datetime', format: '%Y-%m-%d %H:%M' }),
            inSlot(world.dataset, 'revenue', { aggregationFunc: 'none' }),
          ),
        ],
        [0, 0, 24, 20],
      ),
    ];
    const id = await world.dashboard(
      contentsOf(world.dataset, days, { timezone: { type: 'fixed', id: 'America/New_York' } }),
    );
    const firstDay = async (by: Credential, seen: Seen = {}): Promise<string | undefined> =>
      (await tableOf(await start(id, by, seen), 'Raw'))[1]?.[0];
    expect(await firstDay(await world.token([id]))).toBe('2023-12-31 19:00');
    const tokyo = await world.token([id], { timezone_id: 'Asia/Tokyo' });
    expect(await firstDay(tokyo)).toBe('2024-01-01 09:00');
    expect(await firstDay(tokyo, { attributes: { timezone: 'UTC' } })).toBe('2024-01-01 00:00');
  });

  it('is laid out for the width that it has', async () => {
    const views = ['desktop', 'tablet', 'mobile'].map((screenModus, index): Json => ({
      screenModus,
      options: {},
      filterGroups: [],
      items: [
        item(
          `On ${screenModus}`,
          'donut-chart',
          [slot('category', inSlot(world.dataset, 'product'))],
          [0, 0, 48, 16 + index],
        ),
      ],
    }));
    const id = await world.dashboard(contentsOf(world.dataset, [], { views }));
    const page = await start(id, await world.token([id]), { width: 1280 });
    await card(page, 'On desktop').waitFor();
    const widths = [
      [800, 'tablet'],
      [400, 'mobile'],
      [1100, 'desktop'],
    ] as const;
    for (const [index, [width, mode]] of widths.entries()) {
      await page.setViewportSize({ width, height: 900 });
      await card(page, `On ${mode}`).waitFor();
      await rendered(page, index + 2);
      const chart = await card(page, `On ${mode}`).locator('.chart').boundingBox();
      expect(Math.abs((chart?.width ?? 0) - width)).toBeLessThan(60);
    }
  });

  it('stacks the items of the desktop where a phone has none of its own', async () => {
    const page = await start(dashboard, token, { width: 390 });
    const boxes = await page
      .locator('inlay-card')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(boxes).toHaveLength(dataItemTypes.length);
    // Numbers stand two in a row.
    expect(boxes.filter((width) => width > 350)).toHaveLength(dataItemTypes.length - 2);
    expect(boxes.filter((width) => width > 170)).toHaveLength(dataItemTypes.length);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('puts 48 columns and rows of 16 px where the contents say', async () => {
    const page = await start();
    const box = async (title: string): Promise<readonly number[]> => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await card(page, title).boundingBox()) ?? {};
      return [x, y, width, height].map(Math.round);
    };
    const [area, bar, circle] = await Promise.all(['area-chart', 'bar-chart', 'circle-pack-chart'].map(box));
    const unit = (1280 + 12) / 48;
    expect(Math.abs((bar?.[0] ?? 0) - (area?.[0] ?? 0) - 16 * unit)).toBeLessThanOrEqual(2);
    expect((circle?.[1] ?? 0) - (area?.[1] ?? 0)).toBe(18 * 16);
    expect(area?.[3]).toBe(18 * 16 - 12);
  });

  it('has its name in the language of the viewer as a heading where its view asks for it', async () => {
    const regions = item('Regions', 'donut-chart', [slot('category', inSlot(world.dataset, 'region'))], [0, 0, 16, 12]);
    const id = await world.dashboard(
      contentsOf(world.dataset, [], {
        views: [{ screenModus: 'desktop', options: { showTitle: true }, items: [regions] }],
      }),
    );
    const name = { en: 'Sales of the year', nl: 'Verkoop van het jaar' };
    await world.ok('securable', { action: 'update', id, properties: { name } });
    const page = await start(id, await world.token([id]));
    const title = page.getByRole('heading', { name: name.en, level: 2 });
    await title.waitFor();
    await page.getByRole('heading', { name: 'Regions', level: 3 }).waitFor();
    const [above, below] = [await title.boundingBox(), await page.locator('inlay-card').boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    const family = (of: string): Promise<unknown> =>
      page.evaluate(
        `getComputedStyle(document.querySelector('inlay-dashboard').shadowRoot.querySelector('${of}')).fontFamily`,
      );
    expect(await family('h2')).toBe(await family('inlay-card'));
    await page.evaluate(`document.querySelector('inlay-dashboard').setAttribute('locale', 'nl')`);
    await page.getByRole('heading', { name: name.nl, level: 2 }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const without = await start();
    await without.getByRole('heading', { level: 2 }).first().waitFor();
    expect(await without.getByRole('heading', { level: 3 }).count()).toBe(0);
  });

  it('moves nothing for who wants no motion, and draws patterns for who asks for them', async () => {
    const page = await start(dashboard, token, {
      attributes: { patterns: '' },
      context: { reducedMotion: 'reduce' },
    });
    expect(await page.evaluate(`matchMedia('(prefers-reduced-motion: reduce)').matches`)).toBe(true);
    const once = await card(page, 'column-chart').locator('canvas').screenshot();
    await page.waitForTimeout(250);
    expect(once.equals(await card(page, 'column-chart').locator('canvas').screenshot())).toBe(true);
    const plain = await start(dashboard, token, { context: { reducedMotion: 'reduce' } });
    expect(once.equals(await card(plain, 'column-chart').locator('canvas').screenshot())).toBe(false);
  });

  it('works where the page allows no inline style, no other script and no connection elsewhere', async () => {
    const policy = `default-src 'none'; script-src ${world.service.url}; connect-src ${world.service.url}; style-src 'none'; img-src data:`;
    const page = await start(dashboard, token, {
      head: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    });
    const widths = await page
      .locator('inlay-card')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
    expect(new Set(widths).size).toBe(1);
    expect(await page.locator('canvas').count()).toBeGreaterThan(9);
  });

  it('says what happened where there is no data, no such column and no slot filled', async () => {
    const { dataset } = world;
    const gone = { ...inSlot(dataset, 'revenue'), columnId: '0190c0de-0000-7000-8000-00000000dead' };
    const id = await world.dashboard(
      contentsOf(dataset, [
        item('Gone', 'bar-chart', [slot('y-axis', inSlot(dataset, 'region')), slot('measure', gone)], [0, 0, 16, 12]),
        item('Unfilled', 'line-chart', [], [16, 0, 16, 12]),
        item('Unknown', 'hologram', [slot('x-axis', inSlot(dataset, 'region'))], [32, 0, 16, 12]),
        item(
          'Empty',
          'donut-chart',
          [slot('category', inSlot(dataset, 'region')), slot('measure', inSlot(dataset, 'revenue'))],
          [0, 12, 16, 12],
        ),
      ]),
    );
    const watched = await openDashboard(browser, world, id, await world.token([id]));
    open.push(watched);
    const { page } = watched;
    await rendered(page);
    const filter = {
      expression: '? = ?',
      parameters: [{ datasetId: dataset.id, columnId: dataset.columns.region }, 'Nowhere'],
    };
    await page.evaluate(`document.querySelector('inlay-dashboard').setFilters([${JSON.stringify(filter)}])`);
    await card(page, 'Empty').getByText('No data for this selection').waitFor();
    const shown = card(page, 'Gone').locator('.state');
    expect(await shown.innerText()).toMatch(/^This could not be loaded\s+Try again$/u);
    expect(await card(page, 'Unfilled').locator('.state').innerText()).toContain('Nothing to show yet');
    expect(await card(page, 'Unknown').locator('.state').innerText()).toContain('Nothing to show yet');
    const hint = expect.stringMatching(
      /^find\.queries\[\d\]\.measures\[0\]\.column_id: no column .* in this dataset, or its source has no column of that name$/u,
    );
    expect((await toldOf(page, 'failed'))[0]).toMatchObject({ id: 'Gone', code: 'column_unknown', hint });
    const told = (): readonly string[] => watched.errors.filter((text) => text.includes('Item "Gone"'));
    expect(told()).toEqual([expect.stringContaining('in this dataset')]);
    await page.evaluate(`document.querySelector('inlay-dashboard').refresh('Gone')`);
    await page.waitForFunction(`told.filter(({ name }) => name === 'failed').length >= 2`);
    expect(told()).toHaveLength(1);
    await page.evaluate(`document.querySelector('inlay-dashboard').setAttribute('locale', 'nl')`);
    await shown.getByText('Dit kon niet worden geladen').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('can be one item alone, from type, slots and options', async () => {
    const { dataset } = world;
    const slots = [slot('x-axis', inSlot(dataset, 'product')), slot('measure', inSlot(dataset, 'revenue'))];
    const attributes = `type="column-chart" item-title="Alone" slots='${JSON.stringify(slots)}' options='{"sort":{"by":"measure","order":"desc"},"limit":2}' auth-key="${token.key}" auth-token="${token.token}" api-host="${world.service.url}"`;
    const watched = await openPage(browser, world, `<inlay-item ${attributes}></inlay-item>`);
    open.push(watched);
    await rendered(watched.page);
    expect(await tableOf(watched.page, 'Alone')).toEqual([
      ['Product', 'Revenue'],
      ['Bread', '4,585.00'],
      ['Cheese', '4,575.00'],
    ]);
    expect(watched.errors).toEqual([]);
    expect(await accessibilityFaults(watched.page)).toEqual([]);
  });
});
