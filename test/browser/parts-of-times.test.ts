import type { JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { card, noBrowser, openDashboard, rendered, startBrowser, tableOf, toldOf, type Watched } from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const weekdays = {
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  fr: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
} as const;

describe.skipIf(noBrowser !== undefined)('items by a part of a time', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  const open: Watched[] = [];

  const start = async (locale: string): Promise<Page> => {
    const by = await world.token([dashboard]);
    const watched = await openDashboard(browser, world, dashboard, by, {
      locale,
      attributes: { language: locale },
      context: { reducedMotion: 'reduce', locale },
    });
    open.push(watched);
    await rendered(watched.page);
    return watched.page;
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const day = (mode: string): JsonObject =>
      inSlot(world.dataset, 'day', { level: 5, format: '%A', datetimeDisplayMode: mode });
    const region = inSlot(world.dataset, 'region');
    const revenue = slot('measure', inSlot(world.dataset, 'revenue'));
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Weekdays', 'column-chart', [slot('x-axis', day('weekday_name')), revenue], [0, 0, 24, 18]),
        item('Table', 'regular-table', [slot('columns', day('weekday_name'))], [24, 0, 24, 18]),
        item('Weekday', 'slicer-filter', [slot('dimension', day('weekday_name'))], [0, 18, 24, 12]),
        item('Total', 'evolution-number', [revenue], [24, 18, 24, 12]),
        item(
          'Pivot',
          'pivot-table',
          [slot('row', region), slot('column', day('weekday_name')), revenue],
          [0, 30, 48, 18],
        ),
      ]),
    );
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it.each(['en', 'fr'] as const)('show the seven weekdays in order, in the language %s', async (locale) => {
    const page = await start(locale);
    const texts: unknown = await page.evaluate(
      `document.querySelector('inlay-dashboard').getData('Weekdays').texts.map(([name]) => name)`,
    );
    expect(texts).toEqual(weekdays[locale]);
    const names: readonly string[] = weekdays[locale];
    const pivot = await card(page, 'Pivot').locator('thead th').allInnerTexts();
    expect(pivot.filter((text) => names.includes(text))).toEqual(names);
    const choices = await card(page, 'Weekday').locator('li .text').allInnerTexts();
    expect(choices).toEqual(names);
    const rows = await card(page, 'Table').locator('tbody td').allInnerTexts();
    expect(rows.slice(0, 3).every((text) => names.includes(text))).toBe(true);
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('narrow nothing by what no filter can say', async () => {
    const page = await start('en');
    const canvas = card(page, 'Weekdays').locator('.canvas');
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    await canvas.click({ position: { x: width / 2, y: height - 40 } });
    expect(await toldOf(page, 'clicked')).toMatchObject([{ id: 'Weekdays', values: [{ text: 'Thursday', value: 4 }] }]);
    expect(await toldOf(page, 'filterschanged')).toEqual([]);
    expect(await card(page, 'Weekday').getByLabel('Monday').isDisabled()).toBe(true);
    await tableOf(page, 'Weekdays');
    expect(await card(page, 'Weekdays').getByRole('button', { name: 'Monday' }).count()).toBe(0);
    expect(await card(page, 'Pivot').getByRole('button', { name: 'Europe' }).count()).toBe(1);
  });
});
