import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../browser/axe.ts';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`clicks and menus in the editor${noBrowser ?? ''}`, () => {
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

  const panel = (editor: EditorPage): Locator => editor.page.locator('inlay-actions');
  const choice = (editor: EditorPage, name: string): Locator =>
    panel(editor).getByRole('combobox', { name, exact: true });
  const field = (editor: EditorPage, name: string): Locator =>
    panel(editor).getByRole('textbox', { name, exact: true });
  const optionsOf = (editor: EditorPage, index: number): Promise<unknown> =>
    editor.ask(`editor.contents.views[0].items[${index}].options`);
  const open = async (editor: EditorPage, item: string): Promise<void> => {
    await editor.frame(item).click();
    if (!(await panel(editor).isVisible()))
      await editor.page.locator('inlay-editor summary').getByText('Clicks and menu', { exact: true }).click();
    await panel(editor).getByRole('button', { name: 'Add an entry' }).waitFor();
  };

  it('sets links with values, how far levels open and entries for the page, and undoes them to the byte', async () => {
    const other = await world.dashboard(fiveItems(world.dataset), { name: { en: 'Other' } });
    const id = await world.dashboard(fiveItems(world.dataset));
    const editor = await EditorPage.open(browser, world, id);
    const start = await editor.text();
    const { product } = world.dataset.columns;
    await open(editor, 'bars');
    await choice(editor, 'A click').selectOption({ label: 'Opens an address' });
    await field(editor, 'Address').fill('javascript:alert(1)');
    await field(editor, 'Address').press('Enter');
    expect(await panel(editor).getByRole('alert').textContent()).toContain('begins with https:');
    expect(await editor.ask('editor.isChanged')).toBe(false);
    await field(editor, 'Address').fill('https://shop.example/products/');
    await choice(editor, 'Insert a value …').selectOption({ label: 'Product' });
    await choice(editor, 'Opens').selectOption({ label: 'In place of the page' });
    expect(await optionsOf(editor, 0)).toEqual({
      link: { href: `https://shop.example/products/{${product}}`, target: '_self' },
    });
    expect(await panel(editor).locator('p[dir=ltr]').textContent()).toBe('https://shop.example/products/{Product}');
    await panel(editor).getByRole('button', { name: 'Add an entry' }).click();
    await field(editor, 'Name in the menu').fill('Remind me');
    await field(editor, 'Name in the menu').press('Enter');
    await field(editor, 'Name for the page').fill('remind');
    await field(editor, 'Name for the page').press('Enter');
    expect(await optionsOf(editor, 0)).toMatchObject({ actions: [{ id: 'remind', label: { en: 'Remind me' } }] });
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    await open(editor, 'months');
    await choice(editor, 'A click').selectOption({ label: 'Tells the page which dashboard to show' });
    await choice(editor, 'Dashboard').selectOption({ label: 'Other' });
    expect(await optionsOf(editor, 4)).toEqual({ link: { dashboardId: other } });
    await choice(editor, 'Finest level of Day that viewers open').selectOption({ label: 'Week' });
    expect(await editor.ask('editor.contents.views[0].items[4].slots[0].content[0].lowestLevel')).toBe(4);
    await editor.save();
    expect(await editor.ask('editor.isChanged')).toBe(false);
    const menus = await world.ok('securable', { action: 'get', id });
    expect(JSON.stringify(menus['contents'])).toContain(`"link":{"dashboardId":"${other}"}`);
    await editor.ask('{ while (editor.steps.length > 0) editor.undo(); }');
    expect(await editor.text()).toBe(start);
    expect(editor.watched.errors).toEqual([]);
  });
});
