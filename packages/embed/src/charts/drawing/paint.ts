import { over, parseColor, writeColor, type Rgba, inkOnMark } from '@inlay/contract/theme';
import { memoize } from '../../locale/memoize.ts';
import type { SizedContext } from '../frame/chart.ts';

/** Colours of a mark. */
export interface Paint {
  readonly fill: string;
  /** Text colour on the fill. */
  readonly ink: string;
  /** Pale fill of containers. Texts on it have the text colour of the theme. */
  readonly tint: string;
  /** ECharts pattern that is drawn on top of the fill; null if marks have no patterns. */
  readonly decal: Record<string, unknown> | null;
}

const shapes: readonly Record<string, unknown>[] = [
  { dashArrayX: [1, 0], dashArrayY: [2, 5], symbolSize: 1, rotation: Math.PI / 6 },
  {
    symbol: 'circle',
    dashArrayX: [
      [8, 8],
      [0, 8, 8, 0],
    ],
    dashArrayY: [6, 0],
    symbolSize: 0.8,
  },
  { dashArrayX: [1, 0], dashArrayY: [4, 3], rotation: -Math.PI / 4 },
  {
    dashArrayX: [
      [6, 6],
      [0, 6, 6, 0],
    ],
    dashArrayY: [6, 0],
  },
  {
    dashArrayX: [
      [1, 0],
      [1, 6],
    ],
    dashArrayY: [1, 0, 6, 0],
    rotation: Math.PI / 4,
  },
  {
    symbol: 'triangle',
    dashArrayX: [
      [9, 9],
      [0, 9, 9, 0],
    ],
    dashArrayY: [7, 2],
    symbolSize: 0.75,
  },
];

/** Patterns that contrast with the marks of a theme: pale patterns on dark colours, dark patterns on pale colours. */
const decalsOf = ({ theme }: SizedContext): readonly Record<string, unknown>[] =>
  shapes.map((shape) => ({ ...shape, color: theme.dark ? 'rgba(0,0,0,0.28)' : 'rgba(255,255,255,0.3)' }));

/** Returns the pattern of the legend entry at an index; empty if marks have no patterns. */
export function decalAt(context: SizedContext, place: number): Readonly<Record<string, unknown>> {
  const decals = context.patterns ? decalsOf(context) : [];
  const decal = decals[place % Math.max(1, decals.length)];
  return decal === undefined ? {} : { decal };
}

const grey: Rgba = { r: 128, g: 128, b: 128, a: 1 };
const rgbaOf = (color: string): Rgba => parseColor(color) ?? grey;

/** Returns the colour of text on a fill: white if it is readable, otherwise near black. */
export const inkOn = (fill: string): string => writeColor(inkOnMark(rgbaOf(fill)));

/** Blends a colour with the background of items. `share` is the opacity of the colour, from 0 to 1. */
export const shade = (fill: string, share: number, { theme }: SizedContext): string =>
  writeColor(over({ ...rgbaOf(fill), a: share }, rgbaOf(theme.itemsBackground)));

/** Returns a function that creates the paint of a colour. `index` selects the pattern. */
export function paintsOf(context: SizedContext): (fill: string, index: number) => Paint {
  const decals = context.patterns ? decalsOf(context) : [];
  const paintOf = memoize((fill: string) => ({ fill, ink: inkOn(fill), tint: shade(fill, 0.2, context) }));
  return (fill, index) => ({ ...paintOf(fill), decal: decals[index % decals.length] ?? null });
}

/**
 * Returns the ellipsis of truncated text. For right-to-left text, it ends with a left-to-right mark, which keeps the
 * ellipsis at the end of Latin text.
 */
const ellipsis = (rightToLeft: boolean): string => (rightToLeft ? '…\u200e' : '…');

/**
 * Returns a text on a mark, truncated to a width of `widthPx`. If the mark has a pattern, the text has an outline in
 * the mark's colour.
 */
export const textOn = (
  text: string,
  { fill, ink, decal }: Pick<Paint, 'fill' | 'ink' | 'decal'>,
  widthPx: number,
  { theme, rightToLeft }: SizedContext,
): Record<string, unknown> => ({
  text,
  fill: ink,
  ...(decal === null ? {} : { stroke: fill, lineWidth: 3 }),
  fontSize: theme.axisPx,
  fontFamily: theme.font.family,
  width: widthPx,
  overflow: 'truncate',
  ellipsis: ellipsis(rightToLeft),
  truncateMinChar: 3,
});

/** Returns the options of an ECharts label on `fill`. */
export const labelOn = (fill: string, { patterns, rightToLeft }: SizedContext): Record<string, unknown> => ({
  color: inkOn(fill),
  ellipsis: ellipsis(rightToLeft),
  ...(patterns ? { textBorderColor: fill, textBorderWidth: 3 } : {}),
});
