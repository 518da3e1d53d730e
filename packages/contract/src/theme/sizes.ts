import { densities, type Density } from './theme-values.ts';
import { member, objectIn, type Json, type JsonObject } from '../json.ts';
import { pxAt, pxIn } from './read.ts';

/** Sizes of a theme in px. Spacing and heights depend on the density of the theme. */
export interface Sizes {
  readonly smallPx: number;
  readonly figurePx: number;
  /** Font sizes of the three heading levels, as multiples of the font size of texts. */
  readonly headings: readonly [number, number, number];
  readonly spacePx: number;
  readonly paddingPx: number;
  readonly radius: { readonly smallPx: number; readonly mediumPx: number; readonly largePx: number };
  /** Height of a table row, and of a line of text in it. */
  readonly rowPx: number;
  readonly linePx: number;
  /** Height of a field or button in a filter. */
  readonly controlPx: number;
}

/** By density: factor for gaps and padding, height that a row has in addition to its line, height of a field. */
const byDensity = {
  compact: { share: 0.75, rowPx: 4, controlPx: 28 },
  normal: { share: 1, rowPx: 10, controlPx: 34 },
  comfortable: { share: 1.25, rowPx: 18, controlPx: 40 },
} as const satisfies Record<Density, object>;

const densityOf = (value: Json | undefined): Density => densities.find((density) => density === value) ?? 'normal';

/** Returns the sizes of a theme. `fontPx` is the font size of texts. */
export function sizesOf(theme: JsonObject, fontPx: number): Sizes {
  const { share, rowPx, controlPx } = byDensity[densityOf(member(theme, 'density'))];
  const type = objectIn(theme, 'typeScale');
  const radius = objectIn(theme, 'radius');
  const headings = member(type, 'headings');
  const linePx = Math.round(fontPx * 1.4);
  return {
    smallPx: pxIn(type, 'small', 12),
    figurePx: pxIn(type, 'figure', 44),
    headings: [pxAt(headings, 0, 1.7), pxAt(headings, 1, 1.35), pxAt(headings, 2, 1.1)],
    spacePx: pxIn(theme, 'spacing', 4) * share,
    paddingPx: pxIn(objectIn(theme, 'itemSpecific'), 'padding', 12) * share,
    radius: {
      smallPx: pxIn(radius, 'small', 4),
      mediumPx: pxIn(radius, 'medium', 6),
      largePx: pxIn(radius, 'large', 8),
    },
    rowPx: linePx + rowPx,
    linePx,
    controlPx: Math.max(controlPx, linePx + 6),
  };
}
