import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@inlay/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { noBrowser, startBrowser, until } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { startService } from '../support/process.ts';
import { part } from '../support/world.ts';
import { EditorPage, editorToken, fiveItems } from './editor-page.ts';

describe.skipIf(noBrowser !== undefined)(`drafts in the editor${noBrowser ?? ''}`, () => {
  let world: EmbedWorld;
  let browser: Browser;
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-drafts-'));
  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DATA_DIR: dataDir }), startBrowser()]);
  });
  afterEach(async () => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser.close();
    await world.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const dashboard = (): Promise<string> => world.dashboard(fiveItems(world.dataset));
  const opened = async (id: string, username = 'ada'): Promise<EditorPage> =>
    EditorPage.open(browser, world, id, await editorToken(world, id, username));
  const storedTitles = async (id: string): Promise<Json> => {
    const views = part(part(await world.ok('securable', { action: 'get', id }), 'contents') ?? null, 'views');
    return JSON.parse(JSON.stringify(views))[0].items.map(({ title }: { title: { en: string } }) => title.en);
  };
  const titles = (editor: EditorPage): Promise<Json> =>
    editor.ask('editor.contents.views[0].items.map(({ title }) => title.en)');
  const first = ['Products', 'Total', 'Pieces', 'Regions', 'Months'];
  const said = (editor: EditorPage): Promise<string> =>
    editor.page.locator('inlay-editor .message').innerText({ timeout: 20_000 });

  it('keep 200 named steps over a reload, which lead back to the first contents byte for byte and forth again', async () => {
    const id = await dashboard();
    const editor = await opened(id);
    const start = await editor.text();
    await editor.retitle('bars', 'Step 0');
    await editor.ask(`{
      for (let step = 1; step < 205; step += 1) {
        const item = editor.session.model.find('view:desktop').parts.find(({ kind }) => kind === 'item');
        editor.session.edit([{ kind: 'set', part: item.address, path: ['title', 'en'], text: JSON.stringify('Step ' + step) }]);
      }
    }`);
    await editor.button('Undo').click();
    const edited = await editor.text();
    await editor.kept();
    expect(await storedTitles(id)).toEqual(first);
    await editor.reload();
    expect(await editor.text()).toBe(edited);
    expect(await said(editor)).toContain('This is your draft');
    expect(await editor.ask('editor.steps.length')).toBe(204);
    expect(await editor.ask('editor.steps.at(-1)')).toContain('Step 203');
    await editor.button('Redo').click();
    expect((await titles(editor)) ?? []).toEqual(['Step 204', ...first.slice(1)]);
    await editor.ask('{ for (let step = 0; step < 205; step += 1) editor.undo(); }');
    expect(await editor.text()).toBe(start);
    expect(await editor.ask('editor.isChanged')).toBe(false);
  });

  it('are seen by nobody else, and by viewers once they are saved; steps taken before can be undone after a reload', async () => {
    const id = await dashboard();
    const editor = await opened(id);
    await editor.retitle('bars', 'Mine');
    await editor.kept();
    const other = await opened(id, 'bob');
    expect(await titles(other)).toEqual(first);
    expect(await other.page.locator('inlay-editor .message').count()).toBe(0);
    expect(await storedTitles(id)).toEqual(first);
    await editor.save();
    await editor.kept();
    expect(await storedTitles(id)).toEqual(['Mine', ...first.slice(1)]);
    await editor.reload();
    expect(await editor.page.locator('inlay-editor .message').count()).toBe(0);
    expect(await editor.ask('editor.isChanged')).toBe(false);
    await editor.button('Undo').click();
    await editor.save();
    expect(await storedTitles(id)).toEqual(first);
  });

  it('are merged with what others have saved since, and ask where both changed the same', async () => {
    const id = await dashboard();
    const editor = await opened(id);
    await editor.retitle('bars', 'Mine');
    await editor.kept();
    const other = await opened(id, 'bob');
    await other.retitle('total', 'Theirs');
    await other.save();
    await editor.reload();
    expect(await titles(editor)).toEqual(['Mine', 'Theirs', ...first.slice(2)]);
    expect(await said(editor)).toContain('saved since');
    await editor.kept();
    await other.retitle('bars', 'Theirs too');
    await other.save();
    await editor.reload();
    expect(await titles(editor)).toEqual(['Mine', 'Theirs', ...first.slice(2)]);
    expect(await said(editor)).toContain('you are asked');
    await editor.save();
    const question = editor.page.locator('inlay-editor').getByRole('alertdialog');
    await question.getByLabel('My change').check();
    await question.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => storedTitles(id)).toEqual(['Mine', 'Theirs', ...first.slice(2)]);
  });

  it('are not overwritten by another page of the same person, whose edits are saved all the same', async () => {
    const id = await dashboard();
    const [here, there] = [await opened(id), await opened(id)];
    await here.retitle('bars', 'Here');
    await here.kept();
    await there.retitle('total', 'There');
    const toolbar = there.page.locator('inlay-editor').getByRole('toolbar').getByRole('status');
    await expect.poll(() => toolbar.innerText(), { timeout: 20_000 }).toContain('newer draft in another page');
    await there.save();
    await here.save();
    expect(await storedTitles(id)).toEqual(['Here', 'There', ...first.slice(2)]);
  });

  it('end when the edits are discarded', async () => {
    const id = await dashboard();
    const token = await editorToken(world, id, 'ada');
    const editor = await EditorPage.open(browser, world, id, token);
    await editor.retitle('bars', 'Mine');
    await editor.kept();
    await editor.button('Discard changes').first().click();
    await editor.page.locator('inlay-editor dialog').getByRole('button', { name: 'Discard changes' }).click();
    await until(editor.page, `document.querySelector('inlay-editor').session.draftState === 'none'`);
    expect(await titles(editor)).toEqual(first);
    const drafts = { find: { where: { securable_id: id, state: 'draft' } } };
    expect(await world.ok('dashboardversion', drafts, token)).toMatchObject({ count: 0 });
    await editor.retitle('bars', 'Again');
    await editor.kept();
    expect(await world.ok('dashboardversion', drafts, token)).toMatchObject({ count: 1 });
  });

  it('are there after the network was lost and the service was killed in the middle of an edit', async () => {
    const id = await dashboard();
    const editor = await opened(id);
    await editor.retitle('bars', 'Before');
    await editor.kept();
    await editor.watched.context.setOffline(true);
    await editor.retitle('total', 'Offline');
    const toolbar = editor.page.locator('inlay-editor').getByRole('toolbar').getByRole('status');
    await expect.poll(() => toolbar.innerText(), { timeout: 20_000 }).toContain('cannot be reached');
    await editor.watched.context.setOffline(false);
    await editor.kept();
    world.service.kill('SIGKILL');
    await world.service.exited;
    await editor.retitle('pieces', 'Killed');
    await expect.poll(() => toolbar.innerText(), { timeout: 20_000 }).toContain('cannot be reached');
    const env = { INLAY_DATA_DIR: dataDir, INLAY_CORS_ORIGINS: world.site.url, INLAY_RATE_LIMIT: '0' };
    world = { ...world, service: await startService({ env, port: world.service.port }) };
    await editor.kept();
    await editor.reload();
    expect(await titles(editor)).toEqual(['Before', 'Offline', 'Killed', ...first.slice(3)]);
    expect(await editor.ask('editor.steps.length')).toBe(3);
    expect(await storedTitles(id)).toEqual(first);
  });

  it('are not kept for a token without a username, whose page warns before it is left', async () => {
    const id = await dashboard();
    const editor = await EditorPage.open(browser, world, id, await editorToken(world, id, '', { username: null }));
    await editor.retitle('bars', 'Mine');
    await until(editor.page, `document.querySelector('inlay-editor').session.draftState === 'refused'`);
    const warned = editor.page.waitForEvent('dialog');
    // It does not happen: the person stays.
    const reloaded = editor.page.reload().catch(() => undefined);
    await (await warned).dismiss();
    expect(await titles(editor)).toEqual(['Mine', ...first.slice(1)]);
    await editor.save();
    expect(await storedTitles(id)).toEqual(['Mine', ...first.slice(1)]);
    await editor.page.close();
    await reloaded;
  });
});
