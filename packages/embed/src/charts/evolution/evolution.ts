import { chartWordsFor } from '../../locale/chart-words.ts';
import { dayOf, periodAt, yearBefore, type Period } from '../../locale/period.ts';
import type { Figure, Look } from '../frame/chart.ts';
import type { Field, Frame } from '../frame/frame.ts';
import { ruledColor } from '../settings/settings.ts';
import { changeOf } from './change.ts';
import { comparedFigure, totalOf } from './compared.ts';

const dayMs = 86_400_000;
/** Periods whose values the line shows. */
const shown = 24;

/** The value of a day, or of a period where a measure does not add up. */
interface DayValue {
  readonly day: number;
  readonly value: number;
}

/** The values of a number over time, by periods of the level that its item has. */
interface Evolution {
  readonly level: number;
  readonly values: readonly DayValue[];
  readonly periods: ReadonlyMap<number, number>;
  readonly last: Period;
  readonly today: number;
}

const sumIn = ({ values }: Pick<Evolution, 'values'>, from: number, to: number): number | null => {
  const within = values.filter(({ day }) => day >= from && day < to);
  return within.length === 0 ? null : within.reduce((sum, { value }) => sum + value, 0);
};

function evolutionOf(frame: Frame, time: Field, measure: Field, { formats, nowMs }: Look): Evolution | null {
  const own = frame.item.slots.find(({ name }) => name === 'evolution')?.content[0]?.level ?? null;
  const level = own ?? 5;
  const values = frame.rows.flatMap((row): readonly DayValue[] => {
    const [at, value] = [time.number(row[time.index]), measure.number(row[measure.index])];
    return at === null || value === null ? [] : [{ day: dayOf(at, formats.timeZone), value }];
  });
  const days = values.map(({ day }) => day);
  const last =
    days.length === 0
      ? null
      : periodAt(
          days.reduce((a, b) => Math.max(a, b)),
          level,
        );
  if (last === null) return null;
  const periods = new Map<number, number>();
  for (const { day, value } of values) {
    const start = periodAt(day, level)?.start ?? day;
    periods.set(start, (periods.get(start) ?? 0) + value);
  }
  return { level, values, periods, last, today: dayOf(nowMs, formats.timeZone) };
}

const isOpen = ({ last, today }: Evolution): boolean => last.end > today && last.start <= today;

/** What the last period is compared with: as many of its days where the last one has not ended. */
function comparedWith(
  evolution: Evolution,
  { settings }: Frame,
): { readonly period: Period; readonly value: number } | null {
  const { last, level, today } = evolution;
  const { with: other } = settings.comparison;
  const period = other === 'none' ? null : other === 'year' ? yearBefore(last, level) : periodAt(last.start, level, -1);
  if (period === null) return null;
  const end = isOpen(evolution) ? Math.min(period.end, period.start + (today - last.start) + dayMs) : period.end;
  const value = sumIn(evolution, period.start, end);
  return value === null ? null : { period, value };
}

/** A number without a time: its only value. */
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

/** The value of a measure in the last period, or its only one; null where it has none. */
export function lastValue(frame: Frame, measure: Field | undefined, look: Look): number | null {
  const time = frame.slot('evolution')[0];
  if (measure === undefined) return null;
  if (frame.comparison !== undefined) return totalOf(frame.rows, measure);
  const evolution = time === undefined ? null : evolutionOf(frame, time, measure, look);
  if (evolution !== null) return evolution.periods.get(evolution.last.start) ?? null;
  return measure.number(frame.rows.at(-1)?.[measure.index]);
}

/** The value of the last period, what it is compared with, and the line of those before. */
function ownFigure(frame: Frame, look: Look): Figure {
  const measure = frame.slot('measure')[0];
  const time = frame.slot('evolution')[0];
  const evolution = measure === undefined || time === undefined ? null : evolutionOf(frame, time, measure, look);
  if (measure === undefined || time === undefined || evolution === null) return plainFigure(frame, measure);
  const { formats } = look;
  const words = chartWordsFor(formats.locale);
  const { last, level, periods } = evolution;
  // Days are those of the wall clock: noon is on the same day in every zone that the dates are written in.
  const nameOf = ({ start }: Pick<Period, 'start'>): string => formats.day(start, level, time.placed.content?.format);
  const value = periods.get(last.start) ?? 0;
  const other = comparedWith(evolution, frame);
  const isPartial = isOpen(evolution);
  const against =
    other === null ? '' : `${words.versus} ${nameOf(other.period)}${isPartial ? `, ${words.sameDays}` : ''}`;
  const starts = [...periods.keys()].toSorted((one, another) => one - another).slice(-shown);
  return {
    text: measure.text(value),
    short: measure.short(value),
    label: isPartial ? `${nameOf(last)} ${words.soFar}` : nameOf(last),
    color: ruledColor(frame.settings.rules, value),
    change: other === null ? null : changeOf(value, other.value, against, frame, look),
    line: starts.map((start) => ({ text: nameOf({ start }), value: periods.get(start) ?? null })),
    target: null,
  };
}

/** A number, and how it came to be: its last period and those before, or the periods that a filter compares. */
export function evolutionFigure(frame: Frame, look: Look): Figure {
  const figure = ownFigure(frame, look);
  const measure = frame.slot('measure')[0];
  const { comparison } = frame;
  return comparison === undefined || measure === undefined
    ? figure
    : comparedFigure(figure, { frame, measure, ...comparison }, look);
}
