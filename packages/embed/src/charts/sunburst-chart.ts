import { SunburstChart } from 'echarts/charts';
import { AriaComponent, TooltipComponent } from 'echarts/components';
import { baseOption, onMark, tooltipOf } from './base.ts';
import type { DrawnChart } from './chart.ts';
import { treeOf } from './tree.ts';

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'sunburst-chart',
  parts: [SunburstChart, TooltipComponent, AriaComponent],
  option: (frame, look) => ({
    ...baseOption(look),
    tooltip: {
      ...tooltipOf(look),
      formatter: ({ data }: { data: { name?: string; text?: string } | null }) =>
        data?.name === undefined ? '' : `${data.name}: ${data.text ?? ''}`,
    },
    series: [
      {
        type: 'sunburst',
        radius: ['16%', '96%'],
        data: treeOf(frame, frame.slot('levels')),
        nodeClick: false,
        itemStyle: { borderColor: look.theme.itemsBackground, borderWidth: 1 },
        label: { ...onMark, minAngle: 10, fontSize: look.theme.axisPx, overflow: 'truncate', width: 80 },
        emphasis: { focus: 'ancestor' },
      },
    ],
  }),
};
