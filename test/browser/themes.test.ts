import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  card,
  noBrowser,
  openDashboard,
  openPage,
  rendered,
  startBrowser,
  until,
  type Seen,
  type Watched,
} from './page.ts';
import { contentsOf, inSlot, item, slot } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

/** Returns a property of CSS as the browser works it out. */
const styleOf = (page: Page, selector: string, name: string): Promise<unknown> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, of) => element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(of), name);

/** Returns a colour of a theme as browsers write it. */
const spaced = (color: unknown): string => String(color).replaceAll(',', ', ');

describe.skipIf(noBrowser !== undefined)('themes of elements', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let token: Credential;
  const open: Watched[] = [];

  const start = async (seen: Seen = {}, by = token, id = dashboard): Promise<Watched> => {
    const watched = await openDashboard(browser, world, id, by, seen);
    open.push(watched);
    return watched;
  };
  const shown = async (theme: string | null, by = token): Promise<Watched> => {
    const watched = await start(theme === null ? {} : { attributes: { theme } }, by);
    await rendered(watched.page);
    return watched;
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld(), startBrowser()]);
    const { dataset } = world;
    const [region, revenue] = [inSlot(dataset, 'region'), inSlot(dataset, 'revenue')];
    dashboard = await world.dashboard(
      contentsOf(dataset, [
        item('table', 'regular-table', [slot('columns', region, revenue)], [0, 0, 24, 20]),
        item('buttons', 'slicer-filter', [slot('dimension', region)], [24, 0, 24, 12]),
        item('choice', 'dropdown-filter', [slot('dimension', region)], [24, 12, 24, 6]),
      ]),
    );
    token = await world.token([dashboard]);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it.each([
    ['compact', 24, 28],
    ['normal', 30, 34],
    ['comfortable', 38, 40],
  ])('%s: rows of tables are %d px high, fields %d px', async (density, rowPx, fieldPx) => {
    const { page } = await shown(JSON.stringify({ density }));
    const rows = await card(page, 'table')
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.clientHeight));
    expect(new Set(rows)).toEqual(new Set([rowPx]));
    expect(await styleOf(page, 'inlay-dropdown .field', 'height')).toBe(`${fieldPx}px`);
  });

  it('come with the script, with the dashboard or with the first name: never all of them for everybody', async () => {
    const files = ({ requests }: Watched): number => requests.filter(({ url }) => url.includes('built-in')).length;
    const background = ({ page }: Watched): Promise<unknown> => styleOf(page, 'inlay-dashboard', 'background-color');
    const plain = await shown(null);
    expect([files(plain), await background(plain)]).toEqual([0, 'rgb(245, 246, 248)']);
    const ofToken = await shown(null, await world.token([dashboard], { theme: { id: 'vivid_dark' } }));
    expect([files(ofToken), await background(ofToken)]).toEqual([0, 'rgb(17, 15, 32)']);
    const named = await shown('earth');
    await until(
      named.page,
      `getComputedStyle(document.querySelector('inlay-dashboard')).backgroundColor === 'rgb(241, 234, 221)'`,
    );
    expect(files(named)).toBe(1);
  });

  it('colour what is chosen, and the text on it', async () => {
    const { page } = await shown(JSON.stringify({ mainColor: '#e6b800', itemsBackground: '#ffffff' }));
    await card(page, 'table').getByRole('button', { name: 'Asia' }).first().click();
    await page.locator('[aria-pressed="true"]').first().waitFor();
    const colors = ['background-color', 'color'].map((name) => styleOf(page, '[aria-pressed="true"]', name));
    expect(await Promise.all(colors)).toEqual([
      await styleOf(page, 'inlay-card', '--inlay-main').then(spaced),
      'rgb(29, 36, 48)',
    ]);
  });

  it('hold where a dashboard may not be read, and where a page sets none it looks like the page', async () => {
    const other = await world.token([]);
    const head = '<style>main{color:rgb(1,2,3)}</style>';
    const themed = await start({ head, attributes: { theme: 'default_dark' } }, other);
    await themed.page.getByRole('alert').waitFor();
    await until(
      themed.page,
      `getComputedStyle(document.querySelector('inlay-dashboard')).backgroundColor === 'rgb(17, 21, 28)'`,
    );
    expect(await styleOf(themed.page, 'inlay-dashboard .state button', 'color')).toBe('rgb(232, 237, 244)');
    const plain = await start({ head }, other);
    await plain.page.getByRole('alert').waitFor();
    expect(await styleOf(plain.page, 'inlay-dashboard', 'background-color')).toBe('rgba(0, 0, 0, 0)');
    for (const selector of ['.state', '.state button'])
      expect(await styleOf(plain.page, `inlay-dashboard ${selector}`, 'color')).toBe('rgb(1, 2, 3)');
  });

  it('hold for an item that may not be read, which can be tried again', async () => {
    const { key, token: secret } = await world.token([]);
    const given = `dashboard-id="${dashboard}" item-id="table" api-host="${world.service.url}" auth-key="${key}" auth-token="${secret}"`;
    const watched = await openPage(browser, world, `<inlay-item theme="default_dark" ${given}></inlay-item>`);
    open.push(watched);
    const { page } = watched;
    await page.getByRole('alert').waitFor();
    await until(
      page,
      `getComputedStyle(document.querySelector('inlay-item').shadowRoot.querySelector('.state')).backgroundColor === 'rgb(17, 21, 28)'`,
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(page, `told.filter(({ name }) => name === 'failed').length >= 2`);
    expect(await page.getByRole('alert').count()).toBe(1);
  });
});
