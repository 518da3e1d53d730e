import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@inlay/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import { textsOfPdf } from '../export/pdf-texts.ts';
import { datasetIn } from '../support/world.ts';
import { roomy } from '../support/workbooks.ts';
import { openedPages } from './opened-pages.ts';
import { card, noBrowser, startBrowser } from './page.ts';
import { contentsOf, item, slot } from './sales.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from './world.ts';

/** Rows of each member: nobody, an empty name, and names, of which three are beyond the limit. */
const counts: readonly (readonly [name: string | null, tickets: number])[] = [
  ['Ada', 50],
  [null, 40],
  ['', 30],
  ['Ben', 9],
  ['Cy', 8],
  ['Di', 7],
];
const rows = counts.flatMap(([name, count]) =>
  Array.from({ length: count }, (_, index) => [name, index % 2 === 0 ? 'open' : 'won', 1]),
);
const limited = { options: { sort: { by: 'measure', order: 'desc' }, limit: 3, others: true } };

describe('rows without a member, with an empty one and beyond the limit', () => {
  let world: EmbedWorld;
  let browser: Browser | null = null;
  let dashboard: string;
  let tokens: readonly Credential[] = [];
  const openPage = openedPages();

  const file = async (properties: JsonObject, { key, token }: Credential): Promise<Buffer> => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}:${token}`,
        connection: 'close',
      },
      body: JSON.stringify({ action: 'create', properties: { dashboard_id: dashboard, ...properties } }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status, bytes.toString('utf8').slice(0, 300)).toBe(200);
    return bytes;
  };
  const sheet = async (bytes: Buffer): Promise<readonly unknown[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-export-'));
    try {
      const path = join(folder, 'rows.xlsx');
      writeFileSync(path, bytes);
      const found: unknown[] = [];
      for await (const chunk of sheetRows(path, null, roomy)) found.push(...chunk);
      return found;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  beforeAll(async () => {
    world = await startEmbedWorld({ INLAY_DEMO: 'false' });
    browser = noBrowser === undefined ? await startBrowser() : null;
    const pushed = datasetIn(
      await world.ok('data', {
        action: 'create',
        properties: {
          type: 'create',
          data: [['agent', 'state', 'n'], ...rows],
          options: { header: true, name: { en: 'Tickets' } },
        },
      }),
    );
    const found: readonly JsonObject[] = Object(
      (await world.ok('column', { find: { where: { securable_id: pushed.id } } }))['rows'],
    );
    const on = (name: string, type: string, more: JsonObject = {}): JsonObject => ({
      datasetId: pushed.id,
      type,
      label: name,
      columnId: textOf(found.find((one) => one['source_name'] === name)?.['id']),
      ...more,
    });
    const [agent, n] = [on('agent', 'hierarchy'), on('n', 'numeric', { aggregationFunc: 'sum', format: ',.0f' })];
    const measure = slot('measure', n);
    const state = on('state', 'hierarchy');
    const items = [
      item('Bars', 'bar-chart', [slot('y-axis', agent), measure], [0, 0, 24, 16], limited),
      item('Split', 'column-chart', [slot('x-axis', agent), slot('legend', state), measure], [24, 0, 24, 16], limited),
      item('Slices', 'donut-chart', [slot('category', agent), measure], [0, 16, 24, 16], limited),
      item('Rows', 'pivot-table', [slot('row', agent), slot('column', state), measure], [24, 16, 24, 16], {
        options: { ...limited.options, totals: true },
      }),
      item('List', 'regular-table', [slot('columns', agent, n)], [0, 32, 24, 16], {
        options: { sort: { by: 'columns', index: 1, order: 'desc' }, limit: 3, others: true },
      }),
    ];
    const made = await world.ok('dashboard', {
      action: 'create',
      properties: { name: { en: 'Tickets' }, contents: contentsOf(world.dataset, items) },
      associations: [{ role: 'Datasets', id: pushed.id }],
    });
    dashboard = textOf(made['id']);
    const access = (rights: string): JsonObject => ({
      access: {
        dashboards: [{ id: dashboard, rights: 'read' }],
        datasets: [{ id: pushed.id, rights }],
      },
    });
    tokens = await Promise.all(['use', 'read'].map((rights) => world.token([dashboard], access(rights))));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('are three members in the rows of files, each with its own number, in order', async () => {
    for (const by of tokens) {
      const lines = async (itemId: string, locale: string): Promise<readonly string[]> =>
        (await file({ type: 'csv', item_id: itemId, locale_id: locale }, by))
          .toString('utf8')
          .trim()
          .split('\r\n')
          .slice(1);
      for (const itemId of ['Bars', 'Slices', 'List'])
        expect(await lines(itemId, 'en')).toEqual(['"Ada",50', ',40', '"",30', '"Others",24']);
      expect(await lines('Bars', 'de')).toContain('"Sonstige",24');
      expect(await lines('Rows', 'en')).toEqual([
        '"Ada","open",25',
        '"Ada","won",25',
        ',"open",20',
        ',"won",20',
        '"","open",15',
        '"","won",15',
        '"Others","open",13',
        '"Others","won",11',
      ]);
      const sheetOf = await sheet(await file({ type: 'xlsx', item_id: 'Bars', locale_id: 'fr' }, by));
      expect(sheetOf.slice(1)).toEqual([
        ['Ada', 50],
        [null, 40],
        ['', 30],
        ['Autres', 24],
      ]);
    }
  });

  it('are three members in drawn files', async () => {
    for (const by of tokens) {
      const numbers: Readonly<Record<string, readonly string[]>> = {
        Bars: ['50', '40', '30', '24'],
        Rows: ['25', '20', '15', '13', '11', '73', '71', '144'],
        List: ['50', '40', '30', '24'],
      };
      for (const [itemId, wanted] of Object.entries(numbers)) {
        const svg = (await file({ type: 'svg', item_id: itemId, width: 700 }, by)).toString('utf8');
        const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/gu)].map(([, text = '']) => text);
        for (const text of ['Ada', '(empty)', 'Others (3)', ...wanted]) expect(texts).toContain(text);
        expect(texts.filter((text) => text === '(empty)')).toHaveLength(1);
      }
      const pdf = textsOfPdf(await file({ type: 'pdf', paper: 'fit' }, by));
      for (const text of ['(empty)', 'Others (3)']) expect(pdf).toContain(text);
    }
  });

  it.skipIf(noBrowser !== undefined)('are three members in pages, their tables and what is said of them', async () => {
    for (const by of tokens) {
      if (browser === null) return;
      const { page, errors } = await openPage(browser, world, dashboard, by, { height: 1800 });
      const list = (title: string): Promise<readonly string[]> =>
        card(page, title)
          .locator('tbody tr')
          .evaluateAll((found) =>
            found.map((row) =>
              [...row.children].map((cell) => cell.textContent?.replaceAll(/\s+/gu, ' ').trim() ?? '').join('|'),
            ),
          );
      await expect.poll(() => list('List')).toEqual(['Ada|50', '(empty)|40', '|30', 'Others (3)|24']);
      expect(await list('Rows')).toEqual(
        expect.arrayContaining(['Ada|25|25|50', '(empty)|20|20|40', '|15|15|30', 'Others (3)|13|11|24']),
      );
      for (const title of ['Bars', 'Slices'])
        expect(await card(page, title).getByRole('img').getAttribute('aria-label')).toContain(
          'Ada, 50; (empty), 40; , 30; Others (3), 24',
        );
      expect(errors).toEqual([]);
    }
  });
});
