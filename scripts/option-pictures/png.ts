import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The most colours that a palette has. */
const paletteMost = 256;

const channels = (color: number): readonly number[] => [color >> 16, (color >> 8) & 255, color & 255];

const distance = (one: number, other: number): number =>
  channels(one).reduce((sum, channel, index) => sum + (channel - (channels(other)[index] ?? 0)) ** 2, 0);

/** Returns the place of the colour of a palette that is most like another. */
const nearest = (palette: readonly number[], color: number): number =>
  palette.reduce((best, one, place) => (distance(one, color) < distance(palette[best] ?? 0, color) ? place : best), 0);

/** Opaque pixels of four bytes as the colours that most of them have, and the place of each pixel among them. */
function indexed(pixels: Uint8Array): { readonly palette: readonly number[]; readonly places: Uint8Array } {
  const colors = Array.from({ length: pixels.length / 4 }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(pixel * 4, pixel * 4 + 3);
    return (red << 16) | (green << 8) | blue;
  });
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const sorted = [...counts].toSorted(([one, often], [other, oftener]) => oftener - often || one - other);
  const palette = sorted.slice(0, paletteMost).map(([color]) => color);
  const places = new Map(
    sorted.map(([color], place) => [color, place < paletteMost ? place : nearest(palette, color)]),
  );
  return { palette, places: Uint8Array.from(colors, (color) => places.get(color) ?? 0) };
}

/** Opaque pixels of four bytes as a small PNG of at most 256 colours. */
export function smallPng(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const { palette, places } = indexed(pixels);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const lines = Array.from({ length: height }, (_, line) =>
    Buffer.concat([Buffer.alloc(1), places.subarray(line * width, (line + 1) * width)]),
  );
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}
