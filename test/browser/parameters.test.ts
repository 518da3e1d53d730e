import type { JsonObject } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedFilter } from '../support/sales-world.ts';
import { opened, toggleMembers } from './filters.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser, toldOf, totalIs } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, type Sale } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-dashboard')`;
const total = (rows: readonly Sale[]): number => rows.reduce((sum, { revenue }) => sum + revenue, 0);
const [region, from, least] = ['metadata.region', 'metadata.from', 'metadata.least'] as const;
const declared: readonly JsonObject[] = [
  { parameter: region, type: 'array[hierarchy]', value: ['Europe'] },
  { parameter: from, type: 'datetime', value: '2000-01-01' },
  { parameter: least, type: 'numeric', value: 0 },
];

describe.skipIf(noBrowser !== undefined)('controls of parameters', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const on = (name: 'quantity' | 'revenue'): JsonObject => inSlot(world.dataset, name);
    const control = (title: string, parameter: string, col: number, more: JsonObject = {}): JsonObject =>
      item(title, 'parameter-control', [], [col, 0, 12, 4], { options: { parameter, ...more } });
    const items = [
      control('Region', region, 0, { choices: ['Africa', { value: 'Asia', label: { en: 'The East', ar: 'الشرق' } }] }),
      control('Side', region, 12, { choices: ['Africa', 'Asia'], style: 'buttons' }),
      control('From', from, 24),
      control('Least', least, 36),
      item('Total', 'evolution-number', [slot('measure', on('revenue'))], [0, 4, 24, 10]),
    ];
    const filters = [
      storedFilter(world.dataset, 'region', '? in ?', declared[0] ?? null),
      storedFilter(world.dataset, 'day', '? >= ?', declared[1] ?? null),
      storedFilter(world.dataset, 'quantity', '? >= ?', declared[2] ?? null),
    ];
    const filterGroups = [{ origin: 'global', condition: 'and', filters }];
    const views = [{ screenModus: 'desktop', options: { theme: { id: 'default' } }, filterGroups, items }];
    dashboard = await world.dashboard(contentsOf(world.dataset, [], { views, parameters: declared }));
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const reader = (more: JsonObject = {}): ReturnType<EmbedWorld['token']> =>
    world.token([dashboard], {
      access: {
        dashboards: [{ id: dashboard, rights: 'read' }],
        datasets: [{ id: world.dataset.id, rights: 'read' }],
      },
      ...more,
    });

  it('set values that queries and files have, by pointer and by keyboard', async () => {
    const by = await reader();
    const { page, context, requests } = await openDashboard(browser, world, dashboard, by, {
      context: { reducedMotion: 'reduce' },
    });
    await rendered(page);
    const europe = sales.filter((sale) => sale.region === 'Europe');
    await totalIs(page, total(europe));
    expect(await card(page, 'Region').locator('button.field').innerText()).toBe('Europe');
    expect(await page.evaluate(`${element}.getParameters()`)).toEqual({});

    await toggleMembers(page, 'Region', 'The East');
    const both = sales.filter((sale) => sale.region !== 'Africa');
    await totalIs(page, total(both));
    expect(await page.evaluate(`${element}.getParameters()`)).toEqual({ [region]: ['Asia', 'Europe'] });
    const csv = await page.evaluate(`${element}.exportData('csv', 'Total').then((file) => file.text())`);
    expect(String(csv)).toContain(String(total(both)));
    const svg = await page.evaluate(`${element}.exportData('svg').then((file) => file.text())`);
    expect(String(svg)).toContain('The East');

    await card(page, 'Least').locator('input').fill('3');
    await card(page, 'Least').locator('input').press('Enter');
    const several = both.filter(({ quantity }) => quantity >= 3);
    await totalIs(page, total(several));

    const popup = await opened(page, 'From');
    await popup.getByLabel('From', { exact: true }).fill('2025-02-01');
    await popup.getByLabel('From', { exact: true }).press('Tab');
    await totalIs(page, total(several.filter(({ day }) => day >= '2025-02-01')));
    await page.keyboard.press('Escape');

    for (const title of ['Region', 'From', 'Least'])
      await card(page, title)
        .getByRole('button', { name: `Clear: ${title}` })
        .click();
    await totalIs(page, total(europe));
    expect(await page.evaluate(`${element}.setSelectedData(['Africa'], 'Side')`)).toBe(true);
    await totalIs(page, total(sales.filter((sale) => sale.region === 'Africa')));
    expect(await card(page, 'Side').getByRole('button', { name: 'Africa' }).getAttribute('aria-pressed')).toBe('true');
    expect(await toldOf(page, 'failed')).toEqual([]);
    const asked = requests.filter(({ url, body }) => body !== null && url.endsWith('/data'));
    expect(asked.length).toBeLessThanOrEqual(9);
    await context.close();
  });

  it('show what the token sets, which nobody changes', async () => {
    const by = await reader({ metadata: { region: ['Asia'] }, locale_id: 'ar' });
    const { page, context } = await openDashboard(browser, world, dashboard, by, {
      context: { reducedMotion: 'reduce' },
    });
    await rendered(page);
    await totalIs(page, total(sales.filter((sale) => sale.region === 'Asia')));
    expect(await card(page, 'Region').locator('output').innerText()).toBe('الشرق');
    expect(await card(page, 'Region').locator('button.field').count()).toBe(0);
    expect(await page.evaluate(`${element}.setSelectedData(['Africa'], 'Region')`)).toBe(false);
    expect(await toldOf(page, 'failed')).toEqual([]);
    await context.close();
  });
});
