import { PieChart } from 'echarts/charts';
import { AriaComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components';
import { baseOption, legendOf, markLater, nameOf, tooltipOf, written } from './base.ts';
import type { DrawnChart, Mark } from './chart.ts';
import { labelOn, paintsOf } from './paint.ts';
import type { Frame } from './frame.ts';

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

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'donut-chart',
  parts: [PieChart, TooltipComponent, LegendScrollComponent, AriaComponent],
  option: (frame, look) => {
    const slices = slicesOf(frame).filter(({ value }) => value > 0);
    const paints = paintsOf(look);
    const total = slices.reduce((sum, { value }) => sum + value, 0);
    const share = new Intl.NumberFormat(look.formats.locale, { style: 'percent', maximumFractionDigits: 1 });
    const beside = look.widthPx > look.heightPx * 1.3;
    return {
      ...baseOption(look),
      legend: {
        ...legendOf(look, slices.length > 1),
        ...(beside ? { orient: 'vertical', left: 'auto', right: 4, top: 'middle', itemGap: 6 } : {}),
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
          radius: ['48%', '88%'],
          center: beside ? ['36%', '50%'] : ['50%', '56%'],
          data: slices.map((slice, index) => ({ ...slice, label: labelOn(paints(index).fill, look) })),
          itemStyle: { borderColor: look.theme.itemsBackground, borderWidth: 2, borderRadius: look.theme.rounding },
          label: {
            show: slices.length <= 12,
            position: 'inside',
            fontSize: look.theme.axisPx,
            formatter: ({ value }: { value: number }) => share.format(value / total),
          },
          minShowLabelAngle: 14,
        },
      ],
    };
  },
};
