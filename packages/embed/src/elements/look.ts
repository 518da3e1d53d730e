import type { Look } from '../charts/drawing/chart.ts';
import { createFormats } from '../locale/format.ts';
import { resolveTheme, type Theme } from '../theme/theme.ts';
import { isRightToLeft, wordsFor } from '../locale/words.ts';
import type { Json } from '@inlay/contract';

/** What decides how a viewer sees it. */
export interface Viewer {
  readonly locale: string;
  readonly timeZone: string;
  /** From the weakest to the strongest. */
  readonly themes: readonly (Json | undefined)[];
  readonly patterns: boolean;
}

/** How a viewer sees it, without the size of an item. */
export type Scene = Omit<Look, 'widthPx' | 'heightPx'>;

export const sceneOf = ({ locale, timeZone, themes, patterns }: Viewer): Scene => ({
  theme: resolveTheme(themes),
  formats: createFormats(locale, timeZone),
  words: wordsFor(locale),
  patterns,
  reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
  rightToLeft: isRightToLeft(locale),
});

/** The custom properties of a theme. */
export const themeVariables = (theme: Theme): Readonly<Record<string, string>> => ({
  'color-scheme': theme.dark ? 'dark' : 'light',
  '--inlay-text': theme.text,
  '--inlay-muted': theme.mutedText,
  '--inlay-main': theme.mainColor,
  '--inlay-line': theme.line,
  '--inlay-items': theme.itemsBackground,
  '--inlay-background': theme.background,
  '--inlay-font-family': theme.font.family,
  '--inlay-font-size': `${theme.font.sizePx}px`,
  '--inlay-font-weight': theme.font.weight,
  '--inlay-font-style': theme.font.style,
  '--inlay-padding': `${theme.paddingPx}px`,
  '--inlay-radius': `${theme.border.radiusPx}px`,
  '--inlay-border-style': theme.border.style,
  '--inlay-border-color': theme.border.color,
  '--inlay-border-widths': theme.border.widths.join(' '),
  '--inlay-shadow': theme.shadow,
  '--inlay-title-size': `${theme.title.sizePx}px`,
  '--inlay-title-line': `${theme.title.linePx}px`,
  '--inlay-title-weight': theme.title.bold ? '600' : 'normal',
  '--inlay-title-style': theme.title.italic ? 'italic' : 'normal',
  '--inlay-title-decoration': theme.title.underline ? 'underline' : 'none',
  '--inlay-title-align': theme.title.align === 'left' ? 'start' : theme.title.align === 'right' ? 'end' : 'center',
});
