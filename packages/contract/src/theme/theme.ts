import { member, objectIn, type Json, type JsonObject } from '../json.ts';
import { over, readable, writeColor, type Rgba } from './color.ts';
import { pageThemes, stackedThemes, type NamedThemes } from './merge.ts';
import { inkOf, inkOnMark, inksOn, negative, paletteOf, positive, type Inks, type Palette } from './palette.ts';
import { colorOf, flag, pxAt, pxIn } from './read.ts';
import { sizesOf, type Sizes } from './sizes.ts';

/** A resolved theme. Colours are `rgb()` or `rgba()` texts; sizes are in px. */
export interface Theme extends Inks {
  readonly background: string;
  readonly itemsBackground: string;
  readonly mainColor: string;
  readonly colors: readonly string[];
  /** Colours of the sequential and of the diverging scale. Each list is empty if the theme does not set that scale. */
  readonly sequential: readonly string[];
  readonly diverging: readonly string[];
  /** Colour of text on the main colour. */
  readonly onMain: string;
  /** Text colours on the background of the dashboard. The theme's own text colours are for items. */
  readonly page: Inks;
  /** Colours of good and of bad changes, readable on items. */
  readonly positive: string;
  readonly negative: string;
  readonly line: string;
  readonly dark: boolean;
  readonly font: { readonly family: string; readonly sizePx: number; readonly weight: string; readonly style: string };
  readonly title: {
    readonly align: 'left' | 'center' | 'right';
    readonly bold: boolean;
    readonly italic: boolean;
    readonly underline: boolean;
    readonly border: boolean;
    readonly sizePx: number;
    readonly linePx: number;
  };
  readonly border: {
    readonly color: string;
    readonly radiusPx: number;
    readonly style: string;
    readonly widths: readonly string[];
  };
  readonly shadow: string;
  /** Shadow of popups and tooltips. */
  readonly popupShadow: string;
  /** Vertical and horizontal gap between items. */
  readonly marginsPx: readonly [number, number];
  readonly axisPx: number;
  readonly legend: { readonly type: 'normal' | 'line' | 'circle'; readonly sizePx: number; readonly linePx: number };
  readonly tooltip: {
    readonly background: string;
    readonly text: string;
    readonly sizePx: number;
    readonly linePx: number;
    readonly opacity: number;
  };
  readonly rounding: number;
  readonly sizes: Sizes;
}

const shadows: Readonly<Record<string, string>> = { S: '0 1px 3px', M: '0 2px 8px', L: '0 6px 20px' };

