import { Resvg } from '@resvg/resvg-js';
import { differenceCiede2000 } from 'culori';
import { describe, expect, it } from 'vitest';
import { brandColor, LogoFault } from './logo.ts';

const svg = (inside: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${inside}</svg>`);
const png = (inside: string): Buffer => Buffer.from(new Resvg(svg(inside).toString()).render().asPng());
const mark = '<rect width="40" height="40" fill="#fff"/><circle cx="20" cy="20" r="9" fill="#c8102e"/>';
const name = '<rect y="32" width="40" height="8" fill="#222"/>';

describe('the colour of a logo', () => {
  it.each([
    ['attributes', `${mark}${name}`, '#c8102e'],
    ['styles', '<path style="stroke:none; fill: #0a7d5a"/><path fill="#fff"/>', '#0a7d5a'],
    ['a style sheet', '<style>.a { fill: rgb(10, 125, 90) } .b{fill:white}</style><path class="a"/>', '#0a7d5a'],
    ['CDATA', '<style><![CDATA[.a{fill:#0a7d5a}]]></style><path class="a"/>', '#0a7d5a'],
    ['a gradient', '<stop stop-color="#5c3df5"/><stop stop-color="#5c3df5"/><path fill="url(#a)"/>', '#5c3df5'],
    ['greys alone', '<path fill="#111111"/><path fill="#ffffff"/>', '#111111'],
  ])('is read from %s of an SVG', (_from, inside, color) => expect(brandColor(svg(inside))).toBe(color));

  it('is read from the pixels of a PNG, beside white and black', () => {
    expect(differenceCiede2000()(brandColor(png(mark + name)), '#c8102e')).toBeLessThan(3);
  });

  it.each([
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), /neither PNG nor SVG/u],
    ['nothing', Buffer.alloc(0), /neither PNG nor SVG/u],
    ['XML of something else', Buffer.from('<html fill="#123456"></html>'), /no SVG/u],
    ['an SVG that is cut', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path'), /not well-formed/u],
    ['an SVG without colours', svg('<path d="M0 0"/>'), /names no colour/u],
    ['a PNG that is cut', png(mark).subarray(0, 60), /damaged/u],
    ['a PNG that is empty', png(''), /transparent/u],
  ])('is not read from %s, in words', (_what, bytes, message) => {
    expect(() => brandColor(bytes)).toThrow(LogoFault);
    expect(() => brandColor(bytes)).toThrow(message);
  });
});
