import { CustomChart } from 'echarts/charts';
import { AriaComponent, TooltipComponent } from 'echarts/components';
import { packSiblings } from 'd3-hierarchy';
import { baseOption, markLater, nameOf, tooltipOf, written } from './drawing/base.ts';
import type { DrawnChart, Look } from './drawing/chart.ts';
import { paintsOf, textOn, type Paint } from './drawing/paint.ts';
import type { Frame, Row } from './drawing/frame.ts';
import { membersOf } from './drawing/members.ts';

interface Bubble {
  readonly row: Row;
  readonly name: string;
  readonly text: string;
  readonly paint: Paint;
  readonly r: number;
}

function bubblesOf(frame: Frame, look: Look): readonly Bubble[] {
  const category = frame.slot('category')[0];
  const measure = frame.slot('measure')[0];
  const color = frame.slot('color')[0];
  const members = color === undefined ? [] : membersOf(frame, color).map(({ key }) => key);
  const paints = paintsOf(look);
  return frame.rows
    .map((row, index) => {
      const at =
        color === undefined ? (measure === undefined ? index : 0) : members.indexOf(color.key(row[color.index]));
      return {
        row,
        name: nameOf(category?.text(row[category.index]) ?? ''),
        text: written(measure, measure === undefined ? '' : row[measure.index]),
        paint: paints(Math.max(0, at)),
        r: Math.sqrt(Math.max(0, measure === undefined ? 1 : (measure.number(row[measure.index]) ?? 0))),
      };
    })
    .filter(({ r }) => r > 0)
    .toSorted((a, b) => b.r - a.r);
}

/** A name, and its value where that fits: a number that was cut would be another one. */
const wordsIn = ({ name, text }: Bubble, radius: number, { theme }: Look): string =>
  text.length * theme.axisPx * 0.62 <= radius * 1.7 ? `${name}\n${text}` : name;

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'bubble-chart',
  parts: [CustomChart, TooltipComponent, AriaComponent],
  option: (frame, look) => {
    const bubbles = packSiblings(bubblesOf(frame, look).map((bubble) => ({ ...bubble })));
    const edge = (way: (bubble: (typeof bubbles)[number]) => number): number => Math.max(...bubbles.map(way), 0);
    const [left, right] = [edge(({ x, r }) => r - x), edge(({ x, r }) => x + r)];
    const [top, bottom] = [edge(({ y, r }) => r - y), edge(({ y, r }) => y + r)];
    const scale = Math.min(look.widthPx / Math.max(left + right, 1), look.heightPx / Math.max(top + bottom, 1));
    const middle = [
      look.widthPx / 2 + ((left - right) / 2) * scale,
      look.heightPx / 2 + ((top - bottom) / 2) * scale,
    ] as const;
    return {
      ...baseOption(look),
      tooltip: {
        ...tooltipOf(look),
        formatter: ({ dataIndex }: { dataIndex: number }) => {
          const bubble = bubbles[dataIndex];
          return bubble === undefined ? '' : `${bubble.name}: ${bubble.text}`;
        },
      },
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: bubbles.map(({ row, name, r }) => ({ name, value: r * r, mark: markLater(frame.dimensions, row) })),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const bubble = bubbles[dataIndex];
            if (bubble === undefined) return null;
            const { fill, decal } = bubble.paint;
            const radius = Math.max(1, bubble.r * scale - 1);
            return {
              type: 'circle',
              shape: { cx: middle[0] + bubble.x * scale, cy: middle[1] + bubble.y * scale, r: radius },
              style: { fill, ...(decal === null ? {} : { decal: { ...decal } }) },
              ...(radius > 16
                ? {
                    textContent: {
                      style: {
                        ...textOn(wordsIn(bubble, radius, look), bubble.paint, radius * 1.7, look),
                        align: 'center',
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
