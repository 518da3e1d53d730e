import type { Inks, Theme } from '@inlay/contract/theme';

const inkVariables = (inks: Inks, prefix: string): Readonly<Record<string, string>> => ({
  [`${prefix}text`]: inks.text,
  [`${prefix}muted`]: inks.mutedText,
  [`${prefix}link`]: inks.link,
});

const sizeVariables = ({ sizes }: Theme): Readonly<Record<string, string>> => ({
  space: `${sizes.spacePx}px`,
  padding: `${sizes.paddingPx}px`,
  small: `${sizes.smallPx}px`,
  figure: `${sizes.figurePx}px`,
  ...Object.fromEntries(sizes.headings.map((size, index) => [`h${index + 1}`, `${size}em`])),
  'radius-small': `${sizes.radius.smallPx}px`,
  'radius-medium': `${sizes.radius.mediumPx}px`,
  'radius-large': `${sizes.radius.largePx}px`,
  row: `${sizes.rowPx}px`,
  'row-line': `${sizes.linePx}px`,
  control: `${sizes.controlPx}px`,
});

const variablesOf = (theme: Theme): Readonly<Record<string, string>> => ({
  ...inkVariables(theme, ''),
  ...inkVariables(theme.page, 'page-'),
  ...sizeVariables(theme),
  main: theme.mainColor,
  'on-main': theme.onMain,
  line: theme.line,
  positive: theme.positive,
  negative: theme.negative,
  'legend-size': `${theme.legend.sizePx}px`,
  'legend-line': `${theme.legend.linePx}px`,
  'legend-swatch': theme.legend.type === 'line' ? '3px' : '10px',
  'legend-round': theme.legend.type === 'circle' ? '50%' : '2px',
  'figure-align': { left: 'flex-start', center: 'center', right: 'flex-end' }[theme.title.align],
  items: theme.itemsBackground,
  background: theme.background,
  'font-family': theme.font.family,
  'font-size': `${theme.font.sizePx}px`,
  'font-weight': theme.font.weight,
  'font-style': theme.font.style,
  radius: `${theme.border.radiusPx}px`,
  'border-style': theme.border.style,
  'border-color': theme.border.color,
  'border-widths': theme.border.widths.join(' '),
  shadow: theme.shadow,
  'popup-shadow': theme.popupShadow,
  'title-border': theme.title.border ? `1px solid ${theme.line}` : '0',
  'title-size': `${theme.title.sizePx}px`,
  'title-line': `${theme.title.linePx}px`,
  'title-weight': theme.title.bold ? '600' : 'normal',
  'title-style': theme.title.italic ? 'italic' : 'normal',
  'title-decoration': theme.title.underline ? 'underline' : 'none',
  'title-align': theme.title.align === 'left' ? 'start' : theme.title.align === 'right' ? 'end' : 'center',
});

/** Returns the CSS custom properties of a theme, and the colour scheme of native controls. */
export const themeVariables = (theme: Theme): Readonly<Record<string, string>> => ({
  'color-scheme': theme.dark ? 'dark' : 'light',
  ...Object.fromEntries(Object.entries(variablesOf(theme)).map(([name, value]) => [`--inlay-${name}`, value])),
});
