import type { FontMeasure, TextFace } from '../frame/font-measure.ts';

/** How texts are drawn. If `measure` is undefined, widths are estimated. */
interface TextLook {
  readonly measure?: FontMeasure | undefined;
}

/** Returns the width of a text in px. An estimate is accurate enough to decide where to truncate. */
export function widthOf(text: string, sizePx: number, { measure }: TextLook, face?: TextFace): number {
  if (measure) return measure.width(text, sizePx, face);
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    width +=
      code > 0x2e_80 ? 1 : /[ilj.,:;'|!()[\]]/u.test(character) ? 0.32 : /[MWmw@%]/u.test(character) ? 0.86 : 0.56;
  }
  return width * sizePx;
}

/** Truncates a text to a width of `maxPx`, with an ellipsis at its end. */
export function fitted(text: string, sizePx: number, maxPx: number, context: TextLook, face?: TextFace): string {
  if (widthOf(text, sizePx, context, face) <= maxPx) return text;
  const characters = Array.from(text);
  const cutText = (end: number): string => `${characters.slice(0, end).join('').trimEnd()}…`;
  let [low, high] = [1, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(cutText(middle), sizePx, context, face) <= maxPx) low = middle;
    else high = middle - 1;
  }
  return cutText(low);
}

/** Spaces at which a line may break. A no-break space, as in `1 k`, is not one of them. */
const breaks = /[^\S\u00A0\u202F]+/u;

/**
 * Wraps a text between words to at most `maxLines` lines, each at most `maxPx` wide. Truncates the text that does not
 * fit.
 */
export function wrapped(
  text: string,
  sizePx: number,
  maxPx: number,
  maxLines: number,
  context: TextLook,
): readonly string[] {
  const lines: string[] = [];
  const words = text.split(breaks);
  let line = words.shift() ?? '';
  for (const [index, word] of words.entries()) {
    if (widthOf(`${line} ${word}`, sizePx, context) <= maxPx) line = `${line} ${word}`;
    else if (lines.length === maxLines - 1) {
      line = [line, ...words.slice(index)].join(' ');
      break;
    } else {
      lines.push(fitted(line, sizePx, maxPx, context));
      line = word;
    }
  }
  return [...lines, fitted(line, sizePx, maxPx, context)];
}
