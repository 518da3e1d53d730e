import type { TimePart } from '@inlay/contract';

/** How a time is grouped: by a period of the calendar, or by a part that returns, such as the day of the week. */
interface GrainForm {
  /** Level of the periods, as data queries name it. */
  readonly level: number;
  /** Part of the time; null for periods. */
  readonly part: TimePart | null;
  /** Format of a period in a slot. */
  readonly format: string;
}

/** The grains of a time group. */
export const grainForms = {
  year: { level: 1, part: null, format: '%Y' },
  quarter: { level: 2, part: null, format: 'Q%q %Y' },
  month: { level: 3, part: null, format: '%b %Y' },
  week: { level: 4, part: null, format: 'W%V %Y' },
  day: { level: 5, part: null, format: '%d %b %Y' },
  hour: { level: 6, part: null, format: '%d %b %Y %H:00' },
  minute: { level: 7, part: null, format: '%d %b %Y %H:%M' },
  weekday: { level: 5, part: 'weekday_name', format: '%A' },
  hour_of_day: { level: 6, part: 'hour_in_day', format: '%H' },
  day_of_month: { level: 5, part: 'day_in_month', format: '%d' },
  month_of_year: { level: 3, part: 'month_name', format: '%B' },
  quarter_of_year: { level: 2, part: 'quarter_number', format: 'Q%q' },
} as const satisfies Readonly<Record<string, GrainForm>>;

export type Grain = keyof typeof grainForms;

/** All grains, in the order of `grainForms`. */
export const grains = Object.keys(grainForms).filter((word): word is Grain => word in grainForms);

/** True if a grain groups by a part that returns, such as the weekday. */
export const isPartOfTime = (grain: Grain | null): boolean => grain !== null && grainForms[grain].part !== null;