// ECharts writes font families into SVG attributes in double quotes.
const family = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll(/[^\p{L}\p{N}\s,'_-]/gu, '')
    .slice(0, 200);

function fontOf(font: JsonObject): Theme['font'] {
  const weight = member(font, 'font-weight');
  const name = member(font, 'fontFamily');
  const isWeight =
    typeof weight === 'number' || (typeof weight === 'string' && /^(?:bold|normal|\d{3})$/u.test(weight));
  return {
    family: typeof name === 'string' && family(name) !== '' ? family(name) : 'system-ui, sans-serif',
    sizePx: pxIn(font, 'fontSize', 14),
    weight: isWeight ? String(weight) : 'normal',
    style: member(font, 'font-style') === 'italic' ? 'italic' : 'normal',
  };
}

function titleOf(title: JsonObject): Theme['title'] {
  const align = member(title, 'align');
  return {
    align: align === 'center' || align === 'right' ? align : 'left',
    bold: flag(title, 'bold'),
    italic: flag(title, 'italic'),
    underline: flag(title, 'underline'),
    border: flag(title, 'border'),
    sizePx: pxIn(title, 'fontSize', 15),
    linePx: pxIn(title, 'lineHeight', 22),
  };
}

function legendOf(legend: JsonObject): Theme['legend'] {
  const shape = member(legend, 'type');
  return {
    type: shape === 'line' || shape === 'circle' ? shape : 'normal',
    sizePx: pxIn(legend, 'fontSize', 12),
    linePx: pxIn(legend, 'lineHeight', 18),
  };
}

function borderOf(border: JsonObject, ink: Rgba): Theme['border'] {
  const style = member(border, 'border-style');
  return {
    color: writeColor(colorOf(member(border, 'border-color')) ?? { ...ink, a: 0.16 }),
    radiusPx: pxIn(border, 'border-radius', 8),
    style: typeof style === 'string' && ['none', 'solid', 'dotted', 'dashed'].includes(style) ? style : 'solid',
    widths: ['top', 'right', 'bottom', 'left'].map((side) => `${pxIn(border, `border-${side}-width`, 1)}px`),
  };
}

function shadowOf(shadow: JsonObject, strength: number): string {
  const size = member(shadow, 'size');
  if (typeof size !== 'string' || !Object.hasOwn(shadows, size)) return 'none';
  return `${shadows[size] ?? ''} ${writeColor(colorOf(member(shadow, 'color')) ?? { r: 0, g: 0, b: 0, a: strength })}`;
}

function tooltipOf(tooltip: JsonObject, { ink, items }: Palette): Theme['tooltip'] {
  const background = colorOf(member(tooltip, 'background')) ?? ink;
  const ground = over(background, items);
  return {
    background: writeColor(background),
    text: writeColor(readable(inkOf(ground), ground, 7)),
    sizePx: pxIn(tooltip, 'fontSize', 13),
    linePx: pxIn(tooltip, 'lineHeight', 18),
    opacity: Math.min(pxIn(tooltip, 'opacity', 1), 1),
  };
}

/**
 * Resolves themes, which are in ascending precedence: organization, dashboard, token, element. A missing theme is null.
 * `namedThemes` are the themes that can be given by name. Colours are parsed and formatted again, so that no text of a
 * theme reaches CSS unchanged. The colours of texts and marks are adjusted for contrast.
 */
export function resolveTheme(themes: readonly (Json | undefined)[], namedThemes: NamedThemes = pageThemes): Theme {
  const theme = stackedThemes(themes, namedThemes);
  const palette = paletteOf(theme);
  const { background, items, main, ink } = palette;
  const margins = member(theme, 'margins');
  const font = fontOf(objectIn(theme, 'font'));
  const isStrong = member(theme, 'contrast') === 'more';
  const minContrast = isStrong ? 7 : 4.5;
  return {
    ...inksOn(items, main, minContrast),
    background: writeColor(background),
    itemsBackground: writeColor(items),
    mainColor: writeColor(main),
    colors: palette.colors,
    sequential: palette.sequential,
    diverging: palette.diverging,
    onMain: writeColor(inkOnMark(main)),
    page: inksOn(background, main, minContrast),
    positive: writeColor(readable(positive, items, minContrast)),
    negative: writeColor(readable(negative, items, minContrast)),
    line: writeColor({ ...readable(ink, items, 7), a: isStrong ? 0.45 : 0.14 }),
    dark: palette.isDark,
    font,
    title: titleOf(objectIn(theme, 'title')),
    border: borderOf(objectIn(theme, 'borders'), ink),
    shadow: shadowOf(objectIn(theme, 'boxShadow'), 0.12),
    popupShadow: shadowOf(objectIn(theme, 'popupShadow'), 0.2),
    marginsPx: [pxAt(margins, 0, 12), pxAt(margins, 1, 12)],
    axisPx: pxIn(objectIn(theme, 'axis'), 'fontSize', 12),
    legend: legendOf(objectIn(theme, 'legend')),
    tooltip: tooltipOf(objectIn(theme, 'tooltip'), palette),
    rounding: pxIn(objectIn(theme, 'itemSpecific'), 'rounding', 2),
    sizes: sizesOf(theme, font.sizePx),
  };
}
