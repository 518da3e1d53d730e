import { CustomChart } from 'echarts/charts';
import { AriaComponent, TooltipComponent } from 'echarts/components';
import { pack, type HierarchyCircularNode, type HierarchyNode } from 'd3-hierarchy';
import { baseOption } from './drawing/base.ts';
import type { DrawnChart, Look } from './drawing/chart.ts';
import { datumOf, nested } from './drawing/nested.ts';
import { textOn } from './drawing/paint.ts';
import { treeTooltip, type Branch } from './drawing/tree.ts';

type Circle = HierarchyCircularNode<Branch>;

const sizeIn = (r: number, { theme }: Look): number => Math.min(theme.axisPx, Math.max(9, r * 0.42));

/** Circles in circles, as large as the room allows, and where their middles are in px. */
function placesOf(root: HierarchyNode<Branch>, { widthPx, heightPx }: Look) {
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
  parts: [CustomChart, TooltipComponent, AriaComponent],
  option: (frame, look) => {
    const { root, paint } = nested(frame, frame.slot('levels'), look);
    const { circles, scale, at } = placesOf(root, look);
    return {
      ...baseOption(look),
      tooltip: treeTooltip(look),
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: circles.map(datumOf),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const circle = circles[dataIndex];
            if (circle === undefined) return null;
            const isLeaf = circle.children === undefined;
            const painted = paint(circle);
            const r = circle.r * scale;
            const { fill, tint, decal } = painted;
            return {
              type: 'circle',
              shape: { ...at(circle), r },
              z2: circle.depth,
              style: { fill: isLeaf ? fill : tint, ...(isLeaf && decal !== null ? { decal: { ...decal } } : {}) },
              ...(isLeaf && r > 16
                ? {
                    textContent: {
                      style: { ...textOn(circle.data.name, painted, r * 1.8, look), fontSize: sizeIn(r, look) },
                    },
                    textConfig: { position: 'inside' },
                  }
                : {}),
            };
          },
        },
      ],
    };
  },
};
