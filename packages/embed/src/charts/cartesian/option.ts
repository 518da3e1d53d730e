import { GridComponent, TooltipComponent } from 'echarts/components';
import type { EChartsCoreOption } from 'echarts/core';
import { baseOption, legendOf } from '../drawing/base.ts';
import type { Mark } from '../frame/mark.ts';
import type { AxisMarks, DrawnChart, SizedContext, Part } from '../frame/chart.ts';
import type { Frame } from '../frame/frame.ts';
import { tooltipOf } from '../drawing/tooltip.ts';
import { gridOf, memberAxis, valueAxis } from './axes.ts';
import { readCartesian, type Cartesian, type Overlay } from './read.ts';
import { seriesOptions, valueTexts } from './series.ts';
import { axisTooltip } from './tooltip.ts';
import { memoize } from '../../locale/memoize.ts';

function optionOf(cartesian: Cartesian, frame: Frame, context: SizedContext): EChartsCoreOption {
  const chart = readCartesian(cartesian, frame, context);
  const { series, isFlipped, overlay } = chart;
  const { settings } = frame;
  const hasValues = valueTexts(chart) !== null;
  // If every bar has a value label, the value axis is not needed.
  const isBare =
    hasValues && isFlipped && series.length === 1 && settings.labels === 'auto' && settings.references.length === 0;
  const values = chart.axes.map((place) => valueAxis(chart, place, hasValues, isBare));
  const [firstSeries, ...others] = seriesOptions(chart);
  return {
    ...baseOption(context),
    grid: gridOf(chart, hasValues),
    tooltip: {
      ...tooltipOf(context, (params: unknown) => axisTooltip(chart, params)),
      trigger: 'axis',
      axisPointer: {
        type: series.some(({ shape }) => shape === 'bar') ? 'shadow' : 'line',
        shadowStyle: { color: context.theme.line, opacity: 0.5 },
        lineStyle: { color: context.theme.mutedText },
      },
    },
    [isFlipped ? 'yAxis' : 'xAxis']: memberAxis(chart),
    [isFlipped ? 'xAxis' : 'yAxis']: values.length === 1 ? values[0] : values,
    series:
      firstSeries === undefined
        ? []
        : [{ ...firstSeries, ...overlay?.marks(chart) }, ...others, ...(overlay?.trends(chart) ?? [])],
  };
}

/** Returns the marks of the members along the category axis. */
function marksAlong(cartesian: Cartesian, frame: Frame, context: SizedContext): AxisMarks {
  const { axis, listed, isFlipped, isTimed } = readCartesian(cartesian, frame, context);
  const markOfMember = (place: number): Mark | null => {
    const member = listed[place];
    return member === undefined || axis === undefined ? null : { cells: [{ field: axis, cell: member.cell }] };
  };
  const nearest = (value: number): number => {
    const distances = listed.map(({ cell }) => Math.abs((axis?.number(cell) ?? 0) - value));
    return distances.indexOf(Math.min(...distances));
  };
  return {
    axis: isFlipped ? 'yAxis' : 'xAxis',
    at: (value) => markOfMember(isTimed ? nearest(value) : Math.round(value)),
  };
}

/** Returns a chart with a category axis and one or two value axes. */
export function cartesianChart(cartesian: Cartesian, seriesParts: Extract<Part, readonly unknown[]>): DrawnChart {
  const withOverlay = memoize((overlay: Overlay) =>
    cartesianChart({ ...cartesian, overlay }, [...seriesParts, ...overlay.parts]),
  );
  const chart: DrawnChart = {
    kind: 'drawn',
    type: cartesian.type,
    parts: [...seriesParts, GridComponent, TooltipComponent],
    ready: async ({ settings }) =>
      settings.references.length > 0 || settings.hasTrend ? withOverlay((await import('./more.ts')).overlay) : chart,
    markAt: (frame, context) => marksAlong(cartesian, frame, context),
    legend: (frame, context) =>
      legendOf(
        frame,
        context,
        readCartesian(cartesian, frame, context).all.map(({ name, label, color }) => ({
          name,
          text: label,
          note: '',
          color,
        })),
      ),
    option: (frame, context) => optionOf(cartesian, frame, context),
  };
  return chart;
}
