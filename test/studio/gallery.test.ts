import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dataItemTypes } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '../browser/axe.ts';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, editorToken, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`the gallery of types in the editor${noBrowser ?? ''}`, () => {
  let world: EmbedWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
  });
  afterEach(async () => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('draws every type that the data allow, names what others need, and switches there and back', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const editor = await EditorPage.open(browser, world, id, await editorToken(world, id, 'ada'));
    const start = await editor.text();
    await editor.frame('bars').click();
    await editor.page.locator('inlay-editor summary', { hasText: 'Types with pictures' }).click();
    const panel = editor.page.locator('inlay-gallery');
    await expect.poll(() => panel.locator('li').count()).toBe(dataItemTypes.length);
    const cardOf = (type: string) => panel.locator(`li[data-type="${type}"]`);
    const buttonOf = (type: string) => cardOf(type).locator('> button');
    await cardOf('donut-chart').scrollIntoViewIfNeeded();
    await cardOf('donut-chart').locator('inlay-item svg, inlay-item canvas').first().waitFor();
    expect(await cardOf('donut-chart').locator('inlay-item').count()).toBe(1);
    const dates = buttonOf('date-filter');
    expect(await dates.isDisabled()).toBe(true);
    expect(await cardOf('date-filter').innerText()).toMatch(/ is missing$/u);
    expect(await buttonOf('bar-chart').getAttribute('aria-pressed')).toBe('true');
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    await buttonOf('donut-chart').press('Enter');
    expect(await editor.ask('editor.contents.views[0].items[0].type')).toBe('donut-chart');
    await expect.poll(() => buttonOf('donut-chart').getAttribute('aria-pressed')).toBe('true');
    await buttonOf('bar-chart').click();
    expect(await editor.ask('editor.contents.views[0].items[0].slots')).toEqual(
      JSON.parse(start).views[0].items[0].slots,
    );
    await editor.button('Undo').click();
    await editor.button('Undo').click();
    expect(await editor.text()).toBe(start);
  });
});
