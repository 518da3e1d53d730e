import type { EChartsCoreOption } from 'echarts/core';
import type { Mark } from '../frame/mark.ts';
import type { Legend, LegendEntry, SizedContext } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { markOf } from '../frame/mark.ts';

const noAnimation = { animation: false } as const;

/** Options that all ECharts charts have: fonts, colours, and no animation if the viewer prefers reduced motion. */
export function baseOption(context: SizedContext): EChartsCoreOption {
  const { theme, reducedMotion } = context;
  return {
    ...(reducedMotion ? noAnimation : { animationDuration: 300, animationDurationUpdate: 200 }),
    color: [...theme.colors],
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font.family, fontSize: theme.font.sizePx, color: theme.text },
  };
}

/** Returns the legend of a chart; null if the item hides it or if it would explain nothing. */
export function legendOf(
  { settings }: Frame,
  { patterns }: SizedContext,
  entries: readonly Omit<LegendEntry, 'pattern'>[],
  place: Legend['place'] = 'top',
): Legend | null {
  const isShown =
    settings.legend !== 'none' && (entries.length > 1 || (settings.legend !== 'auto' && entries.length > 0));
  if (!isShown) return null;
  return {
    entries: entries.map((entry, index) => ({ ...entry, pattern: patterns ? index : null })),
    place: settings.legend === 'bottom' || settings.legend === 'top' ? settings.legend : place,
  };
}

/**
 * Returns a function that creates the mark of a row. An object would not do, because ECharts deep-copies the objects in
 * its options.
 */
export const markLater =
  (fields: readonly Field[], row: Row): (() => Mark) =>
  () =>
    markOf(fields, row);

/**
 * Escapes a name for ECharts, which stores colours and selections by name in plain objects: a member called
 * `hasOwnProperty` would shadow that method.
 */
export const nameOf = (text: string): string => (text in Object.prototype ? `${text}\u200b` : text);

export const written = (field: Field | undefined, value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? (field?.text(value) ?? String(value)) : '';

export const hasNothing = (frame: Frame): boolean => frame.rows.length === 0;
