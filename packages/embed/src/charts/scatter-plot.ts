import { ScatterChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components';
import type { DrawnChart } from './drawing/chart.ts';
import { cloudOption } from './drawing/points.ts';

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'scatter-plot',
  parts: [ScatterChart, GridComponent, TooltipComponent, LegendScrollComponent, AriaComponent],
  option: (frame, look) =>
    cloudOption(
      {
        x: frame.slot('x-axis')[0],
        y: frame.slot('y-axis')[0],
        size: frame.slot('size')[0],
        color: frame.slot('color')[0],
        names: frame.slot('name'),
      },
      frame,
      look,
    ),
};
