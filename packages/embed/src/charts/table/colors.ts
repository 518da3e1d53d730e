import type { Json } from '@inlay/contract';
import { contrast, parseColor, type Rgba, divergingStops, rampOf, sequentialStops } from '@inlay/contract/theme';
import { shade } from '../drawing/paint.ts';
import type { SizedContext } from '../frame/chart.ts';
import type { Field, Frame } from '../frame/frame.ts';
import type { CellColors, TableCell } from '../frame/table.ts';
import { ruledColor, type Settings } from '../settings/settings.ts';

const grey: Rgba = { r: 128, g: 128, b: 128, a: 1 };
const rgbaOf = (color: string): Rgba => parseColor(color) ?? grey;

/** Returns a cell background and the first text colour that is readable on it. */
function cellColors(fill: string, { theme }: SizedContext): CellColors {
  const back = rgbaOf(fill);
  const inks = [theme.text, 'rgb(255,255,255)', 'rgb(0,0,0)'];
  return { fill, ink: inks.find((ink) => contrast(rgbaOf(ink), back) >= 4.5) ?? theme.text };
}

interface Extent {
  readonly least: number;
  readonly most: number;
}

const extentOf = ({ rows }: Frame, field: Field): Extent =>
  rows.reduce<Extent>(
    (extent, row) => {
      const value = field.number(row[field.index]);
      return value === null ? extent : { least: Math.min(extent.least, value), most: Math.max(extent.most, value) };
    },
    { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY },
  );

/** Largest share of a colour scale that backgrounds use, so that text on them stays legible. */
const farthest = 0.6;

/** Returns a function for the colours of a value on a scale; its result is null if there is no scale. */
function scaledColors(
  scale: Settings['scale'],
  { least, most }: Extent,
  context: SizedContext,
): (value: number) => CellColors | null {
  if (scale === null || least > most) return () => null;
  if (!scale.isDiverging) {
    const ramp = rampOf(sequentialStops(context.theme));
    const reach = most - least;
    return (value) => cellColors(ramp(farthest * (reach === 0 ? 0.5 : (value - least) / reach)), context);
  }
  const ramp = rampOf(divergingStops(context.theme));
  const reach = Math.max(Math.abs(most - scale.middle), Math.abs(scale.middle - least)) || 1;
  return (value) => cellColors(ramp(0.5 + (farthest / 2) * ((value - scale.middle) / reach)), context);
}

/**
 * Returns a function for the background colour and data bar of a measure's cells, according to the item's rules, scale
 * and options.
 */
export function cellStyles(
  frame: Frame,
  context: SizedContext,
): (field: Field, cell: Json | undefined) => Partial<TableCell> {
  const { rules, scale, hasBars } = frame.settings;
  if (rules.length === 0 && scale === null && !hasBars) return () => ({});
  const byField = new Map(
    frame.measures.map((field, index) => {
      const extent = extentOf(frame, field);
      const reach = Math.max(Math.abs(extent.least), Math.abs(extent.most));
      return [field, { index, reach, onScale: scaledColors(scale, extent, context) }];
    }),
  );
  return (field, cell) => {
    const style = byField.get(field);
    const value = field.number(cell);
    if (style === undefined || value === null) return {};
    const ruleColor = ruledColor(rules, value, style.index);
    const colors = ruleColor === null ? style.onScale(value) : cellColors(shade(ruleColor, 1, context), context);
    return {
      ...(colors === null ? {} : { colors }),
      ...(hasBars && style.reach > 0 ? { bar: value / style.reach } : {}),
    };
  };
}
