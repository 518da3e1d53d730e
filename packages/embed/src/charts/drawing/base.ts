import type { EChartsCoreOption } from 'echarts/core';
import type { Look, Mark } from './chart.ts';
import type { Field, Frame, Row } from './frame.ts';
import { markOf } from './mark.ts';
import { decalsOf } from './paint.ts';

const noAnimation = { animation: false } as const;

/** What every drawn chart shares: colours, fonts, tooltip without HTML, patterns, no motion where none is wanted. */
export function baseOption(look: Look): EChartsCoreOption {
  const { theme, reducedMotion, patterns } = look;
  return {
    ...(reducedMotion ? noAnimation : { animationDuration: 300, animationDurationUpdate: 200 }),
    color: [...theme.colors],
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font.family, fontSize: theme.font.sizePx, color: theme.text },
    aria: { enabled: patterns, decal: { show: patterns, ...(patterns ? { decals: decalsOf(look) } : {}) } },
    tooltip: tooltipOf(look),
  };
}

/** Drawn rather than written as HTML, so that no text of the data is ever markup. */
export const tooltipOf = ({ theme }: Look): Record<string, unknown> => ({
  renderMode: 'richText',
  confine: true,
  backgroundColor: theme.tooltip.background,
  borderWidth: 0,
  padding: [8, 10],
  textStyle: { color: theme.tooltip.text, fontSize: theme.tooltip.sizePx, fontFamily: theme.font.family },
});

const legendIcons = { normal: 'roundRect', line: 'rect', circle: 'circle' } as const;

export const legendOf = ({ theme, rightToLeft }: Look, show: boolean): Record<string, unknown> => ({
  show,
  type: 'scroll',
  top: 0,
  ...(rightToLeft ? { right: 0, align: 'right' } : { left: 0 }),
  icon: legendIcons[theme.legend.type],
  itemHeight: theme.legend.type === 'line' ? 3 : 10,
  itemWidth: 14,
  textStyle: { color: theme.text, fontSize: theme.legend.sizePx },
  pageTextStyle: { color: theme.text },
  pageIconColor: theme.text,
});

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
