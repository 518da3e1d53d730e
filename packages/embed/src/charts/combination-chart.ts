import { BarChart, LineChart } from 'echarts/charts';
import { member } from '@inlay/contract';
import { cartesianChart } from './cartesian/option.ts';

export const chart = cartesianChart(
  {
    type: 'combination-chart',
    axisSlot: 'x-axis',
    shapeOf: (place, { options }) => {
      const shapes = member(options, 'shapes');
      const shape = Array.isArray(shapes) ? shapes[place] : undefined;
      if (shape === 'line' || shape === 'area') return shape;
      return shape === 'column' || place === 0 ? 'bar' : 'line';
    },
    hasSecondAxis: true,
  },
  [BarChart, LineChart],
);
