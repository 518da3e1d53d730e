export * from './color.ts';
export { pageThemes, stackedThemes, themeNameOf, type NamedThemes } from './merge.ts';
export { noThemes, themesOf, type Themes } from './order.ts';
export * from './palette.ts';
export * from './ramp.ts';
export * from './read.ts';
export * from './sizes.ts';
export { resolveTheme, type Theme } from './theme.ts';
