/** A colour: red, green and blue from 0 to 255, opacity from 0 to 1. */
export interface Rgba {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

const fromHex = (text: string): Rgba | null => {
  const digits = /^#([0-9a-f]{3,8})$/iu.exec(text)?.[1];
  if (digits === undefined || digits.length === 5 || digits.length === 7) return null;
  const fullDigits = digits.length < 5 ? Array.from(digits, (digit) => digit + digit).join('') : digits;
  const at = (index: number): number => Number.parseInt(fullDigits.slice(index, index + 2), 16);
  return { r: at(0), g: at(2), b: at(4), a: fullDigits.length === 8 ? at(6) / 255 : 1 };
};

const fromHsl = (h: number, s: number, l: number, a: number): Rgba => {
  const part = (shift: number): number => {
    const k = (shift + h / 30) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return { r: part(0), g: part(8), b: part(4), a };
};

/** Parses `#…`, `rgb()`, `rgba()`, `hsl()` and `hsla()`. Returns null for named colours and for all other texts. */
export function parseColor(text: string): Rgba | null {
  const trimmedText = text.trim();
  const hex = fromHex(trimmedText);
  if (hex !== null) return hex;
  const match = /^(rgb|hsl)a?\(([^()]{1,60})\)$/iu.exec(trimmedText);
  if (match === null) return null;
  const words = (match[2] ?? '').split(/[\s,/]+/u).filter((word) => word !== '');
  const number = (index: number, fullValue: number): number => {
    const word = words[index] ?? '';
    const value = Number.parseFloat(word);
    return word.endsWith('%') ? (value / 100) * fullValue : value;
  };
  const a = words[3] === undefined ? 1 : number(3, 1);
  const rgba =
    match[1]?.toLowerCase() === 'rgb'
      ? { r: number(0, 255), g: number(1, 255), b: number(2, 255), a }
      : fromHsl(((number(0, 360) % 360) + 360) % 360, number(1, 1), number(2, 1), a);
  return Object.values(rgba).every(Number.isFinite) ? rgba : null;
}

export const writeColor = ({ r, g, b, a }: Rgba): string =>
  a === 1
    ? `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`
    : `rgba(${Math.round(r)},${Math.round(g)},${Math.round(b)},${a})`;

/** Blends `front` over an opaque `back`. */
export const over = (front: Rgba, back: Rgba): Rgba => {
  const mix = (top: number, bottom: number): number => Math.round(top * front.a + bottom * (1 - front.a));
  return { r: mix(front.r, back.r), g: mix(front.g, back.g), b: mix(front.b, back.b), a: 1 };
};

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Returns the relative luminance of a colour (WCAG 2.2): 0 is black, 1 is white. */
export const luminance = ({ r, g, b }: Rgba): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** Returns the contrast of two opaque colours, from 1 to 21 (WCAG 2.2). */
export function contrast(left: Rgba, right: Rgba): number {
  const [light, dark] = [luminance(left), luminance(right)].toSorted((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Moves `color` towards black or white until its contrast to `back` is `minContrast`. */
export function readable(color: Rgba, back: Rgba, minContrast: number): Rgba {
  const targetPart = luminance(back) > 0.179 ? 0 : 255;
  for (let step = 0; step <= 20; step += 1) {
    const share = step / 20;
    const movedPart = (part: number): number => Math.round(part + (targetPart - part) * share);
    const triedColor = { r: movedPart(color.r), g: movedPart(color.g), b: movedPart(color.b), a: 1 };
    if (contrast(triedColor, back) >= minContrast) return triedColor;
  }
  return { r: targetPart, g: targetPart, b: targetPart, a: 1 };
}
