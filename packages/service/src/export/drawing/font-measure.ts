import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { create as openFont } from 'fontkit';
import type { FontMeasure, TextFace } from '@inlay/embed/picture';
import { recent, remembered } from '../../store/recent.ts';
import { fittingFont, type Fonts, type OwnFont } from './fonts.ts';

/** A style of a font. Widths are in em. */
interface FontFace {
  /** Returns the advance width of a glyph; NaN if the font lacks the glyph. */
  readonly advance: (codePoint: number) => number;
  /** Returns the correction for two adjacent glyphs: kerning and ligatures. */
  readonly kerning: (one: number, next: number) => number;
  /** Returns the width of text whose glyphs depend on their neighbours. */
  readonly shaped: (text: string) => number;
}

/** Characters whose glyphs depend on adjacent characters. For all other characters the sum of advances is exact. */
const shapedRuns = /[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u200c-\u200f\ufb50-\ufdff\ufe70-\ufefe]+/gu;
/** True for texts in which every code point has a glyph of its own. */
const isSimple = (text: string): boolean => /^[\u0020-\u02ff]*$/u.test(text);

const isWide = (codePoint: number): boolean => codePoint >= 0x2e_80;

/** Estimates the width of a character that the service's fonts lack and a system font draws. */
const missingWidth = (character: string): number =>
  /\p{M}|\p{Cf}/u.test(character) ? 0 : isWide(character.codePointAt(0) ?? 0) ? 1 : 0.6;

/** Limits of the cache per style: number of glyph widths, and characters of texts. */
const cacheLimits = { letters: 20_000, texts: 200_000 } as const;

const codePoints = 0x11_00_00;

/** Reads a number from a font; NaN if the font file is damaged. */
function orNone(readNumber: () => number): number {
  try {
    return readNumber();
  } catch {
    return Number.NaN;
  }
}

function openedFont(data: Buffer): ReturnType<typeof openFont> | null {
  try {
    return openFont(data);
  } catch {
    return null;
  }
}

/** Opens a font with its widths; null if the file is invalid. */
function faceOf(data: Buffer): FontFace | null {
  const font = openedFont(data);
  if (font === null || !('hasGlyphForCodePoint' in font)) return null;
  const unitsPerEm = orNone(() => font.unitsPerEm);
  const laidOutWidth = (text: string): number => orNone(() => font.layout(text).advanceWidth / unitsPerEm);
  const advance = remembered(cacheLimits.letters, (codePoint: number) =>
    orNone(() =>
      font.hasGlyphForCodePoint(codePoint) ? font.glyphForCodePoint(codePoint).advanceWidth / unitsPerEm : Number.NaN,
    ),
  );
  const unshapedWidth = (text: string): number =>
    Array.from(text).reduce((sum, character) => sum + advance(character.codePointAt(0) ?? 0), 0);
  const kerning = remembered(cacheLimits.letters, (pair: number) => {
    const text = String.fromCodePoint(Math.floor(pair / codePoints), pair % codePoints);
    const width = laidOutWidth(text);
    return Number.isFinite(width) ? width - unshapedWidth(text) : 0;
  });
  const shaped = (text: string): number => {
    const width = laidOutWidth(text);
    return Number.isFinite(width) ? width : unshapedWidth(text);
  };
  return { advance, kerning: (firstPoint, nextPoint) => kerning(firstPoint * codePoints + nextPoint), shaped };
}

/** Bundled fonts stay open, since a process draws many files with them. */
const bundledFace = remembered(8, (path: string) => ({ face: faceOf(readFileSync(path)) }));

/** Fonts of organizations by digest of their file; opening one takes tens of milliseconds. */
const ownFaces = recent<string, { readonly face: FontFace | null }>(8);

/** Returns a font of an organization, cached by the digest of its file. */
function ownFace(digest: string, data: string): FontFace | null {
  const knownFace = ownFaces.get(digest);
  if (knownFace !== undefined) return knownFace.face;
  const face = faceOf(Buffer.from(data, 'base64'));
  ownFaces.set(digest, { face });
  return face;
}

const hasLetter = ({ advance }: FontFace, character: string): boolean =>
  Number.isFinite(advance(character.codePointAt(0) ?? 0));

