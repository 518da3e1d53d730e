import type { JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opened, typeDays } from './filters.ts';
import { openedPages } from './opened-pages.ts';
import { card, noBrowser, startBrowser, toldOf, type Seen, type Watched } from './page.ts';
import { contentsOf, inSlot, item, sales, slot } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

const revenues = (from: string, to: string): readonly number[] =>
  sales.filter(({ day }) => day >= from && day <= to).map(({ revenue }) => revenue);
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const money = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const change = (now: number, then: number): string =>
  ((now - then) / then).toLocaleString('en', {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });

const february = revenues('2025-02-01', '2025-02-28');
const january = revenues('2025-01-01', '2025-01-31');
const lastFebruary = revenues('2024-02-01', '2024-02-29');

describe.skipIf(noBrowser !== undefined)('a filter that compares periods', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let token: Credential;
  const openPage = openedPages();
  const start = (seen: Seen = {}): Promise<Watched> => openPage(browser, world, dashboard, token, seen);

  const figure = async (page: Page, title: string): Promise<string> =>
    (await card(page, title).locator('.figure').innerText()).replaceAll(/\s+/gu, ' ');
  const says = async (page: Page, title: string, ...texts: readonly string[]): Promise<void> => {
    await expect.poll(() => figure(page, title)).toSatisfy((text: string) => texts.every((one) => text.includes(one)));
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const on = (...given: Parameters<typeof inSlot> extends [unknown, ...infer Rest] ? Rest : never): JsonObject =>
      inSlot(world.dataset, ...given);
    const evolution = slot('evolution', on('day', { level: 3 }));
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Period', 'date-comparison-filter', [slot('time', on('day'))], [0, 0, 20, 4]),
        item('Sum', 'evolution-number', [slot('measure', on('revenue')), evolution], [0, 4, 12, 10]),
        item(
          'Mean',
          'conditional-number',
          [slot('measure', on('revenue', { aggregationFunc: 'average' })), evolution],
          [12, 4, 12, 10],
        ),
        item('Plain', 'evolution-number', [slot('measure', on('revenue'))], [24, 4, 12, 10]),
      ]),
    );
    // Readers of the dashboard alone, who see what its items ask for.
    const access = {
      dashboards: [{ id: dashboard, rights: 'read' }],
      datasets: [{ id: world.dataset.id, rights: 'read' }],
    };
    token = await world.token([dashboard], { access });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('gives numbers the value of its period and the change, added up or computed again', async () => {
    const { page, errors } = await start();
    await typeDays(page, 'Period', { From: '2/1/2025', To: '2/28/2025' });
    const against = 'vs Jan 1 – 31, 2025';
    await says(page, 'Sum', money(sum(february)), change(sum(february), sum(january)), against, 'Feb 1 – 28, 2025');
    await says(page, 'Plain', money(sum(february)), change(sum(february), sum(january)), against);
    await says(page, 'Mean', money(mean(february)), change(mean(february), mean(january)), against);
    expect(await card(page, 'Period').locator('button.field').innerText()).toBe('Feb 1 – 28, 2025 · Previous period');

    const popup = await opened(page, 'Period');
    const kinds = popup.getByRole('group', { name: 'Compare with' });
    await kinds.getByRole('button', { name: 'Same period last year' }).press('Enter');
    const year = ['vs Feb 1 – 29, 2024', change(sum(february), sum(lastFebruary))];
    await says(page, 'Sum', money(sum(february)), ...year);
    await says(page, 'Plain', money(sum(february)), ...year);
    await says(page, 'Mean', change(mean(february), mean(lastFebruary)));
    await kinds.getByRole('button', { name: 'Nothing' }).click();
    await expect.poll(() => figure(page, 'Plain')).not.toContain('vs');
    expect(await figure(page, 'Plain')).toContain(money(sum(february)));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear: Period' }).click();
    await says(page, 'Plain', money(sum(sales.map(({ revenue }) => revenue))));
    await says(page, 'Mean', 'Dec 2026');
    expect(await toldOf(page, 'failed')).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('is in files as it is seen', async () => {
    const { page } = await start();
    await typeDays(page, 'Period', { From: '2/1/2025', To: '2/28/2025' });
    const popup = await opened(page, 'Period');
    await popup.getByRole('button', { name: 'Same period last year' }).click();
    await says(page, 'Plain', 'Feb 1 – 29, 2024');
    const file = String(
      await page.evaluate(`document.querySelector('inlay-dashboard').exportData('svg').then((file) => file.text())`),
    );
    const svg = file.replaceAll(/\s/gu, ' ');
    for (const text of [
      'Same period last year',
      money(sum(february)),
      money(mean(february)),
      change(sum(february), sum(lastFebruary)),
      change(mean(february), mean(lastFebruary)),
      'vs Feb 1 – 29, 2024',
    ])
      expect(svg).toContain(text);
  });

  it('speaks the language of the viewer', async () => {
    const { page } = await start({ locale: 'ar' });
    const popup = await opened(page, 'Period');
    await popup.getByRole('button', { name: 'هذا الشهر' }).click();
    await expect.poll(() => card(page, 'Period').locator('button.field').innerText()).toContain('الفترة السابقة');
  });
});
