import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openDashboard, rendered, startBrowser } from './page.ts';
import { contentsOf, inSlot, item, sales, slot } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const words = { en: '# Sales\n\nIn all **{{Revenue}}**, [more](https://example.com/more) [no](javascript:alert(1))' };

describe.skipIf(noBrowser !== undefined)('what stands between charts', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const revenue = inSlot(world.dataset, 'revenue');
    const items = [
      item('Words', 'text', [slot('measure', revenue)], [0, 0, 24, 10], { title: '', options: { text: words } }),
      item('Logo', 'image', [], [24, 0, 8, 6], { title: '', options: { src: dot, alt: { en: 'A red dot' } } }),
      item('Bad', 'image', [], [32, 0, 8, 6], { title: '', options: { src: 'javascript:alert(1)' } }),
      item('Line', 'divider', [], [0, 10, 48, 2], { title: '' }),
      item('Room', 'spacer', [], [0, 12, 48, 2], { title: '' }),
      item('Total', 'evolution-number', [slot('measure', revenue)], [0, 14, 12, 8]),
    ];
    const id = await world.dashboard(contentsOf(world.dataset, items));
    const watched = await openDashboard(browser, world, id, await world.token([id]));
    ({ page } = watched);
    await rendered(page);
    expect(watched.errors).toEqual([]);
  });

  const article = (type: string): Locator => page.locator(`inlay-card article[aria-label="${type}"]`);

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('are words with numbers of a query, whose links lead to pages alone', async () => {
    const total = sales.reduce((sum, { revenue }) => sum + revenue, 0);
    const text = article('text').locator('.words');
    await text.getByText(total.toLocaleString('en', { minimumFractionDigits: 2 })).waitFor();
    expect(await text.getByRole('heading', { name: 'Sales' }).count()).toBe(1);
    const links = await text.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links).toEqual(['https://example.com/more']);
  });

  it('are images with words for those who do not see them, and nothing where an address is no image', async () => {
    expect(await article('image').first().getByRole('img', { name: 'A red dot' }).count()).toBe(1);
    expect(await page.locator('inlay-card img').count()).toBe(1);
  });

  it('stand on the page itself, without a frame, a title or a table', async () => {
    const bare = page.locator('inlay-card article.bare');
    expect(await bare.count()).toBe(5);
    expect(await bare.locator('header').count()).toBe(0);
    expect(await page.locator('inlay-card .state').count()).toBe(0);
  });
});
