import { inflateSync } from 'node:zlib';

/** Texts of a PDF: its streams unpacked, and glyphs read back through the tables that say what they stand for. */
export function textsOfPdf(bytes: Buffer): string {
  const source = bytes.toString('latin1');
  const streams = [...source.matchAll(/stream\r?\n/gu)].flatMap(({ index, 0: opening }) => {
    const start = index + opening.length;
    const end = source.indexOf('endstream', start);
    try {
      return [inflateSync(bytes.subarray(start, end)).toString('latin1')];
    } catch {
      return [];
    }
  });
  // A ligature such as fi stands for two letters, which are written with a space between them.
  const fonts = streams
    .filter((stream) => stream.includes('beginbfrange'))
    .map((map) =>
      [...map.matchAll(/<([\da-f ]+)>(?= |\])/giu)]
        .slice(2)
        .map(([, hex = '']) => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')),
    );
  const written = streams
    .flatMap((stream) => stream.split(/\bET\b/u))
    .map((block) => [...block.matchAll(/<([\da-f]{4})> Tj/giu)].map(([, glyph = '']) => Number.parseInt(glyph, 16)));
  // Which font a text is in is not asked: one of them makes sense of it.
  return fonts.flatMap((font) => written.map((glyphs) => glyphs.map((glyph) => font[glyph] ?? '').join(''))).join('\n');
}
