import { member, type JsonObject } from '../json.ts';
import { contrast, over, readable, writeColor, type Rgba } from './color.ts';
import { colorOf, colorsOf } from './read.ts';

const white: Rgba = { r: 255, g: 255, b: 255, a: 1 };
const black: Rgba = { r: 0, g: 0, b: 0, a: 1 };
const night: Rgba = { r: 29, g: 36, b: 48, a: 1 };

/** Text colours that are readable on a background. */
export interface Inks {
  readonly text: string;
  readonly mutedText: string;
  /** The main colour, adjusted so that links in it are readable. */
  readonly link: string;
}

/** The colours of items, and of the marks and texts on items, adjusted for contrast. */
export interface Palette {
  readonly background: Rgba;
  readonly items: Rgba;
  readonly main: Rgba;
  readonly isDark: boolean;
  readonly ink: Rgba;
  readonly colors: readonly string[];
  readonly sequential: readonly string[];
  readonly diverging: readonly string[];
}

const isDark = (color: Rgba): boolean => contrast(color, white) > contrast(color, black);

/** Returns the text colour on a background colour. */
export const inkOf = (ground: Rgba): Rgba => (isDark(ground) ? { r: 232, g: 237, b: 244, a: 1 } : night);

/**
 * Returns text colours with enough contrast to the background: 7:1 for texts, `minContrast`:1 for muted texts and
 * links.
 */
export function inksOn(ground: Rgba, main: Rgba, minContrast: number): Inks {
  const ink = inkOf(ground);
  const mutedInk: Rgba = { r: (ink.r + ground.r) / 2, g: (ink.g + ground.g) / 2, b: (ink.b + ground.b) / 2, a: 1 };
  return {
    text: writeColor(readable(ink, ground, 7)),
    mutedText: writeColor(readable(mutedInk, ground, minContrast)),
    link: writeColor(readable(main, ground, minContrast)),
  };
}

/** Returns the colour of text on a mark: white if its contrast is at least 4.5:1, otherwise near black. */
export const inkOnMark = (mark: Rgba): Rgba => (contrast(mark, white) >= 4.5 ? white : readable(night, mark, 4.5));

export const positive: Rgba = { r: 21, g: 128, b: 61, a: 1 };
export const negative: Rgba = { r: 200, g: 38, b: 38, a: 1 };

export function paletteOf(theme: JsonObject): Palette {
  const background = over(colorOf(member(theme, 'background')) ?? white, white);
  const items = over(colorOf(member(theme, 'itemsBackground')) ?? white, background);
  const main = readable(colorOf(member(theme, 'mainColor')) ?? { r: 0, g: 98, b: 155, a: 1 }, items, 3);
  const themeColors = colorsOf(member(theme, 'colors'));
  const colors = themeColors.map((color) => readable(over(color, items), items, 1.6));
  const scale = (name: string): readonly string[] =>
    colorsOf(member(theme, name)).map((color) => writeColor(over(color, items)));
  return {
    background,
    items,
    main,
    isDark: isDark(items),
    ink: inkOf(items),
    colors: (colors.length === 0 ? [main] : colors).map(writeColor),
    sequential: scale('sequential'),
    diverging: scale('diverging'),
  };
}
