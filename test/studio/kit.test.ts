import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { noBrowser, startBrowser } from '../browser/page.ts';
import { startEmbedWorld, type EmbedWorld } from '../browser/world.ts';
import { part } from '../support/world.ts';
import { editorToken, fiveItems } from './editor-page.ts';

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../examples/editor-kit', name), 'utf8');

describe.skipIf(noBrowser !== undefined)(`an editor built from the parts${noBrowser ?? ''}`, () => {
  let world: EmbedWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('is the example of at most 150 lines, which edits, undoes, compares and publishes', async () => {
    expect(example('own-editor.js').split('\n').length).toBeLessThanOrEqual(150);
    world.site.show('/kit/own-editor.js', example('own-editor.js'), 'text/javascript');
    world.site.show('/kit/index.html', example('index.html'));
    const id = await world.dashboard(fiveItems(world.dataset));
    const { key, token } = await editorToken(world, id, 'ada');
    const settings = { apiHost: world.service.url, authKey: key, authToken: token, dashboardId: id };
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 1000 } })).newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${world.site.url}/kit/index.html#${new URLSearchParams(settings).toString()}`);
    await page.locator('inlay-versions').getByText('appear here once').waitFor();
    await page.locator('inlay-grid .frame[data-id="bars"] > .body').click();
    const slots = page.locator('inlay-slots');
    await slots.getByRole('combobox', { name: 'Type' }).selectOption('column-chart');
    await page.locator('inlay-options').getByRole('combobox').first().waitFor();
    await page.getByRole('button', { name: 'Add a bar chart' }).click();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Undo').click();
    await page.getByText('Draft kept').waitFor();
    await button('Publish').click();
    await page.getByText('Published').waitFor();
    const views = part(part(await world.ok('securable', { action: 'get', id }), 'contents') ?? null, 'views');
    const items: readonly { readonly id: string; readonly type: string }[] = JSON.parse(JSON.stringify(views))[0].items;
    expect(items.map((item) => `${item.id} ${item.type}`)).toEqual([
      'bars column-chart',
      'total evolution-number',
      'pieces evolution-number',
      'regions column-chart',
      'months line-chart',
    ]);
    expect(errors).toEqual([]);
  });
});
