import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { sales } from '../browser/sales.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { EditorPage, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`building charts in the editor${noBrowser ?? ''}`, () => {
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

  /** Revenue by a member of each sale, the largest first. */
  const revenueBy = (member: 'region' | 'product'): readonly (readonly [string, number])[] => {
    const sums = new Map<string, number>();
    for (const sale of sales) sums.set(sale[member], (sums.get(sale[member]) ?? 0) + sale.revenue);
    return [...sums].toSorted((left, right) => right[1] - left[1]);
  };
  const rowsOf = (editor: EditorPage, id: string): Promise<unknown> =>
    editor.ask(
      `editor.renderRoot.querySelector('inlay-grid').getData('${id}')?.values.map((row) => row.map((value) => value?.id ?? value)) ?? null`,
    );
  const lastId = (editor: EditorPage): Promise<string> => editor.ask('editor.contents.views[0].items.at(-1).id');

  it('makes a chart from nothing by keyboard, with the rows that the data have, and saves it', async () => {
    const id = await world.dashboard({ ...fiveItems(world.dataset), views: [] });
    const editor = await EditorPage.open(browser, world, id);
    await editor.choice('Add an item').selectOption({ label: 'Column chart' });
    const item = await lastId(editor);
    await editor.choice('Add a column to Category').selectOption({ label: 'Region' });
    await editor.choice('Add a column to Measure').selectOption({ label: 'Revenue' });
    await expect.poll(() => rowsOf(editor, item)).toEqual(revenueBy('region'));
    await editor.choice('Add a column to Category').selectOption({ label: 'Product' });
    await expect.poll(() => rowsOf(editor, item)).toEqual(revenueBy('product'));
    await editor.choice('Aggregation of Revenue').selectOption('count');
    await expect.poll(() => rowsOf(editor, item)).not.toEqual(revenueBy('product'));
    await editor.button('Undo').click();
    await expect.poll(() => rowsOf(editor, item)).toEqual(revenueBy('product'));
    await editor.field('Title').fill('By product');
    await editor.field('Title').press('Enter');
    await editor.save();
    expect(await editor.ask('editor.isChanged')).toBe(false);
    const again = await EditorPage.open(browser, world, id);
    await expect.poll(() => rowsOf(again, item)).toEqual(revenueBy('product'));
    expect(again.watched.errors).toEqual([]);
    expect(editor.watched.errors).toEqual([]);
  });

  it('adds columns by dragging and by a click, and refuses those that do not fit', async () => {
    const editor = await EditorPage.open(browser, world, await world.dashboard(fiveItems(world.dataset)));
    await editor.frame('months').click();
    const column = (name: string) => editor.page.locator('inlay-slots').getByRole('button', { name, exact: true });
    await column('Region').dragTo(editor.page.locator('inlay-slots [data-slot="legend"]'));
    await expect
      .poll(() =>
        editor.ask('editor.contents.views[0].items[4].slots.find(({ name }) => name === "legend")?.content.length'),
      )
      .toBe(1);
    await editor.choice('Add an item').selectOption({ label: 'Date filter' });
    const slots = editor.page.locator('inlay-slots');
    await expect.poll(() => slots.locator('[data-slot] option', { hasText: 'Region' }).first().isDisabled()).toBe(true);
    await column('Day').click();
    expect(await editor.ask('editor.contents.views[0].items[5].slots[0].content[0].columnId')).toBe(
      world.dataset.columns.day,
    );
  });

  it('switches types, and asks only for the rows of what has changed', async () => {
    const editor = await EditorPage.open(browser, world, await world.dashboard(fiveItems(world.dataset)));
    await editor.frame('bars').click();
    await editor.choice('Type').selectOption({ label: 'Donut chart' });
    expect(await rowsOf(editor, 'bars')).toEqual(revenueBy('product'));
    const before = editor.watched.requests.length;
    await editor.choice('Add a column to Category').selectOption({ label: 'Region' });
    await expect.poll(() => rowsOf(editor, 'bars')).toEqual(revenueBy('region'));
    const asked = editor.watched.requests
      .slice(before)
      .flatMap(({ url, body }) => (url.endsWith('/data') ? [body ?? ''] : []));
    expect(asked.at(-1)).toContain(world.dataset.columns.region);
    for (const body of asked) {
      expect(body).not.toContain(world.dataset.columns.quantity);
      expect(body).not.toContain(world.dataset.columns.day);
    }
    await editor.page.locator('inlay-editor').getByText('Look', { exact: true }).click();
    const count = editor.watched.requests.length;
    await editor.choice('Legend').selectOption({ label: 'None' });
    expect(await editor.ask('editor.contents.views[0].items[0].options')).toEqual({ legend: 'none' });
    expect(editor.watched.requests.slice(count).filter(({ url }) => url.endsWith('/data'))).toEqual([]);
    await editor.choice('Legend').selectOption({ label: 'Automatic' });
    expect(await editor.ask('editor.contents.views[0].items[0].options')).toEqual({});
  });

  it('offers what the page and the token allow: nothing, arranging, or everything', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const access = { dashboards: [{ id, rights: 'modify' }], datasets: [{ id: world.dataset.id, rights: 'use' }] };
    const limited = await world.token([id], {
      role: 'designer',
      access,
      feature_overrides: ['!edit_full', 'edit_limited'],
    });
    const ofPage = await EditorPage.open(browser, world, id, world.owner, { attributes: { 'edit-mode': 'limited' } });
    const ofToken = await EditorPage.open(browser, world, id, limited);
    for (const editor of [ofPage, ofToken]) {
      await editor.frame('bars').click();
      for (const name of ['Duplicate', 'Remove']) expect(await editor.button(name).count()).toBe(0);
      for (const name of ['Add an item', 'Type']) expect(await editor.choice(name).count()).toBe(0);
      expect(await editor.field('Title').count()).toBe(0);
      await editor.frame('bars').press('Delete');
      await editor.frame('bars').press('Control+d');
      expect(await editor.ask('editor.isChanged')).toBe(false);
    }
    await ofToken.drag(ofToken.frame('months'), 24, 0);
    await ofToken.page.locator('inlay-editor').getByText('Look', { exact: true }).click();
    await ofToken.choice('Values beside marks').selectOption({ label: 'None' });
    await ofToken.save();
    expect(await ofToken.ask('editor.isChanged')).toBe(false);
    expect((await ofToken.places())['months']).toEqual([24, 16, 24, 14]);
    const viewer = await EditorPage.open(browser, world, id, await world.token([id]));
    expect(await viewer.frame('bars').count()).toBe(0);
    for (const name of ['Save', 'Undo', 'Close gaps']) expect(await viewer.button(name).count()).toBe(0);
  });

  it('saves what the token of a person allows, and says what it refuses', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const access = {
      dashboards: [{ id, rights: 'modify' }],
      datasets: [{ id: world.dataset.id, rights: 'read' }],
    };
    const designer = await world.token([id], { role: 'designer', access });
    const editor = await EditorPage.open(browser, world, id, designer);
    await editor.drag(editor.frame('months'), 24, 0);
    await editor.save();
    expect(await editor.ask('editor.isChanged')).toBe(false);
    await editor.frame('bars').click();
    await editor.choice('Add a column to Category').selectOption({ label: 'Region' });
    await editor.save();
    expect(await editor.page.locator('inlay-editor').getByRole('alert').first().textContent()).toContain(
      'not make this',
    );
    expect(await editor.ask('editor.isChanged')).toBe(true);
    const stored = await world.ok('securable', { action: 'get', id });
    expect(JSON.stringify(stored['contents'])).toContain(`"content":[{"columnId":"${world.dataset.columns.product}"`);
  });

  it('copies items from one dashboard to another by the clipboard, and ignores other texts', async () => {
    const id = await world.dashboard(fiveItems(world.dataset));
    const seen = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };
    const editor = await EditorPage.open(browser, world, id, world.owner, seen);
    const { page } = editor;
    await editor.frame('bars').click();
    await editor.frame('total').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+c');
    const other = await world.dashboard({
      ...fiveItems(world.dataset),
      views: [{ screenModus: 'desktop', items: [] }],
    });
    await editor.ask(`{ editor.dashboardId = '${other}'; await editor.updateComplete; }`);
    await expect.poll(() => editor.ask('editor.contents.views[0].items.length')).toBe(0);
    await editor.choice('Add an item').selectOption({ label: 'Divider' });
    await page.locator('inlay-grid .body').first().focus();
    await page.keyboard.press('Control+v');
    const types = () => editor.ask('editor.contents.views[0].items.map(({ type }) => type)');
    expect(await types()).toEqual(['divider', 'bar-chart', 'evolution-number']);
    const bars = await editor.ask<string>('editor.contents.views[0].items[1].id');
    await expect.poll(() => rowsOf(editor, bars)).toEqual(revenueBy('product'));
    expect(bars).not.toBe('bars');
    await page.evaluate(`navigator.clipboard.writeText('{"inlayItems":[7]}')`);
    await page.keyboard.press('Control+v');
    expect(await types()).toHaveLength(3);
    await editor.save();
    expect(editor.watched.errors).toEqual([]);
  });
});
