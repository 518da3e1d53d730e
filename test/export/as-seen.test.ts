import type { JsonObject } from '@inlay/contract';
import { Resvg } from '@resvg/resvg-js';
import { bundledFonts } from '../../packages/service/src/export/drawing/fonts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentsOf, inSlot, item, sales, slot, sumBy } from '../browser/sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from '../browser/world.ts';

const unnamed = (content: JsonObject): JsonObject => ({ ...content, label: null });

describe('a file of what a viewer sees', () => {
  let world: EmbedWorld;
  let dashboard: string;
  let token: Credential;

  const ask = async (
    properties: JsonObject,
    by: Credential = token,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${by.key}:${by.token}`,
        connection: 'close',
      },
      body: JSON.stringify({ action: 'create', properties: { dashboard_id: dashboard, ...properties } }),
    });
    return { status: answer.status, text: await answer.text() };
  };

  const step = (more: JsonObject = {}): JsonObject => {
    const { id, columns } = world.dataset;
    const parameters = [{ dataset_id: id, column_id: columns.day, level: 1 }, '2025-01-01T00:00:00.000Z'];
    const filter = { expression: '? = ?', parameters };
    return { item_id: 'Years', column_id: columns.day, level: 2, text: '2025', filter, ...more };
  };

  beforeAll(async () => {
    world = await startEmbedWorld({ INLAY_DEMO: 'false' });
    const on = (name: 'day' | 'region' | 'revenue', more: JsonObject = {}): JsonObject =>
      unnamed(inSlot(world.dataset, name, more));
    const years = [slot('x-axis', on('day', { level: 1 })), slot('measure', on('revenue'))];
    const regions = [slot('category', on('region')), slot('measure', on('revenue')), slot('color')];
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Years', 'column-chart', years, [0, 0, 24, 16]),
        item('Regions', 'treemap-chart', regions, [24, 0, 24, 16]),
      ]),
    );
    token = await world.token([dashboard]);
  });
  afterAll(async () => {
    await world?.stop();
  });

  it('calls columns by their names in the language asked for where the dashboard has no labels', async () => {
    const head = async (locale: string): Promise<string | undefined> =>
      (await ask({ type: 'csv', item_id: 'Regions', locale_id: locale })).text.replace('\uFEFF', '').split('\r\n')[0];
    expect(await head('en')).toBe('"Region","Revenue"');
    const { columns } = world.dataset;
    await world.ok('column', {
      action: 'update',
      id: columns.region,
      properties: { name: { en: 'Area', fr: 'Zone' } },
    });
    expect(await head('fr')).toBe('"Zone","Revenue"');
    expect(await head('de')).toBe('"Area","Revenue"');
  });

  it('has the name of the dashboard above the items where its view shows it, and not above one item alone', async () => {
    const regions = [slot('category', unnamed(inSlot(world.dataset, 'region')))];
    const items = [item('Regions', 'treemap-chart', regions, [0, 0, 48, 16])];
    const views = (options: JsonObject): JsonObject => ({ views: [{ screenModus: 'desktop', options, items }] });
    const pictureOf = async (options: JsonObject, more: JsonObject = {}): Promise<string> => {
      const id = await world.dashboard(contentsOf(world.dataset, [], views(options)));
      await world.ok('securable', { action: 'update', id, properties: { name: { en: 'Sales', fr: 'Ventes' } } });
      const by = await world.token([id]);
      const picture = await ask({ type: 'svg', dashboard_id: id, locale_id: 'fr', ...more }, by);
      return picture.text;
    };
    const heightOf = (svg: string): number => Number(/height="([\d.]+)"/u.exec(svg)?.[1]);
    const [plain, titled] = [await pictureOf({}), await pictureOf({ showTitle: true })];
    expect(plain).not.toContain('Ventes');
    expect(titled.match(/>Ventes</gu)).toHaveLength(1);
    expect(titled.indexOf('>Ventes<')).toBeLessThan(titled.indexOf('>Regions<'));
    expect(heightOf(titled)).toBeGreaterThan(heightOf(plain) + 20);
    expect(await pictureOf({ showTitle: true }, { item_id: 'Regions' })).not.toContain('Ventes');
  });

  it('has the levels that were opened, which narrow their item alone', async () => {
    const quarters = await ask({ type: 'csv', item_id: 'Years', steps: [step()] });
    expect(quarters.text.trim().split('\r\n')).toHaveLength(5);
    const sum = sumBy(
      sales.filter(({ day }) => day.startsWith('2025')),
      () => '',
    )[0]?.[1];
    const told = quarters.text.trim().split('\r\n').slice(1);
    expect(told.reduce((all, line) => all + Number(line.split(',')[1]), 0)).toBeCloseTo(sum ?? 0);
    const picture = await ask({ type: 'svg', steps: [step()] });
    expect(picture.text).toContain('Years › 2025');
    const all = sumBy(sales, ({ region }) => region);
    for (const [, value] of all)
      expect(picture.text).toContain(
        value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
      );
  });

  it('holds the columns of an item in the order of its slots, and the members that it shows, whole', async () => {
    const on = (name: 'region' | 'product' | 'revenue'): JsonObject => inSlot(world.dataset, name);
    const largest = { sort: { by: 'measure', order: 'desc' }, limit: 2 };
    const split = [slot('measure', on('revenue')), slot('y-axis', on('product')), slot('legend', on('region'))];
    const table = [slot('columns', on('revenue'), on('product'))];
    const id = await world.dashboard(
      contentsOf(world.dataset, [
        item('Split', 'bar-chart', split, [0, 0, 24, 16], { options: largest }),
        item('Table', 'regular-table', table, [24, 0, 24, 16]),
      ]),
    );
    const by = await world.token([id]);
    const linesOf = async (itemId: string): Promise<readonly (readonly string[])[]> =>
      (await ask({ type: 'csv', dashboard_id: id, item_id: itemId }, by)).text
        .replace('\uFEFF', '')
        .trim()
        .split('\r\n')
        .map((line) => line.replaceAll('"', '').split(','));
    const byProduct = sumBy(sales, ({ product }) => product);
    const wanted = byProduct.toSorted(([, one], [, other]) => other - one).slice(0, 2);
    const [head, ...lines] = await linesOf('Split');
    expect(head).toEqual(['Revenue', 'Product', 'Region']);
    const totals = wanted.map(([product]) => [
      product,
      lines.filter(([, own]) => own === product).reduce((sum, [revenue]) => sum + Number(revenue), 0),
    ]);
    expect(totals).toEqual(wanted);
    expect([...new Set(lines.map(([, product]) => product))]).toEqual(wanted.map(([product]) => product));
    const sums = byProduct.map(([product, revenue]) => [String(revenue), product]);
    expect(await linesOf('Table')).toEqual([['Revenue', 'Product'], ...sums]);
  });

  it('leaves out hidden items, unless one of them is asked for alone', async () => {
    const regions = [
      slot('category', inSlot(world.dataset, 'region')),
      slot('measure', inSlot(world.dataset, 'revenue')),
    ];
    const shown = item('Shown', 'treemap-chart', regions, [0, 0, 24, 16], { title: 'Shown here' });
    const hidden = {
      ...item('Hidden', 'treemap-chart', regions, [24, 0, 24, 16], { title: 'Not here' }),
      hidden: true,
    };
    const id = await world.dashboard(
      contentsOf(world.dataset, [], { views: [{ screenModus: 'desktop', options: {}, items: [shown, hidden] }] }),
    );
    const by = await world.token([id]);
    const whole = await ask({ type: 'svg', dashboard_id: id }, by);
    expect([whole.text.includes('Shown here'), whole.text.includes('Not here')]).toEqual([true, false]);
    expect((await ask({ type: 'svg', dashboard_id: id, item_id: 'Hidden' }, by)).text).toContain('Not here');
    expect((await ask({ type: 'csv', dashboard_id: id, item_id: 'Hidden' }, by)).status).toBe(200);
  });

  it('cuts a title where its item ends, whatever its letters', async () => {
    const fonts = bundledFonts();
    const regions = [slot('category', inSlot(world.dataset, 'region'))];
    for (const [title, bold] of [
      ['Monthly recurring revenue by country and status of all customers', true],
      ['MONTHLY RECURRING REVENUE BY COUNTRY AND STATUS', false],
      ['Wöchentliche Gesamtübersicht aller Umsätze nach Kunden und Regionen', true],
    ] as const) {
      const items = [item('Cut', 'treemap-chart', regions, [0, 0, 16, 16], { title })];
      const options = { theme: { type: 'custom', title: { bold } } };
      const views = [{ screenModus: 'desktop', options, items }];
      const id = await world.dashboard(contentsOf(world.dataset, [], { views }));
      const { text } = await ask({ type: 'svg', dashboard_id: id }, await world.token([id]));
      const cut = /<text[^>]*>[^<]*…<\/text>/u.exec(text)?.[0] ?? '';
      expect(cut).toContain(title.slice(0, 10));
      const drawn = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="100">${cut}</svg>`, {
        font: { fontFiles: [fonts.regular, fonts.bold], loadSystemFonts: false, defaultFontFamily: fonts.family },
      });
      const box = drawn.getBBox();
      expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThan(400);
    }
  });

  it('has patterns where they are asked for', async () => {
    const [plain, drawn] = await Promise.all([ask({ type: 'svg' }), ask({ type: 'svg', patterns: true })]);
    expect(plain.text).not.toContain('<pattern');
    expect(drawn.text.match(/<pattern/gu)?.length).toBeGreaterThan(2);
    for (const type of ['png', 'pdf']) expect((await ask({ type, patterns: true })).status).toBe(200);
  });

  it.each([
    [{ steps: {} }, 'properties.steps'],
    [{ steps: [7] }, 'properties.steps[0]'],
    [{ steps: [{ level: 0 }] }, 'properties.steps[0].level'],
    [{ steps: [{ filter: { and: [] } }] }, 'properties.steps[0].filter.and'],
    [{ steps: [{ sql: '1' }] }, 'properties.steps[0].sql'],
    [{ patterns: 'yes' }, 'properties.patterns'],
  ])('is refused where the request is not understood: %j', async (properties, place) => {
    const { status, text } = await ask({ type: 'svg', ...properties });
    expect(status).toBe(400);
    expect(text).toContain(`"${place}"`);
  });
});
