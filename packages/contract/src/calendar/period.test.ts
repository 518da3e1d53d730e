import { describe, expect, it } from 'vitest';
import { dayOf, periodAt } from './period.ts';

const day = (text: string): number => Date.parse(`${text}T00:00:00.000Z`);
const written = (period: ReturnType<typeof periodAt>): readonly string[] =>
  period === null ? [] : [period.start, period.end].map((at) => new Date(at).toISOString().slice(0, 10));

describe('periods', () => {
  it.each([
    [1, '2024-01-01', '2025-01-01'],
    [2, '2024-04-01', '2024-07-01'],
    [3, '2024-05-01', '2024-06-01'],
    [4, '2024-05-27', '2024-06-03'],
    [5, '2024-05-31', '2024-06-01'],
  ])('of level %s are around a day', (level, start, end) => {
    expect(written(periodAt(day('2024-05-31'), level))).toEqual([start, end]);
  });

  it('move along the calendar, over months of other lengths', () => {
    expect(written(periodAt(day('2024-03-31'), 3, -1))).toEqual(['2024-02-01', '2024-03-01']);
    expect(written(periodAt(day('2024-01-15'), 2, -1))).toEqual(['2023-10-01', '2024-01-01']);
    expect(written(periodAt(day('2024-01-03'), 4, -1))).toEqual(['2023-12-25', '2024-01-01']);
  });

  it('are none for hours, and begin with the day of the zone', () => {
    expect(periodAt(0, 6)).toBeNull();
    const lateMs = Date.parse('2024-01-31T23:30:00.000Z');
    expect(dayOf(lateMs, 'Europe/Brussels')).toBe(day('2024-02-01'));
    expect(dayOf(lateMs, 'America/New_York')).toBe(day('2024-01-31'));
  });
});
