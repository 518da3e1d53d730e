import { CustomChart } from 'echarts/charts';
import { AriaComponent, TooltipComponent } from 'echarts/components';
import { treemap, type HierarchyRectangularNode } from 'd3-hierarchy';
import { baseOption } from './drawing/base.ts';
import type { DrawnChart, Look } from './drawing/chart.ts';
import { datumOf, nested } from './drawing/nested.ts';
import { textOn, type Paint } from './drawing/paint.ts';
import { treeTooltip, type Branch } from './drawing/tree.ts';

type Tile = HierarchyRectangularNode<Branch>;

const headPx = 22;
/** Room for some letters before the text is cut. */
const leastCutPx = 46;

/** Whether there is room for the name of a block above its tiles. */
const hasHead = ({ depth, x0, x1, y0, y1 }: Tile): boolean => depth > 0 && x1 - x0 > 40 && y1 - y0 > 2.5 * headPx;

const placesOf = (root: Parameters<ReturnType<typeof treemap<Branch>>>[0], { widthPx, heightPx }: Look): Tile =>
  treemap<Branch>()
    .size([widthPx, heightPx])
    .round(true)
    .paddingInner((tile) => (tile.depth === 0 ? 2 : 1))
    .paddingTop((tile) => (hasHead(tile) ? headPx : 0))(root);

/** The label of a tile; none where it would be cut to a letter or two. */
function labelOf({ data, children }: Tile, paint: Paint, width: number, height: number, look: Look): object {
  const { theme, rightToLeft } = look;
  const fits = (text: string): boolean => text.length * theme.axisPx * 0.62 <= width - 8;
  if ((!fits(data.name) && width < leastCutPx) || height < theme.axisPx + 6) return {};
  // A number that was cut would be another one.
  const hasValue = children === undefined && fits(data.text) && height > 2 * theme.axisPx + 16;
  const words = hasValue ? `${data.name}\n${data.text}` : data.name;
  const drawn = children === undefined ? paint : { ...paint, ink: theme.text, fill: paint.tint };
  return {
    textContent: { style: { ...textOn(words, drawn, width - 8, look), lineHeight: Math.round(theme.axisPx * 1.3) } },
    textConfig: {
      position: rightToLeft ? 'insideTopRight' : 'insideTopLeft',
      distance: children === undefined ? 4 : 3,
    },
  };
}

export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'treemap-chart',
  parts: [CustomChart, TooltipComponent, AriaComponent],
  option: (frame, look) => {
    // Members of `color` are the blocks and give their colour to the tiles within, which are members of `category`.
    const color = frame.slot('color').filter(({ kind }) => kind === 'dimension');
    const { root, paint } = nested(frame, [...color, ...frame.slot('category')], look);
    const tiles = placesOf(root, look)
      .descendants()
      .slice(1)
      .filter(({ x0, x1, y0, y1 }) => x1 > x0 && y1 > y0);
    return {
      ...baseOption(look),
      tooltip: treeTooltip(look),
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: tiles.map(datumOf),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const tile = tiles[dataIndex];
            if (tile === undefined) return null;
            const [width, height] = [tile.x1 - tile.x0, tile.y1 - tile.y0];
            const { fill, tint, decal, ...more } = paint(tile);
            const isTile = tile.children === undefined;
            return {
              type: 'rect',
              shape: { x: look.rightToLeft ? look.widthPx - tile.x1 : tile.x0, y: tile.y0, width, height },
              z2: tile.depth,
              style: { fill: isTile ? fill : tint, ...(isTile && decal !== null ? { decal: { ...decal } } : {}) },
              ...(isTile || hasHead(tile)
                ? labelOf(tile, { fill, tint, decal, ...more }, width, isTile ? height : headPx, look)
                : {}),
            };
          },
        },
      ],
    };
  },
};
