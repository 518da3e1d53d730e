import type { ComparedPeriods, WholePeriod } from '@inlay/contract';
import { chartWordsFor } from '../../locale/chart-words.ts';
import { dayRangeText } from '../../locale/days/day-text.ts';
import type { Figure, SizedContext } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { ruledColor } from '../settings/settings.ts';
import { changeOf } from './change.ts';

/** Sums a measure over all rows of a period; null if the rows have no values. */
export function totalOf(rows: readonly Row[], measure: Field): number | null {
  const values = rows.flatMap((row) => measure.number(row[measure.index]) ?? []);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

const datesOnly = { since: (day: string): string => day, until: (day: string): string => day };
const textOf = (period: WholePeriod, { formats }: SizedContext): string =>
  dayRangeText(period, formats.locale, datesOnly);

/** Returns the figure of a filtered period, with its change from the comparison period. */
export function comparedFigure(
  figure: Figure,
  input: {
    readonly frame: Frame;
    readonly measure: Field;
    readonly periods: ComparedPeriods;
    readonly rows: readonly Row[] | null;
  },
  context: SizedContext,
): Figure {
  const { frame, measure, periods, rows } = input;
  const words = chartWordsFor(context.formats.locale);
  const value = totalOf(frame.rows, measure);
  const comparedValue = rows === null ? null : totalOf(rows, measure);
  const period = textOf(periods.chosen, context);
  const days = periods.isOpen ? `, ${words.sameDays}` : '';
  const against = `${words.versus} ${textOf(periods.compared, context)}${days}`;
  return {
    ...figure,
    text: value === null ? '–' : measure.text(value),
    short: value === null ? '–' : measure.short(value),
    label: periods.isOpen ? `${period} ${words.soFar}` : period,
    color: ruledColor(frame.settings.rules, value),
    change: value === null || comparedValue === null ? null : changeOf(value, comparedValue, against, frame, context),
  };
}
