import { GaugeChart } from 'echarts/charts';

import { baseOption } from './drawing/base.ts';
import { fitted } from './drawing/text-width.ts';
import type { DrawnChart } from './frame/chart.ts';
import { bandsOf, readGauge } from './gauge/gauge.ts';

/** A semicircular gauge with a needle, bands from the item's rules, and a tick at the target. */
export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'speedometer-chart',
  parts: [GaugeChart],
  option: (frame, context) => {
    const { theme, widthPx, heightPx } = context;
    const gauge = readGauge(frame, context);
    const { measure, value, target, min, max, text, note, color } = gauge;
    const { rules } = frame.settings;
    const sizePx = Math.round((theme.sizes.figurePx * 5) / 11);
    const textPx = sizePx + 26;
    const radiusPx = Math.max(20, Math.min(widthPx / 2 - 12, heightPx - textPx));
    const ringPx = Math.max(8, radiusPx * 0.17);
    const middlePx = (heightPx + radiusPx - textPx) / 2;
    const commonOptions = {
      type: 'gauge',
      min,
      max,
      radius: radiusPx,
      center: ['50%', middlePx],
      ...(context.rightToLeft ? { startAngle: 0, endAngle: 180, clockwise: false } : { startAngle: 180, endAngle: 0 }),
      axisTick: { show: false },
      splitLine: { show: false },
    };
    const pointerless = { progress: { show: false }, detail: { show: false }, title: { show: false } };
    return {
      ...baseOption(context),
      series: [
        {
          ...commonOptions,
          axisLine: { lineStyle: { width: ringPx, color: bandsOf(rules, gauge, theme.line) } },
          progress: { show: rules.length === 0 && value !== null, width: ringPx, itemStyle: { color } },
          splitNumber: 2,
          axisLabel: {
            distance: 8,
            color: theme.mutedText,
            fontSize: theme.axisPx,
            formatter: (at: number) => (at === min || at === max ? (measure?.short(at) ?? String(at)) : ''),
            show: radiusPx > 60,
          },
          pointer: { show: value !== null, length: '72%', width: 5, itemStyle: { color: theme.text } },
          anchor: { show: value !== null, size: 12, itemStyle: { color: theme.text } },
          title: { show: note !== '', offsetCenter: [0, sizePx + 18], color: theme.mutedText, fontSize: theme.axisPx },
          detail: {
            formatter: () => text,
            offsetCenter: [0, sizePx],

            color: theme.text,
            fontSize: sizePx,
            fontWeight: 600,
            fontFamily: theme.font.family,
          },
          data: [{ value: value ?? min, name: fitted(note, theme.axisPx, widthPx * 0.8, context) }],
        },
        ...(target === null
          ? []
          : [
              {
                ...commonOptions,
                axisLine: { show: false },
                axisLabel: { show: false },
                anchor: { show: false },
                pointer: {
                  icon: 'rect',
                  width: 3,
                  length: ringPx + 6,
                  offsetCenter: [0, -(radiusPx - ringPx - 3)],
                  itemStyle: { color: theme.text },
                },
                ...pointerless,
                data: [{ value: target }],
              },
            ]),
      ],
    };
  },
};
