import { member, isObject } from '@inlay/contract';
import { chartWordsFor } from '../../locale/chart-words.ts';
import type { SizedContext } from '../frame/chart.ts';
import type { Field, Frame } from '../frame/frame.ts';
import { ruledColor, type ColorRule } from '../settings/settings.ts';

export interface GaugeValues {
  readonly measure: Field | undefined;
  readonly value: number | null;
  readonly target: number | null;
  readonly min: number;
  readonly max: number;
  /** The value in full, not shortened. */
  readonly text: string;
  readonly note: string;
  readonly color: string;
}

/** Rounds the largest value up to a suitable end of a scale. */
export function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 4, 5, 8, 10].find((step) => step * unit >= value) ?? 10) * unit;
}

/** Returns the ends of the scale: those of the item's options, otherwise 0 and a round number above all values. */
export function rangeOf({ item }: Pick<Frame, 'item'>, values: readonly number[], isShare: boolean) {
  const range = member(item.options, 'range');
  const numberIn = (name: string): number | null => {
    const value = range !== undefined && isObject(range) ? member(range, name) : undefined;
    return typeof value === 'number' ? value : null;
  };
  const max = Math.max(...values, 0);
  const min = numberIn('min') ?? Math.min(0, ...values);
  return { min, max: Math.max(numberIn('max') ?? (isShare && max <= 1 ? 1 : roundAbove(max)), min + Number.EPSILON) };
}

export const isShare = (field: Field | undefined): boolean =>
  field?.placed.content?.notation === 'percent' || /[%p]$/u.test(field?.placed.content?.format ?? '');

export function readGauge(frame: Frame, { theme, formats }: SizedContext): GaugeValues {
  const [measure, targetField] = [frame.slot('measure')[0], frame.slot('target')[0]];
  const row = frame.rows[0] ?? [];
  const cell = measure === undefined ? null : (row[measure.index] ?? null);
  const value = measure?.number(cell) ?? null;
  const target = targetField === undefined ? null : targetField.number(row[targetField.index]);
  const note =
    target === null || targetField === undefined
      ? ''
      : `${chartWordsFor(formats.locale).target} ${targetField.text(row[targetField.index])}`;
  return {
    measure,
    value,
    target,
    note,
    ...rangeOf(
      frame,
      [value, target].flatMap((number) => number ?? []),
      isShare(measure),
    ),
    text: measure?.text(cell) || '–',
    color: ruledColor(frame.settings.rules, value) ?? frame.settings.colorOf(measure?.label ?? '') ?? theme.mainColor,
  };
}

/**
 * Returns the colour bands of the item's rules. Each has its end, as a share of the scale from 0 to 1, and its colour.
 * Between the rules, the colour is `plainColor`.
 */
export function bandsOf(
  rules: readonly ColorRule[],
  { min, max }: Pick<GaugeValues, 'min' | 'max'>,
  plainColor: string,
): readonly (readonly [number, string])[] {
  const share = (value: number): number => Math.min(1, Math.max(0, (value - min) / (max - min)));
  const ends = [...new Set([...rules.flatMap((rule) => [share(rule.min), share(rule.max)]), 1])]
    .filter((end) => end > 0)
    .toSorted((a, b) => a - b);
  return ends.map((end, index) => {
    const middle = min + (((ends[index - 1] ?? 0) + end) / 2) * (max - min);
    return [end, ruledColor(rules, middle) ?? plainColor] as const;
  });
}
