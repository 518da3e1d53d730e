import { Resvg, type RenderedImage } from '@resvg/resvg-js';
import { create as openFont } from 'fontkit';
import PDFDocument from 'pdfkit';
import SVGtoPDF from 'svg-to-pdfkit';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fittingFont, type Fonts, type OwnFont } from './fonts.ts';
import { inVisualOrder } from './visual-order.ts';

/**
 * Characters missing from the bundled fonts. System fonts are loaded only for drawings with such characters, since
 * loading them takes longer than drawing most pictures.
 */
const beyondBundled = /[\u0700-\u1dff\u2e80-\ufb4f\u{10000}-\u{10ffff}]/u;

/** Writes fonts to temporary files while `work` runs. */
function withFiles<Given>(ownFonts: readonly OwnFont[], work: (paths: readonly string[]) => Given): Given {
  if (ownFonts.length === 0) return work([]);
  const folder = mkdtempSync(join(tmpdir(), 'inlay-fonts-'));
  try {
    return work(
      ownFonts.map(({ data }, index) => {
        const path = join(folder, `${index}.ttf`);
        writeFileSync(path, Buffer.from(data, 'base64'), { mode: 0o600 });
        return path;
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Renders an SVG as PNG, scaled by `scale`. Uses fonts of the organization if specified, then the bundled font, then
 * system fonts for missing glyphs.
 */
export const pngOf = (svg: string, fonts: Fonts, ownFonts: readonly OwnFont[], scale: number): Uint8Array =>
  withFiles(ownFonts, (paths) => pixelsOf(svg, fonts, scale, paths).asPng());

/** Renders an SVG to pixels, scaled by `scale`; `ownPaths` are paths of additional fonts. */
export function pixelsOf(svg: string, fonts: Fonts, scale: number, ownPaths: readonly string[] = []): RenderedImage {
  const files = [...ownPaths, fonts.regular, fonts.bold, fonts.italic, fonts.boldItalic];
  return new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      fontFiles: files,
      loadSystemFonts: beyondBundled.test(svg),
      defaultFontFamily: fonts.family,
      sansSerifFamily: fonts.family,
    },
  }).render();
}

/** A page of a PDF: an SVG with its size in px, and the width of the page in points. */
export interface Page {
  readonly svg: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly widthPt: number;
}

/** Points per px of an unscaled drawing. */
export const pointsInPx = 0.75;

const noFont: OwnFont = { family: '', isBold: false, isItalic: false, data: '' };

/** Returns the distinct characters of a drawing. */
const lettersIn = (svg: string): ReadonlySet<string> =>
  new Set(svg.replaceAll(/<[^<>]*>/gu, '').replaceAll(/&(?:amp|lt|gt|quot);|\s/gu, ''));

/**
 * Registers fonts of an organization and returns their names. Returns null if a font lacks a character of the pages,
 * since a PDF cannot fall back to another font.
 */
function registered(
  document: InstanceType<typeof PDFDocument>,
  ownFonts: readonly OwnFont[],
  pages: readonly Page[],
): ReadonlyMap<OwnFont, string> {
  const letters = [...new Set(pages.flatMap(({ svg }) => [...lettersIn(svg)]))];
  const names = new Map<OwnFont, string>();
  for (const [index, font] of ownFonts.entries()) {
    try {
      const openedFont = openFont(Buffer.from(font.data, 'base64'));
      if (!('hasGlyphForCodePoint' in openedFont)) return new Map();
      if (!letters.every((letter) => openedFont.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))) return new Map();
      document.registerFont(`own-${index}`, Buffer.from(font.data, 'base64'));
      names.set(font, `own-${index}`);
    } catch {
      // The file is not a valid font; texts use the bundled font.
    }
  }
  return names;
}

/** Renders pages as PDF with vector graphics, so that text can be searched and copied. */
export async function pdfOf(
  pages: readonly Page[],
  { title, locale }: { readonly title: string; readonly locale: string },
  fonts: Fonts,
  ownFonts: readonly OwnFont[],
): Promise<Uint8Array> {
  const document = new PDFDocument({ autoFirstPage: false, info: { Title: title, Producer: 'Inlay' }, lang: locale });
  const chunks: Buffer[] = [];
  const pdfBytes = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  const orderedPages = pages.map((page) => ({ ...page, svg: inVisualOrder(page.svg) }));
  const names = registered(document, ownFonts, orderedPages);
  for (const { svg, widthPx, heightPx, widthPt } of orderedPages) {
    document.addPage({ size: [widthPt, (heightPx * widthPt) / widthPx], margin: 0 });
    const scale = widthPt / (widthPx * pointsInPx);
    if (scale !== 1) document.scale(scale);
    SVGtoPDF(document, svg, 0, 0, {
      assumePt: false,
      fontCallback: (_family, bold, italic) =>
        names.get(fittingFont([...names.keys()], bold, italic) ?? noFont) ??
        (bold ? (italic ? fonts.boldItalic : fonts.bold) : italic ? fonts.italic : fonts.regular),
      warningCallback: () => undefined,
    });
  }
  document.end();
  return pdfBytes;
}
