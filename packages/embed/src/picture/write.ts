/** Removes characters that are illegal in XML, even if they are escaped: https://www.w3.org/TR/xml/#charsets */
export const withoutControls = (text: string): string =>
  text.toWellFormed().replaceAll(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');

export const escaped = (text: string): string =>
  withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

interface TextStyle {
  readonly sizePx: number;
  readonly color: string;
  readonly family: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly weight?: string;
  readonly style?: string;
  readonly decoration?: string;
}

/** Returns one line of text; `y` is its baseline. */
export const textAt = (x: number, y: number, text: string, style: TextStyle): string =>
  `<text x="${round(x)}" y="${round(y)}" font-family="${escaped(style.family)}" font-size="${style.sizePx}" fill="${escaped(style.color)}"` +
  `${style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`}${style.weight === undefined ? '' : ` font-weight="${escaped(style.weight)}"`}` +
  `${style.style === undefined ? '' : ` font-style="${escaped(style.style)}"`}${style.decoration === undefined ? '' : ` text-decoration="${style.decoration}"`}>${escaped(text)}</text>`;

export const round = (value: number): number => Math.round(value * 100) / 100;

export const rectangle = (x: number, y: number, width: number, height: number, attributes: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(Math.max(0, height))}" ${attributes}/>`;
