import { isList } from '@inlay/contract';
import { isNamed, type NameLength } from '../../locale/format.ts';
import { memoize } from '../../locale/memoize.ts';
import type { SizedContext } from '../frame/chart.ts';
import { fitted, widthOf, wrapped } from '../drawing/text-width.ts';
import { isShared, numberAt, overlayRoom, type CartesianFrame } from './read.ts';

/**
 * Options of category labels. `heightPx` is the height of labels below the plot. `leftPx` is how far rotated labels
 * extend to the left of the plot.
 */
export interface AxisLabels {
  readonly option: Readonly<Record<string, unknown>>;
  readonly heightPx: number;
  readonly leftPx?: number;
}

/** Approximate width of the labels of a value axis, in px. */
const axisLabelsPx = 56;
/** Gap between two dates, and between two other labels. */
const [dateGapPx, gapPx] = [8, 5];
/** If truncation would leave less than this share of a label's width, labels are rotated instead. */
const leastShown = 0.6;

/** Returns the width of the labels of a value axis, in px; 0 if the axis has no series. */
export function valueRoom(chart: CartesianFrame, place: 0 | 1): number {
  const { listed, context, totals, isStacked } = chart;
  const series = chart.series.filter(({ axis }) => axis === place);
  const measure = series[0]?.measure;
  let [min, max] = [0, 0];
  for (const { key } of listed)
    for (const s of series) {
      const value = isStacked ? (totals.get(key) ?? 0) : (numberAt(s, key) ?? 0);
      [min, max] = [Math.min(min, value), Math.max(max, value)];
    }
  const widths = [max * 1.1, min * 1.1].map((value) =>
    isShared(chart) ? 4 * context.theme.axisPx : widthOf(measure?.short(value) ?? '', context.theme.axisPx, context),
  );
  return series.length === 0 ? 0 : Math.max(...widths) + 20;
}

/** Returns the approximate width of a column of the chart, in px. */
export function columnPx(chart: CartesianFrame): number {
  // The estimate for the value axis includes the margin on the opposite side. It also assumes a maximum that the axis
  // may not reach.
  const values = Math.max(axisLabelsPx, valueRoom(chart, 0) - 10) + valueRoom(chart, 1);
  const behindPx = Math.max(0, overlayRoom(chart).endPx - 12);
  return (chart.context.widthPx - values - behindPx) / Math.max(1, chart.listed.length);
}

const every = (step: number): AxisLabels['option'] => ({ interval: Math.max(0, step - 1), hideOverlap: false });

/**
 * Returns the labels below a chart. They are on one line if they fit; otherwise they are wrapped, truncated or, as a
 * last resort, rotated. Labels are skipped only if there is too little space for a line of rotated text.
 */
function labelsBelow(texts: readonly string[], context: SizedContext, roomPx: number): AxisLabels {
  const { theme, heightPx, rightToLeft } = context;
  const linePx = theme.axisPx * 1.25;
  const width = (text: string): number => widthOf(text, theme.axisPx, context);
  const formatterOf =
    (labelTexts: readonly string[]): ((text: string, index: number) => string) =>
    (text, index) =>
      labelTexts[index] ?? text;
  const widths = texts.map(width);
  const ownPx = roomPx - gapPx;
  if (Math.max(...widths) <= ownPx) return { option: { ...every(1), formatter: formatterOf(texts) }, heightPx: linePx };
  const maxLines = Math.max(1, Math.min(3, Math.floor((heightPx * 0.25) / linePx)));
  // A label can extend into space that the labels next to it do not use.
  const leftPx = (index: number): number =>
    Math.max(0, ownPx - Math.max(widths[index - 1] ?? 0, widths[index + 1] ?? 0));
  const linesByLabel = texts.map((text, index) =>
    wrapped(text, theme.axisPx, ownPx + leftPx(index), maxLines, context),
  );
  const isLegible = (labelLines: readonly string[], index: number): boolean =>
    width(labelLines.join('').replaceAll('…', '')) >= (widths[index] ?? 0) * leastShown;
  const wrappedTexts = linesByLabel.map((labelLines) => labelLines.join('\n'));
  if (roomPx >= 64 || (linesByLabel.every(isLegible) && new Set(wrappedTexts).size === new Set(texts).size))
    return {
      option: { ...every(1), formatter: formatterOf(wrappedTexts), lineHeight: Math.round(linePx) },
      heightPx: Math.max(1, ...linesByLabel.map(({ length }) => length)) * linePx,
    };
  const step = Math.max(1, Math.ceil(linePx / roomPx));
  const turnedTexts = texts.map((text) => fitted(text, theme.axisPx, Math.max(40, heightPx * 0.42), context));
  const degrees = roomPx < linePx * 1.6 ? 90 : 45;
  const longestPx = Math.max(0, ...turnedTexts.map(width));
  return {
    option: { ...every(step), formatter: formatterOf(turnedTexts), rotate: degrees },
    ...(degrees === 90
      ? { heightPx: longestPx }
      : {
          heightPx: (longestPx + linePx) * Math.SQRT1_2,
          leftPx: Math.max(
            ...(rightToLeft ? turnedTexts.toReversed() : turnedTexts).map(
              (text, index) => (width(text) + linePx) * Math.SQRT1_2 - (index + 0.5) * roomPx,
            ),
          ),
        }),
  };
}

