import { describe, expect, it } from 'vitest';
import { dayRangeText, dayTextOf, firstWeekday, weeksOf } from './day-text.ts';
import { moveMonths } from '@inlay/contract';
import { presetNames, presetRange } from './presets.ts';

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const iso = (at: number | null): string => (at === null ? '…' : new Date(at).toISOString().slice(0, 10));
const open = { since: (text: string) => `since ${text}`, until: (text: string) => `until ${text}` };

describe('a period by name', () => {
  const now = Date.parse('2026-11-25T15:00:00Z');

  it('is what it is at the moment at which it is chosen', () => {
    const all = presetNames.map((name) => {
      const { from, to } = presetRange(name, now, 'UTC');
      return [name, iso(from), iso(to)];
    });
    expect(all).toEqual([
      ['today', '2026-11-25', '2026-11-25'],
      ['yesterday', '2026-11-24', '2026-11-24'],
      ['last7', '2026-11-19', '2026-11-25'],
      ['last30', '2026-10-27', '2026-11-25'],
      ['thisMonth', '2026-11-01', '2026-11-30'],
      ['lastMonth', '2026-10-01', '2026-10-31'],
      ['thisQuarter', '2026-10-01', '2026-12-31'],
      ['thisYear', '2026-01-01', '2026-12-31'],
      ['lastYear', '2025-01-01', '2025-12-31'],
      ['all', '…', '…'],
    ]);
  });

  it.each([
    ['UTC', '2025-12-31'],
    ['Europe/Brussels', '2026-01-01'],
    ['Pacific/Kiritimati', '2026-01-01'],
    ['America/New_York', '2025-12-31'],
  ])('goes by the days of %s', (zone, today) => {
    const at = Date.parse('2025-12-31T23:30:00Z');
    expect(iso(presetRange('today', at, zone).from)).toBe(today);
    expect(iso(presetRange('thisYear', at, zone).from)).toBe(`${today.slice(0, 4)}-01-01`);
  });

  it('is whole where clocks change', () => {
    const at = Date.parse('2025-03-30T01:30:00Z');
    const { from, to } = presetRange('last7', at, 'Europe/Brussels');
    expect([iso(from), iso(to)]).toEqual(['2025-03-24', '2025-03-30']);
  });
});

describe('a typed day', () => {
  it.each([
    ['en-US', '02/03/2025', '2025-02-03'],
    ['en-GB', '02/03/2025', '2025-03-02'],
    ['fr', '2/3/25', '2025-03-02'],
    ['de', '2.3.2025', '2025-03-02'],
    ['ar', '٢/٣/٢٠٢٥', '2025-03-02'],
    ['en-US', '2025-03-02', '2025-03-02'],
  ])('is read in the order of %s: %s', (locale, text, expected) => {
    expect(iso(dayTextOf(locale).read(text))).toBe(expected);
  });

  it.each(['', '2025', '30/02/2025', '1/13/2025', 'soon'])('is none where it is no day: %s', (text) => {
    expect(dayTextOf('fr').read(text)).toBeNull();
  });

  it.each(['en-US', 'nl-BE', 'fr', 'de', 'es', 'ar', 'fa', 'th', 'ja'])('is read as it was written in %s', (locale) => {
    const text = dayTextOf(locale);
    expect(text.read(text.write(day('2025-02-03')))).toBe(day('2025-02-03'));
  });
});

it('writes ranges of days in the language of a viewer', () => {
  const range = { from: day('2025-02-01'), to: day('2025-02-28') };
  expect(dayRangeText(range, 'en', open).replaceAll(/\s/gu, ' ')).toBe('Feb 1 – 28, 2025');
  expect(dayRangeText({ ...range, to: range.from }, 'en', open)).toBe('Feb 1, 2025');
  expect(dayRangeText({ ...range, to: null }, 'fr', open)).toBe('since 1 févr. 2025');
  expect(dayRangeText({ from: null, to: null }, 'fr', open)).toBe('');
});

describe('a calendar', () => {
  it.each([
    ['en-US', 0],
    ['fr', 1],
    ['ar-EG', 6],
  ])('starts its weeks in %s as people there do', (locale, first) => {
    expect(firstWeekday(locale)).toBe(first);
  });

  it('has every day of a month', () => {
    const weeks = weeksOf(day('2026-02-14'), 1);
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
    expect(iso(weeks[0]?.[0] ?? null)).toBe('2026-01-26');
    expect(weeks.flat()).toContain(day('2026-02-28'));
  });

  it('moves to the last day of a shorter month', () => {
    expect(iso(moveMonths(day('2025-01-31'), 1))).toBe('2025-02-28');
    expect(iso(moveMonths(day('2024-02-29'), 12))).toBe('2025-02-28');
    expect(iso(moveMonths(day('2025-01-31'), -2))).toBe('2024-11-30');
  });
});
