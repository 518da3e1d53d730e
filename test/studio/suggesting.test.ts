import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '../browser/axe.ts';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, editorToken, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`suggestions in the editor${noBrowser ?? ''}`, () => {
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

  const switchAi = async (isOn: boolean): Promise<void> => {
    const found = await world.ok('organization', { find: { limit: 1 } });
    const rows: readonly { readonly id: string }[] = JSON.parse(JSON.stringify(found['rows']));
    await world.ok('organization', {
      action: 'update',
      id: rows[0]?.id ?? '',
      properties: { flag_experimental_ai: isOn },
    });
  };
  const items = (editor: EditorPage): Promise<unknown> =>
    editor.ask('editor.contents.views[0].items.map(({ type }) => type)');
  const first = ['bar-chart', 'evolution-number', 'evolution-number', 'column-chart', 'line-chart'];

  it('say who can switch them on, and are not offered to a token without the feature', async () => {
    await switchAi(false);
    const id = await world.dashboard(fiveItems(world.dataset));
    const editor = await EditorPage.open(browser, world, id, await editorToken(world, id, 'ada'));
    const heading = (page: EditorPage) => page.page.locator('inlay-editor summary', { hasText: 'Suggestions' });
    await heading(editor).click();
    await editor.button('Suggest charts').click();
    await editor.page.locator('inlay-suggestions').getByText('flag_experimental_ai').waitFor();
    const silent = await editorToken(world, id, 'bob', { feature_overrides: ['!ai_questions'] });
    const other = await EditorPage.open(browser, world, id, silent);
    await other.page.locator('inlay-editor summary', { hasText: 'Versions' }).waitFor();
    expect(await heading(other).count()).toBe(0);
  });

  it('add a chart, and change one, shown before and after; each is one step', async () => {
    await switchAi(true);
    const id = await world.dashboard(fiveItems(world.dataset));
    const editor = await EditorPage.open(browser, world, id, await editorToken(world, id, 'ada'));
    const start = await editor.text();
    const panel = editor.page.locator('inlay-suggestions');
    await editor.page.locator('inlay-editor summary', { hasText: 'Suggestions' }).click();
    await editor.button('Suggest charts').click();
    expect(await panel.getByRole('list').getByRole('button').count()).toBeGreaterThanOrEqual(0);
    await panel.getByRole('textbox').fill('revenue by region as a donut');
    await panel.getByRole('textbox').press('Enter');
    await panel.getByRole('button', { name: 'Add to the dashboard' }).first().click();
    expect(await items(editor)).toEqual([...first, 'donut-chart']);
    expect(await editor.ask('editor.steps.at(-1)')).toBe('Added “revenue by region as a donut”');
    await editor.frame('bars').click();
    await panel.getByRole('textbox').fill('as a treemap');
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    await panel.getByRole('heading', { name: 'Before' }).waitFor();
    await panel.locator('inlay-item').nth(1).waitFor();
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    await panel.getByRole('button', { name: 'Use this' }).first().click();
    expect(await items(editor)).toEqual(['treemap-chart', ...first.slice(1), 'donut-chart']);
    await editor.frame('regions').click();
    await panel.getByRole('textbox').fill('by product instead');
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    for (const refuse = panel.getByRole('button', { name: 'Do not use' }); ;) {
      await panel.getByRole('heading', { name: 'Before' }).waitFor();
      await refuse.first().click();
      if ((await refuse.count()) === 0) break;
    }
    expect(await editor.ask('editor.steps.length')).toBe(2);
    await editor.save();
    expect(await editor.ask('editor.isChanged')).toBe(false);
    await editor.button('Undo').click();
    await editor.button('Undo').click();
    expect(await editor.text()).toBe(start);
  });
});
