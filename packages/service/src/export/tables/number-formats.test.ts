import { readItem, type Json } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { numberFormat, sheetWidth } from './number-formats.ts';

const formatOf = (more: Record<string, Json>, locale = 'en', currency: string | null = null): string | null => {
  const entry = { datasetId: 'd', columnId: 'c', type: 'numeric', aggregationFunc: 'sum', ...more };
  const item = readItem({ id: 'i', type: 'regular-table', slots: [{ name: 'columns', content: [entry] }] });
  const content = item?.slots[0]?.content[0];
  if (content === undefined) throw new Error('no entry');
  return numberFormat(content, locale, currency);
};

describe('the number format of a spreadsheet', () => {
  it.each([
    [{ format: ',.2f' }, '#,##0.00'],
    [{ format: '.1%' }, '0.0%'],
    [{ format: ',d' }, '#,##0'],
    [{ format: ',.2~f' }, '#,##0.##'],
    [{ format: ',.0f', currency: 'EUR' }, '[$€]#,##0'],
    [{ currency: 'JPY' }, '[$¥]#,##0'],
    [{ format: ',.1f', unit: 'kg' }, '#,##0.0 "kg"'],
    [{ notation: 'percent' }, '#,##0.0%'],
    [{ aggregationFunc: 'distinctcount', currency: 'EUR' }, '#,##0'],
    [{ format: '.3s' }, null],
    [{ format: 'no pattern' }, null],
    [{ notation: 'duration', format: '.0f' }, null],
    [{}, null],
  ])('of %j is %s', (more, expected) => {
    expect(formatOf(more)).toBe(expected);
  });

  it('has the currency where the language has it, and that of the viewer', () => {
    expect(formatOf({ format: ',.2f', currency: 'EUR' }, 'fr')).toBe('#,##0.00 [$€]');
    expect(formatOf({ format: ',.2f', currency: 'viewer' }, 'en', 'GBP')).toBe('[$£]#,##0.00');
    expect(formatOf({ format: ',.2f', currency: 'viewer' })).toBe('#,##0.00');
  });

  it('has nothing of a unit that would end it', () => {
    expect(formatOf({ format: '.0f', unit: 'a"b\\c' })).toBe('0 "abc"');
  });
});

it('columns of a sheet are as wide as what they hold, within limits', () => {
  expect(sheetWidth('A', ['x'], null)).toBe(8);
  expect(sheetWidth('A', ['x'.repeat(30)], null)).toBe(32);
  expect(sheetWidth('A', ['x'.repeat(300)], null)).toBe(50);
  expect(sheetWidth('A', [12_345_678.9], '#,##0.00')).toBeGreaterThan(14);
});
