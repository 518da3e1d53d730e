import { chartWordsFor } from '../../locale/chart-words.ts';
import { drawnAt, type CartesianFrame, type Overlay, type Series } from './read.ts';

type SeriesOption = Readonly<Record<string, unknown>>;
type Member = CartesianFrame['listed'][number];

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the first and last value of the least-squares line through the values of a series; null if there are fewer
 * than three values.
 */
function trendOf(values: readonly (number | null)[]): readonly [number, number] | null {
  const points = [...values.entries()].flatMap(([x, y]) => (y === null ? [] : [{ x, y }]));
  if (points.length < 3) return null;
  const middleX = mean(points.map(({ x }) => x));
  const middleY = mean(points.map(({ y }) => y));
  const squaredDistance = points.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0) / squaredDistance;
  const at = (x: number): number => middleY + slope * (x - middleX);
  return [at(0), at(values.length - 1)];
}

function trendSeries(chart: CartesianFrame, series: Series): readonly SeriesOption[] {
  const { listed, isTimed, axis, context } = chart;
  const trend = trendOf(listed.map(({ key }) => drawnAt(chart, series, key)));
  const [firstMember, lastMember] = [listed[0], listed.at(-1)];
  if (trend === null || firstMember === undefined || lastMember === undefined) return [];
  const at = (member: Member, place: number): unknown => (isTimed ? axis?.number(member.cell) : place);
  return [
    {
      type: 'line',
      name: chartWordsFor(context.formats.locale).trend,
      data: [
        [at(firstMember, 0), trend[0]],
        [at(lastMember, listed.length - 1), trend[1]],
      ],
      showSymbol: false,
      silent: true,
      symbol: 'none',
      tooltip: { show: false },
      lineStyle: { color: series.color, type: 'dashed', width: 1.5 },
      itemStyle: { color: series.color },
    },
  ];
}

/** Returns the trend lines of a chart. Stacked charts have none. */
export const trends: Overlay['trends'] = (chart) =>
  chart.frame.settings.hasTrend && !chart.isStacked ? chart.series.flatMap((s) => trendSeries(chart, s)) : [];
