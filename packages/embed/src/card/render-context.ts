import type { MemberColors } from '../charts/frame/member-colors.ts';
import type { SizedContext } from '../charts/frame/chart.ts';
import { createFormats } from '../locale/format.ts';
import { type NamedThemes, resolveTheme } from '@inlay/contract/theme';
import type { Json } from '@inlay/contract';
import { isRightToLeft, wordsFor } from '../locale/words.ts';

/** Settings of a viewer. */
export interface Viewer {
  readonly locale: string;
  readonly timeZone: string;
  readonly currency: string | null;
  /** Themes in ascending precedence: a later theme overrides an earlier one. */
  readonly themes: readonly (Json | undefined)[];
  /** Themes that can be referenced by name. */
  readonly known: NamedThemes;
  readonly patterns: boolean;
  readonly isReadOnly: boolean;
  readonly nowMs: number;
}

/** Everything about a viewer that affects how an item looks, except for the size of the item. */
export type RenderContext = Omit<SizedContext, 'widthPx' | 'heightPx'>;

export const createRenderContext = (
  { locale, timeZone, currency, themes, known, patterns, isReadOnly, nowMs }: Viewer,
  colorsFor: (size: number) => MemberColors,
): RenderContext => {
  const theme = resolveTheme(themes, known);
  return {
    theme,
    colors: colorsFor(theme.colors.length),
    nowMs,
    formats: createFormats(locale, timeZone, currency),
    words: wordsFor(locale),
    patterns,
    isReadOnly,
    reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
    rightToLeft: isRightToLeft(locale),
  };
};
