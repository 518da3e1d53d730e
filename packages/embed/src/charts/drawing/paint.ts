import { over, parseColor, writeColor, type Rgba, inkOnMark } from '@inlay/contract/theme';
import { kept } from '../../locale/kept.ts';
import type { Look } from '../frame/chart.ts';

/** How a mark of a colour of the theme is drawn. */
export interface Paint {
  readonly fill: string;
  /** Of a text on it. */
  readonly ink: string;
  /** A pale shade for what only holds others; its text has the colour of the theme's. */
  readonly tint: string;
  /** The pattern beside the colour, as ECharts draws it; null where none is wanted. */
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

/** Patterns that are seen on the marks of a theme: pale ones on dark colours, dark ones on pale colours. */
const decalsOf = ({ theme }: Look): readonly Record<string, unknown>[] =>
  shapes.map((shape) => ({ ...shape, color: theme.dark ? 'rgba(0,0,0,0.28)' : 'rgba(255,255,255,0.3)' }));

/** The pattern of the mark at a place of the legend; nothing where none is wanted. */
export function decalAt(look: Look, place: number): Readonly<Record<string, unknown>> {
  const decals = look.patterns ? decalsOf(look) : [];
  const decal = decals[place % Math.max(1, decals.length)];
  return decal === undefined ? {} : { decal };
}

const grey: Rgba = { r: 128, g: 128, b: 128, a: 1 };
const read = (color: string): Rgba => parseColor(color) ?? grey;

/** The colour of a text on a mark: white where it can be read, else nearly black. */
export const inkOn = (fill: string): string => writeColor(inkOnMark(read(fill)));

/** A colour as strong as `share` says, from 0 to 1, on what items lie on. */
export const shade = (fill: string, share: number, { theme }: Look): string =>
  writeColor(over({ ...read(fill), a: share }, read(theme.itemsBackground)));

/** How marks of a colour are painted; `index` chooses the pattern. */
export function paintsOf(look: Look): (fill: string, index: number) => Paint {
  const decals = look.patterns ? decalsOf(look) : [];
  const painted = kept((fill: string) => ({ fill, ink: inkOn(fill), tint: shade(fill, 0.2, look) }));
  return (fill, index) => ({ ...painted(fill), decal: decals[index % decals.length] ?? null });
}

/** What a text is cut with: after Latin letters it stands behind them, whichever way the text around runs. */
const ellipsis = (rightToLeft: boolean): string => (rightToLeft ? '…\u200e' : '…');

/** A text on a mark, cut where it is wider than `widthPx`. Over a pattern it has a rim of the mark's own colour. */
export const textOn = (
  text: string,
  { fill, ink, decal }: Pick<Paint, 'fill' | 'ink' | 'decal'>,
  widthPx: number,
  { theme, rightToLeft }: Look,
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

/** The same for labels of ECharts: the colour of a text on `fill`. */
export const labelOn = (fill: string, { patterns, rightToLeft }: Look): Record<string, unknown> => ({
  color: inkOn(fill),
  ellipsis: ellipsis(rightToLeft),
  ...(patterns ? { textBorderColor: fill, textBorderWidth: 3 } : {}),
});
