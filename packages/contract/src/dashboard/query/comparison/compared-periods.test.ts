import { describe, expect, it } from 'vitest';
import { comparedPeriods, periodsTo } from './compared-periods.ts';

const day = (text: string): number => Date.parse(text);
const iso = (at: number): string => new Date(at).toISOString().slice(0, 10);
const compared = (from: string, to: string, kind: 'previous' | 'year', today = '2030-01-01'): string => {
  const periods = comparedPeriods({ from: day(from), to: day(to) }, kind, day(today));
  return `${iso(periods.compared.from)} ${iso(periods.compared.to)}${periods.isOpen ? ' open' : ''}`;
};

describe('the period that a period is compared with', () => {
  it.each([
    ['a month', '2025-03-01', '2025-03-31', '2025-02-01 2025-02-28'],
    ['January', '2025-01-01', '2025-01-31', '2024-12-01 2024-12-31'],
    ['a quarter', '2025-04-01', '2025-06-30', '2025-01-01 2025-03-31'],
    ['a year', '2025-01-01', '2025-12-31', '2024-01-01 2024-12-31'],
    ['a day', '2025-03-01', '2025-03-01', '2025-02-28 2025-02-28'],
    ['seven days', '2025-03-08', '2025-03-14', '2025-03-01 2025-03-07'],
    ['most of a month', '2025-03-01', '2025-03-30', '2025-01-30 2025-02-28'],
  ])('is before it as many days or whole months: %s', (_, from, to, wanted) => {
    expect(compared(from, to, 'previous')).toBe(wanted);
  });

  it.each([
    ['February of a year with 29 days', '2025-02-01', '2025-02-28', '2024-02-01 2024-02-29'],
    ['and the other way', '2024-02-01', '2024-02-29', '2023-02-01 2023-02-28'],
    ['some days', '2024-02-27', '2024-02-29', '2023-02-27 2023-02-28'],
    ['a year', '2025-01-01', '2025-12-31', '2024-01-01 2024-12-31'],
  ])('has the same dates a year before: %s', (_, from, to, wanted) => {
    expect(compared(from, to, 'year')).toBe(wanted);
  });

  it('is cut to the days that a period that has not ended has had', () => {
    expect(compared('2025-11-01', '2025-11-30', 'previous', '2025-11-25')).toBe('2025-10-01 2025-10-25 open');
    expect(compared('2025-03-01', '2025-03-31', 'previous', '2025-03-30')).toBe('2025-02-01 2025-02-28 open');
    expect(compared('2025-01-01', '2025-12-31', 'year', '2025-11-25')).toBe('2024-01-01 2024-11-25 open');
    expect(compared('2025-11-01', '2025-11-30', 'previous', '2025-11-30')).toBe('2025-10-01 2025-10-31');
  });
});

describe('the period of a level up to a day', () => {
  const upTo = (at: string, level: number, kind: 'previous' | 'year' | 'none'): string | null => {
    const periods = periodsTo(day(at), level, kind);
    if (periods === null) return null;
    const { chosen, compared } = periods;
    return [chosen.from, chosen.to, compared.from, compared.to].map(iso).join(' ');
  };

  it.each([
    ['a month', '2025-11-26', 3, '2025-11-01 2025-11-26 2025-10-01 2025-10-26'],
    ['a month longer than the one before', '2025-03-30', 3, '2025-03-01 2025-03-30 2025-02-01 2025-02-28'],
    ['its last day', '2025-02-28', 3, '2025-02-01 2025-02-28 2025-01-01 2025-01-31'],
    ['a quarter', '2025-11-26', 2, '2025-10-01 2025-11-26 2025-07-01 2025-08-26'],
    ['a week', '2025-11-26', 4, '2025-11-24 2025-11-26 2025-11-17 2025-11-19'],
    ['a day', '2025-11-26', 5, '2025-11-26 2025-11-26 2025-11-25 2025-11-25'],
  ])('is compared with as many days of the one before: %s', (_, at, level, wanted) => {
    expect(upTo(at, level, 'previous')).toBe(wanted);
  });

  it.each([
    ['a month', '2025-11-26', 3, '2025-11-01 2025-11-26 2024-11-01 2024-11-26'],
    ['a year after one of 366 days', '2025-11-26', 1, '2025-01-01 2025-11-26 2024-01-01 2024-11-26'],
    ['a week, which falls on the same weekdays', '2025-11-26', 4, '2025-11-24 2025-11-26 2024-11-25 2024-11-27'],
  ])('is compared up to the same date of a year before: %s', (_, at, level, wanted) => {
    expect(upTo(at, level, 'year')).toBe(wanted);
  });

  it('is compared with none where nothing is compared, and is none for hours', () => {
    expect(upTo('2025-11-26', 3, 'none')).toBe('2025-11-01 2025-11-26 2025-11-01 2025-11-26');
    expect(upTo('2025-11-26', 6, 'previous')).toBeNull();
  });
});
