import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { builtInThemes } from './built-in.ts';
import { contrast, over, parseColor, readable, writeColor, type Rgba } from './color.ts';

/** A theme with nothing missing: colours as `rgb()` or `rgba()`, sizes in px. */
export interface Theme {
  readonly background: string;
  readonly itemsBackground: string;
  readonly mainColor: string;
  readonly colors: readonly string[];
  /** Of texts on items, made so that it can be read there. */
  readonly text: string;
  readonly mutedText: string;
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
  /** Vertical and horizontal, between items. */
  readonly marginsPx: readonly [number, number];
  readonly axisPx: number;
  readonly legend: { readonly type: 'normal' | 'line' | 'circle'; readonly sizePx: number; readonly linePx: number };
  readonly tooltip: {
    readonly background: string;
    readonly text: string;
    readonly sizePx: number;
    readonly opacity: number;
  };
  readonly rounding: number;
  readonly paddingPx: number;
}

const white: Rgba = { r: 255, g: 255, b: 255, a: 1 };
const shadows: Readonly<Record<string, string>> = { S: '0 1px 3px', M: '0 2px 8px', L: '0 6px 20px' };

/** Later themes win, member by member; an unset member (null) leaves what was before. */
function merged(themes: readonly JsonObject[]): JsonObject {
  return themes.reduce<JsonObject>((held, theme) => {
    const entries = Object.entries(theme).filter(([, value]) => value !== null);
    return {
      ...held,
      ...Object.fromEntries(
        entries.map(([name, value]) => {
          const before = member(held, name);
          return [name, isObject(value) && isObject(before) ? merged([before, value]) : value];
        }),
      ),
    };
  }, {});
}

/** A theme as it is named or given: the id of a built-in one, alone or as `{id}`, or a whole object. */
function themeOf(given: Json | undefined): JsonObject | null {
  if (typeof given === 'string') return themeOf({ id: given });
  if (given === undefined || !isObject(given)) return null;
  const inner = member(given, 'theme');
  if (isObject(inner)) return themeOf(inner);
  const id = member(given, 'id');
  const named = typeof id === 'string' && Object.hasOwn(builtInThemes, id) ? builtInThemes[id] : undefined;
  return named === undefined ? given : merged([named, given]);
}

