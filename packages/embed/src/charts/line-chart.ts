import { LineChart as Drawn } from 'echarts/charts';
import { cartesianChart } from './cartesian/option.ts';

export const chart = cartesianChart({ type: 'line-chart', axisSlot: 'x-axis', shapeOf: () => 'line' }, [Drawn]);
