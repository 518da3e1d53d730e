import { describe, expect, it } from 'vitest';
import { createFormats } from './format.ts';

describe('numbers', () => {
  it('are written with the separators of the viewer’s locale', () => {
    expect(createFormats('en', 'UTC').numbers({ format: ',.2f' }).full(1234567.891)).toBe('1,234,567.89');
    expect(createFormats('de', 'UTC').numbers({ format: ',.2f' }).full(1234567.891)).toBe('1.234.567,89');
    expect(createFormats('fr', 'UTC').number(1234567.891)).toBe('1\u202f234\u202f567,89');
    expect(createFormats('hi-IN', 'UTC').numbers({ format: ',.0f' }).full(12345678)).toBe('1,23,45,678');
  });
  it('are written with the digits of the viewer’s locale', () => {
    expect(createFormats('ar-EG', 'UTC').numbers({ format: ',.1f' }).full(1234.5)).toBe('١٬٢٣٤٫٥');
  });
  it('keep digits that a double cannot hold', () => {
    expect(createFormats('en', 'UTC').numbers({ format: ',.0f' }).full('12345678901234567891')).toBe(
      '12,345,678,901,234,567,891',
    );
    expect(createFormats('en', 'UTC').numbers({}).full('not a number')).toBe('not a number');
  });
  it('are written plainly where the pattern cannot be read', () => {
    expect(createFormats('en', 'UTC').numbers({ format: 'nonsense pattern' }).full(1234.5)).toBe('1,234.5');
  });
});

describe('quarters', () => {
  it.each([
    ['en', 'Q1 2025'],
    ['de', 'Q1 2025'],
    ['fr', 'T1 2025'],
    ['fr-BE', 'T1 2025'],
    ['es', 'T1 2025'],
    ['nl', 'K1 2025'],
  ])('are written as %s writes them, by their level and by a pattern', (locale, text) => {
    const formats = createFormats(locale, 'UTC');
    expect(formats.date('2025-01-01T00:00:00Z', 2)).toBe(text);
    expect(formats.date('2025-01-01T00:00:00Z', 2, 'Q%q %Y')).toBe(text);
  });
});

describe('parts of times', () => {
  const { part } = createFormats('fr', 'America/New_York');
  it('are names in the viewer’s language where names are asked for, from 1', () => {
    expect([1, 7].map((value) => part(value, 'weekday_name'))).toEqual(['lundi', 'dimanche']);
    expect([1, 12].map((value) => part(value, 'month_name'))).toEqual(['janvier', 'décembre']);
    expect(createFormats('en', 'UTC').part(3, 'weekday_name', 'short')).toBe('Wed');
    expect(createFormats('ru', 'UTC').part(5, 'month_name')).toBe('май');
  });
  it('are months of one calendar, whichever the viewer’s locale has', () => {
    expect(createFormats('fa', 'UTC').part(1, 'month_name')).toBe('ژانویه');
  });
  it('are numbers without separators otherwise, in the digits of the locale', () => {
    expect(createFormats('en', 'UTC').part(366, 'day_in_year')).toBe('366');
    expect(part(3, 'weekday_number')).toBe('3');
    expect(createFormats('ar-EG', 'UTC').part(12, 'month_number')).toBe('١٢');
  });
});

describe('dates', () => {
  const instant = '2023-12-31T23:00:00.000Z';
  it('are shown in the zone of the dashboard', () => {
    expect(createFormats('en', 'UTC').date(instant, 3)).toBe('Dec 2023');
    expect(createFormats('en', 'Europe/Brussels').date(instant, 3)).toBe('Jan 2024');
    expect(createFormats('en', 'Europe/Brussels').date(instant, null, '%Y-%m-%d %H:%M')).toBe('2024-01-01 00:00');
  });
  it('name months and days in the viewer’s language', () => {
    expect(createFormats('fr', 'UTC').date('2024-03-04T00:00:00.000Z', null, '%A %d %B %Y')).toBe('lundi 04 mars 2024');
    expect(createFormats('nl', 'UTC').date('2024-05-04T00:00:00.000Z', 3)).toBe('mei 2024');
  });
  it.each([
    ['%d/%m/%y %I:%M:%S.%L %p', '04/03/24 03:09:07.005 PM'],
    ['%-d %b %Y, week %V of %G, day %j', '4 Mar 2024, week 10 of 2024, day 064'],
    ['%_d|%e|%q|%u|%w|%U|%W|100%%|%?', ' 4| 4|1|1|1|09|10|100%|%?'],
  ])('follow the pattern %s', (pattern, text) => {
    expect(createFormats('en', 'UTC').date('2024-03-04T15:09:07.005Z', null, pattern)).toBe(text);
  });
  it('say the quarter', () => {
    expect(createFormats('en', 'UTC').date('2024-04-01T00:00:00.000Z', 2)).toBe('Q2 2024');
  });
  it('are left as they came where they are no date', () => {
    expect(createFormats('en', 'UTC').date('soon', 3)).toBe('soon');
  });
  it('fall back to UTC and English where zone or locale is unknown', () => {
    expect(createFormats('x-nonsense-1', 'Mars/Olympus').date('2024-04-01T00:00:00.000Z', 1)).toBe('2024');
  });
});
