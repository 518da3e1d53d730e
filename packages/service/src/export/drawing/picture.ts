import { Resvg } from '@resvg/resvg-js';
import PDFDocument from 'pdfkit';
import SVGtoPDF from 'svg-to-pdfkit';
import type { Fonts } from './fonts.ts';

/** Letters that the bundled fonts lack: reading the fonts of the system takes longer than most pictures. */
const beyondBundled = /[\u0700-\u1dff\u2e80-\ufb4f\u{10000}-\u{10ffff}]/u;

/** An SVG as PNG, `scale` times as large. Fonts of the system serve scripts that the bundled one lacks. */
export function pngOf(svg: string, fonts: Fonts, scale: number): Uint8Array {
  const files = [fonts.regular, fonts.bold, fonts.italic, fonts.boldItalic];
  return new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      fontFiles: files,
      loadSystemFonts: beyondBundled.test(svg),
      defaultFontFamily: fonts.family,
      sansSerifFamily: fonts.family,
    },
  })
    .render()
    .asPng();
}

/** One page of a PDF: an SVG and its size in px. */
export interface Page {
  readonly svg: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

const pointsInPx = 0.75;

/** Pages as PDF, drawn rather than painted: texts can be found and copied. */
export async function pdfOf(pages: readonly Page[], title: string, fonts: Fonts): Promise<Uint8Array> {
  const document = new PDFDocument({ autoFirstPage: false, info: { Title: title, Producer: 'Inlay' }, lang: 'en' });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  for (const { svg, widthPx, heightPx } of pages) {
    document.addPage({ size: [widthPx * pointsInPx, heightPx * pointsInPx], margin: 0 });
    SVGtoPDF(document, svg, 0, 0, {
      assumePt: false,
      fontCallback: (_family, bold, italic) =>
        bold ? (italic ? fonts.boldItalic : fonts.bold) : italic ? fonts.italic : fonts.regular,
      warningCallback: () => undefined,
    });
  }
  document.end();
  return done;
}
