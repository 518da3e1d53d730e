import { bundledFonts } from '../../packages/service/src/export/drawing/fonts.ts';
import { pixelsOf } from '../../packages/service/src/export/drawing/picture.ts';

/** A picture: four bytes a pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
  readonly png: () => Uint8Array;
}

/** Returns an SVG as pixels, `scale` times as large. */
export function pixelsOfSvg(svg: string, scale: number): Pixels {
  const image = pixelsOf(svg, bundledFonts(), scale);
  return { width: image.width, height: image.height, bytes: image.pixels, png: () => image.asPng() };
}

/** Returns a PNG as pixels. */
export function pixelsOfPng(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const address = `data:image/png;base64,${png.toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}"><image width="${width}" height="${height}" image-rendering="optimizeSpeed" xlink:href="${address}"/></svg>`;
  return pixelsOfSvg(svg, 1);
}

/** How far a channel may be off: the edges of letters and curves differ between processors. */
const maxOff = 32;

const isOff = (one: Pixels, other: Pixels, pixel: number, most: number): boolean =>
  [0, 1, 2, 3].some(
    (channel) => Math.abs((one.bytes[pixel * 4 + channel] ?? 0) - (other.bytes[pixel * 4 + channel] ?? 0)) > most,
  );

/**
 * Returns the pixels in which a channel of two pictures of one size is off by more than `most`; null if their sizes
 * differ.
 */
export function differences(one: Pixels, other: Pixels, most = maxOff): readonly number[] | null {
  if (one.width !== other.width || one.height !== other.height) return null;
  if (Buffer.compare(one.bytes, other.bytes) === 0) return [];
  return Array.from({ length: one.width * one.height }, (_, pixel) => pixel).filter((pixel) =>
    isOff(one, other, pixel, most),
  );
}

/** Returns a picture of where two pictures differ: the first, pale, under a red dot for each pixel. */
export function differencePng(picture: Pixels, pixels: readonly number[]): Uint8Array {
  const { width, height } = picture;
  const address = `data:image/png;base64,${Buffer.from(picture.png()).toString('base64')}`;
  const dots = pixels.map((pixel) => `M${pixel % width} ${Math.floor(pixel / width)}h1v1h-1z`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/><image width="${width}" height="${height}" opacity="0.25" xlink:href="${address}"/><path fill="red" d="${dots}"/></svg>`;
  return pixelsOfSvg(svg, 1).png();
}
