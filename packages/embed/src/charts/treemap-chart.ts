import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { treemap, type HierarchyRectangularNode } from 'd3-hierarchy';
import { belowZeroNote } from './drawing/below-zero.ts';
import { baseOption } from './drawing/base.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { datumOf, nested } from './drawing/nested.ts';
import { textOn, type Paint } from './drawing/paint.ts';
import { widthOf, wrapped } from './drawing/text-width.ts';
import { treeTooltip, type Branch } from './drawing/tree.ts';

type Tile = HierarchyRectangularNode<Branch>;

const headPx = 22;
/** Minimum width of a tile for a truncated label. */
const leastCutPx = 46;

/** True if a block is large enough for a header above its tiles. */
const hasHead = ({ depth, x0, x1, y0, y1, data }: Tile, context: SizedContext): boolean =>
  depth > 0 && x1 - x0 > Math.max(leastCutPx, widthOf(data.name, 12, context) * 0.5) && y1 - y0 > 2.5 * headPx;

const placesOf = (root: Parameters<ReturnType<typeof treemap<Branch>>>[0], context: SizedContext): Tile =>
  treemap<Branch>()
    .size([context.widthPx, context.heightPx])
    .round(true)
    .paddingInner((tile) => (tile.depth === 0 ? 2 : 1))
    .paddingTop((tile) => (hasHead(tile, context) ? headPx : 0))(root);

/** Safety factor for fonts that are wider than estimated. It is 1 if widths are measured. */
const wider = ({ measure }: SizedContext): number => (measure ? 1 : 1.12);

/**
 * Returns the label of a tile: the name on as many lines as fit, and the value. Empty if only one or two characters
 * would remain.
 */
function labelOf({ data, children }: Tile, paint: Paint, width: number, height: number, context: SizedContext): object {
  const { theme, rightToLeft } = context;
  const linePx = Math.round(theme.axisPx * 1.3);
  const roomPx = width - 8;
  const maxPx = roomPx / wider(context);
  const fits = (text: string): boolean => widthOf(text, theme.axisPx, context) <= maxPx;
  const isTile = children === undefined;
  const maxLines = isTile ? Math.max(0, Math.floor((height - 6) / linePx)) : 1;
  if (maxLines === 0 || (!fits(data.name) && width < leastCutPx)) return {};
  // A value is never truncated, because fewer digits would read as a different number.
  const hasValue = isTile && maxLines > 1 && fits(data.text);
  const lines = wrapped(data.name, theme.axisPx, maxPx, Math.min(3, hasValue ? maxLines - 1 : maxLines), context);
  const content = [...lines, ...(hasValue ? [data.text] : [])].join('\n');
  const labelPaint = isTile ? paint : { ...paint, ink: theme.text, fill: paint.tint };
  return {
    textContent: { style: { ...textOn(content, labelPaint, roomPx, context), lineHeight: linePx } },
    textConfig: { position: rightToLeft ? 'insideTopRight' : 'insideTopLeft', distance: isTile ? 4 : 3 },
  };
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'treemap-chart',
  note: belowZeroNote,
  parts: [CustomChart, TooltipComponent],
  option: (frame, context) => {
    // The members of `color` are the blocks. Each colours the tiles within it, which are the members of `category`.
    const color = frame.slot('color').filter(({ kind }) => kind === 'dimension');
    const { root, paint } = nested(frame, [...color, ...frame.slot('category')], context);
    const tiles = placesOf(root, context)
      .descendants()
      .slice(1)
      .filter(({ x0, x1, y0, y1 }) => x1 > x0 && y1 > y0);
    return {
      ...baseOption(context),
      tooltip: treeTooltip(context),
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: tiles.map(datumOf),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const tile = tiles[dataIndex];
            if (tile === undefined) return null;
            const [width, height] = [tile.x1 - tile.x0, tile.y1 - tile.y0];
            const { fill, tint, decal, ...otherPaint } = paint(tile);
            const isTile = tile.children === undefined;
            return {
              type: 'rect',
              shape: { x: context.rightToLeft ? context.widthPx - tile.x1 : tile.x0, y: tile.y0, width, height },
              z2: tile.depth,
              style: { fill: isTile ? fill : tint, ...(isTile && decal !== null ? { decal: { ...decal } } : {}) },
              ...(isTile || hasHead(tile, context)
                ? labelOf(tile, { fill, tint, decal, ...otherPaint }, width, isTile ? height : headPx, context)
                : {}),
            };
          },
        },
      ],
    };
  },
};
