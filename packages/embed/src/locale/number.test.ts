import { describe, expect, it } from 'vitest';
import { createNumberWriter } from './number.ts';

const full = (locale: string, value: number | string, style: Parameters<ReturnType<typeof createNumberWriter>>[0]) =>
  createNumberWriter(locale)(style)
    .full(value)
    .replaceAll(/[\u00a0\u202f]/gu, ' ');
const short = (locale: string, value: number, style: Parameters<ReturnType<typeof createNumberWriter>>[0]) =>
  createNumberWriter(locale)(style)
    .short(value)
    .replaceAll(/[\u00a0\u202f]/gu, ' ');

describe('amounts of money', () => {
  it('have the sign of their currency where the locale writes it', () => {
    expect(full('en', 531341, { currency: 'EUR' })).toBe('€531,341');
    expect(full('fr', 531341, { currency: 'EUR' })).toBe('531 341 €');
    expect(full('de', 1234.5, { currency: 'EUR' })).toBe('1.234,50 €');
    expect(full('ja', 1234.5, { currency: 'JPY', format: ',.0f' })).toBe('￥1,235');
  });
  it('have as many digits as a pattern says, with or without a sign of its own', () => {
    expect(full('fr', 531341.256, { currency: 'EUR', format: '$,.2f' })).toBe('531 341,26 €');
    expect(full('en', 531341.256, { currency: 'USD', format: ',.0f' })).toBe('$531,341');
    expect(full('en', 12, { currency: 'USD', format: '+,.0f' })).toBe('+$12');
  });
  it('are short on axes', () => {
    expect(short('en', 1_250_000, { currency: 'EUR' })).toBe('€1.25M');
    expect(short('fr', 1_250_000, { currency: 'EUR', format: ',.2f' })).toBe('1,25 M €');
  });
  it.each([
    ['de', '2.098 €', '123.457 €', '1,23 Mio. €'],
    ['de-CH', "EUR 2'098", "EUR 123'457", 'EUR 1.23 Mio.'],
    ['ja', '€2,098', '€12.3万', '€123万'],
    ['fr', '2,1 k €', '123 k €', '1,23 M €'],
  ])('keep all digits on axes where the language %s has no unit for so many', (locale, thousands, more, millions) => {
    const amount = (value: number): string => short(locale, value, { currency: 'EUR' }).replaceAll('’', "'");
    const written = [2098, 123_457, 1_234_567].map(amount);
    expect(written).toEqual([thousands, more, millions]);
    expect(amount(-2098).replaceAll(/[^\d,.']/gu, '')).toBe(thousands.replaceAll(/[^\d,.']/gu, ''));
  });
  it('keep the sign of a pattern where no currency is known', () => {
    expect(full('en', 1234.5, { format: '$,.2f' })).toBe('$1,234.50');
    expect(full('en', 1234.5, { format: '$,.2f', currency: 'nonsense' })).toBe('$1,234.50');
  });
});

describe('other measures', () => {
  it('are shares as the locale writes them', () => {
    expect(full('en', 0.3771, { format: '.1%' })).toBe('37.7%');
    expect(full('fr', 0.3771, { format: '.1%' })).toBe('37,7 %');
    expect(short('fr', 0.25, { format: '.1%' })).toBe('25 %');
    expect(full('de', 0.5, { notation: 'percent' })).toBe('50 %');
  });
  it.each([
    [42, '42s'],
    [59.96, '1m'],
    [90, '1m 30s'],
    [7500, '2h 5m'],
    [86_399, '1d'],
    [200_000, '2d 8h'],
    [-90, '−1m 30s'],
    [0, '0s'],
  ])('are durations: %s seconds', (seconds, text) => {
    expect(full('en', seconds, { notation: 'duration' })).toBe(text);
  });
  it.each([
    [512, '512B'],
    [1_500_000, '1.5 MB'],
    [-2_000, '-2 kB'],
    [0, '0B'],
  ])('are bytes: %s', (bytes, text) => {
    expect(full('en', bytes, { notation: 'bytes' })).toBe(text);
  });
  it('have a unit behind them, in full and short', () => {
    expect(full('en', 1234.5, { unit: 'kg', format: ',.1f' })).toBe('1,234.5 kg');
    expect(short('en', 12_345, { unit: 'kg' })).toBe('12.3K kg');
  });
  it('are compact, signed or significant where that is asked for', () => {
    expect(full('en', 1_234_567, { notation: 'compact' })).toBe('1.23M');
    expect(full('en', 12.3456, { format: '.3r' })).toBe('12.3');
    expect(full('en', 12, { format: '+,.0f' })).toBe('+12');
  });
  it('keep all digits where the language has no unit for so many, and three where it has one', () => {
    expect([999.4, 999.6, 2098.37, 21_004, 999_499, 1e6].map((value) => short('de', value, {}))).toEqual([
      '999',
      '1.000',
      '2.098',
      '21.004',
      '999.499',
      '1 Mio.',
    ]);
    expect([2098, 21_004, 12.345].map((value) => short('nl', value, {}))).toEqual(['2,1K', '21K', '12,3']);
    expect(full('de', 2098, { notation: 'compact' })).toBe('2.098');
  });
  it('keep digits that a double cannot hold', () => {
    expect(full('en', '12345678901234567891', { unit: 'kg' })).toBe('12,345,678,901,234,567,891 kg');
    expect(full('en', 'not a number', { currency: 'EUR' })).toBe('not a number');
  });
});