/** Returns the labels at the side of a chart, wrapped to as many lines as fit into their rows. */
function labelsBeside(texts: readonly string[], context: SizedContext): AxisLabels {
  const { theme, widthPx, heightPx } = context;
  const roomPx = (heightPx - 28) / Math.max(1, texts.length);
  const linePx = theme.axisPx * 1.25;
  const maxLines = Math.max(1, Math.min(2, Math.floor(roomPx / linePx)));
  const maxPx = Math.max(48, widthPx * 0.34);
  const wrappedTexts = texts.map((text) => wrapped(text, theme.axisPx, maxPx, maxLines, context).join('\n'));
  return {
    option: {
      ...every(Math.max(1, Math.ceil((theme.axisPx * 1.1) / roomPx))),
      formatter: (text: string, index: number): string => wrappedTexts[index] ?? text,
      lineHeight: Math.round(linePx),
    },
    heightPx: 0,
  };
}

/** Steps between labelled dates, as numbers of periods, such as 3 months. All are divisors or multiples of 12. */
const evenSteps = [1, 2, 3, 4, 6, 12, 24, 60, 120, 240];
const day = 5;

/** Returns the dates to label: every n-th date, so that the labels fit. */
function labelledDates(dates: readonly number[], longestPx: number, { widthPx }: SizedContext): readonly number[] {
  const room = Math.max(1, Math.floor((widthPx - axisLabelsPx) / (longestPx + 16)));
  const step = evenSteps.find((candidate) => dates.length / candidate <= room) ?? dates.length;
  return dates.filter((_date, index) => index % step === 0);
}

/** Returns a function for the texts of date labels. The first label of each year has the year below it. */
function dateTexts({ axis, context }: CartesianFrame): (dates: readonly number[]) => ReadonlyMap<number, string> {
  const { level = null, format = null } = axis?.placed.content ?? {};
  const { formats } = axis ?? context;
  return (dates) => {
    const texts = new Map<number, string>();
    let lastYear = '';
    for (const date of dates) {
      const iso = new Date(date).toISOString();
      const shortDate = format === null && level !== null ? formats.axisDate(iso, level) : null;
      texts.set(
        date,
        shortDate === null
          ? formats.date(iso, level, format)
          : shortDate.year === lastYear
            ? shortDate.text
            : `${shortDate.text}\n${shortDate.year}`,
      );
      lastYear = shortDate?.year ?? '';
    }
    return texts;
  };
}

const linesWidth = (text: string, context: SizedContext): number =>
  Math.max(...text.split('\n').map((line) => widthOf(line, context.theme.axisPx, context)));

function timeLabels(chart: CartesianFrame): AxisLabels {
  const { axis, listed, context } = chart;
  const { level = null, format } = axis?.placed.content ?? {};
  const dateText = memoize((value: number) =>
    (axis ?? context).formats.date(new Date(value).toISOString(), level, format),
  );
  const linePx = context.theme.axisPx * 1.25;
  if (level === null || level > day) return { option: { formatter: dateText, hideOverlap: true }, heightPx: linePx };
  const dates = listed.flatMap(({ cell }) => axis?.number(cell) ?? []);
  const texts = dateTexts(chart);
  const longestPx = Math.max(8, ...[...texts(dates.slice(0, 24)).values()].map((text) => linesWidth(text, context)));
  const shownDates = labelledDates(dates, longestPx, context);
  const textByDate = texts(shownDates);
  return {
    option: {
      formatter: (value: number): string => textByDate.get(value) ?? dateText(value),
      customValues: shownDates,
      lineHeight: Math.round(linePx),
    },
    heightPx: 2 * linePx,
    leftPx: longestPx / 2,
  };
}

