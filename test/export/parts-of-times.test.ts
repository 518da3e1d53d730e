import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import { contentsOf, inSlot, item, sales, slot } from '../browser/sales.ts';
import { startEmbedWorld, type Credential, type EmbedWorld } from '../browser/world.ts';
import { roomy } from '../support/workbooks.ts';

const weekdays = {
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  fr: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
} as const;
const months = ['janvier', 'février', 'mars', 'avril', 'mai', 'juin'];

/** Revenue by weekday, from Monday. */
const byWeekday = weekdays.en.map((_, index) =>
  sales
    .filter(({ day }) => new Date(day).getUTCDay() === (index + 1) % 7)
    .reduce((sum, { revenue }) => sum + revenue, 0),
);

describe('a file with parts of times', () => {
  let world: EmbedWorld;
  let dashboard: string;
  let token: Credential;

  const ask = async (properties: JsonObject): Promise<Buffer> => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token.key}:${token.token}`,
        connection: 'close',
      },
      body: JSON.stringify({ action: 'create', properties }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status, bytes.toString('utf8').slice(0, 400)).toBe(200);
    return bytes;
  };
  const file = (more: JsonObject): Promise<Buffer> => ask({ dashboard_id: dashboard, ...more });
  const picture = async (id: string, locale: string, more: JsonObject = {}): Promise<readonly string[]> => {
    const svg = (await file({ type: 'svg', item_id: id, locale_id: locale, ...more })).toString('utf8');
    return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/gu)].map(([, text = '']) => text);
  };
  const lines = async (properties: JsonObject): Promise<readonly string[]> =>
    (await ask(properties)).toString('utf8').replace('\uFEFF', '').trim().split('\r\n');

  beforeAll(async () => {
    world = await startEmbedWorld({ INLAY_DEMO: 'false' });
    const day = (mode: string): JsonObject =>
      inSlot(world.dataset, 'day', { level: 5, format: '%A', datetimeDisplayMode: mode });
    const revenue = slot('measure', inSlot(world.dataset, 'revenue'));
    const region = inSlot(world.dataset, 'region');
    dashboard = await world.dashboard(
      contentsOf(world.dataset, [
        item('Weekdays', 'column-chart', [slot('x-axis', day('weekday_name')), revenue], [0, 0, 24, 16]),
        item('Months', 'line-chart', [slot('x-axis', day('month_name')), revenue], [24, 0, 24, 16]),
        item(
          'Pivot',
          'pivot-table',
          [slot('row', region), slot('column', day('weekday_name')), revenue],
          [24, 16, 24, 16],
        ),
      ]),
    );
    token = await world.token([dashboard]);
  });
  afterAll(() => world?.stop());

  it.each(['en', 'fr'] as const)(
    'is a picture with all seven weekdays in order, in the language %s',
    async (locale) => {
      const texts = await picture('Weekdays', locale);
      expect(texts.filter((text) => weekdays[locale].some((name) => name === text))).toEqual(weekdays[locale]);
      const pivot = await picture('Pivot', locale);
      expect(pivot.filter((text) => weekdays[locale].some((name) => name === text))).toEqual(weekdays[locale]);
    },
  );

  it('has shorter names where there is no room for long ones, and all of them', async () => {
    const texts = await picture('Weekdays', 'en', { width: 420 });
    expect(texts.filter((text) => /^[A-Z][a-z]{2}$/u.test(text))).toEqual(weekdays.en.map((name) => name.slice(0, 3)));
    const narrow = await picture('Weekdays', 'en', { width: 200 });
    expect(narrow.filter((text) => /^[MTWFS]$/u.test(text))).toEqual(weekdays.en.map((name) => name.slice(0, 1)));
  });

  it('names months along a line', async () => {
    expect((await picture('Months', 'fr')).filter((text) => months.includes(text))).toEqual(months);
  });

  it('has the names as CSV and as a workbook', async () => {
    const csv = await lines({ type: 'csv', dashboard_id: dashboard, item_id: 'Weekdays', locale_id: 'fr' });
    expect(csv.slice(1)).toEqual(weekdays.fr.map((name, index) => `"${name}",${byWeekday[index]}`));
    const folder = mkdtempSync(join(tmpdir(), 'inlay-export-'));
    try {
      const path = join(folder, 'rows.xlsx');
      writeFileSync(path, await file({ type: 'xlsx', item_id: 'Weekdays', locale_id: 'fr' }));
      const rows: (readonly unknown[])[] = [];
      for await (const chunk of sheetRows(path, null, roomy)) rows.push(...chunk);
      expect(rows.slice(1)).toEqual(weekdays.fr.map((name, index) => [name, byWeekday[index]]));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the numbers where it holds the rows of a query, and says which part they are', async () => {
    const on = { dataset_id: world.dataset.id, column_id: world.dataset.columns.day };
    const query = {
      dimensions: [
        { ...on, part: 'weekday_name' },
        { ...on, part: 'month_number' },
      ],
      limit: { by: 2 },
      options: { weekstart: 7 },
    };
    expect(await lines({ type: 'csv', query })).toEqual(['"Day (weekday)","Day (month of year)"', '7,1', '7,2']);
    expect((await ask({ type: 'ndjson', query })).toString('utf8')).toBe(
      '{"Day (weekday)":7,"Day (month of year)":1}\n{"Day (weekday)":7,"Day (month of year)":2}\n',
    );
  });
});
