import { BarChart as Drawn } from 'echarts/charts';
import { cartesianChart } from './cartesian/option.ts';

export const chart = cartesianChart({ type: 'bar-chart', axisSlot: 'y-axis', shapeOf: () => 'bar' }, [Drawn]);