/** Returns the labels of a category axis of dates: as many as fit. Null if the axis has no dates. */
function dateMemberLabels(chart: CartesianFrame): AxisLabels | null {
  const { axis, listed, context, isFlipped } = chart;
  const level = axis?.placed.content?.level ?? null;
  const isDated = axis?.placed.content?.type === 'datetime' && axis.part === null;
  if (!isDated || level === null || level > day || isFlipped) return null;
  const dates = listed.map(({ cell }) => axis.number(cell) ?? Number.NaN);
  if (dates.some((date) => Number.isNaN(date))) return null;
  const texts = dateTexts(chart);
  const longestPx = Math.max(8, ...[...texts(dates).values()].map((text) => linesWidth(text, context)));
  const room = Math.max(1, Math.floor((context.widthPx - axisLabelsPx) / (longestPx + dateGapPx)));
  const step = evenSteps.find((candidate) => dates.length / candidate <= room) ?? dates.length;
  const textByDate = texts(dates.filter((_date, index) => index % step === 0));
  const linePx = context.theme.axisPx * 1.25;
  return {
    option: {
      ...every(step),
      formatter: (text: string, index: number): string => textByDate.get(dates[index] ?? 0) ?? text,
      lineHeight: Math.round(linePx),
    },
    heightPx: 2 * linePx,
  };
}

const nameLengths = ['long', 'short', 'narrow'] as const satisfies readonly NameLength[];

/**
 * Returns the labels of parts of times. Names are all shown, in the longest form that fits; of numbers, every n-th is
 * shown. Null for other axes.
 */
function partLabels({ axis, listed, context, isFlipped }: CartesianFrame): AxisLabels | null {
  const part = axis?.part ?? null;
  if (axis === undefined || part === null) return null;
  const { formats, theme, widthPx, heightPx } = context;
  const texts = (length: NameLength): readonly string[] =>
    listed.map(({ cell }) => (typeof cell === 'number' ? formats.part(cell, part, length) : axis.text(cell)));
  const longestPx = (length: NameLength): number =>
    Math.max(...texts(length).map((text) => widthOf(text, theme.axisPx, context) + 6));
  const roomPx = (isFlipped ? heightPx - 40 : widthPx - 60) / Math.max(1, listed.length);
  const length = isFlipped ? 'long' : (nameLengths.find((candidate) => longestPx(candidate) <= roomPx) ?? 'narrow');
  const isAll = !isFlipped && isNamed(part);
  const step = isAll ? 1 : Math.max(1, Math.ceil((isFlipped ? theme.axisPx : longestPx(length)) / roomPx));
  const labelTexts = texts(length);
  return {
    option: { ...every(step), formatter: (text: string, index: number): string => labelTexts[index] ?? text },
    heightPx: theme.axisPx * 1.25,
  };
}

/** Returns the lower ends of the bins; null if the members are not bins. */
const startsOfRanges = ({ axis, listed }: CartesianFrame): readonly string[] | null =>
  axis === undefined || !listed.some(({ cell }) => isList(cell))
    ? null
    : listed.map(({ cell }) => {
        const start = isList(cell) ? axis.number(cell[0]) : null;
        return start === null ? axis.text(cell) : axis.short(start);
      });

export function memberLabels(chart: CartesianFrame): AxisLabels {
  if (chart.isTimed) return timeLabels(chart);
  const { axis, listed, context, isFlipped } = chart;
  const texts = listed.map(({ cell }) => (axis === undefined ? '' : axis.text(cell)));
  if (isFlipped) return partLabels(chart) ?? labelsBeside(texts, context);
  return (
    partLabels(chart) ??
    dateMemberLabels(chart) ??
    labelsBelow(startsOfRanges(chart) ?? texts, context, columnPx(chart))
  );
}
