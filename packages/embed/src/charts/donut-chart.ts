import { PieChart } from 'echarts/charts';
import { AriaComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components';
import { baseOption, legendOf, markLater, nameOf, tooltipOf, written } from './drawing/base.ts';
import type { DrawnChart, Look, Mark } from './drawing/chart.ts';
import { labelOn, paintsOf } from './drawing/paint.ts';
import type { Frame } from './drawing/frame.ts';

/** Shares of half the room. */
const [innerShare, outerShare] = [0.48, 0.9];

interface Slice {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  readonly mark: () => Mark;
}

/** One slice for each member, or for each measure where there is no category; what is not above zero has no slice. */
function slicesOf(frame: Frame): readonly Slice[] {
  const category = frame.slot('category')[0];
  if (category === undefined) {
    const row = frame.rows[0] ?? [];
    return frame.measures.map((measure) => ({
      name: nameOf(measure.label),
      value: measure.number(row[measure.index]) ?? 0,
      text: written(measure, row[measure.index]),
      mark: () => ({ cells: [] }),
    }));
  }
  const measure = frame.measures[0];
  return frame.rows.map((row) => ({
    name: nameOf(category.text(row[category.index])),
    value: measure === undefined ? 0 : (measure.number(row[measure.index]) ?? 0),
    text: measure === undefined ? '' : written(measure, row[measure.index]),
    mark: markLater(frame.dimensions, row),
  }));
}

/** Where the ring and its legend are: side by side in the middle of a wide room, else one below the other. */
function placesOf(names: readonly string[], { widthPx, heightPx, theme, rightToLeft }: Look) {
  const acrossPx = Math.min(widthPx, heightPx) * outerShare;
  if (names.length < 2 || widthPx <= heightPx * 1.3) return { center: ['50%', names.length < 2 ? '50%' : '56%'] };
  const longest = Math.max(...names.map((name) => name.length));
  const legendPx = Math.min(longest * theme.legend.sizePx * 0.6 + 30, widthPx - acrossPx - 24);
  const startPx = (widthPx - acrossPx - 24 - legendPx) / 2;
  const side = rightToLeft ? 'right' : 'left';
  const middlePx = startPx + acrossPx / 2;
  return {
    center: [rightToLeft ? widthPx - middlePx : middlePx, '50%'],
    legend: { orient: 'vertical', left: 'auto', [side]: startPx + acrossPx + 24, top: 'middle', itemGap: 6 },
  };
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'donut-chart',
  parts: [PieChart, TooltipComponent, LegendScrollComponent, AriaComponent],
  option: (frame, look) => {
    const slices = slicesOf(frame).filter(({ value }) => value > 0);
    const paints = paintsOf(look);
    const total = slices.reduce((sum, { value }) => sum + value, 0);
    const percent = (digits: number): Intl.NumberFormat =>
      new Intl.NumberFormat(look.formats.locale, { style: 'percent', maximumFractionDigits: digits });
    const share = percent(1);
    const half = Math.min(look.widthPx, look.heightPx) / 2;
    const ringPx = half * (outerShare - innerShare);
    const onRing = ringPx < 42 ? percent(0) : share;
    const { center, legend } = placesOf(
      slices.map(({ name }) => name),
      look,
    );
    return {
      ...baseOption(look),
      legend: {
        ...legendOf(look, slices.length > 1),
        ...legend,
      },
      tooltip: {
        ...tooltipOf(look),
        formatter: ({ dataIndex }: { dataIndex: number }) => {
          const slice = slices[dataIndex];
          return slice === undefined ? '' : `${slice.name}\n${slice.text} (${share.format(slice.value / total)})`;
        },
      },
      series: [
        {
          type: 'pie',
          radius: [`${innerShare * 100}%`, `${outerShare * 100}%`],
          center,
          data: slices.map((slice, index) => ({ ...slice, label: labelOn(paints(index).fill, look) })),
          itemStyle: { borderColor: look.theme.itemsBackground, borderWidth: 2, borderRadius: look.theme.rounding },
          label: {
            show: slices.length <= 12 && ringPx > 26,
            position: 'inside',
            fontSize: look.theme.axisPx,
            formatter: ({ value }: { value: number }) => onRing.format(value / total),
          },
          // As much of the ring as a line of text is high.
          minShowLabelAngle: ((look.theme.axisPx + 4) / (half * ((innerShare + outerShare) / 2))) * (180 / Math.PI),
        },
      ],
    };
  },
};
