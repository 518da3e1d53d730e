import type { SizedContext } from '../frame/chart.ts';
import type { Frame } from '../frame/frame.ts';
import { ruledColor } from '../settings/settings.ts';
import { divergingStops, rampOf, sequentialStops } from '@inlay/contract/theme';

/** Maps numbers to colours. */
export interface ValueScale {
  readonly fill: (value: number) => string;
  readonly least: number;
  readonly most: number;
  /** Colour stops from minimum to maximum. `share` is their position from 0 to 1. Empty if colour rules apply. */
  readonly stops: readonly { readonly share: number; readonly color: string }[];
}

/** Where a sequential colour scale starts. */
export interface ScaleStart {
  /** Position of the weakest colour on the scale, from 0 to 1. */
  readonly weakest: number;
  /** If true, the scale starts at zero even if all numbers are positive. */
  readonly isZero: boolean;
}

/** Colours numbers by rules, or by a sequential or diverging scale. */
export function valueScale(
  { settings }: Frame,
  context: SizedContext,
  values: readonly number[],
  { weakest, isZero }: ScaleStart,
): ValueScale {
  const { theme } = context;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [min, max] = [Math.min(min, value), Math.max(max, value)];
  const middle = settings.scale?.middle ?? 0;
  const maxDistance = Math.max(Math.abs(max - middle), Math.abs(middle - min), Number.EPSILON);
  const isDiverging = settings.scale?.isDiverging === true || (settings.scale === null && min < 0 && max > 0);
  const from = isZero || min === max ? Math.min(min, 0) : min;
  const ramp = rampOf(isDiverging ? divergingStops(theme) : sequentialStops(theme));
  const colorOf = (value: number): string =>
    isDiverging
      ? ramp(0.5 + (value - middle) / maxDistance / 2)
      : ramp(weakest + (1 - weakest) * ((value - from) / Math.max(max - from, Number.EPSILON)));
  const ends = [min, ...(isDiverging && min < middle && middle < max ? [middle] : []), max];
  return {
    least: min,
    most: max,
    fill: (value) => ruledColor(settings.rules, value) ?? colorOf(value),
    stops:
      settings.rules.length > 0 || values.length === 0
        ? []
        : ends.map((value) => ({
            share: min === max ? 1 : (value - min) / (max - min),
            color: colorOf(value),
          })),
  };
}
