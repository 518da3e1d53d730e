import { PieChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { othersOf, type Json } from '@inlay/contract';
import { chartWordsFor } from '../locale/chart-words.ts';
import { memberColor, measureColor } from './colors/mark-color.ts';
import { belowZeroNote, hasBelowZero } from './drawing/below-zero.ts';
import { baseOption, legendOf, markLater, nameOf, written } from './drawing/base.ts';
import type { Mark } from './frame/mark.ts';
import type { DrawnChart, Look } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Field, Frame, Row } from './frame/frame.ts';
import { isSummed } from './frame/totals.ts';
import { decalAt, labelOn, shade } from './drawing/paint.ts';
import { widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';

/** Inner and outer radius as shares of half the available size. */
const [innerShare, outerShare] = [0.6, 0.94];
const center = ['50%', '50%'];
/** Maximum number of slices; the rest are grouped. */
const maxSlices = 12;

interface Slice {
  readonly name: string;
  readonly value: number;
  /** Number of grouped members. */
  readonly count: number;
  readonly text: string;
  readonly fill: string;
  readonly isDim: boolean;
  readonly mark: () => Mark;
}

const noMark = (): Mark => ({ cells: [] });

function ofMember(frame: Frame, look: Look, category: Field, measure: Field | undefined, row: Row): Slice {
  const cell: Json = row[category.index] ?? null;
  const { chosen = null } = look;
  return {
    name: nameOf(category.text(cell)),
    count: othersOf(cell) ?? 1,
    value: measure === undefined ? 0 : (measure.number(row[measure.index]) ?? 0),
    text: measure === undefined ? '' : written(measure, row[measure.index]),
    fill: memberColor(frame, look, category, cell),
    isDim: chosen !== null && !isChosen(frame, row, chosen),
    mark: markLater(frame.dimensions, row),
  };
}

/** Returns one slice per member, or per measure without a category. Values that are not positive have no slice. */
function slicesOf(frame: Frame, look: Look): readonly Slice[] {
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
          fill: measureColor(frame, look, field, index),
          isDim: false,
          mark: noMark,
        }))
      : frame.rows.map((memberRow) => ofMember(frame, look, category, measure, memberRow));
  const shown = slices.filter(({ value }) => value > 0);
  if (shown.length <= maxSlices || !frame.measures.every(isSummed)) return shown;
  const sorted = shown.toSorted((a, b) => b.value - a.value);
  const rest = sorted.slice(maxSlices - 1);
  const value = rest.reduce((sum, slice) => sum + slice.value, 0);
  const count = rest.reduce((sum, slice) => sum + slice.count, 0);
  const name = `${chartWordsFor(look.formats.locale).others} (${look.formats.number(count)})`;
  const fill = shade(look.theme.mutedText, 0.5, look);
  return [
    ...sorted.slice(0, maxSlices - 1),
    { name, value, count, text: written(measure, value), fill, isDim: false, mark: noMark },
  ];
}

/** True if the slices make up a whole: none is left out, and the measure can be summed. */
const isWhole = (frame: Frame): boolean => !hasBelowZero(frame) && frame.measures.every(isSummed);

/** The total in the hole of a ring; none where it would be too small to read. */
function centerOf(text: string, acrossPx: number, look: Look): readonly object[] {
  const { theme } = look;
  const holePx = acrossPx * innerShare;
  const sizePx = Math.min(
    (theme.sizes.figurePx * 7) / 11,
    holePx / 4.2,
    (holePx * 0.66 * 14) / Math.max(1, widthOf(text, 14, look)),
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
        formatter: () => `{a|${text}}\n{b|${chartWordsFor(look.formats.locale).total}}`,
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
  legend: (frame, look) => {
    const slices = slicesOf(frame, look);
    const total = slices.reduce((sum, { value }) => sum + value, 0);
    const share = look.formats.numbers({ notation: 'percent', format: '.1~%' });
    const isShared = isWhole(frame);
    const entries = slices.map(({ name, value, text, fill }) => ({
      name,
      text: name,
      note: isShared ? share.full(value / total) : text,
      color: fill,
    }));
    return legendOf(frame, look, entries, 'side');
  },
  option: (frame, look) => {
    const { theme } = look;
    const isShared = isWhole(frame);
    const all = slicesOf(frame, look);
    const slices = all.filter(({ name }) => look.hidden?.has(name) !== true);
    const [measure] = frame.measures;
    const total = slices.reduce((sum, { value }) => sum + value, 0);
    const share = look.formats.numbers({ notation: 'percent', format: '.1~%' });
    const whole = look.formats.numbers({ notation: 'percent', format: '.0%' });
    const acrossPx = Math.min(look.widthPx, look.heightPx) * outerShare;
    const ringPx = (acrossPx / 2) * (1 - innerShare);
    const hasTotal = total !== 0 && isShared;
    return {
      ...baseOption(look),
      tooltip: tooltipOf(look, ({ dataIndex }: { dataIndex: number }) => {
        const slice = slices[dataIndex];
        if (slice === undefined) return null;
        const { fill, name, text, value } = slice;
        return {
          title: '',
          rows: [{ color: fill, label: name, value: text, ...(isShared && { note: share.full(value / total) }) }],
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
                look,
                all.findIndex((slice) => slice.name === name),
              ),
            },
            label: labelOn(fill, look),
          })),
          itemStyle: { borderColor: theme.itemsBackground, borderWidth: 2, borderRadius: theme.rounding },
          label: {
            show: ringPx > theme.axisPx * 2.8,
            position: 'inside',
            fontSize: theme.axisPx,
            formatter: ({ value }: { value: number }) =>
              !isShared || value / total < 0.05 ? '' : whole.full(value / total),
          },
          emphasis: { scaleSize: 4 },
          silent: false,
        },
        ...(hasTotal ? centerOf(measure?.short(total) ?? '', acrossPx, look) : []),
      ],
    };
  },
};
