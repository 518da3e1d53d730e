import { Resvg } from '@resvg/resvg-js';
import { converter, formatHex, parse } from 'culori';
import { SaxesParser } from 'saxes';

const oklchOf = converter('oklch');

/** Raised if no brand colour can be read from a logo. The message explains why. */
export class LogoFault extends Error {}

/** Number of occurrences of each colour in a logo. */
type Counts = Map<string, number>;

const samplePx = 96;
const maxBytes = 20_000_000;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Minimum alpha of a counted pixel, from 0 to 255. Pixels with a lower alpha are edges or background. */
const opaque = 250;

const countColor = (counts: Counts, color: string): Counts => counts.set(color, (counts.get(color) ?? 0) + 1);

/**
 * Counts the colours of a PNG. They are quantized to steps of 8, since the pixels of one colour often differ slightly.
 */
function pngColors(bytes: Buffer): Counts {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${samplePx}" height="${samplePx}"><image width="${samplePx}" height="${samplePx}" image-rendering="optimizeSpeed" href="data:image/png;base64,${bytes.toString('base64')}"/></svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const counts: Counts = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < opaque) continue;
    const [r = 0, g = 0, b = 0] = Array.from(pixels.subarray(at, at + 3), (part) => (Math.round(part / 8) * 8) / 255);
    countColor(counts, formatHex({ mode: 'rgb', r: Math.min(1, r), g: Math.min(1, g), b: Math.min(1, b) }));
  }
  return counts;
}

const paintDeclaration = /(?:^|[;{\s])(?:fill|stroke|stop-color|color)\s*:\s*([^;}]{1,80})/gu;
const attributes = new Set(['fill', 'stroke', 'stop-color', 'color']);

/** Counts the colours in attributes and styles of an SVG. */
function svgColors(text: string): Counts {
  const counts: Counts = new Map();
  const count = (value: string): void => {
    const color = parse(value.replace('!important', '').trim());
    if (color !== undefined && (color.alpha ?? 1) > 0) countColor(counts, formatHex(color));
  };
  const countStyles = (style: string): void => {
    for (const [, value = ''] of style.matchAll(paintDeclaration)) count(value);
  };
  const parser = new SaxesParser();
  let isSvg = false;
  parser.on('error', (error) => {
    throw new LogoFault(`is not well-formed XML (${error.message})`);
  });
  parser.on('opentag', ({ name, attributes: ownAttributes }) => {
    isSvg ||= name.replace(/^.*:/u, '') === 'svg';
    for (const [attribute, value] of Object.entries(ownAttributes)) {
      if (attribute === 'style') countStyles(value);
      else if (attributes.has(attribute)) count(value);
    }
  });
  parser.on('text', (style) => countStyles(style));
  parser.on('cdata', (style) => countStyles(style));
  parser.write(text).close();
  if (!isSvg) throw new LogoFault('is XML, but no SVG');
  return counts;
}

/** Returns the weight of a colour. White and greys usually surround a brand, so they weigh little. */
function weightOf(color: string, count: number): number {
  const { l = 0, c = 0 } = oklchOf(parse(color)) ?? {};
  if (l > 0.97 && c < 0.03) return count * 1e-4;
  return c < 0.04 ? count * 0.02 : count;
}

/** Returns the brand colour of a logo: its most frequent colour that is not grey. Raises LogoFault. */
export function brandColor(bytes: Buffer): string {
  if (bytes.length > maxBytes) throw new LogoFault(`is larger than ${maxBytes / 1e6} MB`);
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature);
  const start = bytes.subarray(0, 4000).toString('utf8').trimStart();
  if (!isPng && !start.startsWith('<')) throw new LogoFault('is neither PNG nor SVG');
  const counts = isPng ? pngColors(bytes) : svgColors(bytes.toString('utf8').trimStart());
  const [top] = [...counts].toSorted(([a, n], [b, m]) => weightOf(b, m) - weightOf(a, n));
  if (top === undefined)
    throw new LogoFault(isPng ? 'is damaged, or wholly transparent' : 'names no colour; give the colour itself');
  return top[0];
}
