import type { SizedContext } from '../frame/chart.ts';
import { shade } from '../drawing/paint.ts';
import type { Level } from './map-level.ts';
import { dotOf, isDot, outlineOf } from './paths.ts';
import type { Place } from './places.ts';
import { projectionOf, viewAround, world, type Projection } from './projection.ts';
import { joined, type Shape } from './shapes.ts';

/** The visible part of the world and the style of its land. */
export interface Ground {
  readonly projection: Projection;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly landColor: string;
  readonly lineColor: string;
  /** Colour of the outline of areas that are drawn as dots. */
  readonly dotColor: string;
}

export interface Margin {
  /** Space below the map. */
  readonly belowPx: number;
  /** Margin on each side, as a share of the visible extent. */
  readonly share: number;
}

/** Returns the smallest map that shows all places; the whole world if there are no places. */
export function groundOf(places: readonly Place[], context: SizedContext, { belowPx, share }: Margin): Ground {
  const { theme, widthPx, patterns } = context;
  const heightPx = Math.max(20, context.heightPx - belowPx);
  const [firstPlace, ...otherPlaces] = places;
  const view =
    firstPlace === undefined
      ? world
      : viewAround(
          otherPlaces.reduce((box, place) => joined(box, place.box), firstPlace.box),
          share,
        );
  return {
    projection: projectionOf(view, widthPx, heightPx),
    widthPx,
    heightPx,
    landColor: shade(theme.text, theme.dark ? 0.14 : 0.09, context),
    lineColor: patterns ? theme.text : theme.itemsBackground,
    dotColor: theme.mutedText,
  };
}

/** Returns the ECharts element of an area, clipped to the map; null if no part of the area is visible. */
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

/** Returns all land, except for the areas in `excluded`, as a single shape that does not react to the pointer. */
export function landOn(ground: Ground, { shapes }: Level, excluded: ReadonlySet<Shape>): Record<string, unknown> {
  const { projection, widthPx, heightPx, landColor, lineColor } = ground;
  const pathData = shapes
    .filter((shape) => !excluded.has(shape))
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

/** Wraps an element in a series that does not react to the pointer. */
export const still = (element: Record<string, unknown> | null): Record<string, unknown> => ({
  type: 'custom',
  coordinateSystem: 'none',
  silent: true,
  data: [0],
  renderItem: () => element,
});
