import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Fonts bundled with the service, so that text can be drawn on a server without fonts. */
export interface Fonts {
  readonly family: string;
  readonly regular: string;
  readonly bold: string;
  readonly italic: string;
  readonly boldItalic: string;
}

/** Returns DejaVu Sans, which covers Latin, Greek, Cyrillic, Arabic, Hebrew and more, under a permissive licence. */
export function bundledFonts(): Fonts {
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  return {
    family: 'DejaVu Sans',
    regular: join(folder, 'DejaVuSans.ttf'),
    bold: join(folder, 'DejaVuSans-Bold.ttf'),
    italic: join(folder, 'DejaVuSans-Oblique.ttf'),
    boldItalic: join(folder, 'DejaVuSans-BoldOblique.ttf'),
  };
}

/** A font of an organization, with its file in base64. */
export interface OwnFont {
  readonly family: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly data: string;
}

/** Returns the fonts of the first family in a CSS list that is available. */
export function fontsOfFamily(list: string, fonts: readonly OwnFont[]): readonly OwnFont[] {
  const families = list.split(',').map((family) =>
    family
      .trim()
      .replaceAll(/^["']|["']$/gu, '')
      .toLowerCase(),
  );
  const match = families.find((family) => fonts.some((font) => font.family.toLowerCase() === family));
  return fonts.filter(({ family }) => family.toLowerCase() === match);
}

/** Returns the `@font-face` rules that embed fonts in an SVG. */
export const facesSvg = (fonts: readonly OwnFont[]): string =>
  fonts.length === 0
    ? ''
    : `<style>${fonts
        .map(
          ({ family, isBold, isItalic, data }) =>
            `@font-face{font-family:"${family}";font-weight:${isBold ? 'bold' : 'normal'};font-style:${isItalic ? 'italic' : 'normal'};src:url(data:font/ttf;base64,${data})}`,
        )
        .join('')}</style>`;

/** Selects the font of a family for a style. */
export const fittingFont = (fonts: readonly OwnFont[], isBold: boolean, isItalic: boolean): OwnFont | undefined =>
  fonts.find((font) => font.isBold === isBold && font.isItalic === isItalic) ??
  fonts.find((font) => font.isBold === isBold) ??
  fonts[0];
