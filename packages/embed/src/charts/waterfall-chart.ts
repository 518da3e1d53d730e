import { inWords } from '@inlay/contract';
import { BarChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { chartWordsFor } from '../locale/chart-words.ts';
import { gridOf, memberAxis, valueAxis } from './cartesian/axes.ts';
import { numberAt, readCartesian, type Cartesian } from './cartesian/read.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import type { Mark } from './frame/mark.ts';
import type { DrawnChart, Look } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Field, Frame } from './frame/frame.ts';

const shape: Cartesian = { type: 'waterfall-chart', axisSlot: 'x-axis', shapeOf: () => 'bar' };

/** A step between two running totals; the last step is the total, from zero. */
interface Step {
  readonly text: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly isTotal: boolean;
  readonly isDim: boolean;
  readonly mark: () => Mark;
}

function stepsOf(frame: Frame, look: Look): readonly Step[] {
  const { axis, series, listed } = readCartesian(shape, frame, look);
  const [only] = series;
  if (only === undefined || axis === undefined) return [];
  const { chosen = null } = look;
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
  const total = chartWordsFor(look.formats.locale).total;
  return [
    ...steps,
    {
      text: total,
      value: sum,
      from: 0,
      to: sum,
      isTotal: true,
      isDim: chosen !== null,
      mark: () => ({ cells: [] }),
    },
  ];
}

const [besidePx, edgesPx] = [60, 24];
/** A label may extend over the gaps next to its bar, up to the neighbouring bars. */
const reach = 1.28;

/**
 * Decides if bars have value labels, which of these are below their bar, and if the axis labels are dropped to make
 * room.
 */
function labelsOf(steps: readonly Step[], measure: Field | undefined, look: Look) {
  const longestPx = Math.max(
    0,
    ...steps.map(({ value }) => widthOf(measure?.short(value) ?? '', look.theme.axisPx, look)),
  );
  const bandPx = (scalePx: number): number => (look.widthPx - edgesPx - scalePx) / steps.length;
  const hasValues = steps.length <= 12 && longestPx <= bandPx(0) * reach;
  const isBare = hasValues && longestPx > bandPx(besidePx) * reach;
  const isTight = longestPx > bandPx(isBare ? 0 : besidePx) - 4;
  const below: boolean[] = [];
  // In a tight chart, a step down whose predecessor has its label below has its own above, where there is room.
  for (const { value } of steps) below.push(value < 0 && !(isTight && below.at(-1) === true));
  return { hasValues, isBare, below };
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'waterfall-chart',
  parts: [BarChart, GridComponent, TooltipComponent],
  option: (frame, look) => {
    const { theme } = look;
    const read = readCartesian(shape, frame, look);
    const steps = stepsOf(frame, look);
    const measure = read.series[0]?.measure;
    const axis = read.axis;
    const listed = [...read.listed, { key: '\u0000total', cell: steps.at(-1)?.text ?? '' }];
    const totalAxis =
      axis === undefined
        ? undefined
        : {
            ...axis,
            text: (cell: Parameters<typeof axis.text>[0]) =>
              cell === listed.at(-1)?.cell ? inWords(cell) : axis.text(cell),
          };
    const withTotal = { ...read, listed, axis: totalAxis };
    const { hasValues, isBare, below: valuesBelow } = labelsOf(steps, measure, look);
    const colorOf = ({ value, isTotal }: Step): string =>
      isTotal ? theme.mainColor : value < 0 ? theme.negative : theme.positive;
    // An invisible bar supports each step. A step that crosses zero is drawn from zero in both directions.
    const parts = (pick: (step: Step) => number) => steps.map(pick);
    const hidden = { color: 'transparent' };
    const below = parts(({ from, to }) =>
      from * to < 0 ? 0 : Math.sign(from + to) * Math.min(Math.abs(from), Math.abs(to)),
    );
    const shown = (isAbove: boolean) =>
      steps.map((step, index) => {
        const [low, high] = [Math.min(step.from, step.to), Math.max(step.from, step.to)];
        const base = below[index] ?? 0;
        const value = isAbove ? Math.max(0, high) - Math.max(0, base) : Math.min(0, low) - Math.min(0, base);
        return {
          value,
          mark: step.mark,
          label: {
            position: valuesBelow[index] === true ? 'bottom' : 'top',
            // Only the last series draws a step below zero.
            show: hasValues && isAbove === (high > 0 || low === high),
          },
          itemStyle: { color: colorOf(step), borderRadius: theme.rounding, ...(step.isDim ? { opacity: 0.3 } : {}) },
        };
      });
    const labelled = {
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
    const common = { type: 'bar', barMaxWidth: 64, barCategoryGap: '28%' } as const;
    return {
      ...baseOption(look),
      grid: { ...gridOf(withTotal, hasValues), ...(isBare ? { right: 12 } : {}) },
      tooltip: {
        ...tooltipOf(look, (drawn: unknown) => {
          const first: unknown = Array.isArray(drawn) ? drawn[0] : drawn;
          const index =
            typeof first === 'object' && first !== null && 'dataIndex' in first ? Number(first.dataIndex) : -1;
          const step = steps[index];
          if (step === undefined || measure === undefined) return null;
          const sum = {
            color: null,
            label: chartWordsFor(look.formats.locale).total,
            value: measure.text(step.to),
            isTotal: true as const,
          };
          return {
            title: step.text,
            rows: [
              { color: colorOf(step), label: measure.label, value: measure.text(step.value) },
              ...(step.isTotal ? [] : [sum]),
            ],
          };
        }),
        trigger: 'axis',
        axisPointer: { type: 'shadow', shadowStyle: { color: theme.line, opacity: 0.5 } },
      },
      xAxis: memberAxis(withTotal),
      yAxis: valueAxis(withTotal, 0, false, isBare),
      series: [
        {
          ...common,
          stack: 'steps',
          data: below.map((value) => ({ value, itemStyle: hidden })),
          silent: true,
          emphasis: { disabled: true },
        },
        {
          ...common,
          ...labelled,
          stack: 'steps',
          data: shown(true),
        },
        { ...common, ...labelled, stack: 'steps', data: shown(false) },
      ],
    };
  },
};
