import { dayOf, periodAt } from '@inlay/contract';

const dayMs = 86_400_000;

/** Named periods, in the order in which they are shown. */
export const presetNames = [
  ...(['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth', 'thisQuarter'] as const),
  ...(['thisYear', 'lastYear', 'all'] as const),
] as const;
type PresetName = (typeof presetNames)[number];

/** A range of days, including both ends. Days are midnights in UTC. A null end is not limited. */
export interface DayRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Returns the first and last day of the calendar period that contains a day, shifted by `by` periods. */
function period(day: number, level: number, by = 0): DayRange {
  const bounds = periodAt(day, level, by);
  return bounds === null ? { from: null, to: null } : { from: bounds.start, to: bounds.end - dayMs };
}

const lastDays = (today: number, count: number): DayRange => ({ from: today - (count - 1) * dayMs, to: today });

const ranges: Readonly<Record<PresetName, (today: number) => DayRange>> = {
  today: (today) => lastDays(today, 1),
  yesterday: (today) => lastDays(today - dayMs, 1),
  last7: (today) => lastDays(today, 7),
  last30: (today) => lastDays(today, 30),
  thisMonth: (today) => period(today, 3),
  lastMonth: (today) => period(today, 3, -1),
  thisQuarter: (today) => period(today, 2),
  thisYear: (today) => period(today, 1),
  lastYear: (today) => period(today, 1, -1),
  all: () => ({ from: null, to: null }),
};

/** Returns the days of a named period, relative to the current day in a time zone. */
export const presetRange = (name: PresetName, nowMs: number, timeZone: string): DayRange =>
  ranges[name](dayOf(nowMs, timeZone));
