import { clampChroma, converter, formatHex, parse, wcagContrast, type Oklab, type Oklch } from 'culori';
import { differenceOf, seenColor, visions, type SeenColor } from './vision.ts';

const oklabOf = converter('oklab');
const oklchOf = converter('oklch');

export interface PaletteBounds {
  /** The background behind the marks. */
  readonly background: string;
  /** Minimum contrast of a colour with the background (WCAG). */
  readonly contrast: number;
  /** Minimum CIEDE2000 difference between two colours, in every kind of vision. */
  readonly difference: number;
  /** Allowed range of lightness, from 0 to 1 (OKLCH). */
  readonly lightness: readonly [number, number];
}

interface Swatch {
  readonly color: Oklch;
  readonly hex: string;
  readonly lab: Oklab;
  readonly seen: SeenColor;
  readonly contrast: number;
}

const steps = 10_000;

/** Creates a generator of deterministic random numbers from 0 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const between = (value: number, [min, max]: readonly [number, number]): number => Math.min(max, Math.max(min, value));

/** Cost of a swatch: its distance from the goal, plus a penalty if the contrast is too low. */
function costOf({ lab, contrast }: Swatch, goal: Oklab, bounds: PaletteBounds): number {
  const distance = 0.6 * (lab.l - goal.l) ** 2 + (lab.a - goal.a) ** 2 + (lab.b - goal.b) ** 2;
  const missingContrast = bounds.contrast - contrast;
  return 100 * distance + (missingContrast > 0 ? 2 + 40 * missingContrast ** 2 : 0);
}

/** Penalty for two swatches that are too similar, summed over all kinds of vision. */
const likeness = (left: Swatch, right: Swatch, minDifference: number): number =>
  visions.reduce((sum, vision) => {
    const missingDifference = minDifference - differenceOf(left.seen, right.seen, vision);
    return missingDifference > 0 ? sum + 0.5 * missingDifference ** 2 : sum;
  }, 0);

function swatchOf(color: Oklch, background: string): Swatch {
  const hex = formatHex(clampChroma(color, 'oklch'));
  return {
    color,
    hex,
    lab: oklabOf(parse(hex) ?? color),
    seen: seenColor(hex),
    contrast: wcagContrast(hex, background),
  };
}

/** Returns a random nearby colour. The lower `heat` is, the closer the colour. */
function movedColor({ l, c, h = 0 }: Oklch, heat: number, { lightness }: PaletteBounds, random: () => number): Oklch {
  const maxStep = 0.02 + 0.2 * heat;
  return {
    mode: 'oklch',
    l: between(l + (random() - 0.5) * maxStep, lightness),
    c: between(c + (random() - 0.5) * maxStep * 0.6, [0, 0.3]),
    h: (h + (random() - 0.5) * maxStep * 250 + 360) % 360,
  };
}

/**
 * Returns colours close to `goals` that satisfy the bounds as far as possible. Uses simulated annealing with a fixed
 * seed. The first colour stays unchanged.
 */
export function arrangedPalette(goals: readonly string[], bounds: PaletteBounds, seed = 1): readonly string[] {
  const random = numbersFrom(seed);
  const swatches = goals.flatMap((goal) => {
    const color = oklchOf(parse(goal));
    return color === undefined ? [] : [swatchOf(color, bounds.background)];
  });
  const wishedLabs = swatches.map(({ lab }) => lab);
  /**
   * Returns the cost of a swatch at an index, in parts: the cost of the swatch itself, and a penalty for its likeness
   * to each other swatch.
   */
  const costsAt = (index: number, swatch: Swatch): number[] =>
    swatches.map((other, place) =>
      place === index
        ? costOf(swatch, wishedLabs[index] ?? swatch.lab, bounds)
        : likeness(swatch, other, bounds.difference),
    );
  const costs = swatches.map((swatch, index) => costsAt(index, swatch));
  let [cost, best] = [0, { cost: 0, hexes: swatches.map(({ hex }) => hex) }];
  for (let step = 0; step < steps; step += 1) {
    const heat = (1 - step / steps) ** 2;
    const index = 1 + Math.floor(random() * (swatches.length - 1));
    const swatch = swatches[index];
    if (swatch === undefined) break;
    const movedSwatch = swatchOf(movedColor(swatch.color, heat, bounds, random), bounds.background);
    const costsAfter = costsAt(index, movedSwatch);
    const change = sumOf(costsAfter) - sumOf(costs[index] ?? []);
    if (change >= 0 && random() >= Math.exp(-change / (0.001 + 3 * heat))) continue;
    swatches[index] = movedSwatch;
    costs[index] = costsAfter;
    for (const [place, value] of costsAfter.entries()) if (place !== index) costs[place]?.splice(index, 1, value);
    cost += change;
    if (cost < best.cost) best = { cost, hexes: swatches.map(({ hex }) => hex) };
  }
  return best.hexes;
}
