import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { pack, type HierarchyCircularNode, type HierarchyNode } from 'd3-hierarchy';
import { belowZeroNote } from './drawing/below-zero.ts';
import { baseOption } from './drawing/base.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { datumOf, nested } from './drawing/nested.ts';
import { textOn } from './drawing/paint.ts';
import { fitted, wrapped } from './drawing/text-width.ts';
import { treeTooltip, type Branch } from './drawing/tree.ts';

type Circle = HierarchyCircularNode<Branch>;

const [leastPx, lineShare] = [9, 1.15];

/**
 * Returns the label of a circle in the largest font size at which the name fits in up to three lines. If it never fits,
 * the name is truncated. Null if hardly a character would remain.
 */
function nameIn(
  name: string,
  r: number,
  context: SizedContext,
): { readonly text: string; readonly fontSize: number } | null {
  const acrossPx = (sizePx: number, lines: number): number =>
    1.9 * Math.sqrt(Math.max(0, r ** 2 - ((lines * sizePx * lineShare) / 2) ** 2));
  for (let fontSize = context.theme.axisPx; fontSize >= leastPx; fontSize -= 1)
    for (const maxLines of [1, 2, 3]) {
      const lines = wrapped(name, fontSize, acrossPx(fontSize, maxLines), maxLines, context);
      if (lines.join(' ') === name) return { text: lines.join('\n'), fontSize };
    }
  const fontSize = Math.max(leastPx, Math.min(context.theme.axisPx, Math.round(r * 0.42)));
  const text = fitted(name, fontSize, acrossPx(fontSize, 1), context);
  return text.length < 4 ? null : { text, fontSize };
}

/** Packs circles into circles. Returns their centres and radii in px. */
function placesOf(root: HierarchyNode<Branch>, { widthPx, heightPx }: SizedContext) {
  const circles = pack<Branch>().size([1, 1]).padding(0.008)(root).descendants().slice(1);
  const edge = (way: (circle: Circle) => number): number => Math.max(...circles.map(way));
  const [left, right] = [-edge(({ x, r }) => r - x), edge(({ x, r }) => x + r)];
  const [top, bottom] = [-edge(({ y, r }) => r - y), edge(({ y, r }) => y + r)];
  const scale = Math.min(widthPx / (right - left), heightPx / (bottom - top));
  return {
    circles,
    scale,
    at: ({ x, y }: Circle) => ({
      cx: widthPx / 2 + (x - (left + right) / 2) * scale,
      cy: heightPx / 2 + (y - (top + bottom) / 2) * scale,
    }),
  };
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'circle-pack-chart',
  note: belowZeroNote,
  parts: [CustomChart, TooltipComponent],
  option: (frame, context) => {
    const { root, paint } = nested(frame, frame.slot('levels'), context);
    const { circles, scale, at } = placesOf(root, context);
    return {
      ...baseOption(context),
      tooltip: treeTooltip(context),
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: circles.map(datumOf),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const circle = circles[dataIndex];
            if (circle === undefined) return null;
            const isLeaf = circle.children === undefined;
            const circlePaint = paint(circle);
            const r = circle.r * scale;
            const { fill, tint, decal } = circlePaint;
            const name = isLeaf ? nameIn(circle.data.name, r, context) : null;
            return {
              type: 'circle',
              shape: { ...at(circle), r },
              z2: circle.depth,
              style: { fill: isLeaf ? fill : tint, ...(isLeaf && decal !== null ? { decal: { ...decal } } : {}) },
              ...(name === null
                ? {}
                : {
                    textContent: {
                      style: {
                        ...textOn(name.text, circlePaint, r * 2, context),
                        fontSize: name.fontSize,
                        lineHeight: name.fontSize * lineShare,
                        align: 'center',
                      },
                    },
                    textConfig: { position: 'inside' },
                  }),
            };
          },
        },
      ],
    };
  },
};
