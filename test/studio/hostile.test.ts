import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { listOr, objectOr, type JsonObject } from '@inlay/contract';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { hostileTexts } from '../browser/payloads.ts';
import { isFull } from '../support/counts.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`texts in the editor${noBrowser ?? ''}`, () => {
  let world: EmbedWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('run and load nothing, wherever the editor shows them', async () => {
    const texts = hostileTexts(`${world.site.url}/listener`).filter((_, index) => isFull || index % 5 === 0);
    const contents = fiveItems(world.dataset);
    const views = listOr(contents['views']).map((view): JsonObject => {
      const items = listOr(objectOr(view)['items']).map((item, index): JsonObject => {
        const text = texts[index] ?? '';
        const slots = listOr(objectOr(item)['slots']).map((slot) => ({
          ...objectOr(slot),
          content: listOr(objectOr(slot)['content']).map((entry) => ({ ...objectOr(entry), label: text })),
        }));
        return { ...objectOr(item), title: text, slots, options: { description: text } };
      });
      return { ...objectOr(view), items };
    });
    const columns = Object.values(world.dataset.columns);
    for (const [index, column] of columns.entries())
      await world.ok('column', { action: 'update', id: column, properties: { name: { en: texts[index] ?? 'n' } } });
    const id = await world.dashboard({ ...contents, views });
    const editor = await EditorPage.open(browser, world, id, world.owner, {
      prepare: async (page) => {
        await page.addInitScript('globalThis.pwned = () => { globalThis.wasPwned = true; }');
      },
    });
    const { page } = editor;
    const asked = world.site.asked.length;
    for (const text of texts) {
      await editor.ask(`{
        const [text, own] = [${JSON.stringify(text)}, editor.contents.views[0].items[0].id];
        editor.select([own]);
        await editor.updateComplete;
        for (const details of editor.renderRoot.querySelectorAll('details')) details.open = true;
        const title = editor.renderRoot.querySelector('.panel > label input');
        title.value = text;
        title.dispatchEvent(new Event('change'));
        await editor.updateComplete;
        const shown = () => editor.renderRoot.querySelector('inlay-options');
        while (shown() === null) await new Promise(requestAnimationFrame);
        const options = shown();
        await options.updateComplete;
        const description = options.renderRoot.querySelector('textarea');
        description.value = text;
        description.dispatchEvent(new Event('change'));
        await editor.updateComplete;
      }`);
      expect(
        await editor.ask('editor.contents.views[0].items[0].title.en ?? editor.contents.views[0].items[0].title'),
      ).toBe(text.replaceAll(/[\r\n]/gu, ''));
    }
    for (const item of ['total', 'pieces', 'regions', 'months']) await editor.frame(item).click();
    // Each column by its name in a formula, which is stored with its id.
    const formulas = page.locator('inlay-formula');
    await formulas.getByRole('button', { name: 'Add a formula to Measure' }).click();
    const box = formulas.getByRole('textbox', { name: 'Formula', exact: true });
    for (const index of columns.keys()) {
      await box.press('Control+End');
      await page.keyboard.type(index === 0 ? 'count(' : ' + count(');
      await page.keyboard.press('Control+Space');
      await formulas.getByRole('option').nth(index).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(')');
    }
    await box.press('Control+Enter');
    const ofMonths = 'editor.contents.views[0].items[4].slots.find(({ name }) => name === "measure").content';
    expect(await editor.ask(`${ofMonths}.at(-1).formula`)).toBe(columns.map((one) => `count({${one}})`).join(' + '));
    await editor.save();
    expect(await page.evaluate('globalThis.wasPwned === true')).toBe(false);
    expect(world.site.asked.slice(asked)).toEqual([]);
    expect(editor.watched.errors).toEqual([]);
  });
});
