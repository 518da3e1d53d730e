import { LineChart } from 'echarts/charts';
import { MarkAreaComponent, MarkLineComponent } from 'echarts/components';
import type { Overlay } from './read.ts';
import { referenceMarks, referenceRoom } from './references.ts';
import { trends } from './trend.ts';

export const overlay: Overlay = {
  parts: [LineChart, MarkLineComponent, MarkAreaComponent],
  trends,
  marks: referenceMarks,
  room: referenceRoom,
};
