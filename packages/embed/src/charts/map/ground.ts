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
  /** Outline of areas that are drawn as dots. */
  readonly dotColor: string;
}

export interface Margin {
  /** Below the map. */
  readonly belowPx: number;
  /** On each side, as a share of the visible extent. */
  readonly share: number;
}

/** Returns the smallest map that shows all places; the whole world without any. */
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

/** ECharts element of an area, clipped to the map; null if it is not visible. */
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

/** All land except the areas in `excluded`, as a single non-interactive shape. */
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

/** Wraps an element in a non-interactive series. */
export const still = (element: Record<string, unknown> | null): Record<string, unknown> => ({
  type: 'custom',
  coordinateSystem: 'none',
  silent: true,
  data: [0],
  renderItem: () => element,
});
