import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { card, noBrowser, openDashboard, rendered, startBrowser, toldOf, until } from './page.ts';
import { contentsOf, oneOfEach } from './sales.ts';
import { startEmbedWorld, type EmbedWorld } from './world.ts';

const policy = (content: string): string => `<meta http-equiv="Content-Security-Policy" content="${content}">`;

describe.skipIf(noBrowser !== undefined)('a page that requires trusted types', () => {
  let world: EmbedWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const open = async (page: { readonly head: string; readonly prepare?: (page: Page) => Promise<void> }) => {
    const id = await world.dashboard(contentsOf(world.dataset, oneOfEach(world.dataset)));
    return openDashboard(browser, world, id, await world.token([id]), { height: 2000, ...page });
  };

  it.each(["require-trusted-types-for 'script'", "require-trusted-types-for 'script'; trusted-types lit-html"])(
    'shows every type of item and its tooltips under %s',
    async (content) => {
      const watched = await open({ head: policy(content) });
      await rendered(watched.page);
      expect(watched.errors).toEqual([]);
      expect(await toldOf(watched.page, 'failed')).toEqual([]);
      const blank = await watched.page.evaluate<readonly string[]>(`
        [...document.querySelector('inlay-dashboard').shadowRoot.querySelectorAll('inlay-card')]
          .filter(({ drawn, shadowRoot }) => drawn !== null && shadowRoot.querySelector('.canvas canvas') === null)
          .map(({ item }) => item.type)`);
      expect(blank).toEqual([]);
      const bars = card(watched.page, 'bar-chart').locator('canvas').first();
      const box = await bars.boundingBox();
      if (box === null) throw new Error('there are no bars');
      for (let at = 1; at < 10; at += 1)
        await watched.page.mouse.move(box.x + box.width * 0.4, box.y + (box.height * at) / 10);
      await until(
        watched.page,
        `[...document.querySelector('inlay-dashboard').shadowRoot.querySelectorAll('inlay-card')]
          .some(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.canvas > div')]
            .some((tooltip) => /Revenue/u.test(tooltip.textContent)))`,
      );
      expect(watched.errors).toEqual([]);
      await watched.context.close();
    },
    60_000,
  );

  it('is told of a chart that cannot be drawn, and shows its rows instead', async () => {
    const watched = await open({
      head: '',
      prepare: async (page) => {
        await page.addInitScript({
          content: 'CanvasRenderingContext2D.prototype.save = () => { throw new Error("no canvas"); };',
        });
      },
    });
    await rendered(watched.page);
    const failures = await toldOf(watched.page, 'failed');
    expect(failures).toContainEqual(
      expect.objectContaining({ id: 'bar-chart', code: 'failed', message: 'Error: no canvas' }),
    );
    expect(await card(watched.page, 'bar-chart').locator('table').count()).toBe(1);
    await watched.context.close();
  });
});
