import { listOr, type JsonObject } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { clampChroma, converter, formatHex, parse, wcagContrast, type Oklch } from 'culori';
import { limits, themeFaults } from './measure.ts';
import { arrangedPalette } from './palette.ts';
import { differenceOf, leastDifference, seenColor, visions } from './vision.ts';

const oklchOf = converter('oklch');

/** A theme in a light and in a dark form. */
export interface ThemePair {
  readonly light: JsonObject;
  readonly dark: JsonObject;
}

/**
 * Parameters of a form, from 0 to 1 (OKLCH): lightness and chroma of its surfaces, and the lightness range of its
 * marks.
 */
interface Form {
  /** Id of the built-in theme that provides everything except colours. */
  readonly base: string;
  readonly surfaces: Readonly<Record<'background' | 'items' | 'border' | 'tooltip', readonly [number, number]>>;
  /** Lightness of ramps at the pale end and at the strong end. */
  readonly ramp: readonly [number, number];
  readonly lightness: readonly [number, number];
}

const forms: Readonly<Record<keyof ThemePair, Form>> = {
  light: {
    base: 'default',
    surfaces: { background: [0.972, 0.006], items: [1, 0], border: [0.91, 0.012], tooltip: [0.26, 0.02] },
    ramp: [0.95, 0.45],
    lightness: [0.34, 0.66],
  },
  dark: {
    base: 'default_dark',
    surfaces: { background: [0.19, 0.012], items: [0.245, 0.014], border: [0.35, 0.018], tooltip: [0.95, 0.008] },
    ramp: [0.33, 0.84],
    lightness: [0.58, 0.9],
  },
};

/**
 * Further series colours. Each has its lightness as a place in the range of the form, its chroma, and its hue relative
 * to the brand, in degrees.
 */
const others: readonly (readonly [number, number, number])[] = [
  [0.6, 0.15, 165],
  [0.85, 0.13, 75],
  [0.25, 0.13, 250],
  [0.7, 0.15, 300],
  [0.1, 0.1, 120],
  [0.9, 0.12, 210],
  [0.4, 0.01, 0],
];
const seeds = 20;
/** Number of palettes that are tried, to choose the best valid one. If none is valid, more are tried until one is. */
const usualSeeds = 4;
/** Factor by which limits are exceeded, since colours are rounded when they are written. */
const safetyFactor = 1.03;

const hex = (l: number, c: number, h: number): string => formatHex(clampChroma({ mode: 'oklch', l, c, h }, 'oklch'));

/** Returns the brand's colour, darkened or lightened until its marks are visible on `items`. */
function markOf(brand: Oklch, items: string): string {
  const { l, c, h = 0 } = brand;
  const isSeen = (color: string): boolean => wcagContrast(color, items) >= limits.markContrast;
  if (isSeen(formatHex(brand))) return formatHex(brand);
  const step = wcagContrast(items, '#ffffff') < 2 ? -0.01 : 0.01;
  const movedColors = Array.from({ length: 100 }, (_, index) => hex(Math.min(1, Math.max(0, l + index * step)), c, h));
  return movedColors.find(isSeen) ?? (step < 0 ? '#000000' : '#ffffff');
}

/** Returns the other end of a diverging ramp: the colour that is most distinct from `end` in every kind of vision. */
function oppositeOf(end: string, l: number): string {
  const hues = [25, 60, 150, 200, 260, 320];
  const differs = (other: string): number => {
    const seenColors = [end, other].map(seenColor);
    return Math.min(...visions.map((vision) => leastDifference(seenColors, vision)));
  };
  return hues
    .map((hue) => hex(l, 0.13, hue))
    .reduce((best, candidate) => (differs(candidate) > differs(best) ? candidate : best));
}

/** Returns the goals for the colours of series. The main colour comes first. */
function goalsOf(main: string, hue: number, [minLightness, maxLightness]: Form['lightness']): readonly string[] {
  const otherColors = others.map(([place, chroma, turn]) =>
    hex(minLightness + place * (maxLightness - minLightness), chroma, (hue + turn) % 360),
  );
  return [main, ...otherColors];
}

/** Returns how far a theme's colours are from the goals. */
const distanceOf = ({ colors }: JsonObject, goals: readonly string[]): number =>
  goals.reduce((sum, goal, index) => {
    const color = listOr(colors)[index];
    return sum + (typeof color === 'string' ? differenceOf(seenColor(goal), seenColor(color), 'normal') ** 2 : 0);
  }, 0);

/** Builds a form of the theme. Tries series colours until the form passes every measurement. */
function formOf(brand: Oklch, form: Form): JsonObject {
  const hue = brand.h ?? 250;
  const surface = (name: keyof Form['surfaces']): string => {
    const [l, c] = form.surfaces[name];
    return hex(l, brand.c < 0.02 ? 0 : c, hue);
  };
  const items = surface('items');
  const main = markOf(brand, items);
  const [pale, strong] = form.ramp;
  const end = hex(strong, Math.min(brand.c, 0.17), hue);
  const theme: JsonObject = {
    ...builtInThemes[form.base],
    background: surface('background'),
    itemsBackground: items,
    mainColor: main,
    sequential: [hex(pale, Math.min(brand.c, 0.03), hue), end],
    diverging: [oppositeOf(end, strong), hex(pale, 0.01, hue), end],
    borders: { 'border-color': surface('border'), 'border-radius': 8, 'border-style': 'solid' },
    tooltip: { background: surface('tooltip'), fontSize: 13, lineHeight: 18, opacity: 1 },
  };
  const bounds = {
    background: items,
    contrast: limits.markContrast * safetyFactor,
    difference: limits.difference * safetyFactor,
  };
  const [minLightness, maxLightness] = form.lightness;
  const goals = goalsOf(main, hue, form.lightness);
  const candidates: JsonObject[] = [];
  for (let seed = 1; seed <= seeds && !(candidates.length > 0 && seed > usualSeeds); seed += 1) {
    const wider = Math.max(0, seed - usualSeeds) * 0.02;
    const lightness = [minLightness - wider, Math.min(1, maxLightness + wider)] as const;
    const completeTheme = { ...theme, colors: arrangedPalette(goals, { ...bounds, lightness }, seed) };
    if (themeFaults(completeTheme).length === 0) candidates.push(completeTheme);
  }
  const [best] = candidates.toSorted((left, right) => distanceOf(left, goals) - distanceOf(right, goals));
  if (best === undefined) throw new Error(`No colours beside ${main} can be told apart on ${items}`);
  return best;
}

/**
 * Derives a light and a dark theme from a colour. Both pass the checks of `themeFaults`. Raises Error if the text is
 * not a colour.
 */
export function themeFromColor(color: string): ThemePair {
  const parsedColor = parse(color);
  if (parsedColor === undefined) throw new Error(`"${color}" is no colour`);
  const brand = oklchOf(parsedColor);
  return { light: formOf(brand, forms.light), dark: formOf(brand, forms.dark) };
}
