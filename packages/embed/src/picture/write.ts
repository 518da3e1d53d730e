/** Text as it stands in XML; characters XML cannot hold are left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** How wide a text is drawn, in px: near enough to cut it where it must end. */
export function widthOf(text: string, sizePx: number): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    width +=
      code > 0x2e_80 ? 1 : /[ilj.,:;'|!()[\]]/u.test(character) ? 0.32 : /[MWmw@%]/u.test(character) ? 0.86 : 0.56;
  }
  return width * sizePx;
}

/** A text cut with an ellipsis where it is wider than `mostPx`. */
export function fitted(text: string, sizePx: number, mostPx: number): string {
  if (widthOf(text, sizePx) <= mostPx) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && widthOf(`${characters.join('')}…`, sizePx) > mostPx) characters.pop();
  return `${characters.join('')}…`;
}

interface TextStyle {
  readonly sizePx: number;
  readonly color: string;
  readonly family: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly weight?: string;
  readonly style?: string;
  readonly decoration?: string;
}

/** One line of text; `y` is its baseline. */
export const textAt = (x: number, y: number, text: string, style: TextStyle): string =>
  `<text x="${round(x)}" y="${round(y)}" font-family="${escaped(style.family)}" font-size="${style.sizePx}" fill="${escaped(style.color)}"` +
  `${style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`}${style.weight === undefined ? '' : ` font-weight="${escaped(style.weight)}"`}` +
  `${style.style === undefined ? '' : ` font-style="${escaped(style.style)}"`}${style.decoration === undefined ? '' : ` text-decoration="${style.decoration}"`}>${escaped(text)}</text>`;

export const round = (value: number): number => Math.round(value * 100) / 100;

export const rectangle = (x: number, y: number, width: number, height: number, attributes: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(Math.max(0, height))}" ${attributes}/>`;
