import { SunburstChart } from 'echarts/charts';
import { AriaComponent, TooltipComponent } from 'echarts/components';
import { baseOption } from './drawing/base.ts';
import type { DrawnChart, Look } from './drawing/chart.ts';
import { labelOn, paintsOf, shade } from './drawing/paint.ts';
import { treeOf, treeTooltip, type Branch } from './drawing/tree.ts';

/** Shares of the room's half: where the first ring begins and the last one ends. */
const [innerShare, outerShare] = [0.12, 0.98];

interface Rings {
  readonly firstPx: number;
  readonly widthPx: number;
}

/** Members with a colour for each of the first level, and paler shades of it further out. */
function coloured(tops: readonly Branch[], { firstPx, widthPx }: Rings, look: Look): readonly unknown[] {
  const paints = paintsOf(look);
  const within = (branch: Branch, fill: string, depth: number): unknown => {
    const color = shade(fill, Math.max(0.4, 1 - depth * 0.25), look);
    // Wide enough, in the middle of its ring, for a line of text.
    const minAngle = (look.theme.axisPx / (firstPx + (depth + 0.5) * widthPx)) * (180 / Math.PI);
    return {
      ...branch,
      itemStyle: { color },
      label: { ...labelOn(color, look), minAngle },
      children: branch.children.map((one) => within(one, fill, depth + 1)),
    };
  };
  return tops.map((top, index) => within(top, paints(index).fill, 0));
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'sunburst-chart',
  parts: [SunburstChart, TooltipComponent, AriaComponent],
  option: (frame, look) => {
    const levels = frame.slot('levels');
    const half = Math.min(look.widthPx, look.heightPx) / 2;
    const rings = {
      firstPx: half * innerShare,
      widthPx: (half * (outerShare - innerShare)) / Math.max(1, levels.length),
    };
    return {
      ...baseOption(look),
      tooltip: treeTooltip(look),
      series: [
        {
          type: 'sunburst',
          radius: [`${innerShare * 100}%`, `${outerShare * 100}%`],
          data: coloured(treeOf(frame, levels), rings, look),
          nodeClick: false,
          itemStyle: { borderColor: look.theme.itemsBackground, borderWidth: 1 },
          label: {
            show: rings.widthPx > 30,
            fontSize: look.theme.axisPx - 1,
            overflow: 'truncate',
            width: rings.widthPx - 4,
          },
          emphasis: { focus: 'ancestor' },
        },
      ],
    };
  },
};
