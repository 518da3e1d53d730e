import { PieChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { othersOf, type Json } from '@inlay/contract';
import { chartWordsFor } from '../locale/chart-words.ts';
import { memberColor, measureColor } from './colors/mark-color.ts';
import { belowZeroNote, hasBelowZero } from './drawing/below-zero.ts';
import { baseOption, legendOf, markLater, nameOf, written } from './drawing/base.ts';
import type { Mark } from './frame/mark.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Field, Frame, Row } from './frame/frame.ts';
import { isSummed } from './frame/totals.ts';
import { decalAt, labelOn, shade } from './drawing/paint.ts';
import { widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';

/** Inner and outer radius as shares of half the available size. */
const [innerShare, outerShare] = [0.6, 0.94];
const center = ['50%', '50%'];
/** Maximum number of slices. If there are more members, the smallest members share one slice. */
const maxSlices = 12;

interface Slice {
  readonly name: string;
  readonly value: number;
  /** Number of members that the slice stands for. */
  readonly count: number;
  readonly text: string;
  readonly fill: string;
  readonly isDim: boolean;
  readonly mark: () => Mark;
}

const noMark = (): Mark => ({ cells: [] });

function ofMember(frame: Frame, context: SizedContext, category: Field, measure: Field | undefined, row: Row): Slice {
  const cell: Json = row[category.index] ?? null;
  const { chosen = null } = context;
  return {
    name: nameOf(category.text(cell)),
    count: othersOf(cell) ?? 1,
    value: measure === undefined ? 0 : (measure.number(row[measure.index]) ?? 0),
    text: measure === undefined ? '' : written(measure, row[measure.index]),
    fill: memberColor(frame, context, category, cell),
    isDim: chosen !== null && !isChosen(frame, row, chosen),
    mark: markLater(frame.dimensions, row),
  };
}

/** Returns one slice per member, or one per measure if there is no category. Only positive values have a slice. */
function slicesOf(frame: Frame, context: SizedContext): readonly Slice[] {
  const category = frame.slot('category')[0];
  const [measure] = frame.measures;
  const row = frame.rows[0] ?? [];
  const slices =
    category === undefined
      ? frame.measures.map((field, index) => ({
          name: nameOf(field.label),
          value: field.number(row[field.index]) ?? 0,
          count: 1,
          text: written(field, row[field.index]),
          fill: measureColor(frame, context, field, index),
          isDim: false,
          mark: noMark,
        }))
      : frame.rows.map((memberRow) => ofMember(frame, context, category, measure, memberRow));
  const positiveSlices = slices.filter(({ value }) => value > 0);
  if (positiveSlices.length <= maxSlices || !frame.measures.every(isSummed)) return positiveSlices;
  const largestFirst = positiveSlices.toSorted((a, b) => b.value - a.value);
  const smallestSlices = largestFirst.slice(maxSlices - 1);
  const value = smallestSlices.reduce((sum, slice) => sum + slice.value, 0);
  const count = smallestSlices.reduce((sum, slice) => sum + slice.count, 0);
  const name = `${chartWordsFor(context.formats.locale).others} (${context.formats.number(count)})`;
  const fill = shade(context.theme.mutedText, 0.5, context);
  return [
    ...largestFirst.slice(0, maxSlices - 1),
    { name, value, count, text: written(measure, value), fill, isDim: false, mark: noMark },
  ];
}

/** True if the slices make up a whole: no value is missing, and the measure can be summed. */
const isWhole = (frame: Frame): boolean => !hasBelowZero(frame) && frame.measures.every(isSummed);

/** Draws the total in the hole of a ring, unless it would be too small to read. */
function centerOf(text: string, acrossPx: number, context: SizedContext): readonly object[] {
  const { theme } = context;
  const holePx = acrossPx * innerShare;
  const sizePx = Math.min(
    (theme.sizes.figurePx * 7) / 11,
    holePx / 4.2,
    (holePx * 0.66 * 14) / Math.max(1, widthOf(text, 14, context)),
  );
  if (sizePx < 10) return [];
  const [a, b] = [Math.round(sizePx), Math.max(10, theme.axisPx - 1)];
  return [
    {
      type: 'pie',
      radius: [0, 1],
      center,
      silent: true,
      tooltip: { show: false },
      data: [{ value: 1, name: '' }],
      itemStyle: { color: 'transparent' },
      emphasis: { disabled: true },
      label: {
        position: 'center',
        formatter: () => `{a|${text}}\n{b|${chartWordsFor(context.formats.locale).total}}`,
        rich: {
          a: { fontSize: a, fontWeight: 600, color: theme.text, lineHeight: Math.round(sizePx * 1.25) },
          b: { fontSize: b, color: theme.mutedText },
        },
      },
      labelLine: { show: false },
    },
  ];
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'donut-chart',
  parts: [PieChart, TooltipComponent],
  note: belowZeroNote,
  legend: (frame, context) => {
    const slices = slicesOf(frame, context);
    const sumOfSlices = slices.reduce((sum, { value }) => sum + value, 0);
    const share = context.formats.numbers({ notation: 'percent', format: '.1~%' });
    const isShared = isWhole(frame);
    const entries = slices.map(({ name, value, text, fill }) => ({
      name,
      text: name,
      note: isShared ? share.full(value / sumOfSlices) : text,
      color: fill,
    }));
    return legendOf(frame, context, entries, 'side');
  },
  option: (frame, context) => {
    const { theme } = context;
    const isShared = isWhole(frame);
    const allSlices = slicesOf(frame, context);
    const slices = allSlices.filter(({ name }) => context.hidden?.has(name) !== true);
    const [measure] = frame.measures;
    const sumOfSlices = slices.reduce((sum, { value }) => sum + value, 0);
    const share = context.formats.numbers({ notation: 'percent', format: '.1~%' });
    const wholePercent = context.formats.numbers({ notation: 'percent', format: '.0%' });
    const acrossPx = Math.min(context.widthPx, context.heightPx) * outerShare;
    const ringPx = (acrossPx / 2) * (1 - innerShare);
    const hasTotal = sumOfSlices !== 0 && isShared;
    return {
      ...baseOption(context),
      tooltip: tooltipOf(context, ({ dataIndex }: { dataIndex: number }) => {
        const slice = slices[dataIndex];
        if (slice === undefined) return null;
        const { fill, name, text, value } = slice;
        return {
          title: '',
          rows: [{ color: fill, label: name, value: text, ...(isShared && { note: share.full(value / sumOfSlices) }) }],
        };
      }),
      series: [
        {
          type: 'pie',
          radius: [(acrossPx / 2) * innerShare, acrossPx / 2],
          center,
          data: slices.map(({ name, value, mark, fill, isDim }) => ({
            name,
            value,
            mark,
            itemStyle: {
              color: fill,
              ...(isDim ? { opacity: 0.3 } : {}),
              ...decalAt(
                context,
                allSlices.findIndex((slice) => slice.name === name),
              ),
            },
            label: labelOn(fill, context),
          })),
          itemStyle: { borderColor: theme.itemsBackground, borderWidth: 2, borderRadius: theme.rounding },
          label: {
            show: ringPx > theme.axisPx * 2.8,
            position: 'inside',
            fontSize: theme.axisPx,
            formatter: ({ value }: { value: number }) =>
              !isShared || value / sumOfSlices < 0.05 ? '' : wholePercent.full(value / sumOfSlices),
          },
          emphasis: { scaleSize: 4 },
          silent: false,
        },
        ...(hasTotal ? centerOf(measure?.short(sumOfSlices) ?? '', acrossPx, context) : []),
      ],
    };
  },
};
