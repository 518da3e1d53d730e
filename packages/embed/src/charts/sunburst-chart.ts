import { SunburstChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { belowZeroNote } from './drawing/below-zero.ts';
import { baseOption } from './drawing/base.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { memberColor } from './colors/mark-color.ts';
import type { Frame } from './frame/frame.ts';
import { decalAt, labelOn, shade } from './drawing/paint.ts';
import { fitted, widthOf } from './drawing/text-width.ts';
import { treeOf, treeTooltip, type Branch } from './drawing/tree.ts';

/** Inner radius of the first ring and outer radius of the last ring, as shares of half the chart's size. */
const [innerShare, outerShare] = [0.12, 0.98];

interface Rings {
  readonly firstPx: number;
  readonly widthPx: number;
}

const leastPx = 9;

/**
 * Returns the label options of a ring segment. The label is radial or tangential if the name fits, otherwise radial and
 * truncated. It is hidden if hardly a character would remain. `angle` is the angle of the segment in radians;
 * `middlePx` is its mean radius.
 */
function labelIn(
  name: string,
  angle: number,
  middlePx: number,
  ringPx: number,
  context: SizedContext,
): Record<string, unknown> {
  const [roomPx, arcPx] = [ringPx - 4, angle * middlePx];
  const largestPx = context.theme.axisPx - 1;
  const isAcross = (px: number, sizePx: number): boolean => {
    const halfPx = px / 2 + 2;
    if (halfPx >= middlePx || 2 * Math.asin(halfPx / middlePx) > angle) return false;
    return middlePx - Math.sqrt(middlePx ** 2 - halfPx ** 2) <= (ringPx - sizePx) / 2;
  };
  for (let fontSize = largestPx; fontSize >= leastPx; fontSize -= 1) {
    const namePx = widthOf(name, fontSize, context);
    if (namePx <= roomPx && arcPx >= fontSize) return { fontSize };
    if (isAcross(namePx, fontSize)) return { fontSize, rotate: 'tangential', width: namePx + 4 };
  }
  const text = fitted(name, largestPx, roomPx, context);
  return arcPx < largestPx || text.length < 4 ? { show: false } : { fontSize: largestPx };
}

/** Colours the members of the first level. Deeper members get a paler shade of the colour of their ancestor. */
function coloured(
  tops: readonly Branch[],
  { firstPx, widthPx }: Rings,
  frame: Frame,
  context: SizedContext,
): readonly unknown[] {
  const sumOfTops = tops.reduce((sum, { value }) => sum + value, 0);
  const within = (branch: Branch, fill: string, depth: number, place: number): unknown => {
    const color = shade(fill, Math.max(0.4, 1 - depth * 0.25), context);
    const { name, value, text, mark } = branch;
    const angle = (value / sumOfTops) * 2 * Math.PI;
    const label = labelIn(name, angle, firstPx + (depth + 0.5) * widthPx, widthPx, context);
    return {
      name,
      value,
      text,
      mark,
      itemStyle: { color, ...decalAt(context, place) },
      label: { ...labelOn(color, context), ...label },
      children: branch.children.map((child) => within(child, fill, depth + 1, place)),
    };
  };
  return tops.map((top, place) =>
    within(
      top,
      top.field === null ? context.theme.mainColor : memberColor(frame, context, top.field, top.cell),
      0,
      place,
    ),
  );
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'sunburst-chart',
  note: belowZeroNote,
  parts: [SunburstChart, TooltipComponent],
  option: (frame, context) => {
    const levels = frame.slot('levels');
    const halfPx = Math.min(context.widthPx, context.heightPx) / 2;
    const rings = {
      firstPx: halfPx * innerShare,
      widthPx: (halfPx * (outerShare - innerShare)) / Math.max(1, levels.length),
    };
    return {
      ...baseOption(context),
      tooltip: treeTooltip(context),
      series: [
        {
          type: 'sunburst',
          radius: [`${innerShare * 100}%`, `${outerShare * 100}%`],
          data: coloured(treeOf(frame, levels), rings, frame, context),
          nodeClick: false,
          itemStyle: { borderColor: context.theme.itemsBackground, borderWidth: 1 },
          label: {
            overflow: 'truncate',
            width: rings.widthPx - 4,
          },
          emphasis: { focus: 'ancestor' },
        },
      ],
    };
  },
};
