import { inWords, type Json } from '@inlay/contract';
import { BarChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { chartWordsFor } from '../locale/chart-words.ts';
import { gridOf, memberAxis, valueAxis } from './cartesian/axes.ts';
import { numberAt, readCartesian, type Cartesian } from './cartesian/read.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import type { Mark } from './frame/mark.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Field, Frame } from './frame/frame.ts';

const shape: Cartesian = { type: 'waterfall-chart', axisSlot: 'x-axis', shapeOf: () => 'bar' };

/** A step from one running total to the next. The last step is the total; it starts at zero. */
interface Step {
  readonly text: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly isTotal: boolean;
  readonly isDim: boolean;
  readonly mark: () => Mark;
}

function stepsOf(frame: Frame, context: SizedContext): readonly Step[] {
  const { axis, series, listed } = readCartesian(shape, frame, context);
  const [only] = series;
  if (only === undefined || axis === undefined) return [];
  const { chosen = null } = context;
  let sum = 0;
  const steps = listed.map(({ key, cell }): Step => {
    const value = numberAt(only, key) ?? 0;
    const from = sum;
    sum += value;
    const row = only.values.get(key) ?? [];
    return {
      text: axis.text(cell),
      value,
      from,
      to: sum,
      isTotal: false,
      isDim: chosen !== null && !isChosen(frame, row, chosen),
      mark: markLater(frame.dimensions, row),
    };
  });
  const totalLabel = chartWordsFor(context.formats.locale).total;
  return [
    ...steps,
    {
      text: totalLabel,
      value: sum,
      from: 0,
      to: sum,
      isTotal: true,
      isDim: chosen !== null,
      mark: () => ({ cells: [] }),
    },
  ];
}

const [labelsPx, edgesPx] = [60, 24];
/** Maximum width of a label, as a multiple of the bar's space. A label may extend over the gaps next to its bar. */
const reach = 1.28;

interface Labels {
  readonly hasValues: boolean;
  /** True if the value axis has no labels. */
  readonly isBare: boolean;
  /** By step: true if the label is below the bar. */
  readonly below: readonly boolean[];
}

/**
 * Decides whether bars have value labels, which of these labels are below their bar, and whether the value axis loses
 * its labels to make room.
 */
function labelsOf(steps: readonly Step[], measure: Field | undefined, context: SizedContext): Labels {
  const longestPx = Math.max(
    0,
    ...steps.map(({ value }) => widthOf(measure?.short(value) ?? '', context.theme.axisPx, context)),
  );
  const bandPx = (scalePx: number): number => (context.widthPx - edgesPx - scalePx) / steps.length;
  const hasValues = steps.length <= 12 && longestPx <= bandPx(0) * reach;
  const isBare = hasValues && longestPx > bandPx(labelsPx) * reach;
  const isTight = longestPx > bandPx(isBare ? 0 : labelsPx) - 4;
  const labelsBelow: boolean[] = [];
  // In a tight chart, two neighbouring labels are never both below their bars. After a label below its bar, a
  // descending bar has its label above.
  for (const { value } of steps) labelsBelow.push(value < 0 && !(isTight && labelsBelow.at(-1) === true));
  return { hasValues, isBare, below: labelsBelow };
}

const colorOf = ({ value, isTotal }: Step, { theme }: SizedContext): string =>
  isTotal ? theme.mainColor : value < 0 ? theme.negative : theme.positive;

/**
 * Returns the height of the invisible bar below a step. A step that crosses zero has none; it is drawn from zero in
 * both directions.
 */
const supportOf = ({ from, to }: Step): number =>
  from * to < 0 ? 0 : Math.sign(from + to) * Math.min(Math.abs(from), Math.abs(to));

