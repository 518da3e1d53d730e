import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { packSiblings } from 'd3-hierarchy';
import { baseOption, markLater, nameOf, written } from './drawing/base.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { paintsOf, textOn, type Paint } from './drawing/paint.ts';
import type { Frame, Row } from './frame/frame.ts';
import { cloudLegend } from './drawing/points.ts';
import { membersOf } from './frame/members.ts';
import { memberColor } from './colors/mark-color.ts';

interface Bubble {
  readonly row: Row;
  readonly name: string;
  readonly text: string;
  readonly paint: Paint;
  readonly r: number;
}

function bubblesOf(frame: Frame, context: SizedContext): readonly Bubble[] {
  const category = frame.slot('category')[0];
  const measure = frame.slot('measure')[0];
  const color = frame.slot('color')[0];
  const paints = paintsOf(context);
  const colorField = color ?? (measure === undefined ? category : undefined);
  const fillOf = (row: Row): string =>
    colorField === undefined
      ? context.theme.mainColor
      : memberColor(frame, context, colorField, row[colorField.index] ?? null);
  const isHidden = (row: Row): boolean =>
    color !== undefined && context.hidden?.has(nameOf(color.text(row[color.index]))) === true;
  const places = color === undefined ? [] : membersOf(frame, color).map(({ key }) => key);
  return frame.rows
    .filter((row) => !isHidden(row))
    .map((row, index) => {
      return {
        row,
        name: nameOf(category?.text(row[category.index]) ?? ''),
        text: written(measure, measure === undefined ? '' : row[measure.index]),
        paint: paints(fillOf(row), color === undefined ? index : places.indexOf(color.key(row[color.index]))),
        r: Math.sqrt(Math.max(0, measure === undefined ? 1 : (measure.number(row[measure.index]) ?? 0))),
      };
    })
    .filter(({ r }) => r > 0)
    .toSorted((a, b) => b.r - a.r);
}

/**
 * Returns the label of a bubble: the name, and the value if all of it fits. Truncated digits would read as a different
 * number.
 */
const wordsIn = ({ name, text }: Bubble, radius: number, { theme }: SizedContext): string =>
  text.length * theme.axisPx * 0.62 <= radius * 1.7 ? `${name}\n${text}` : name;

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'bubble-chart',
  parts: [CustomChart, TooltipComponent],
  legend: (frame, context) => {
    const color = frame.slot('color')[0];
    return color === undefined ? null : cloudLegend({ color }, frame, context);
  },
  option: (frame, context) => {
    const bubbles = packSiblings(bubblesOf(frame, context).map((bubble) => ({ ...bubble })));
    const edge = (way: (bubble: (typeof bubbles)[number]) => number): number => Math.max(...bubbles.map(way), 0);
    const [left, right] = [edge(({ x, r }) => r - x), edge(({ x, r }) => x + r)];
    const [top, bottom] = [edge(({ y, r }) => r - y), edge(({ y, r }) => y + r)];
    const scale = Math.min(context.widthPx / Math.max(left + right, 1), context.heightPx / Math.max(top + bottom, 1));
    const center = [
      context.widthPx / 2 + ((left - right) / 2) * scale,
      context.heightPx / 2 + ((top - bottom) / 2) * scale,
    ] as const;
    return {
      ...baseOption(context),
      tooltip: tooltipOf(context, ({ dataIndex }: { dataIndex: number }) => {
        const bubble = bubbles[dataIndex];
        return bubble === undefined
          ? null
          : { title: '', rows: [{ color: bubble.paint.fill, label: bubble.name, value: bubble.text }] };
      }),
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
              shape: { cx: center[0] + bubble.x * scale, cy: center[1] + bubble.y * scale, r: radius },
              style: { fill, ...(decal === null ? {} : { decal: { ...decal } }) },
              ...(radius > 16
                ? {
                    textContent: {
                      style: {
                        ...textOn(wordsIn(bubble, radius, context), bubble.paint, radius * 1.7, context),
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