// Double quotes would end the attribute that ECharts writes into SVG.
const family = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll(/[^\p{L}\p{N}\s,'_-]/gu, '')
    .slice(0, 200);

const colorOf = (value: Json | undefined): Rgba | null =>
  typeof value === 'string' ? (parseColor(value) ?? named(value)) : null;

const px = (value: Json | undefined, fallback: number): number => {
  const read = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? Math.min(Math.max(read, 0), 200) : fallback;
};

const part = (of: JsonObject, name: string): JsonObject => {
  const value = member(of, name);
  return isObject(value) ? value : {};
};

const flag = (of: JsonObject, name: string): boolean => member(of, name) === true;

function fontOf(font: JsonObject): Theme['font'] {
  const weight = member(font, 'font-weight');
  const given = member(font, 'fontFamily');
  const isWeight =
    typeof weight === 'number' || (typeof weight === 'string' && /^(?:bold|normal|\d{3})$/u.test(weight));
  return {
    family: typeof given === 'string' && family(given) !== '' ? family(given) : 'system-ui, sans-serif',
    sizePx: px(member(font, 'fontSize'), 14),
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
    sizePx: px(member(title, 'fontSize'), 15),
    linePx: px(member(title, 'lineHeight'), 22),
  };
}

function legendOf(legend: JsonObject): Theme['legend'] {
  const shape = member(legend, 'type');
  return {
    type: shape === 'line' || shape === 'circle' ? shape : 'normal',
    sizePx: px(member(legend, 'fontSize'), 12),
    linePx: px(member(legend, 'lineHeight'), 18),
  };
}

function borderOf(border: JsonObject, text: Rgba): Theme['border'] {
  const style = member(border, 'border-style');
  return {
    color: writeColor(colorOf(member(border, 'border-color')) ?? { ...text, a: 0.16 }),
    radiusPx: px(member(border, 'border-radius'), 8),
    style: typeof style === 'string' && ['none', 'solid', 'dotted', 'dashed'].includes(style) ? style : 'solid',
    widths: ['top', 'right', 'bottom', 'left'].map((side) => `${px(member(border, `border-${side}-width`), 1)}px`),
  };
}

function shadowOf(shadow: JsonObject): string {
  const size = member(shadow, 'size');
  if (typeof size !== 'string' || !Object.hasOwn(shadows, size)) return 'none';
  return `${shadows[size] ?? ''} ${writeColor(colorOf(member(shadow, 'color')) ?? { r: 0, g: 0, b: 0, a: 0.12 })}`;
}

/** The colours of items, and of what stands on them; marks and texts are moved until they can be told from it. */
interface Palette {
  readonly background: Rgba;
  readonly items: Rgba;
  readonly main: Rgba;
  readonly isDark: boolean;
  readonly ink: Rgba;
  readonly text: Rgba;
  readonly muted: Rgba;
  readonly colors: readonly string[];
}

function paletteOf(theme: JsonObject): Palette {
  const background = over(colorOf(member(theme, 'background')) ?? white, white);
  const items = over(colorOf(member(theme, 'itemsBackground')) ?? white, background);
  const main = readable(colorOf(member(theme, 'mainColor')) ?? { r: 0, g: 98, b: 155, a: 1 }, items, 3);
  const isDark = contrast(items, white) > contrast(items, { r: 0, g: 0, b: 0, a: 1 });
  const ink: Rgba = isDark ? { r: 232, g: 237, b: 244, a: 1 } : { r: 29, g: 36, b: 48, a: 1 };
  const half: Rgba = { r: (ink.r + items.r) / 2, g: (ink.g + items.g) / 2, b: (ink.b + items.b) / 2, a: 1 };
  const listed = member(theme, 'colors');
  const colors = (isList(listed) ? listed : []).flatMap((one) => {
    const read = colorOf(one);
    return read === null ? [] : [writeColor(readable(over(read, items), items, 1.6))];
  });
  return {
    ...{ background, items, main, isDark, ink },
    text: readable(ink, items, 7),
    muted: readable(half, items, 4.5),
    colors: colors.length === 0 ? [writeColor(main)] : colors,
  };
}

function tooltipOf(tooltip: JsonObject, { ink, items }: Palette): Theme['tooltip'] {
  const background = colorOf(member(tooltip, 'background')) ?? ink;
  return {
    background: writeColor(background),
    text: writeColor(readable(ink, over(background, items), 7)),
    sizePx: px(member(tooltip, 'fontSize'), 13),
    opacity: Math.min(px(member(tooltip, 'opacity'), 1), 1),
  };
}

/**
 * The theme to show, from the weakest to the strongest: organization, dashboard, token, element (null where there is
 * none). Every colour is read and written anew, so no text of a theme reaches CSS as it came; texts and marks are moved
 * until they can be told from what is behind them.
 */
export function resolveTheme(given: readonly (Json | undefined)[]): Theme {
  const stack = given.map(themeOf).filter((one) => one !== null);
  const theme = merged([builtInThemes['default'] ?? {}, ...stack]);
  const palette = paletteOf(theme);
  const margins = member(theme, 'margins');
  const margin = (index: number): number => (isList(margins) ? px(margins[index], 12) : 12);
  const specific = part(theme, 'itemSpecific');
  return {
    background: writeColor(palette.background),
    itemsBackground: writeColor(palette.items),
    mainColor: writeColor(palette.main),
    colors: palette.colors,
    text: writeColor(palette.text),
    mutedText: writeColor(palette.muted),
    line: writeColor({ ...palette.text, a: 0.14 }),
    dark: palette.isDark,
    font: fontOf(part(theme, 'font')),
    title: titleOf(part(theme, 'title')),
    border: borderOf(part(theme, 'borders'), palette.text),
    shadow: shadowOf(part(theme, 'boxShadow')),
    marginsPx: [margin(0), margin(1)],
    axisPx: px(member(part(theme, 'axis'), 'fontSize'), 12),
    legend: legendOf(part(theme, 'legend')),
    tooltip: tooltipOf(part(theme, 'tooltip'), palette),
    rounding: px(member(specific, 'rounding'), 2),
    paddingPx: px(member(specific, 'padding'), 12),
  };
}

/** The few named colours that themes are likely to use; the service checks that others are colours at all. */
const words: Readonly<Record<string, string>> = {
  ...{ black: '#000000', white: '#ffffff', red: '#ff0000', green: '#008000', blue: '#0000ff', gray: '#808080' },
  ...{ grey: '#808080', orange: '#ffa500', yellow: '#ffff00', purple: '#800080', teal: '#008080', navy: '#000080' },
  ...{ transparent: '#00000000', silver: '#c0c0c0', maroon: '#800000', olive: '#808000', pink: '#ffc0cb' },
};

const named = (text: string): Rgba | null => {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(words, word) ? parseColor(words[word] ?? '') : null;
};
