import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '../browser/axe.ts';
import { card, noBrowser, openDashboard, rendered, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, editorToken, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`translating in the editor${noBrowser ?? ''}`, () => {
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

  it('lists what is missing in a language, by keyboard alone, and shows it to viewers of that language', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const editor = await EditorPage.open(browser, world, id, await editorToken(world, id, 'ada'));
    const start = await editor.text();
    const panel = editor.page.locator('inlay-texts');
    const heading = editor.page.locator('inlay-editor summary', { hasText: 'Translations' });
    await heading.focus();
    await heading.press('Enter');
    await panel.getByRole('combobox', { name: 'Translate into' }).selectOption('fr');
    await panel.getByText('0 of 5 texts are in French').waitFor();
    const fields = panel.getByRole('textbox');
    await panel.getByLabel('Only missing ones').focus();
    await panel.getByLabel('Only missing ones').press('Space');
    await fields.first().focus();
    await editor.page.keyboard.type('Produits');
    await editor.page.keyboard.press('Tab');
    await panel.getByText('1 of 5 texts are in French').waitFor();
    expect(await fields.count()).toBe(4);
    expect(await fields.first().inputValue()).toBe('');
    expect(await editor.ask('editor.contents.views[0].items[0].title')).toEqual({ en: 'Products', fr: 'Produits' });
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    await editor.save();
    const viewer = await openDashboard(browser, world, id, await world.token([id]), { attributes: { locale: 'fr' } });
    await rendered(viewer.page);
    await card(viewer.page, 'Produits').waitFor();
    await editor.button('Undo').click();
    expect(await editor.text()).toBe(start);
  });
});
