import { GaugeChart } from 'echarts/charts';

import { baseOption } from './drawing/base.ts';
import { fitted, widthOf } from './drawing/text-width.ts';
import type { DrawnChart } from './frame/chart.ts';
import { readGauge } from './gauge/gauge.ts';

/** A ring filled up to the value, with a tick at the target. */
export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'circular-gauge',
  parts: [GaugeChart],
  option: (frame, context) => {
    const { theme, widthPx, heightPx } = context;
    const { value, target, min, max, text, note, color } = readGauge(frame, context);
    const radiusPx = Math.max(20, Math.min(widthPx, heightPx) / 2 - 6);
    const ringPx = Math.max(8, radiusPx * 0.2);
    const holePx = (radiusPx - ringPx) * 2;
    const sizePx = Math.max(
      12,
      Math.min(
        (context.theme.sizes.figurePx * 8) / 11,
        holePx / 4,
        (holePx * 0.72 * 14) / Math.max(1, widthOf(text, 14, context)),
      ),
    );
    const commonOptions = {
      type: 'gauge',
      min,
      max,
      radius: radiusPx,
      center: ['50%', '50%'],
      startAngle: 90,
      clockwise: !context.rightToLeft,
      endAngle: context.rightToLeft ? 450 : -270,
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: { show: false },
      anchor: { show: false },
    };
    return {
      ...baseOption(context),
      series: [
        {
          ...commonOptions,
          axisLine: { lineStyle: { width: ringPx, color: [[1, theme.line]] } },
          progress: { show: value !== null, width: ringPx, roundCap: true, itemStyle: { color } },
          pointer: { show: false },
          title: {
            show: note !== '',
            offsetCenter: [0, sizePx * 0.75],
            color: theme.mutedText,
            fontSize: theme.axisPx,
          },
          detail: {
            formatter: () => text,
            offsetCenter: [0, note === '' ? 0 : -sizePx * 0.35],
            color: theme.text,
            fontSize: Math.round(sizePx),
            fontWeight: 600,
            fontFamily: theme.font.family,
          },
          data: [{ value: value ?? min, name: fitted(note, theme.axisPx, holePx * 0.86, context) }],
        },
        ...(target === null
          ? []
          : [
              {
                ...commonOptions,
                axisLine: { show: false },
                pointer: {
                  icon: 'rect',
                  width: 3,
                  length: ringPx + 4,
                  offsetCenter: [0, -(radiusPx - ringPx - 2)],
                  itemStyle: { color: theme.text },
                },
                progress: { show: false },
                detail: { show: false },
                title: { show: false },
                data: [{ value: target }],
              },
            ]),
      ],
    };
  },
};