/** Sums the widths of glyphs. Each glyph comes from the first font that has it. */
function plainWidth(text: string, faces: readonly FontFace[]): number {
  let width = 0;
  let [lastFace, lastPoint]: [FontFace | undefined, number] = [undefined, 0];
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const face = faces.find((candidate) => hasLetter(candidate, character));
    width += face === undefined ? missingWidth(character) : face.advance(codePoint);
    if (face !== undefined && lastFace === face && !isWide(codePoint) && !isWide(lastPoint))
      width += face.kerning(lastPoint, codePoint);
    [lastFace, lastPoint] = [face, codePoint];
  }
  return width;
}

function shapedWidth(text: string, faces: readonly FontFace[]): number {
  const face = faces.find((candidate) => Array.from(text).every((character) => hasLetter(candidate, character)));
  return face === undefined ? plainWidth(text, faces) : face.shaped(text);
}

function widthIn(faces: readonly FontFace[], fullText: string): number {
  if (isSimple(fullText)) return plainWidth(fullText, faces);
  const text = fullText.normalize('NFC');
  let [width, from] = [0, 0];
  for (const { 0: run, index } of text.matchAll(shapedRuns)) {
    width += plainWidth(text.slice(from, index), faces) + shapedWidth(run, faces);
    from = index + run.length;
  }
  return width + plainWidth(text.slice(from), faces);
}

const styles = {
  regular: { isBold: false, isItalic: false },
  bold: { isBold: true, isItalic: false },
  italic: { isBold: false, isItalic: true },
  boldItalic: { isBold: true, isItalic: true },
} as const;
type StyleName = keyof typeof styles;

const styleOf = ({ isBold = false, isItalic = false }: TextFace = {}): StyleName =>
  isBold ? (isItalic ? 'boldItalic' : 'bold') : isItalic ? 'italic' : 'regular';

/** Creates a function that measures texts in the given faces. */
const widthsIn = (faces: readonly (FontFace | null)[]): ((text: string) => number) => {
  const readable = faces.filter((face) => face !== null);
  return remembered(
    cacheLimits.texts,
    (text: string) => widthIn(readable, text),
    (text) => text.length + 8,
  );
};

/** The upright style of each style, used as a fallback because slanted faces lack some glyphs. */
const upright = { regular: 'regular', bold: 'bold', italic: 'regular', boldItalic: 'regular' } as const;

const bundledPaths = (fonts: Fonts, style: StyleName): readonly string[] => [fonts[style], fonts[upright[style]]];

/**
 * Functions that measure texts in bundled fonts. The key has the paths of a style's font and of its upright version.
 */
const bundledWidths = remembered(8, (paths: string) =>
  widthsIn(paths.split('\n').map((path) => bundledFace(path).face)),
);

/**
 * Measures texts as they are drawn: in fonts of an organization, otherwise in bundled fonts, otherwise with typical
 * widths of the script.
 */
export function createFontMeasure(ownFonts: readonly OwnFont[], fonts: Fonts): FontMeasure {
  const digests = ownFonts.map(({ data }) => createHash('sha256').update(data).digest('hex'));
  const faces = new Map(ownFonts.map((font, index) => [font, ownFace(digests[index] ?? '', font.data)]));
  const readable = ownFonts.filter((font) => faces.get(font) !== null);
  const widths = (style: StyleName): ((text: string) => number) => {
    const { isBold, isItalic } = styles[style];
    const ownFont = fittingFont(readable, isBold, isItalic);
    return ownFont === undefined
      ? bundledWidths(bundledPaths(fonts, style).join('\n'))
      : widthsIn([faces.get(ownFont) ?? null, ...bundledPaths(fonts, style).map((path) => bundledFace(path).face)]);
  };
  const widthByStyle = new Map<StyleName, (text: string) => number>();
  const widthsFor = (style: StyleName): ((text: string) => number) => {
    const widthOf = widthByStyle.get(style) ?? widths(style);
    widthByStyle.set(style, widthOf);
    return widthOf;
  };
  const fontsHash = createHash('sha256').update(fonts.family);
  for (const [index, { isBold, isItalic }] of ownFonts.entries())
    fontsHash.update(`${isBold} ${isItalic} ${digests[index]}`);
  return {
    fonts: `inlay-${fontsHash.digest('hex').slice(0, 24)}`,
    width: (text, sizePx, face) => widthsFor(styleOf(face))(text) * sizePx,
  };
}
