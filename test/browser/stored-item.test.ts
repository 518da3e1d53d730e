import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { card, noBrowser, openPage, rendered, startBrowser, toldOf, until, type Watched } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, sumBy } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

const element = `document.querySelector('inlay-item')`;

describe.skipIf(noBrowser !== undefined)('one item of a stored dashboard', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let reader: Credential;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const items = [
      item(
        'regions',
        'bar-chart',
        [slot('y-axis', inSlot(world.dataset, 'region')), slot('measure', inSlot(world.dataset, 'revenue'))],
        [0, 0, 24, 12],
        {
          title: { en: 'Revenue by region' },
        },
      ),
      item('other', 'donut-chart', [slot('category', inSlot(world.dataset, 'product'))], [24, 0, 24, 12]),
    ];
    dashboard = await world.dashboard(contentsOf(world.dataset, items));
    reader = await world.token([dashboard]);
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const open = (itemId: string, nameOf = (name: string): string => name): Promise<Watched> => {
    const attributes = {
      'dashboard-id': dashboard,
      'item-id': itemId,
      'auth-key': reader.key,
      'auth-token': reader.token,
      'api-host': world.service.url,
    };
    const written = Object.entries(attributes).map(([name, value]) => `${nameOf(name)}="${value}"`);
    return openPage(browser, world, `<inlay-item ${written.join(' ')}></inlay-item>`);
  };

  it('is shown alone, with its title, columns and rows', async () => {
    const { page, context, requests } = await open('regions');
    await rendered(page);
    await card(page, 'Revenue by region').waitFor();
    const sums = sumBy(sales, ({ region }) => region).toSorted((one, other) => other[1] - one[1]);
    expect(await page.evaluate(`${element}.getData().texts.map(([region]) => region)`)).toEqual(
      sums.map(([region]) => region),
    );
    const asked = requests.filter(({ url }) => url.endsWith('/data')).map(({ body }) => body ?? '');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('"item_id":"regions"');
    await context.close();
  });

  it('is named by attributes without hyphens as well, which a page may set later', async () => {
    const { page, context } = await open('nothing', (name) => name.replaceAll('-', ''));
    await until(page, `told.some(({ name }) => name === 'failed')`);
    await page.evaluate(`${element}.setAttribute('itemid', 'regions')`);
    await rendered(page);
    await card(page, 'Revenue by region').waitFor();
    expect(await page.evaluate(`${element}.itemId`)).toBe('regions');
    await context.close();
  });

  it('says to whoever builds the page that the dashboard has no such item', async () => {
    const { page, context } = await open('nothing');
    await until(page, `told.some(({ name }) => name === 'failed')`);
    expect(await toldOf(page, 'failed')).toMatchObject([
      { code: 'not_found', message: 'The dashboard has no item "nothing".' },
    ]);
    expect(await page.getByRole('alert').innerText()).toMatch(/^This could not be loaded\s+Try again$/u);
    await context.close();
  });
});
