import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { isFilterType, dataItemTypes, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../packages/service/src/workbook/archive.ts';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import { roomy } from '../support/workbooks.ts';
import { contentsOf, inSlot, item, oneOfEach, sales, slot, sumBy, type SalesDataset } from '../browser/sales.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from '../browser/world.ts';
import { textsOfPdf } from './pdf-texts.ts';
import { datasetIn } from '../support/world.ts';

interface File {
  readonly status: number;
  readonly type: string | null;
  readonly name: string | null;
  readonly bytes: Buffer;
}

const linesOf = (csv: string): readonly string[] =>
  csv
    .replace(/^\uFEFF/u, '')
    .trim()
    .split('\r\n');

describe('a file of a dashboard', () => {
  let world: EmbedWorld;
  let dataset: SalesDataset;
  let dashboard: string;
  let token: Credential;

  const ask = async (properties: JsonObject, by = token): Promise<File> => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${by.key}:${by.token}`,
        connection: 'close',
      },
      body: JSON.stringify({ action: 'create', properties: { dashboard_id: dashboard, ...properties } }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { headers } = answer;
    return {
      status: answer.status,
      type: headers.get('content-type'),
      name: headers.get('content-disposition'),
      bytes,
    };
  };

  const filter = (
    name: 'region' | 'product',
    expression: string,
    value: string | readonly string[],
    more: JsonObject = {},
  ): JsonObject => ({
    expression,
    parameters: [{ dataset_id: dataset.id, column_id: dataset.columns[name] }, value],
    ...more,
  });

  beforeAll(async () => {
    world = await startEmbedWorld();
    dataset = world.dataset;
    dashboard = await world.dashboard(contentsOf(dataset, oneOfEach(dataset)));
    token = await world.token([dashboard]);
  });

  afterAll(async () => {
    await world?.stop();
  });

  it('is a picture with every item, drawn as texts and shapes that load nothing', async () => {
    const { status, type, name, bytes } = await ask({ type: 'svg' });
    expect([status, type]).toEqual([200, 'image/svg+xml']);
    expect(name).toContain('Sales.svg');
    const svg = bytes.toString('utf8');
    for (const title of dataItemTypes) expect(svg).toContain(`>${title}</text>`);
    for (const word of ['Apples', 'Europe', '1,505.00', 'Jan 1, 2024']) expect(svg).toContain(word);
    expect(svg).not.toMatch(/<script|<foreignObject|<image|href=|url\((?!#)|NaN|undefined/u);
  });

  it.each([1, 2])('is a PNG of the size asked for, at scale %s', async (scale) => {
    const { status, type, bytes } = await ask({ type: 'png', width: 800, scale });
    expect([status, type]).toEqual([200, 'image/png']);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.readUInt32BE(16)).toBe(800 * scale);
    expect(bytes.readUInt32BE(20)).toBe((Math.ceil(dataItemTypes.length / 3) * 18 * 16 + 12) * scale);
  });

  it('is a PDF of one page as large as the drawing, whose texts can be found', async () => {
    const { status, type, bytes } = await ask({ type: 'pdf', paper: 'fit' });
    expect([status, type]).toEqual([200, 'application/pdf']);
    const source = bytes.toString('latin1');
    expect(source.startsWith('%PDF-1.')).toBe(true);
    expect(source.match(/\/Type \/Page\b/gu)).toHaveLength(1);
    expect(/\/MediaBox \[0 0 (\d+)/u.exec(source)?.[1]).toBe('900');
    const texts = textsOfPdf(bytes);
    for (const word of ['regular-table', 'Apples', 'Europe', '1,505.00']) expect(texts).toContain(word);
  });

  it.each(dataItemTypes)('is one %s alone', async (type) => {
    const { status, bytes } = await ask({ type: 'svg', item_id: type, width: 600 });
    expect(status).toBe(200);
    const svg = bytes.toString('utf8');
    expect(svg).toContain(`>${type}</text>`);
    expect(svg).toMatch(/width="600"/u);
    expect(svg).not.toMatch(/No data|could not be loaded|Nothing to show/u);
    if (isFilterType(type)) expect(svg).toContain('>All</text>');
    else expect(svg.match(/<(?:path|rect|text|polyline|circle)\b/gu)?.length).toBeGreaterThan(4);
  });

  it('holds the rows of an item as CSV, with the filters that are set', async () => {
    const sums = (rows: typeof sales): readonly string[] =>
      sumBy(rows, ({ product }) => product)
        .toSorted((one, other) => other[1] - one[1])
        .map(([product, sum]) => `"${product}",${sum}`);
    const all = await ask({ type: 'csv', item_id: 'donut-chart' });
    expect(all.type).toBe('text/csv; charset=utf-8');
    expect(linesOf(all.bytes.toString('utf8'))).toEqual(['"Product","Revenue"', ...sums(sales)]);
    const asian = await ask({ type: 'csv', item_id: 'donut-chart', filters: [filter('region', '? = ?', 'Asia')] });
    const expected = sums(sales.filter(({ region }) => region === 'Asia'));
    expect(linesOf(asian.bytes.toString('utf8')).slice(1)).toEqual(expected);
    const own = filter('product', '? = ?', 'Bread', { properties: { itemId: 'donut-chart' } });
    const unnarrowed = await ask({ type: 'csv', item_id: 'donut-chart', filters: [own] });
    expect(linesOf(unnarrowed.bytes.toString('utf8'))).toHaveLength(5);
    const either = { or: [filter('region', '? = ?', 'Asia'), filter('product', '? = ?', 'Bread')] };
    const joined = await ask({ type: 'csv', item_id: 'donut-chart', filters: [either] });
    expect(linesOf(joined.bytes.toString('utf8')).slice(1)).toEqual(
      sums(sales.filter(({ region, product }) => region === 'Asia' || product === 'Bread')),
    );
  });

  it('holds the rows of an item as a workbook, dates as dates and numbers as numbers', async () => {
    const { bytes, type } = await ask({ type: 'xlsx', item_id: 'regular-table' });
    expect(type).toContain('spreadsheetml');
    const folder = mkdtempSync(join(tmpdir(), 'inlay-export-'));
    try {
      const path = join(folder, 'rows.xlsx');
      writeFileSync(path, bytes);
      const rows: (readonly unknown[])[] = [];
      for await (const chunk of sheetRows(path, null, roomy)) rows.push(...chunk);
      expect(rows).toHaveLength(sales.length + 1);
      expect(rows[0]).toEqual(['Day', 'Region', 'Product', 'Revenue']);
      const [first] = sales;
      expect(String(rows[1]?.[0])).toContain(first?.day);
      expect(rows[1]?.slice(1)).toEqual([first?.region, first?.product, first?.revenue]);
      const archive = await openArchive(path);
      const part = async (name: string): Promise<string> => streamText(await archive.read(name));
      expect(await part('xl/styles.xml')).toContain('#,##0.00');
      expect(await part('xl/worksheets/sheet1.xml')).toMatch(/<col [^>]*width="/u);
      archive.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is written in the language, zone and theme asked for', async () => {
    const french = (await ask({ type: 'svg', item_id: 'line-chart', locale_id: 'fr' })).bytes.toString('utf8');
    expect(french).toContain('Chiffre d’affaires');
    const arabic = (await ask({ type: 'svg', item_id: 'regular-table', locale_id: 'ar-EG' })).bytes.toString('utf8');
    expect(arabic).toContain('الإيرادات');
    expect(arabic).toMatch(/[٠-٩]٬?[٠-٩]/u);
    const dark = (await ask({ type: 'svg', theme: { id: 'default_dark' } })).bytes.toString('utf8');
    expect(dark).toContain('rgb(17,21,28)');
  });

  it('has no row that the row filters of the caller keep back', async () => {
    const european = await world.token([dashboard], {
      filters: [
        {
          clause: 'where',
          origin: 'global',
          expression: '? = ?',
          value: 'Europe',
          securable_id: dataset.id,
          column_id: dataset.columns.region,
        },
      ],
    });
    const files = await Promise.all([
      ask({ type: 'svg' }, european),
      ask({ type: 'csv', item_id: 'regular-table' }, european),
      ask(
        { type: 'csv', item_id: 'regular-table', filters: [filter('region', '? in ?', ['Asia', 'Africa'])] },
        european,
      ),
    ]);
    for (const { status, bytes } of files) {
      expect(status).toBe(200);
      expect(bytes.toString('utf8')).not.toMatch(/Asia|Africa/u);
    }
    expect(linesOf(files[1]?.bytes.toString('utf8') ?? '')).toHaveLength(
      sales.filter(({ region }) => region === 'Europe').length + 1,
    );
  });

  it('keeps texts that a spreadsheet would take for formulas texts', async () => {
    const data = [
      ['name', 'value'],
      ['=1+1', 1],
      ['+cmd', 2],
      ['@sum', 3],
      ['-2+3', 4],
      ['"quoted", twice', 5],
      ['\tTab', 6],
    ];
    const made = await world.ok('data', {
      action: 'create',
      properties: { type: 'create', data, options: { header: true, name: { en: 'Formulas' } } },
    });
    const id = datasetIn(made).id;
    const found = await world.ok('column', { find: { where: { securable_id: id }, order: [['order', 'asc']] } });
    const ids = (Array.isArray(found['rows']) ? found['rows'] : []).map((row: JsonObject) => textOf(row['id']));
    const columns = { ...dataset.columns, region: ids[0] ?? '', revenue: ids[1] ?? '' };
    const other: SalesDataset = { id, columns };
    const contents = contentsOf(other, [
      item(
        'Names',
        'bar-chart',
        [slot('y-axis', inSlot(other, 'region')), slot('measure', inSlot(other, 'revenue'))],
        [0, 0, 24, 16],
      ),
    ]);
    const made2 = await world.dashboard(contents);
    const { bytes } = await ask({ type: 'csv', dashboard_id: made2, item_id: 'Names' }, world.owner);
    const lines = linesOf(bytes.toString('utf8')).slice(1);
    expect(new Set(lines)).toEqual(
      new Set([`"'=1+1",1`, `"'+cmd",2`, `"'@sum",3`, `"'-2+3",4`, '"""quoted"", twice",5', `"'\tTab",6`]),
    );
  });

  it.each([
    [{ type: 'csv' }, 'properties.item_id'],
    [{ type: 'svg', item_id: 'nowhere' }, 'properties.item_id'],
    [{ type: 'gif' }, 'properties.type'],
    [{ type: 'png', width: 100_000 }, 'properties.width'],
    [{ type: 'svg', filters: [{ expression: 5 }] }, 'properties.filters[0]'],
  ])('is refused where it cannot be made: %j', async (properties, place) => {
    const { status, bytes } = await ask(properties);
    expect(status).toBe(400);
    expect(bytes.toString('utf8')).toContain(place);
  });

  it.each([
    [{ type: 'png', width: 4000, scale: 4 }, 1000],
    [{ type: 'svg' }, 10_000_000],
    [{ type: 'pdf' }, 10_000_000],
  ])('is refused before it takes the memory where it would be too large: %j', async (properties, rows) => {
    const shown = [slot('y-axis', inSlot(dataset, 'region')), slot('measure', inSlot(dataset, 'revenue'))];
    const tall = await world.dashboard(contentsOf(dataset, [item('Tall', 'bar-chart', shown, [0, 0, 48, rows])]));
    const { status, bytes } = await ask({ ...properties, dashboard_id: tall }, world.owner);
    expect([status, bytes.toString('utf8')]).toEqual([400, expect.stringContaining('properties.width')]);
  });

  it.each(['csv', 'xlsx'])('has no %s of an item without rows, and says what to ask for', async (type) => {
    const words = [{ id: 'words', type: 'text', position: { col: 0, row: 0, sizeX: 9, sizeY: 9 }, slots: [] }];
    const own = await world.dashboard({ views: [{ screenModus: 'desktop', items: words }] });
    const asked = { type, item_id: 'words', dashboard_id: own };
    const { status, bytes } = await ask(asked, await world.token([own]));
    expect([status, bytes.toString('utf8')]).toEqual([400, expect.stringContaining(`there is no ${type} of it`)]);
  });

  it('is refused to whoever may not see the dashboard', async () => {
    const stranger = await world.token([]);
    const { status, bytes } = await ask({ type: 'svg' }, stranger);
    expect(status).toBe(400);
    expect(bytes.toString('utf8')).toContain('properties.dashboard_id');
  });
});
