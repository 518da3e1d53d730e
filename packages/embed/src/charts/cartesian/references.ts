import { othersOf } from '@inlay/contract';
import { chartWordsFor, filledIn } from '../../locale/chart-words.ts';
import { widthOf, wrapped } from '../drawing/text-width.ts';
import type { Look } from '../frame/chart.ts';
import type { Reference } from '../settings/settings.ts';
import { drawnAt, type CartesianFrame, type Overlay } from './read.ts';
import { mean } from './trend.ts';

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
    : (sorted[Math.floor(middle)] ?? 0);
};

/** What the first series shows, without members that are shown as one: their sum is none of the values. */
function shownValues(chart: CartesianFrame): readonly number[] {
  const [first] = chart.series;
  const members = chart.listed.filter(({ cell }) => othersOf(cell) === null);
  return first === undefined ? [] : members.flatMap(({ key }) => drawnAt(chart, first, key) ?? []);
}

/** Where a reference stands on its axis; null where it has no place. */
function placeOf({ type, value }: Reference, chart: CartesianFrame): number | null {
  if (type === 'today') return chart.isTimed ? chart.look.nowMs : null;
  if (type === 'constant') return value;
  const values = shownValues(chart);
  return values.length === 0 ? null : type === 'mean' ? mean(values) : median(values);
}

interface PlacedReference {
  readonly reference: Reference;
  readonly at: number;
  readonly text: string;
}

/** Whether a text stands above the plot, at the end of an upright line; others stand behind it. */
const isAbove = ({ isFlipped }: CartesianFrame, { type }: Reference): boolean => isFlipped || type === 'today';

/** Whether a chart is too narrow for texts behind the plot: they stand on it. */
const isTiny = ({ widthPx }: Look): boolean => widthPx < 160;

/** The share of the width of a chart that a text takes at most, and in how many lines. */
function textSpace(chart: CartesianFrame, reference: Reference): readonly [share: number, lines: number] {
  const { look } = chart;
  if (isAbove(chart, reference)) return [0.45, 1];
  if (look.widthPx >= 360) return [0.3, 2];
  return isTiny(look) ? [0.6, 1] : [0.22, 3];
}

function placed(chart: CartesianFrame): readonly PlacedReference[] {
  const { frame, look, series } = chart;
  const words = chartWordsFor(look.formats.locale);
  const names = { constant: '', mean: words.mean, median: words.median, today: words.today } as const;
  return frame.settings.references.flatMap((reference) => {
    const at = placeOf(reference, chart);
    if (at === null) return [];
    const { type, label, to } = reference;
    const value = type === 'today' ? '' : (series[0]?.measure?.short(at) ?? '');
    // The mean of the values shown is not that of the rows behind them.
    const isOf = type === 'mean' || type === 'median';
    const count = look.formats.number(shownValues(chart).length);
    const of = isOf ? ` ${filledIn(words.ofShown, { n: count })}` : '';
    const own = to === null ? `${names[type]}${of} ${value}`.trim() : '';
    const [share, most] = textSpace(chart, reference);
    const lines = wrapped(label === '' ? own : label, look.theme.axisPx, look.widthPx * share, most, look);
    return [{ reference, at, text: lines.join('\n') }];
  });
}

const isLine = ({ to, type }: Reference): boolean => to === null && type !== 'today';

/** Whether texts of bands stand around the plot: where they meet none of lines. */
const areBandsOutside = (chart: CartesianFrame): boolean =>
  !isTiny(chart.look) && !chart.frame.settings.references.some(isLine);

/** What the texts of lines and bands take around the plot, in px. */
export function referenceRoom(chart: CartesianFrame): ReturnType<Overlay['room']> {
  const { look } = chart;
  const texts = placed(chart).filter(
    ({ text, reference: { to } }) => text !== '' && (to === null || areBandsOutside(chart)),
  );
  const behind = isTiny(look) ? [] : texts.filter(({ reference }) => !isAbove(chart, reference));
  const lines = behind.flatMap(({ text }) => text.split('\n'));
  return {
    topPx: texts.some(({ reference }) => isAbove(chart, reference)) ? look.theme.axisPx : 0,
    endPx: Math.max(0, ...lines.map((line) => widthOf(line, look.theme.axisPx, look) + 8)),
  };
}

/** How strong a band is: seen on every background, and marks and lines of the plot through it. */
const bandOpacity = 0.15;

/** Lines and bands across a chart, as marks of its first series. */
export function referenceMarks(chart: CartesianFrame): Readonly<Record<string, unknown>> {
  const { look, isFlipped, frame } = chart;
  const { theme, rightToLeft } = look;
  const all = placed(chart);
  const valueAxis = isFlipped ? 'xAxis' : 'yAxis';
  const colorOf = ({ color }: Reference): string => color ?? theme.text;
  const single = all.filter(({ reference }) => reference.to === null);
  const values = single.flatMap(({ reference, at }) => (isLine(reference) ? at : []));
  // Texts of neighbours part from each other, since lines may lie closer than letters are high.
  const textPlace = (reference: Reference, at: number): object => {
    if (reference.type === 'today') return {};
    const isFirst = at < Math.max(...values);
    if (isFlipped) {
      const align = values.length === 1 ? 'center' : isFirst === rightToLeft ? 'left' : 'right';
      return { position: frame.settings.axis.category.isInverted ? 'end' : 'start', align };
    }
    if (isTiny(look)) return { position: isFirst ? 'insideEndBottom' : 'insideEndTop' };
    return { verticalAlign: isFirst ? 'top' : values.length > 1 ? 'bottom' : 'middle' };
  };
  const lines = single.map(({ reference, at, text }) => ({
    [reference.type === 'today' ? 'xAxis' : valueAxis]: at,
    lineStyle: { color: colorOf(reference), type: 'dashed', width: 1.5 },
    label: { formatter: () => text, color: colorOf(reference), ...textPlace(reference, at) },
  }));
  const outside = isFlipped ? 'top' : rightToLeft ? 'left' : 'right';
  const bands = all
    .filter(({ reference }) => reference.to !== null)
    .map(({ reference, at, text }) => [
      {
        [valueAxis]: at,
        itemStyle: { color: colorOf(reference), opacity: bandOpacity },
        label: {
          show: true,
          formatter: () => text,
          position: areBandsOutside(chart) ? outside : 'insideTopLeft',
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
