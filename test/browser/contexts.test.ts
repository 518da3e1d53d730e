import type { JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attribute, card, noBrowser, openPage, rendered, startBrowser, toldOf, until, type Seen } from './page.ts';
import { contentsOf, inSlot, item, sales, slot, sumBy, type Sale } from './sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from './world.ts';

const total = (rows: readonly Sale[]): number => rows.reduce((sum, { revenue }) => sum + revenue, 0);
const of = (region: string): readonly Sale[] => sales.filter((sale) => sale.region === region);

describe.skipIf(noBrowser !== undefined)('elements of a page', () => {
  let world: EmbedWorld;
  let browser: Browser;
  let dashboard: string;
  let other: string;
  let token: Credential;
  const open: Page[] = [];

  beforeAll(async () => {
    [world, browser] = await Promise.all([startEmbedWorld({ INLAY_DEMO: 'false' }), startBrowser()]);
    const on = (name: 'region' | 'product' | 'revenue'): JsonObject => inSlot(world.dataset, name);
    const contents = contentsOf(world.dataset, [
      item('Regions', 'column-chart', [slot('x-axis', on('region')), slot('measure', on('revenue'))], [0, 0, 24, 16]),
      item('Total', 'evolution-number', [slot('measure', on('revenue'))], [24, 0, 24, 8]),
      item('Product', 'dropdown-filter', [slot('dimension', on('product'))], [24, 8, 24, 8]),
    ]);
    dashboard = await world.dashboard(contents, { slug: 'sales' });
    other = await world.dashboard(contents);
    token = await world.token([dashboard]);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.context().close()));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const markup = (name: string, given: Readonly<Record<string, string>>, by: Credential = token): string => {
    const all = { 'auth-key': by.key, 'auth-token': by.token, 'api-host': world.service.url, ...given };
    const written = Object.entries(all).map(([key, value]) => `${key}="${attribute(value)}"`);
    return `<${name} ${written.join(' ')}></${name}>`;
  };
  const show = async (elements: readonly string[], seen: Seen = {}): Promise<Page> => {
    const { page } = await openPage(browser, world, elements.join(''), {
      context: { reducedMotion: 'reduce' },
      ...seen,
    });
    open.push(page);
    await rendered(page, elements.length);
    return page;
  };
  const itemOf = (id: string, itemId: string, more: Readonly<Record<string, string>> = {}): string =>
    markup('inlay-item', { id, 'dashboard-id': dashboard, 'item-id': itemId, ...more });
  const element = (id: string): string => `document.getElementById('${id}')`;
  const totalIs = (page: Page, id: string, wanted: number): Promise<void> =>
    until(page, `Math.abs(Number(${element(id)}.getData('Total')?.values[0]?.[0]) - ${wanted}) < 0.01`);
  const asia = [{ label: 'Region', value: 'Asia' }];

  it('with one context id filter each other as items of a dashboard do, and those of another do not', async () => {
    const page = await show(
      [
        itemOf('regions', 'Regions', { 'context-id': 'one' }),
        itemOf('total', 'Total', { 'context-id': 'one' }),
        itemOf('product', 'Product', { 'context-id': 'one' }),
        itemOf('apart', 'Total', { 'context-id': 'two' }),
        itemOf('alone', 'Total'),
        markup('inlay-dashboard', { id: 'whole', 'dashboard-id': dashboard, 'context-id': 'one' }),
      ],
      { height: 2600 },
    );
    await page.locator('#regions').getByRole('button', { name: 'Show as table' }).click();
    await page.locator('#regions').getByRole('button', { name: 'Asia', exact: true }).click();
    await totalIs(page, 'total', total(of('Asia')));
    await totalIs(page, 'whole', total(of('Asia')));
    expect(await page.evaluate(`${element('regions')}.getData().values.length`)).toBe(3);
    await page.locator('#product').getByRole('button', { name: 'Product: All' }).click();
    await page.locator('#product').getByRole('option', { name: 'Bread', exact: true }).click();
    await page.keyboard.press('Escape');
    const bread = of('Asia').filter(({ product }) => product === 'Bread');
    await totalIs(page, 'total', total(bread));
    await totalIs(page, 'whole', total(bread));
    for (const id of ['apart', 'alone']) await totalIs(page, id, total(sales));
    const csv = await page.evaluate(`${element('total')}.exportData('csv').then((file) => file.text())`);
    expect(Number(String(csv).trim().split('\r\n')[1])).toBeCloseTo(total(bread));
    expect(
      await page.evaluate(`${element('total')}.getFilters().map(({ expression }) => expression).toSorted()`),
    ).toEqual(['? = ?', '? in ?']);
    await page.evaluate(`${element('regions')}.setAttribute('context-id', 'two')`);
    await totalIs(page, 'apart', total(of('Asia')));
    const ofBread = total(sales.filter(({ product }) => product === 'Bread'));
    await totalIs(page, 'total', ofBread);
    await page.evaluate(`${element('regions')}.remove()`);
    await totalIs(page, 'apart', total(sales));
    const late = itemOf('late', 'Total', { 'context-id': 'one' });
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(late)})`);
    await totalIs(page, 'late', ofBread);
    expect(await toldOf(page, 'failed')).toEqual([]);
  });

  it('add filters to those of the page, which only ever narrow, and say which are set', async () => {
    const page = await show([markup('inlay-dashboard', { id: 'whole', 'dashboard-id': dashboard })]);
    const filter = (name: 'region' | 'product', value: string): JsonObject => ({
      expression: '? = ?',
      parameters: [{ dataset_id: world.dataset.id, column_id: world.dataset.columns[name] }, value],
    });
    const add = (given: JsonObject): Promise<unknown> =>
      page.evaluate(`${element('whole')}.addFilters([${JSON.stringify(given)}])`);
    await add(filter('region', 'Asia'));
    await totalIs(page, 'whole', total(of('Asia')));
    await add(filter('product', 'Bread'));
    await totalIs(page, 'whole', total(of('Asia').filter(({ product }) => product === 'Bread')));
    const filters = await page.evaluate(`${element('whole')}.getFilters()`);
    expect(filters).toMatchObject([filter('region', 'Asia'), filter('product', 'Bread')]);
    await page.evaluate(`${element('whole')}.setFilters([])`);
    await totalIs(page, 'whole', total(sales));
    await page.evaluate(`${element('whole')}.setFilters(${JSON.stringify(filters)})`);
    await totalIs(page, 'whole', total(of('Asia').filter(({ product }) => product === 'Bread')));
    await add({ expression: '? = ?' });
    await expect
      .poll(async () => (await toldOf(page, 'failed')).at(-1))
      .toMatchObject({
        code: 'filter_invalid',
        hint: 'filters[0]: {expression, parameters: [{dataset_id, column_id}, value]}',
      });
    await totalIs(page, 'whole', total(of('Asia').filter(({ product }) => product === 'Bread')));
  });

  it('keep row filters of the token whatever a page adds', async () => {
    const european = await world.token([dashboard], {
      filters: [
        {
          clause: 'where',
          origin: 'global',
          expression: '? = ?',
          value: 'Europe',
          securable_id: world.dataset.id,
          column_id: world.dataset.columns.region,
        },
      ],
    });
    const page = await show([
      markup(
        'inlay-item',
        { id: 'total', 'dashboard-id': dashboard, 'item-id': 'Total', 'context-id': 'one' },
        european,
      ),
      itemOf('regions', 'Regions', { 'context-id': 'one' }),
    ]);
    await totalIs(page, 'total', total(of('Europe')));
    expect(await page.evaluate(`${element('regions')}.setSelectedData(${JSON.stringify(asia)})`)).toBe(true);
    await until(
      page,
      `${element('total')}.getData()?.values[0]?.[0] === null || ${element('total')}.getData()?.values.length === 0`,
    );
  });

  it('choose what a page says in a chart or a filter, and take it back', async () => {
    const page = await show([markup('inlay-dashboard', { id: 'whole', 'dashboard-id': dashboard })]);
    const select = (data: unknown, id: string): Promise<unknown> =>
      page.evaluate(`${element('whole')}.setSelectedData(${JSON.stringify(data)}, '${id}')`);
    expect(await select(asia, 'Regions')).toBe(true);
    await totalIs(page, 'whole', total(of('Asia')));
    await card(page, 'Regions').getByRole('button', { name: 'Clear: Asia' }).waitFor();
    expect(await select([{ columnId: world.dataset.columns.region, value: 'Atlantis' }], 'Regions')).toBe(false);
    await totalIs(page, 'whole', total(sales));
    expect(await select(['Bread', 'Dates'], 'Product')).toBe(true);
    await totalIs(page, 'whole', total(sales.filter(({ product }) => ['Bread', 'Dates'].includes(product))));
    expect(await card(page, 'Product').locator('.value').innerText()).toBe('2 chosen');
    expect(await select([], 'Product')).toBe(false);
    await totalIs(page, 'whole', total(sales));
    expect(await select(asia, 'No such item')).toBe(false);
  });

  it('are shown by the slug of a dashboard, which is unknown to a token that may not see it', async () => {
    const page = await show([
      markup('inlay-item', { id: 'total', 'dashboard-slug': 'sales', 'item-id': 'Total' }),
      markup('inlay-dashboard', { id: 'whole', 'dashboard-slug': 'sales' }),
    ]);
    await totalIs(page, 'total', total(sales));
    await totalIs(page, 'whole', total(sales));
    const csv = await page.evaluate(`${element('total')}.exportData('csv').then((file) => file.text())`);
    expect(String(csv).trim().split('\r\n')).toHaveLength(2);
    const stranger = await world.token([other]);
    const { page: refused } = await openPage(
      browser,
      world,
      markup('inlay-dashboard', { 'dashboard-slug': 'sales' }, stranger) +
        markup('inlay-dashboard', { 'dashboard-slug': 'nothing' }, stranger),
    );
    open.push(refused);
    await until(refused, `told.filter(({ name }) => name === 'failed').length === 2`);
    const [hidden, missing] = await toldOf(refused, 'failed');
    expect(hidden).toMatchObject({ code: 'not_found' });
    expect(hidden).toEqual(missing);
  });

  it('name the dashboards that their token may see', async () => {
    const page = await show([itemOf('total', 'Total')]);
    const wanted = [{ id: dashboard, slug: 'sales', name: { en: 'Sales', fr: 'Ventes' } }];
    expect(await page.evaluate(`${element('total')}.accessibleDashboards()`)).toEqual(wanted);
    const options = { apiHost: world.service.url, authKey: token.key, authToken: token.token };
    expect(
      await page.evaluate(
        `import('${world.service.url}/embed/inlay.js').then(({ accessibleDashboards }) => accessibleDashboards(${JSON.stringify(options)}))`,
      ),
    ).toEqual(wanted);
  });

  it('take language and timezone-id for their names, and load again', async () => {
    const page = await show([itemOf('total', 'Regions', { language: 'fr', 'timezone-id': 'Asia/Tokyo' })]);
    expect(await page.evaluate(`${element('total')}.getData().columns[0]`)).toBe('Région');
    await page.evaluate(`${element('total')}.setSelectedData([{ label: 'Région', value: 'Asia' }])`);
    expect(await page.evaluate(`${element('total')}.getFilters().length`)).toBe(1);
    await page.evaluate(`${element('total')}.reload()`);
    await rendered(page, 2);
    expect(await page.evaluate(`${element('total')}.getFilters()`)).toEqual([]);
    expect(sumBy(sales, ({ region }) => region)).toHaveLength(3);
  });
});
