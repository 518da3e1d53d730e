import { itemQuery, readItem, type Json } from '@inlay/contract';
import { resolveTheme } from '@inlay/contract/theme';
import { expect, it } from 'vitest';
import type { SizedContext } from '../charts/frame/chart.ts';
import { createFrame } from '../charts/frame/frame.ts';
import { createMemberColors } from '../charts/frame/member-colors.ts';
import type { Table } from '../charts/frame/table.ts';
import { chart } from '../charts/regular-table.ts';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import { isCut, tablePages, tableSvg } from './table.ts';

const texts = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)</gu)].map(([, text = '']) => text);

function tableOf(
  rows: number,
  locale: string,
  widthPx = 400,
): { readonly table: Table; readonly context: SizedContext } {
  const entry = (columnId: string, type: string): Json => ({ columnId, datasetId: 'd', type, label: columnId });
  const content = [entry('name', 'hierarchy'), ...['one', 'two', 'three'].map((name) => entry(name, 'numeric'))];
  const item = readItem({
    id: 'i',
    type: 'regular-table',
    options: { totals: true },
    slots: [{ name: 'columns', content }],
  });
  const query = item === null ? null : itemQuery(item);
  if (item === null || query === null) throw new Error('no item');
  const context: SizedContext = {
    theme: resolveTheme([]),
    formats: createFormats(locale, 'UTC'),
    words: wordsFor(locale),
    colors: createMemberColors(8),
    nowMs: 0,
    widthPx,
    heightPx: 260,
    patterns: false,
    reducedMotion: true,
    rightToLeft: false,
  };
  const answer = Array.from({ length: rows }, (_, index) => [`Member ${index}`, 1_000_000, 2, 3]);
  return { table: chart.table(createFrame(item, query, answer, context), context), context };
}

function picture(...options: Parameters<typeof tableOf>): readonly string[] {
  const { table, context } = tableOf(...options);
  return texts(tableSvg(table, context));
}

it('a picture of a table says in words how many rows are left, above its totals', () => {
  const rest = (rows: number, locale: string): string | undefined =>
    picture(rows, locale).find((text) => /more|plus|weitere/u.test(text));
  expect(rest(26, 'en')).toBe('19 more rows');
  expect(rest(9, 'de')).toBe('2 weitere Zeilen');
  expect(rest(26, 'fr')).toBe('19 lignes de plus');
  expect(rest(8, 'en')).toBeUndefined();
  expect(picture(26, 'en').slice(-4)).toEqual(['Total', '26,000,000', '52', '78']);
});

it('a narrow picture leaves columns off before it cuts numbers', () => {
  const shown = picture(3, 'en', 190);
  expect(shown).toContain('1,000,000');
  expect(shown).toContain('2 more columns');
});

it('a table over pages has every row once, its head on each page and its totals on the last', () => {
  const { table, context } = tableOf(26, 'en');
  const pages = tablePages(table, context, 1000).map(texts);
  const members = pages.map((page) => page.filter((text) => text.startsWith('Member')));
  expect(members.flat()).toEqual(Array.from({ length: 26 }, (_, index) => `Member ${index}`));
  expect(members.map(({ length }) => length)).toEqual([8, 8, 8, 2]);
  expect(pages.map((page) => [page.includes('three'), page.includes('Total')])).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [true, true],
  ]);
});

it('a table over pages says how many rows there are beyond the most that are written', () => {
  const { table, context } = tableOf(26, 'en');
  const pages = tablePages(table, context, 10).map(texts);
  expect(pages.at(-1)?.slice(-5)).toEqual(['16 more rows', 'Total', '26,000,000', '52', '78']);
  expect(isCut(table, context)).toBe(true);
  expect(isCut(tableOf(5, 'en').table, context)).toBe(false);
});
