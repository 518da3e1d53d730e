import { TreemapChart } from 'echarts/charts';
import { AriaComponent, TooltipComponent } from 'echarts/components';
import { baseOption, onMark, tooltipOf } from './base.ts';
import type { DrawnChart, Look } from './chart.ts';
import { treeOf, type Branch } from './tree.ts';

/** Members of `color` give their colour to the tiles within; without them every tile has its own. */
const coloured = (blocks: readonly Branch[], { theme }: Look, within: boolean): readonly unknown[] =>
  blocks.map((block, index) => {
    const itemStyle = { color: theme.colors[index % theme.colors.length] ?? theme.mainColor };
    const children = within ? block.children.map((tile) => ({ ...tile, itemStyle })) : block.children;
    return { ...block, children, itemStyle };
  });

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'treemap-chart',
  parts: [TreemapChart, TooltipComponent, AriaComponent],
  option: (frame, look) => {
    const color = frame.slot('color').filter(({ kind }) => kind === 'dimension');
    return {
      ...baseOption(look),
      tooltip: {
        ...tooltipOf(look),
        formatter: ({ data }: { data: { name?: string; text?: string } | null }) =>
          data?.name === undefined ? '' : `${data.name}: ${data.text ?? ''}`,
      },
      series: [
        {
          type: 'treemap',
          // Members of `color` are the blocks, those of `category` the tiles within.
          data: coloured(treeOf(frame, [...color, ...frame.slot('category')]), look, color.length > 0),
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          colorBy: 'data',
          label: { ...onMark, fontSize: look.theme.axisPx, overflow: 'truncate' },
          upperLabel: { show: color.length > 0, height: 20, color: look.theme.text },
          levels: [
            {
              itemStyle: { borderColor: look.theme.itemsBackground, borderWidth: 0, gapWidth: 2 },
              upperLabel: { show: false },
            },
            { itemStyle: { borderColor: look.theme.itemsBackground, borderWidth: 2, gapWidth: 1 } },
          ],
        },
      ],
    };
  },
};
