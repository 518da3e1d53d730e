import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, editorToken, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`versions in the editor${noBrowser ?? ''}`, () => {
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

  it('are listed after each save, named, compared in words and pictures, and restored as one step', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const editor = await EditorPage.open(browser, world, id, await editorToken(world, id, 'ada'));
    const panel = editor.page.locator('inlay-versions');
    await editor.page.locator('inlay-editor summary', { hasText: 'Versions' }).click();
    await panel.getByText('appear here once').waitFor();
    const start = await editor.text();
    await editor.retitle('bars', 'Second');
    await editor.save();
    await editor.frame('months').click();
    await editor.button('Remove').click();
    await editor.save();
    await editor.page.locator('inlay-editor summary', { hasText: 'Versions' }).waitFor();
    await expect.poll(() => panel.locator('li').count()).toBe(2);
    await panel.locator('li button').last().click();
    const comparison = panel.locator('.slot');
    await comparison.waitFor();
    const changes = await panel.locator('.changes').innerText();
    expect(changes).toContain('Products');
    expect(changes).toContain('Months');
    await panel.getByLabel('Name of the version').fill('The first');
    await panel.getByLabel('Name of the version').press('Enter');
    await panel.getByRole('button', { name: 'The first' }).waitFor();
    const found = await world.ok('dashboardversion', { find: { where: { securable_id: id, name: 'The first' } } });
    expect(found).toMatchObject({ count: 1, rows: [{ state: 'published' }] });
    await panel.getByRole('button', { name: 'Compare pictures' }).click();
    const sides = panel.locator('dialog section');
    await expect.poll(() => sides.count()).toBe(2);
    const drawn = (title: string) => panel.getByRole('region', { name: title }).locator('inlay-item, .item');
    await expect.poll(() => drawn('Then').count()).toBe(5);
    await expect.poll(() => drawn('Now').count()).toBe(4);
    await sides.first().getByText('Products').first().waitFor();
    await sides.last().getByText('Second').first().waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.getByRole('button', { name: 'Restore' }).click();
    expect(await editor.text()).toBe(start);
    expect(await editor.ask('editor.steps.at(-1)')).toMatch(/^Restored the version of /u);
    expect(await editor.ask('editor.isChanged')).toBe(true);
    await editor.button('Undo').click();
    expect(await editor.ask('editor.isChanged')).toBe(false);
    await editor.button('Redo').click();
    await editor.save();
    expect((await world.ok('securable', { action: 'get', id }))['contents']).toEqual(JSON.parse(start));
  });
});
