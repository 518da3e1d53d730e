import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataItemTypes, type JsonObject } from '@inlay/contract';
import { contentsOf, oneOfEach, sales, type SalesDataset } from '../browser/sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from '../browser/world.ts';
import { textsOfPdf } from './pdf-texts.ts';

describe('a PDF on paper', () => {
  let world: EmbedWorld;
  let dataset: SalesDataset;
  let dashboard: string;
  let token: Credential;

  const ask = async (properties: JsonObject): Promise<{ readonly status: number; readonly bytes: Buffer }> => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token.key}:${token.token}` },
      body: JSON.stringify({ action: 'create', properties: { dashboard_id: dashboard, ...properties } }),
    });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  const chosenIn = (
    itemId: string,
    name: 'region' | 'product',
    expression: string,
    value: string | readonly string[],
  ): JsonObject => ({
    expression,
    parameters: [{ dataset_id: dataset.id, column_id: dataset.columns[name] }, value],
    properties: { itemId },
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

  it('has a heading, the filters that are set and numbered pages', async () => {
    const marks = chosenIn('column-chart', 'product', '? = ?', 'Bread');
    const dropdown = chosenIn('dropdown-filter', 'region', '? in ?', ['Asia', 'Europe']);
    const { bytes } = await ask({ type: 'pdf', locale_id: 'fr', filters: [marks, dropdown] });
    const source = bytes.toString('latin1');
    const pages = source.match(/\/Type \/Page\b/gu)?.length ?? 0;
    expect(pages).toBeGreaterThan(1);
    expect(source.match(/\/MediaBox \[0 0 595\.28 841\.8\d*\]/gu)).toHaveLength(pages);
    const texts = textsOfPdf(bytes);
    for (const words of ['Ventes', `Page 1 sur ${pages}`, `Page ${pages} sur ${pages}`]) expect(texts).toContain(words);
    expect(texts).toMatch(/Filtres: .*Asi[ea], Europe/u);
    expect(texts).toMatch(/Filtres: .*Produit: Bread/u);
    for (const title of dataItemTypes) expect(texts).toContain(title);
  });

  it('cuts a filter of 100,000 letters', async () => {
    const marks = chosenIn('column-chart', 'product', '? = ?', 'B'.repeat(100_000));
    const { status, bytes } = await ask({ type: 'pdf', item_id: 'column-chart', paper: 'a4', filters: [marks] });
    expect(status).toBe(200);
    expect(textsOfPdf(bytes)).toMatch(/B{20,200}…/u);
  });

  it('continues a table on pages of its own: all rows, with the head on each page', async () => {
    const { bytes } = await ask({ type: 'pdf', item_id: 'regular-table', width: 800, paper: 'letter' });
    const texts = textsOfPdf(bytes).split('\n');
    const pages = bytes.toString('latin1').match(/\/Type \/Page\b/gu)?.length ?? 0;
    expect(pages).toBeGreaterThan(5);
    const count = (...wanted: readonly string[]): number => texts.filter((text) => wanted.includes(text)).length;
    expect([count('Product'), count('regular-table'), count('regular-table (continued)')]).toEqual([
      pages,
      1,
      pages - 1,
    ]);
    expect(count(...new Set(sales.map(({ product }) => product)))).toBe(sales.length);
    expect(texts.some((text) => text.includes('more rows'))).toBe(false);
  });

  it.each([
    ['letter', 'landscape', '792 612'],
    ['a3', 'portrait', '841.89 1190.55'],
  ])('is on %s, %s as it is asked for', async (paper, orientation, size) => {
    const { bytes } = await ask({ type: 'pdf', paper, orientation, item_id: 'column-chart' });
    expect(bytes.toString('latin1')).toContain(`/MediaBox [0 0 ${size}]`);
  });

  it('is refused for other files', async () => {
    const { status, bytes } = await ask({ type: 'png', paper: 'a4' });
    expect([status, bytes.toString()]).toEqual([400, expect.stringContaining('is about files of type pdf')]);
  });
});
