import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { part } from '../support/world.ts';
import { EditorPage, editorToken, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`saving in the editor${noBrowser ?? ''}`, () => {
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
  const two = async (): Promise<readonly [EditorPage, EditorPage, string]> => {
    const id = await dashboard();
    return [
      await EditorPage.open(browser, world, id, await editorToken(world, id, 'ada')),
      await EditorPage.open(browser, world, id, await editorToken(world, id, 'bob')),
      id,
    ];
  };
  const storedTitles = async (id: string): Promise<unknown> => {
    const views = part(part(await world.ok('securable', { action: 'get', id }), 'contents') ?? null, 'views');
    return JSON.parse(JSON.stringify(views))[0].items.map(({ title }: { title: { en: string } }) => title.en);
  };

  it('keeps the edits of two people where they do not touch, and says what was merged', async () => {
    const [ours, theirs, id] = await two();
    await theirs.retitle('bars', 'Their products');
    await theirs.drag(theirs.frame('months'), 24, 0);
    await theirs.save();
    await ours.retitle('total', 'Our total');
    await ours.save();
    expect(await ours.ask('editor.isChanged')).toBe(false);
    expect(await storedTitles(id)).toEqual(['Their products', 'Our total', 'Pieces', 'Regions', 'Months']);
    expect(await ours.page.locator('inlay-editor .message').textContent()).toContain('together with the changes');
    expect((await ours.places())['months']).toEqual([24, 16, 24, 14]);
    await ours.button('Undo').click();
    await ours.save();
    expect(await storedTitles(id)).toEqual(['Their products', 'Total', 'Pieces', 'Regions', 'Months']);
  });

  it('asks whose edit holds where two people changed the same part, and saves nothing before that', async () => {
    for (const [choice, title] of [
      ['My change', 'Ours'],
      ['Their change', 'Theirs'],
    ] as const) {
      const [ours, theirs, id] = await two();
      await theirs.retitle('bars', 'Theirs');
      await theirs.save();
      await ours.retitle('bars', 'Ours');
      await ours.retitle('months', 'By month');
      await ours.save();
      expect(await storedTitles(id)).toEqual(['Theirs', 'Total', 'Pieces', 'Regions', 'Months']);
      const question = ours.page.locator('inlay-editor').getByRole('alertdialog');
      await question.getByLabel(choice).check();
      await question.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => storedTitles(id)).toEqual([title, 'Total', 'Pieces', 'Regions', 'By month']);
      await expect.poll(() => ours.ask('editor.isChanged')).toBe(false);
    }
  });

  it('keeps what is edited while it asks, and asks again', async () => {
    const [ours, theirs, id] = await two();
    await theirs.retitle('bars', 'Theirs');
    await theirs.save();
    await ours.retitle('bars', 'Ours');
    await ours.save();
    const question = ours.page.locator('inlay-editor').getByRole('alertdialog');
    await question.waitFor();
    await ours.retitle('months', 'While asked');
    expect(await question.count()).toBe(0);
    await ours.save();
    await question.getByLabel('My change').check();
    await question.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => storedTitles(id)).toEqual(['Ours', 'Total', 'Pieces', 'Regions', 'While asked']);
  });

  it('keeps the edits when the page renews its credential', async () => {
    const id = await dashboard();
    const [first, second] = [await editorToken(world, id, 'ada'), await editorToken(world, id, 'ada')];
    const editor = await EditorPage.open(browser, world, id, first);
    await editor.retitle('bars', 'Kept');
    await world.ok('authorization', { action: 'delete', id: first.key });
    await editor.ask(
      `Object.assign(editor, { authKey: '${second.key}', authToken: '${second.token}' }).updateComplete`,
    );
    expect(await editor.ask('editor.isChanged')).toBe(true);
    await editor.save();
    expect(await storedTitles(id)).toEqual(['Kept', 'Total', 'Pieces', 'Regions', 'Months']);
  });

  it('says that a step cannot be undone once somebody else has removed its item', async () => {
    const [ours, theirs, id] = await two();
    await ours.retitle('bars', 'Ours');
    await ours.save();
    await theirs.frame('months').click();
    await theirs.button('Remove').click();
    await theirs.save();
    await ours.drag(ours.frame('pieces'), 0, 30);
    await ours.save();
    expect(await storedTitles(id)).toEqual(['Ours', 'Total', 'Pieces', 'Regions']);
    await ours.button('Undo').click();
    await ours.button('Undo').click();
    expect(await ours.ask('editor.contents.views[0].items[0].title.en')).toBe('Products');
  });

  it('keeps the edits while the service is away, and saves them once it is back', async () => {
    const id = await dashboard();
    const editor = await EditorPage.open(browser, world, id);
    await editor.retitle('bars', 'Kept');
    await editor.watched.context.setOffline(true);
    await editor.save();
    expect(await editor.page.locator('inlay-editor').getByRole('alert').textContent()).toContain('still here');
    expect(await editor.ask('editor.isChanged')).toBe(true);
    await editor.watched.context.setOffline(false);
    await editor.save();
    expect(await storedTitles(id)).toEqual(['Kept', 'Total', 'Pieces', 'Regions', 'Months']);
  });

  it('keeps the digits of numbers and members that it does not know', async () => {
    const contents = fiveItems(world.dataset);
    const id = await world.dashboard({ ...contents, own: { of: 'a page' } });
    const body = JSON.stringify({
      action: 'update',
      id,
      properties: { contents: { ...contents, own: { big: 'BIG' } } },
    });
    const { key, token } = world.owner;
    await fetch(`${world.service.url}/0.1.0/securable`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}:${token}` },
      body: body.replace('"BIG"', '12345678901234567890.10'),
    });
    const editor = await EditorPage.open(browser, world, id);
    const before = await editor.text();
    await editor.drag(editor.frame('months'), 24, 0);
    await editor.save();
    const again = await EditorPage.open(browser, world, id);
    expect(await again.text()).toBe(
      before.replace('"col":0,"row":16', '"col":24,"row":16').replace('"col":24,"row":8', '"col":24,"row":30'),
    );
  });

  it('can be stopped by the page before it saves, and asks before it discards', async () => {
    const id = await dashboard();
    const editor = await EditorPage.open(browser, world, id);
    await editor.retitle('bars', 'Stopped');
    await editor.ask(`editor.addEventListener('beforesave', (event) => event.preventDefault(), { once: true })`);
    await editor.save();
    expect(await storedTitles(id)).toEqual(['Products', 'Total', 'Pieces', 'Regions', 'Months']);
    await editor.button('Discard changes').click();
    const dialog = editor.page.locator('inlay-editor').getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await editor.ask('editor.isChanged')).toBe(true);
    await editor.button('Discard changes').click();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => editor.ask('editor.isChanged')).toBe(false);
    expect(await editor.ask('editor.contents.views[0].items[0].title.en')).toBe('Products');
  });
});
