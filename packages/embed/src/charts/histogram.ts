import { BarChart } from 'echarts/charts';
import { cartesianChart } from './cartesian/option.ts';

export const chart = cartesianChart({ type: 'histogram', axisSlot: 'x-axis', shapeOf: () => 'bar', isGapless: true }, [
  BarChart,
]);
