import { ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import type { DrawnChart } from './frame/chart.ts';
import type { Frame } from './frame/frame.ts';
import { cloudLegend, cloudOption, type Cloud } from './drawing/points.ts';

const cloudOf = (frame: Frame): Cloud => ({
  x: frame.slot('x-axis')[0],
  y: frame.slot('y-axis')[0],
  size: frame.slot('size')[0],
  color: frame.slot('color')[0],
  names: frame.slot('name'),
});

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'scatter-plot',
  parts: [ScatterChart, GridComponent, TooltipComponent],
  legend: (frame, context) => cloudLegend(cloudOf(frame), frame, context),
  option: (frame, context) => cloudOption(cloudOf(frame), frame, context),
};
