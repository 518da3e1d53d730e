import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '../browser/axe.ts';
import { noBrowser, openDashboard, rendered, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { isFull } from '../support/counts.ts';
import { part } from '../support/world.ts';
import { EditorPage, editorToken, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`arranging items in the editor${noBrowser ?? ''}`, () => {
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

  const dashboard = (): Promise<string> => world.dashboard(fiveItems(world.dataset));
  const stored = async (id: string): Promise<unknown> =>
    part(await world.ok('securable', { action: 'get', id }), 'contents');

  it('moves and resizes by mouse, makes room, saves, and undoes to the byte', async () => {
    const id = await dashboard();
    const editor = await EditorPage.open(browser, world, id);
    const start = await editor.text();
    await editor.drag(editor.frame('months'), 24, 0);
    expect(await editor.places()).toMatchObject({ months: [24, 16, 24, 14], regions: [24, 30, 24, 16] });
    await editor.frame('total').click();
    await editor.drag(editor.handle('total', 'se'), -4, 2);
    expect(await editor.places()).toMatchObject({ total: [24, 0, 8, 10], months: [24, 16, 24, 14] });
    await editor.drag(editor.handle('total', 'nw'), 2, 1);
    expect((await editor.places())['total']).toEqual([26, 1, 6, 9]);
    await editor.save();
    expect(await stored(id)).toEqual(await editor.ask('editor.contents'));
    expect(await editor.ask('editor.isChanged')).toBe(false);
    for (let step = 0; step < 3; step += 1) await editor.button('Undo').click();
    expect(await editor.text()).toBe(start);
    await editor.button('Redo').click();
    expect((await editor.places())['months']).toEqual([24, 16, 24, 14]);
    expect(editor.watched.errors).toEqual([]);
  });

  it('does the same by keyboard alone, and says where things are', async () => {
    const editor = await EditorPage.open(browser, world, await dashboard());
    const { keyboard } = editor.page;
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await keyboard.press(key);
    };
    await editor.frame('bars').focus();
    await press('ArrowRight');
    expect(await editor.ask('editor.renderRoot.querySelector("inlay-grid").renderRoot.activeElement.ariaLabel')).toBe(
      'Total: column 25, row 1, 12 wide, 8 high',
    );
    await press('ArrowLeft', 'Enter');
    expect(await editor.spoken()).toContain('Products picked up');
    await press('ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowUp');
    expect(await editor.spoken()).toBe('Products: column 3, row 2, 23 wide, 15 high');
    await press('Escape');
    expect(await editor.spoken()).toBe('Products put back');
    expect(await editor.ask('editor.isChanged')).toBe(false);
    await press('Enter', 'ArrowDown', 'ArrowDown', 'Enter');
    expect(await editor.spoken()).toBe('Products put down: column 1, row 3, 24 wide, 16 high');
    expect(await editor.places()).toMatchObject({ bars: [0, 2, 24, 16], months: [0, 18, 24, 14] });
    await press('Control+d');
    expect(Object.keys(await editor.places())).toHaveLength(6);
    await press('Control+z', 'Control+z');
    expect(await editor.ask('editor.isChanged')).toBe(false);
    await editor.frame('total').focus();
    await press('Delete');
    expect(Object.keys(await editor.places())).toEqual(['bars', 'pieces', 'regions', 'months']);
    expect(await editor.spoken()).toBe('Removed Total');
    await press('Control+z', 'Control+s');
    await expect.poll(() => editor.ask('editor.isChanged')).toBe(false);
  });

  it('arranges by form fields, and aligns several items', async () => {
    const editor = await EditorPage.open(browser, world, await dashboard());
    await editor.frame('total').click();
    for (const [field, value] of [
      ['Column', '3'],
      ['Row', '40'],
      ['Width', '100'],
      ['Height', '12'],
    ] as const) {
      await editor.field(field).fill(value);
      await editor.field(field).press('Enter');
    }
    expect((await editor.places())['total']).toEqual([0, 39, 48, 12]);
    await editor.field('Title').fill('All sales');
    await editor.field('Title').press('Enter');
    expect(await editor.ask('editor.contents.views[0].items[1].title')).toEqual({ en: 'All sales' });
    await editor.frame('pieces').click();
    await editor.frame('regions').click({ modifiers: ['Shift'] });
    await editor.button('Same height').click();
    expect(await editor.places()).toMatchObject({ pieces: [36, 0, 12, 8], regions: [24, 8, 24, 8] });
    await editor.button('Align left').click();
    expect(await editor.places()).toMatchObject({ pieces: [24, 0, 12, 8], regions: [24, 8, 24, 8] });
    await editor.button('Close gaps').click();
    expect((await editor.places())['total']).toEqual([0, 30, 48, 12]);
    expect(await editor.ask<readonly string[]>('editor.steps')).toHaveLength(8);
  });

  it('hides items from viewers, and keeps locked ones in their places', async () => {
    const id = await dashboard();
    const designer = await editorToken(world, id, 'ada', { feature_overrides: ['edit_limited', '!edit_full'] });
    const editor = await EditorPage.open(browser, world, id, designer);
    const start = await editor.text();
    await editor.frame('months').click();
    await editor.button('Hide').click();
    await editor.frame('bars').click();
    await editor.button('Lock').click();
    expect(await editor.ask('editor.steps')).toEqual(['Hid Months', 'Locked Products']);
    const places = await editor.places();
    await editor.drag(editor.frame('bars'), 5, 5);
    expect(await editor.handle('bars', 'se').count()).toBe(0);
    await editor.frame('bars').press('Enter');
    expect(await editor.spoken()).toContain('is locked');
    await editor.drag(editor.frame('total'), -24, 0);
    expect(await editor.places()).toMatchObject({
      bars: places['bars'],
      total: [0, 16, 12, 8],
      months: [0, 24, 24, 14],
    });
    expect(await editor.frame('months').getAttribute('aria-label')).toContain(', hidden');
    await editor.save();
    expect(await editor.ask('editor.isChanged')).toBe(false);
    const viewer = await openDashboard(browser, world, id, await world.token([id]));
    await rendered(viewer.page);
    expect(await viewer.page.locator('inlay-dashboard .item').count()).toBe(4);
    await editor.frame('bars').click();
    await editor.button('Lock').click();
    await editor.drag(editor.frame('bars'), 5, 0);
    expect((await editor.places())['bars']?.[0]).toBe(5);
    await editor.ask('{ while (editor.steps.length > 0) editor.undo(); }');
    expect(await editor.text()).toBe(start);
  });

  it('moves a selected item with a finger, and scrolls over others', async () => {
    const seen = { context: { hasTouch: true } };
    const editor = await EditorPage.open(browser, world, await dashboard(), world.owner, seen);
    await editor.frame('pieces').tap();
    await editor.touch(editor.frame('pieces'), -12, 30);
    expect((await editor.places())['pieces']).toEqual([24, 30, 12, 8]);
    await editor.touch(editor.handle('pieces', 'e'), 6, 0);
    expect((await editor.places())['pieces']).toEqual([24, 30, 18, 8]);
  });

  it('gives the phone a layout of its own with the first move, and lets it follow the desktop again', async () => {
    const id = await dashboard();
    const editor = await EditorPage.open(browser, world, id);
    await editor.button('Phone').click();
    await editor.frame('bars').click();
    expect(await editor.places('mobile')).toEqual({});
    await editor.field('Height').fill('20');
    await editor.field('Height').press('Enter');
    expect(await editor.places('mobile')).toEqual({
      bars: [0, 0, 48, 20],
      total: [0, 20, 24, 8],
      pieces: [24, 20, 24, 8],
      regions: [0, 28, 48, 16],
      months: [0, 44, 48, 14],
    });
    expect((await editor.places())['bars']).toEqual([0, 0, 24, 16]);
    await editor.save();
    expect(await stored(id)).toEqual(await editor.ask('editor.contents'));
    await editor.button('Follow the other view again').click();
    expect(await editor.places('mobile')).toEqual({});
  });

  it('shows copies with the rows of their originals before they are saved', async () => {
    const editor = await EditorPage.open(browser, world, await dashboard());
    await editor.frame('total').click();
    await editor.button('Duplicate').click();
    const rows = (): Promise<unknown> =>
      editor.ask(`{
        const grid = editor.renderRoot.querySelector('inlay-grid');
        return grid.items.filter(({ title }) => title.en === 'Total').map(({ id }) => grid.getData(id)?.values ?? null);
      }`);
    await expect.poll(rows).toEqual([[[18_020]], [[18_020]]]);
    await editor.save();
    expect(editor.watched.errors).toEqual([]);
  });

  it.each([
    { locale: 'en', theme: 'default', width: 1440 },
    { locale: 'ar', theme: 'default_dark', width: 390 },
  ])('has nothing that axe finds in $locale, $theme, $width px wide', async ({ locale, theme, width }) => {
    const id = await dashboard();
    const editor = await EditorPage.open(browser, world, id, world.owner, { width, locale });
    await editor.ask(`{ editor.theme = '${theme}'; await editor.updateComplete; }`);
    const { page } = editor;
    expect(await accessibilityFaults(page)).toEqual([]);
    await editor.frame('bars').click();
    await editor.frame('total').press('Enter');
    await page.keyboard.press('ArrowDown');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await editor.ask(`editor.select(['total', 'pieces'])`);
    await page.locator('inlay-editor .bar button').nth(5).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('inlay-editor .bar > button').nth(1).click();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it(`undoes ${isFull ? 1000 : 20} random sequences of edits to the byte`, async () => {
    const editor = await EditorPage.open(browser, world, await dashboard());
    const outcome = await editor.ask<{ readonly steps: number; readonly wrong: number }>(`{
      const grid = editor.renderRoot.querySelector('inlay-grid');
      let seed = 20260601;
      const random = (below) => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return Math.floor((seed / 2147483648) * below);
      };
      const start = editor.session.model.text;
      let [steps, wrong] = [0, 0];
      for (let run = 0; run < ${isFull ? 1000 : 20}; run += 1) {
        for (let count = 1 + random(12); count > 0; count -= 1) {
          const ids = grid.items.map(({ id }) => id);
          grid.select(ids.filter(() => random(3) === 0));
          const edit = [
            () => grid.place(ids[random(ids.length)] ?? '', { col: random(60) - 6, row: random(60), sizeX: random(50), sizeY: random(20) }),
            () => grid.duplicateSelected(),
            () => ids.length > 2 && grid.removeSelected(),
            () => grid.alignSelected(['left', 'top', 'width', 'bottom', 'center'][random(5)]),
            () => grid.compact(),
            () => editor.undo(),
            () => editor.redo(),
          ][random(7)];
          edit();
        }
        steps += editor.steps.length;
        while (editor.steps.length > 0) editor.undo();
        if (editor.session.model.text !== start) wrong += 1;
        if (run % 10 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
      return { steps, wrong };
    }`);
    expect(outcome.wrong).toBe(0);
    expect(outcome.steps).toBeGreaterThan(20);
  });
});
