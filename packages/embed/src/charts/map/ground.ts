import type { Look } from '../frame/chart.ts';
import { shade } from '../drawing/paint.ts';
import type { Level } from './map-level.ts';
import { dotOf, isDot, outlineOf } from './paths.ts';
import type { Place } from './places.ts';
import { projectionOf, viewAround, world, type Projection } from './projection.ts';
import { joined, type Shape } from './shapes.ts';

/** The part of the world that a map shows, and how the land on it is drawn. */
export interface Ground {
  readonly projection: Projection;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly landColor: string;
  readonly lineColor: string;
  /** Around areas that are too small to be seen by their outline. */
  readonly dotColor: string;
}

/** How much is left free around what is shown. */
export interface Margin {
  /** Below the map, in px. */
  readonly belowPx: number;
  /** On each side, as a share of what is shown. */
  readonly share: number;
}

/** The ground on which all places can be seen; the world where there are none. */
export function groundOf(placed: readonly Place[], look: Look, { belowPx, share }: Margin): Ground {
  const { theme, widthPx, patterns } = look;
  const heightPx = Math.max(20, look.heightPx - belowPx);
  const [first, ...more] = placed;
  const view =
    first === undefined
      ? world
      : viewAround(
          more.reduce((box, place) => joined(box, place.box), first.box),
          share,
        );
  return {
    projection: projectionOf(view, widthPx, heightPx),
    widthPx,
    heightPx,
    landColor: shade(theme.text, theme.dark ? 0.14 : 0.09, look),
    lineColor: patterns ? theme.text : theme.itemsBackground,
    dotColor: theme.mutedText,
  };
}

/** An area as ECharts draws it; what leads beyond the ground is cut off. */
export function areaOn(
  { projection, widthPx, heightPx, lineColor, dotColor }: Ground,
  shape: Shape,
  style: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const isSmall = isDot(shape, projection);
  const pathData = isSmall ? dotOf(shape, projection) : outlineOf(shape, projection);
  if (pathData === '') return null;
  return {
    type: 'path',
    shape: { pathData },
    style: { stroke: isSmall ? dotColor : lineColor, lineWidth: 0.7, lineJoin: 'round', ...style },
    ...(shape.rings.every(({ box }) => projection.holds(box) || !projection.shows(box))
      ? {}
      : { clipPath: { type: 'rect', shape: { x: 0, y: 0, width: widthPx, height: heightPx } } }),
  };
}

/** All land but some areas, as one shape that nobody points at. */
export function landOn(ground: Ground, { shapes }: Level, without: ReadonlySet<Shape>): Record<string, unknown> {
  const { projection, widthPx, heightPx, landColor, lineColor } = ground;
  const pathData = shapes
    .filter((shape) => !without.has(shape))
    .map((shape) => outlineOf(shape, projection))
    .join('');
  return {
    type: 'path',
    silent: true,
    shape: { pathData: pathData === '' ? 'M0,0' : pathData },
    style: { fill: landColor, stroke: lineColor, lineWidth: 0.7 },
    clipPath: { type: 'rect', shape: { x: 0, y: 0, width: widthPx, height: heightPx } },
  };
}

/** What is drawn as it is, and nobody points at, as a series. */
export const still = (element: Record<string, unknown> | null): Record<string, unknown> => ({
  type: 'custom',
  coordinateSystem: 'none',
  silent: true,
  data: [0],
  renderItem: () => element,
});
