import { chartWordsFor } from '../../locale/chart-words.ts';
import type { TooltipRow, TooltipText } from '../frame/chart.ts';
import { isUnfinished, numberAt, type CartesianFrame, type Series } from './read.ts';

const isDrawn = (value: unknown): value is { dataIndex: number } =>
  typeof value === 'object' && value !== null && 'dataIndex' in value && typeof value.dataIndex === 'number';

function rowOf(chart: CartesianFrame, series: Series, key: string): readonly TooltipRow[] {
  const number = numberAt(series, key);
  if (number === null) return [];
  const { isStacked, totals, context } = chart;
  const memberTotal = totals.get(key) ?? 0;
  const share = context.formats.numbers({ notation: 'percent', format: '.0%' });
  const cell = series.values.get(key)?.[series.measure?.index ?? -1];
  return [
    {
      color: series.color,
      label: series.label,
      value: series.measure?.text(cell) ?? '',
      ...(isStacked && memberTotal > 0 ? { note: share.full(number / memberTotal) } : {}),
    },
  ];
}

/** Returns the tooltip of a category: its values and their total. If there are many values, the largest comes first. */
export function axisTooltip(chart: CartesianFrame, params: unknown): TooltipText | null {
  const [firstPoint] = (Array.isArray(params) ? params : [params]).filter(isDrawn);
  const member = firstPoint === undefined ? undefined : chart.listed[firstPoint.dataIndex];
  if (member === undefined) return null;
  const { axis, context, series, isStacked } = chart;
  const words = chartWordsFor(context.formats.locale);
  const text = axis === undefined ? '' : axis.text(member.cell);
  const title = isUnfinished(axis, member.cell, context) ? `${text} (${words.soFar})` : text;
  const shownSeries =
    series.length > 8
      ? series.toSorted((a, b) => (numberAt(b, member.key) ?? 0) - (numberAt(a, member.key) ?? 0))
      : series;
  const rows = shownSeries.slice(0, 14).flatMap((s) => rowOf(chart, s, member.key));
  const measure = series[0]?.measure;
  const sum = series.reduce((runningSum, s) => runningSum + (numberAt(s, member.key) ?? 0), 0);
  const totalRows: readonly TooltipRow[] =
    isStacked && rows.length > 1 && measure !== undefined
      ? [{ color: null, label: words.total, value: measure.text(sum), isTotal: true }]
      : [];
  return { title, rows: [...rows, ...totalRows] };
}
