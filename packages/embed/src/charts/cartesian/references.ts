import { othersOf } from '@inlay/contract';
import { chartWordsFor, filledIn } from '../../locale/chart-words.ts';
import { widthOf, wrapped } from '../drawing/text-width.ts';
import type { SizedContext } from '../frame/chart.ts';
import type { Reference } from '../settings/settings.ts';
import { drawnAt, type CartesianFrame, type Overlay } from './read.ts';
import { mean } from './trend.ts';

const median = (values: readonly number[]): number => {
  const sortedValues = values.toSorted((a, b) => a - b);
  const middleIndex = sortedValues.length / 2;
  return Number.isInteger(middleIndex)
    ? ((sortedValues[middleIndex - 1] ?? 0) + (sortedValues[middleIndex] ?? 0)) / 2
    : (sortedValues[Math.floor(middleIndex)] ?? 0);
};

/** Returns the drawn values of the first series. Leaves out the "Others" group, which combines several members. */
function shownValues(chart: CartesianFrame): readonly number[] {
  const [firstSeries] = chart.series;
  const members = chart.listed.filter(({ cell }) => othersOf(cell) === null);
  return firstSeries === undefined ? [] : members.flatMap(({ key }) => drawnAt(chart, firstSeries, key) ?? []);
}

/** Returns the position of a reference on its axis; null if it has none. */
function placeOf({ type, value }: Reference, chart: CartesianFrame): number | null {
  if (type === 'today') return chart.isTimed ? chart.context.nowMs : null;
  if (type === 'constant') return value;
  const values = shownValues(chart);
  return values.length === 0 ? null : type === 'mean' ? mean(values) : median(values);
}

interface PlacedReference {
  readonly reference: Reference;
  readonly at: number;
  readonly text: string;
}

/**
 * True if the label of a reference is above the plot, at the end of a vertical line; otherwise the label is after the
 * plot.
 */
const isAbove = ({ isFlipped }: CartesianFrame, { type }: Reference): boolean => isFlipped || type === 'today';

/** True if the chart is so narrow that labels overlap the plot instead of being after it. */
const isTiny = ({ widthPx }: SizedContext): boolean => widthPx < 160;

/** Returns the maximum width of a label, as a share of the chart's width, and its maximum number of lines. */
function textSpace(chart: CartesianFrame, reference: Reference): readonly [share: number, lines: number] {
  const { context } = chart;
  if (isAbove(chart, reference)) return [0.45, 1];
  if (context.widthPx >= 360) return [0.3, 2];
  return isTiny(context) ? [0.6, 1] : [0.22, 3];
}

function placedReferences(chart: CartesianFrame): readonly PlacedReference[] {
  const { frame, context, series } = chart;
  const words = chartWordsFor(context.formats.locale);
  const names = { constant: '', mean: words.mean, median: words.median, today: words.today } as const;
  return frame.settings.references.flatMap((reference) => {
    const at = placeOf(reference, chart);
    if (at === null) return [];
    const { type, label, to } = reference;
    const value = type === 'today' ? '' : (series[0]?.measure?.short(at) ?? '');
    // The mean of the shown values differs from the mean of the underlying rows. The label therefore says how many
    // values were averaged.
    const isStatistic = type === 'mean' || type === 'median';
    const count = context.formats.number(shownValues(chart).length);
    const basis = isStatistic ? ` ${filledIn(words.ofShown, { n: count })}` : '';
    const defaultLabel = to === null ? `${names[type]}${basis} ${value}`.trim() : '';
    const [share, maxLines] = textSpace(chart, reference);
    const lines = wrapped(
      label === '' ? defaultLabel : label,
      context.theme.axisPx,
      context.widthPx * share,
      maxLines,
      context,
    );
    return [{ reference, at, text: lines.join('\n') }];
  });
}

const isLine = ({ to, type }: Reference): boolean => to === null && type !== 'today';

/** True if the labels of bands are outside the plot. There is space for them only if no line has its label there. */
const areBandsOutside = (chart: CartesianFrame): boolean =>
  !isTiny(chart.context) && !chart.frame.settings.references.some(isLine);

/** Returns the space that the labels of lines and bands need around the plot, in px. */
export function referenceRoom(chart: CartesianFrame): ReturnType<Overlay['room']> {
  const { context } = chart;
  const texts = placedReferences(chart).filter(
    ({ text, reference: { to } }) => text !== '' && (to === null || areBandsOutside(chart)),
  );
  const textsBehind = isTiny(context) ? [] : texts.filter(({ reference }) => !isAbove(chart, reference));
  const lines = textsBehind.flatMap(({ text }) => text.split('\n'));
  return {
    topPx: texts.some(({ reference }) => isAbove(chart, reference)) ? context.theme.axisPx : 0,
    endPx: Math.max(0, ...lines.map((line) => widthOf(line, context.theme.axisPx, context) + 8)),
  };
}

/** Opacity at which a band is visible on any background and does not hide marks and grid lines. */
const bandOpacity = 0.15;

/** Returns lines and bands as markers of the first series. */
export function referenceMarks(chart: CartesianFrame): Readonly<Record<string, unknown>> {
  const { context, isFlipped, frame } = chart;
  const { theme, rightToLeft } = context;
  const references = placedReferences(chart);
  const valueAxis = isFlipped ? 'xAxis' : 'yAxis';
  const colorOf = ({ color }: Reference): string => color ?? theme.text;
  const lineReferences = references.filter(({ reference }) => reference.to === null);
  const values = lineReferences.flatMap(({ reference, at }) => (isLine(reference) ? at : []));
  // Two lines may be closer to each other than the height of a label, so their labels are aligned away from each other.
  const textPlace = (reference: Reference, at: number): object => {
    if (reference.type === 'today') return {};
    const isFirst = at < Math.max(...values);
    if (isFlipped) {
      const align = values.length === 1 ? 'center' : isFirst === rightToLeft ? 'left' : 'right';
      return { position: frame.settings.axis.category.isInverted ? 'end' : 'start', align };
    }
    if (isTiny(context)) return { position: isFirst ? 'insideEndBottom' : 'insideEndTop' };
    return { verticalAlign: isFirst ? 'top' : values.length > 1 ? 'bottom' : 'middle' };
  };
  const lines = lineReferences.map(({ reference, at, text }) => ({
    [reference.type === 'today' ? 'xAxis' : valueAxis]: at,
    lineStyle: { color: colorOf(reference), type: 'dashed', width: 1.5 },
    label: { formatter: () => text, color: colorOf(reference), ...textPlace(reference, at) },
  }));
  const outsidePosition = isFlipped ? 'top' : rightToLeft ? 'left' : 'right';
  const bands = references
    .filter(({ reference }) => reference.to !== null)
    .map(({ reference, at, text }) => [
      {
        [valueAxis]: at,
        itemStyle: { color: colorOf(reference), opacity: bandOpacity },
        label: {
          show: true,
          formatter: () => text,
          position: areBandsOutside(chart) ? outsidePosition : 'insideTopLeft',
          fontSize: theme.axisPx,
          color: theme.text,
        },
      },
      { [valueAxis]: reference.to },
    ]);
  return {
    ...(lines.length === 0
      ? {}
      : {
          markLine: {
            symbol: 'none',
            silent: true,
            animation: false,
            label: {
              position: 'end',
              fontSize: theme.axisPx,
              textBorderColor: theme.itemsBackground,
              textBorderWidth: 3,
            },
            data: lines,
          },
        }),
    ...(bands.length === 0 ? {} : { markArea: { silent: true, animation: false, data: bands } }),
  };
}
