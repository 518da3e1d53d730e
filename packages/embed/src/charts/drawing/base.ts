import type { EChartsCoreOption } from 'echarts/core';
import type { Mark } from '../frame/mark.ts';
import type { Legend, LegendEntry, Look } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { markOf } from '../frame/mark.ts';

const noAnimation = { animation: false } as const;

/** What every drawn chart shares: colours, fonts, and no motion where none is wanted. */
export function baseOption(look: Look): EChartsCoreOption {
  const { theme, reducedMotion } = look;
  return {
    ...(reducedMotion ? noAnimation : { animationDuration: 300, animationDurationUpdate: 200 }),
    color: [...theme.colors],
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font.family, fontSize: theme.font.sizePx, color: theme.text },
  };
}

/** What the colours of a chart stand for, where its item wants it told. */
export function legendOf(
  { settings }: Frame,
  { patterns }: Look,
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

/** The mark of a row for a datum: worked out when it is asked for, and nothing that ECharts would copy with its options. */
export const markLater =
  (fields: readonly Field[], row: Row): (() => Mark) =>
  () =>
    markOf(fields, row);

/**
 * A text as a name for ECharts, which keeps colours and choices by name in plain objects: a member called `hasOwnProperty`
 * would take the place of the method.
 */
export const nameOf = (text: string): string => (text in Object.prototype ? `${text}\u200b` : text);

/** A number as its measure is written. */
export const written = (field: Field | undefined, value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? (field?.text(value) ?? String(value)) : '';

/** Whether a list of numbers has none at all to draw. */
export const hasNothing = (frame: Frame): boolean => frame.rows.length === 0;
