import { over, parseColor, writeColor, type Rgba } from './color.ts';
import type { Theme } from './theme.ts';

type Lab = readonly [number, number, number];
type Matrix = readonly [Lab, Lab, Lab];

// OKLab: https://bottosson.github.io/posts/oklab/
const toCones: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const toLab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const fromLab: Matrix = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const fromCones: Matrix = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

const times = (matrix: Matrix, [a, b, c]: Lab): Lab => {
  const row = ([x, y, z]: Lab): number => x * a + y * b + z * c;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};
const mapLab = ([a, b, c]: Lab, change: (value: number) => number): Lab => [change(a), change(b), change(c)];

const linear = (part: number): number => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const encoded = (light: number): number => (light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);

const labOf = ({ r, g, b }: Rgba): Lab =>
  times(
    toLab,
    mapLab(times(toCones, [linear(r / 255), linear(g / 255), linear(b / 255)]), (value) => Math.cbrt(value)),
  );

function colorOf(lab: Lab): Rgba {
  const light = times(
    fromCones,
    mapLab(times(fromLab, lab), (value) => value ** 3),
  );
  const [r, g, b] = mapLab(light, (value) => 255 * encoded(Math.min(1, Math.max(0, value))));
  return { r, g, b, a: 1 };
}

/** Returns the colour of a scale at a share from 0 to 1. Equal steps have equal differences in lightness (OKLab). */
export function rampOf(stops: readonly string[]): (share: number) => string {
  const labs = stops.flatMap((stop) => {
    const color = parseColor(stop);
    return color === null ? [] : [labOf(color)];
  });
  return (share) => {
    const place = Math.min(1, Math.max(0, share)) * (labs.length - 1);
    const labBefore = labs[Math.floor(place)];
    const labAfter = labs[Math.ceil(place)] ?? labBefore;
    if (labBefore === undefined || labAfter === undefined) return 'rgb(128,128,128)';
    const part = place - Math.floor(place);
    const between = (index: 0 | 1 | 2): number => labBefore[index] + part * (labAfter[index] - labBefore[index]);
    return writeColor(colorOf([between(0), between(1), between(2)]));
  };
}

type ScaleColors = Pick<Theme, 'sequential' | 'diverging' | 'mainColor' | 'itemsBackground' | 'negative' | 'colors'>;

const black: Rgba = { r: 0, g: 0, b: 0, a: 1 };
const rgbaOf = (color: string): Rgba => parseColor(color) ?? black;

/** Blends the main colour with the background of items. `share` is the opacity of the main colour, from 0 to 1. */
const shade = ({ mainColor, itemsBackground }: ScaleColors, share: number): string =>
  writeColor(over({ ...rgbaOf(mainColor), a: share }, rgbaOf(itemsBackground)));

/** Returns the colour that differs most from a given colour. */
function farthest(from: string, colors: readonly string[]): string {
  const start = rgbaOf(from);
  const distance = (color: string): number => {
    const { r, g, b } = rgbaOf(color);
    return (r - start.r) ** 2 + (g - start.g) ** 2 + (b - start.b) ** 2;
  };
  return colors.reduce((best, color) => (distance(color) > distance(best) ? color : best), from);
}

/** Returns the sequential scale of a theme. By default it runs from a pale tint to the full main colour. */
export const sequentialStops = (theme: ScaleColors): readonly string[] =>
  theme.sequential.length < 2 ? [shade(theme, 0.08), theme.mainColor] : theme.sequential;

/**
 * Returns the diverging scale of a theme. By default its ends are the main colour and the theme colour that differs
 * most from it.
 */
export const divergingStops = (theme: ScaleColors): readonly string[] =>
  theme.diverging.length < 3
    ? [farthest(theme.mainColor, [theme.negative, ...theme.colors]), shade(theme, 0.04), theme.mainColor]
    : theme.diverging;
