import { divergingStops, rampOf, resolveTheme, sequentialStops, type Theme } from '@inlay/contract/theme';
import type { JsonObject } from '@inlay/contract';
import { converter, parse, wcagContrast } from 'culori';
import { leastDifference, seenColor, visions, type Vision } from './vision.ts';

const oklabOf = converter('oklab');

/** Number of palette colours that are compared with each other. */
const comparedCount = 8;
const rampSteps = 8;

export const limits = {
  /**
   * Minimum CIEDE2000 difference in every kind of vision: between two of the first eight colours, and between the ends
   * of a diverging ramp.
   */
  difference: 10,
  /** Minimum contrast of marks with the background of items (WCAG 2.2, 1.4.11). */
  markContrast: 3,
  /** Minimum contrast of text with its background (WCAG 2.2, 1.4.3). */
  textContrast: 4.5,
  /** Maximum deviation of a ramp's lightness step (OKLab) from the mean step, as a fraction of the mean step. */
  stepError: 0.1,
  /** Minimum lightness range of a ramp, or of each half of a diverging ramp, from 0 to 1 (OKLab). */
  lightness: 0.3,
} as const;

/** How even the lightness steps of a ramp are, and its lightness range. */
export interface RampFigures {
  readonly stepError: number;
  readonly lightness: number;
}

export interface ThemeFigures {
  /** Minimum difference between two colours of the palette, for each kind of vision. */
  readonly difference: Readonly<Record<Vision, number>>;
  readonly markContrast: number;
  readonly textContrast: number;
  readonly sequential: RampFigures;
  /** Figures of the worse half of the diverging ramp. */
  readonly diverging: RampFigures;
  /** Difference between the ends of the diverging ramp, in the worst kind of vision. */
  readonly ends: number;
  readonly colors: number;
}

const lightnessOf = (color: string): number => oklabOf(parse(color))?.l ?? 0;

function rampFigures(ramp: (share: number) => string, from: number, to: number): RampFigures {
  const places = Array.from({ length: rampSteps + 1 }, (_, index) => from + ((to - from) * index) / rampSteps);
  const levels = places.map((place) => lightnessOf(ramp(place)));
  const steps = levels.slice(1).map((level, index) => level - (levels[index] ?? 0));
  const lightness = (levels.at(-1) ?? 0) - (levels[0] ?? 0);
  const mean = lightness / rampSteps;
  const stepError = Math.max(...steps.map((step) => Math.abs(step - mean))) / Math.max(Math.abs(mean), 1e-6);
  return { stepError, lightness: Math.abs(lightness) };
}

const worse = (left: RampFigures, right: RampFigures): RampFigures => ({
  stepError: Math.max(left.stepError, right.stepError),
  lightness: Math.min(left.lightness, right.lightness),
});

/** Returns each text colour of a theme together with its background. */
const textsOf = (theme: Theme): readonly (readonly [string, string])[] => [
  ...[theme.text, theme.mutedText, theme.link, theme.positive, theme.negative].map(
    (text) => [text, theme.itemsBackground] as const,
  ),
  ...Object.values(theme.page).map((text) => [text, theme.background] as const),
  [theme.onMain, theme.mainColor],
  [theme.tooltip.text, theme.tooltip.background],
];

/** Measures a theme with its defaults applied. */
export function measuredTheme(properties: JsonObject): ThemeFigures {
  const theme = resolveTheme([properties]);
  const seenColors = theme.colors.slice(0, comparedCount).map(seenColor);
  const [sequential, diverging] = [rampOf(sequentialStops(theme)), rampOf(divergingStops(theme))];
  const contrasts = (pairs: readonly (readonly [string, string])[]): number =>
    Math.min(...pairs.map(([front, back]) => wcagContrast(front, back)));
  const ends = [diverging(0), diverging(1)].map(seenColor);
  return {
    difference: {
      normal: leastDifference(seenColors, 'normal'),
      protanopia: leastDifference(seenColors, 'protanopia'),
      deuteranopia: leastDifference(seenColors, 'deuteranopia'),
      tritanopia: leastDifference(seenColors, 'tritanopia'),
    },
    markContrast: contrasts([...theme.colors, theme.mainColor].map((color) => [color, theme.itemsBackground])),
    textContrast: contrasts(textsOf(theme)),
    sequential: rampFigures(sequential, 0, 1),
    diverging: worse(rampFigures(diverging, 0, 0.5), rampFigures(diverging, 0.5, 1)),
    ends: Math.min(...visions.map((vision) => leastDifference(ends, vision))),
    colors: theme.colors.length,
  };
}

/** Describes the limits that a theme violates. The list is empty if the theme passes. */
export function themeFaults(properties: JsonObject): readonly string[] {
  const figures = measuredTheme(properties);
  const atLeast = (name: string, value: number, minimum: number): readonly string[] =>
    value >= minimum ? [] : [`${name} is ${value.toFixed(2)}, less than ${minimum}`];
  const ramp = (name: string, { stepError, lightness }: RampFigures): readonly string[] => [
    ...(stepError <= limits.stepError
      ? []
      : [`a step of the ${name} ramp is off by ${(100 * stepError).toFixed(0)} %`]),
    ...atLeast(`the lightness of the ${name} ramp`, lightness, limits.lightness),
  ];
  return [
    ...atLeast('the number of colours', figures.colors, comparedCount),
    ...visions.flatMap((vision) =>
      atLeast(`the difference of colours in ${vision} vision`, figures.difference[vision], limits.difference),
    ),
    ...atLeast('the contrast of marks', figures.markContrast, limits.markContrast),
    ...atLeast('the contrast of texts', figures.textContrast, limits.textContrast),
    ...ramp('sequential', figures.sequential),
    ...ramp('diverging', figures.diverging),
    ...atLeast('the difference of the ends of the diverging ramp', figures.ends, limits.difference),
  ];
}
