import { BarChart as Drawn } from 'echarts/charts';
import { cartesianChart } from './cartesian/option.ts';

export const chart = cartesianChart({ type: 'column-chart', axisSlot: 'x-axis', shapeOf: () => 'bar' }, [Drawn]);
