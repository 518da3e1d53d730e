import { chartWordsFor } from '../../locale/chart-words.ts';
import { periodsTo, dayOf, periodAt } from '@inlay/contract';
import type { Figure, SizedContext } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { ruledColor } from '../settings/settings.ts';
import { changeOf } from './change.ts';
import { comparedFigure, totalOf } from './compared.ts';

/** Maximum number of periods that the line shows. */
const maxPeriods = 24;

/** Values by the first day of their period, as midnight UTC in milliseconds since 1970. */
type Values = ReadonlyMap<number, number>;

/**
 * Values by period. If the last period is incomplete, `soFar` has the values of the compared periods up to the same
 * day.
 */
interface Evolution {
  readonly level: number;
  readonly values: Values;
  /** First day of the last period. */
  readonly last: number;
  /**
   * Values of the periods, each up to the day that the last period has reached; null if the last period is complete.
   */
  readonly soFar: Values | null;
  /** True if a filter ends the last period before today. */
  readonly isPast: boolean;
  /** First day that the rows cover. A period that starts earlier is incomplete. */
  readonly since: number;
}

function valuesIn(rows: readonly Row[], time: Field, measure: Field, level: number): Values {
  return new Map(
    rows.flatMap((row) => {
      const [at, value] = [time.number(row[time.index]), measure.number(row[measure.index])];
      const period = at === null || value === null ? null : periodAt(dayOf(at, time.formats.timeZone), level);
      return period === null || value === null ? [] : [[period.start, value] as const];
    }),
  );
}

function evolutionOf(frame: Frame, measure: Field | undefined): Evolution | null {
  const time = frame.slot('evolution')[0];
  const level = time?.placed.content?.level ?? null;
  if (time === undefined || measure === undefined || level === null) return null;
  const valuesOf = (rows: readonly Row[]): Values => valuesIn(rows, time, measure, level);
  const values = valuesOf(frame.rows);
  if (values.size === 0) return null;
  const lastDay = [...values.keys()].reduce((a, b) => Math.max(a, b));
  const { periods, rows = null } = frame.comparison ?? {};
  const isCut = periods?.isOpen === true && periods.chosen.from === lastDay;
  return {
    level,
    values,
    last: lastDay,
    soFar: isCut && rows !== null ? valuesOf(rows) : null,
    isPast: periods?.isPast === true,
    since: periods?.since ?? Number.NEGATIVE_INFINITY,
  };
}

/**
 * Returns the start and the value of the comparison period. If the last period is incomplete, the value covers the same
 * days of the comparison period. Null if there is no such value.
 */
function comparedWith(
  { last, level, values, soFar, since }: Evolution,
  { settings }: Frame,
): { readonly start: number; readonly value: number } | null {
  const { with: other } = settings.comparison;
  const start = other === 'none' ? undefined : periodsTo(last, level, other)?.compared.from;
  const value = start === undefined ? undefined : (soFar ?? values).get(start);
  return start === undefined || start < since || value === undefined ? null : { start, value };
}

/** True if a filter selects the period to which the rows belong. */
const isChosen = ({ comparison }: Frame): boolean => comparison?.periods.level === null;

/** Returns the figure of a number without a time dimension. */
function plainFigure(frame: Frame, measure: Field | undefined): Figure {
  const cell = measure === undefined ? null : (frame.rows.at(-1)?.[measure.index] ?? null);
  const value = measure?.number(cell) ?? null;
  return {
    text: measure?.text(cell) || '–',
    short: value === null ? '–' : (measure?.short(value) ?? '–'),
    label: '',
    color: ruledColor(frame.settings.rules, value),
    change: null,
    line: [],
    target: null,
  };
}

/** Returns the value of the complete last period, or the only value; null if there is no value. */
export function lastValue(frame: Frame, measure: Field | undefined): number | null {
  if (measure === undefined) return null;
  if (isChosen(frame)) return totalOf(frame.rows, measure);
  const evolution = evolutionOf(frame, measure);
  if (evolution !== null) return evolution.values.get(evolution.last) ?? null;
  return measure.number(frame.rows.at(-1)?.[measure.index]);
}

/** Returns the value of the last period; if that is incomplete, its value up to today. Null if there is no value. */
export function valueSoFar(frame: Frame, measure: Field | undefined): number | null {
  const evolution = isChosen(frame) ? null : evolutionOf(frame, measure);
  return evolution?.soFar ? (evolution.soFar.get(evolution.last) ?? null) : lastValue(frame, measure);
}

/** Returns the value of the last period, its comparison and its history. */
function ownFigure(frame: Frame, context: SizedContext): Figure {
  const [measure, time] = [frame.slot('measure')[0], frame.slot('evolution')[0]];
  const evolution = evolutionOf(frame, measure);
  if (measure === undefined || time === undefined || evolution === null) return plainFigure(frame, measure);
  const { formats } = context;
  const words = chartWordsFor(formats.locale);
  const { last, level, values, soFar, isPast } = evolution;
  // Periods start at midnight UTC whatever the viewer's time zone, so they are formatted in UTC.
  const nameOf = (start: number): string =>
    formats.utc.date(new Date(start).toISOString(), level, time.placed.content?.format);
  const value = valueSoFar(frame, measure);
  const other = comparedWith(evolution, frame);
  const against =
    other === null ? '' : `${words.versus} ${nameOf(other.start)}${soFar === null ? '' : `, ${words.sameDays}`}`;
  const starts = [...values.keys()].toSorted((a, b) => a - b).slice(-maxPeriods);
  return {
    text: value === null ? '–' : measure.text(value),
    short: value === null ? '–' : measure.short(value),
    label: soFar === null || isPast ? nameOf(last) : `${nameOf(last)} ${words.soFar}`,
    color: ruledColor(frame.settings.rules, value),
    change: value === null || other === null ? null : changeOf(value, other.value, against, frame, context),
    line: starts.map((start) => ({ text: nameOf(start), value: start === last ? value : (values.get(start) ?? null) })),
    target: null,
  };
}

/** Returns a figure with its history. If a filter compares periods, the figure has that comparison instead. */
export function evolutionFigure(frame: Frame, context: SizedContext): Figure {
  const figure = ownFigure(frame, context);
  const measure = frame.slot('measure')[0];
  const { comparison } = frame;
  return comparison === undefined || measure === undefined || !isChosen(frame)
    ? figure
    : comparedFigure(figure, { frame, measure, ...comparison }, context);
}
