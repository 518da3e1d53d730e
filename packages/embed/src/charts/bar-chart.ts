import { BarChart as Drawn } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components';
import { cartesianOption, type Cartesian } from './drawing/cartesian.ts';
import type { DrawnChart } from './drawing/chart.ts';

const shape: Cartesian = { type: 'bar-chart', draws: 'bar', axisSlot: 'y-axis' };

export const chart: DrawnChart = {
  kind: 'drawn',
  type: shape.type,
  parts: [Drawn, GridComponent, TooltipComponent, LegendScrollComponent, AriaComponent],
  option: (frame, look) => cartesianOption(shape, frame, look),
};
