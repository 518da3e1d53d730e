import type { SizedContext } from '../frame/chart.ts';
import type { ValueScale } from '../drawing/value-scale.ts';
import { widthOf } from '../drawing/text-width.ts';

/** Height of the scale's legend above or below a map, in px. */
export const scalePx = 22;
const [barPx, gapPx] = [8, 6];

/** Returns the colour scale with its minimum and maximum as ECharts elements. It is mirrored for right-to-left text. */
export function scaleOn(
  { least, most, stops }: ValueScale,
  write: (value: number) => string,
  context: SizedContext,
  topPx: number,
): Record<string, unknown> {
  const { theme, widthPx, rightToLeft } = context;
  const style = { fill: theme.mutedText, fontSize: theme.axisPx, fontFamily: theme.font.family };
  const middlePx = topPx + scalePx / 2;
  const [start, end] = [least === most ? '' : write(least), write(most)];
  const [startPx, endPx] = [start, end].map(
    (text) => widthOf(text, theme.axisPx, context) * (context.measure ? 1 : 1.12),
  );
  const roomPx = widthPx - (startPx ?? 0) - (endPx ?? 0) - 2 * gapPx;
  const longPx = Math.max(12, Math.min(140, roomPx));
  const x = (px: number, width = 0): number => (rightToLeft ? widthPx - px - width : px);
  const text = (words: string, px: number): Record<string, unknown> => ({
    type: 'text',
    silent: true,
    style: {
      ...style,
      text: words,
      x: x(px),
      y: middlePx,
      align: rightToLeft ? 'right' : 'left',
      verticalAlign: 'middle',
    },
  });
  const from = start === '' ? 0 : (startPx ?? 0) + gapPx;
  const places = stops.map(({ share, color }) => ({ offset: rightToLeft ? 1 - share : share, color }));
  return {
    type: 'group',
    silent: true,
    children: [
      ...(start === '' ? [] : [text(start, 0)]),
      {
        type: 'rect',
        silent: true,
        shape: {
          x: x(from, longPx),
          y: middlePx - barPx / 2,
          width: longPx,
          height: barPx,
          r: Math.min(theme.rounding, 4),
        },
        style: {
          fill:
            least === most
              ? stops.at(-1)?.color
              : {
                  type: 'linear',
                  x: 0,
                  y: 0,
                  x2: 1,
                  y2: 0,
                  colorStops: places.toSorted((a, b) => a.offset - b.offset),
                },
        },
      },
      text(end, from + longPx + gapPx),
    ],
  };
}
