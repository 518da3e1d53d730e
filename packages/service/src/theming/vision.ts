import { converter, differenceCiede2000, parse, type Color, type Lab65 } from 'culori';

const linearOf = converter('lrgb');
const labOf = converter('lab65');
const difference = differenceCiede2000();

type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/**
 * Colour vision deficiencies as matrices for linear sRGB: Machado, Oliveira and Fernandes 2009, severity 1. Culori's
 * filters apply the same matrices to encoded values, for which they were not made.
 */
const deficiencies = {
  protanopia: [
    ...([0.152286, 1.052583, -0.204868] as const),
    ...([0.114503, 0.786281, 0.099216] as const),
    ...([-0.003882, -0.048116, 1.051998] as const),
  ],
  deuteranopia: [
    ...([0.367322, 0.860646, -0.227968] as const),
    ...([0.280085, 0.672501, 0.047413] as const),
    ...([-0.01182, 0.04294, 0.968881] as const),
  ],
  tritanopia: [
    ...([1.255528, -0.076749, -0.178779] as const),
    ...([-0.078411, 0.930809, 0.147602] as const),
    ...([0.004733, 0.691367, 0.3039] as const),
  ],
} as const satisfies Readonly<Record<string, Matrix>>;

/** Kinds of vision: normal vision, and vision without one type of cone. */
export const visions = ['normal', 'protanopia', 'deuteranopia', 'tritanopia'] as const;
export type Vision = (typeof visions)[number];

const within = (value: number): number => Math.min(1, Math.max(0, value));

function withoutCone(color: Color, [a, b, c, d, e, f, g, h, i]: Matrix): Color {
  const { r, g: green, b: blue } = linearOf(color);
  return {
    mode: 'lrgb',
    r: within(a * r + b * green + c * blue),
    g: within(d * r + e * green + f * blue),
    b: within(g * r + h * green + i * blue),
  };
}

/** A colour as seen in every kind of vision, ready for comparison. */
export type SeenColor = Readonly<Record<Vision, Lab65>>;

/** Simulates how a colour is seen in every kind of vision. Raises Error if the text is not a CSS colour. */
export function seenColor(text: string): SeenColor {
  const color = parse(text);
  if (color === undefined) throw new Error(`"${text}" is no colour`);
  return {
    normal: labOf(color),
    protanopia: labOf(withoutCone(color, deficiencies.protanopia)),
    deuteranopia: labOf(withoutCone(color, deficiencies.deuteranopia)),
    tritanopia: labOf(withoutCone(color, deficiencies.tritanopia)),
  };
}

/** Returns the CIEDE2000 difference of two colours in one kind of vision. */
export const differenceOf = (left: SeenColor, right: SeenColor, vision: Vision): number =>
  difference(left[vision], right[vision]);

/** Returns the difference between the two most similar colours. */
export function leastDifference(colors: readonly SeenColor[], vision: Vision): number {
  const pairs = colors.flatMap((color, index) => colors.slice(index + 1).map((other) => [color, other] as const));
  return Math.min(...pairs.map(([left, right]) => differenceOf(left, right, vision)));
}