/** Returns the bars of the steps on one side of zero. */
const barsOf = (steps: readonly Step[], isAbove: boolean, { hasValues, below }: Labels, context: SizedContext) =>
  steps.map((step, index) => {
    const [low, high] = [Math.min(step.from, step.to), Math.max(step.from, step.to)];
    const base = supportOf(step);
    return {
      value: isAbove ? Math.max(0, high) - Math.max(0, base) : Math.min(0, low) - Math.min(0, base),
      mark: step.mark,
      label: {
        position: below[index] === true ? 'bottom' : 'top',
        // The series below zero labels only steps that are completely below zero.
        show: hasValues && isAbove === (high > 0 || low === high),
      },
      itemStyle: {
        color: colorOf(step, context),
        borderRadius: context.theme.rounding,
        ...(step.isDim ? { opacity: 0.3 } : {}),
      },
    };
  });

/** Returns the tooltip of a step: its value and the running total. */
function hintOf(step: Step, measure: Field, context: SizedContext) {
  const sum = {
    color: null,
    label: chartWordsFor(context.formats.locale).total,
    value: measure.text(step.to),
    isTotal: true as const,
  };
  return {
    title: step.text,
    rows: [
      { color: colorOf(step, context), label: measure.label, value: measure.text(step.value) },
      ...(step.isTotal ? [] : [sum]),
    ],
  };
}

/** Returns the index of the bar for which ECharts requests a tooltip; -1 if it names no bar. */
function indexIn(params: unknown): number {
  const firstPoint: unknown = Array.isArray(params) ? params[0] : params;
  return typeof firstPoint === 'object' && firstPoint !== null && 'dataIndex' in firstPoint
    ? Number(firstPoint.dataIndex)
    : -1;
}

/** Returns the axes of the members, with the total as the last member. */
function withTotal(frame: Frame, context: SizedContext, totalName: Json) {
  const cartesian = readCartesian(shape, frame, context);
  const { axis } = cartesian;
  const text = (cell: Json): string => (cell === totalName ? inWords(cell) : (axis?.text(cell) ?? ''));
  return {
    ...cartesian,
    listed: [...cartesian.listed, { key: '\u0000total', cell: totalName }],
    axis: axis === undefined ? undefined : { ...axis, text },
  };
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'waterfall-chart',
  parts: [BarChart, GridComponent, TooltipComponent],
  option: (frame, context) => {
    const { theme } = context;
    const steps = stepsOf(frame, context);
    const cartesian = withTotal(frame, context, steps.at(-1)?.text ?? '');
    const measure = cartesian.series[0]?.measure;
    const labels = labelsOf(steps, measure, context);
    const { hasValues, isBare } = labels;
    const commonOptions = { type: 'bar', barMaxWidth: 64, barCategoryGap: '28%', stack: 'steps' } as const;
    const labelledOptions = {
      ...commonOptions,
      labelLayout: { hideOverlap: true },
      label: {
        color: theme.text,
        fontSize: theme.axisPx,
        formatter: ({ dataIndex }: { dataIndex: number }) => {
          const step = steps[dataIndex];
          return step === undefined ? '' : (measure?.short(step.value) ?? '');
        },
      },
    };
    const support = steps.map((step) => ({ value: supportOf(step), itemStyle: { color: 'transparent' } }));
    return {
      ...baseOption(context),
      grid: { ...gridOf(cartesian, hasValues), ...(isBare ? { right: 12 } : {}) },
      tooltip: {
        ...tooltipOf(context, (params: unknown) => {
          const step = steps[indexIn(params)];
          return step === undefined || measure === undefined ? null : hintOf(step, measure, context);
        }),
        trigger: 'axis',
        axisPointer: { type: 'shadow', shadowStyle: { color: theme.line, opacity: 0.5 } },
      },
      xAxis: memberAxis(cartesian),
      yAxis: valueAxis(cartesian, 0, false, isBare),
      series: [
        { ...commonOptions, data: support, silent: true, emphasis: { disabled: true } },
        { ...labelledOptions, data: barsOf(steps, true, labels, context) },
        { ...labelledOptions, data: barsOf(steps, false, labels, context) },
      ],
    };
  },
};
