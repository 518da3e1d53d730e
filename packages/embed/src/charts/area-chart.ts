import { LineChart as Drawn } from 'echarts/charts';
import { cartesianChart } from './cartesian/option.ts';

export const chart = cartesianChart({ type: 'area-chart', axisSlot: 'x-axis', shapeOf: () => 'area' }, [Drawn]);
