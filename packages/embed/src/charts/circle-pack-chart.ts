import { CustomChart } from 'echarts/charts';
import { AriaComponent, TooltipComponent } from 'echarts/components';
import { hierarchy, pack, type HierarchyCircularNode } from 'd3-hierarchy';
import { baseOption, tooltipOf } from './base.ts';
import type { DrawnChart, Look } from './chart.ts';
import { treeOf, type Branch } from './tree.ts';
import type { Frame } from './frame.ts';

type Circle = HierarchyCircularNode<Branch>;

const root = (children: readonly Branch[]): Branch => ({
  ...{ name: '', value: 0, text: '' },
  mark: () => ({ cells: [] }),
  children,
});

/** Circles in circles, of a square as wide as the smaller side; places are shares of that side. */
function circlesOf(frame: Frame): readonly Circle[] {
  const tree = hierarchy(root(treeOf(frame, frame.slot('levels'))), ({ children }) => [...children])
    .sum(({ children, value }) => (children.length === 0 ? value : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  return pack<Branch>().size([1, 1]).padding(0.008)(tree).descendants().slice(1);
}

const colorAt = (circle: Circle, look: Look): string => {
  const top = circle.ancestors().at(-2) ?? circle;
  const siblings = top.parent?.children ?? [];
  return look.theme.colors[Math.max(0, siblings.indexOf(top)) % look.theme.colors.length] ?? look.theme.mainColor;
};

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'circle-pack-chart',
  parts: [CustomChart, TooltipComponent, AriaComponent],
  option: (frame, look) => {
    const circles = circlesOf(frame);
    const side = Math.min(look.widthPx, look.heightPx);
    const [left, top] = [(look.widthPx - side) / 2, (look.heightPx - side) / 2];
    return {
      ...baseOption(look),
      tooltip: {
        ...tooltipOf(look),
        formatter: ({ data }: { data: { name?: string; text?: string } | null }) =>
          data?.name === undefined ? '' : `${data.name}: ${data.text ?? ''}`,
      },
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: circles.map(({ data, value }) => ({ ...data, children: undefined, value: value ?? 0 })),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const circle = circles[dataIndex];
            if (circle === undefined) return null;
            const leaf = circle.children === undefined;
            const radius = circle.r * side;
            return {
              type: 'circle',
              shape: { cx: left + circle.x * side, cy: top + circle.y * side, r: radius },
              z2: circle.depth,
              style: {
                fill: colorAt(circle, look),
                opacity: leaf ? 0.9 : 0.22,
                stroke: look.theme.itemsBackground,
                lineWidth: 1,
              },
              ...(leaf && radius > 14
                ? {
                    textContent: {
                      style: {
                        text: circle.data.name,
                        fill: '#fff',
                        stroke: 'rgba(0,0,0,0.55)',
                        lineWidth: 2,
                        fontSize: look.theme.axisPx,
                        width: radius * 1.7,
                        overflow: 'truncate',
                      },
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
