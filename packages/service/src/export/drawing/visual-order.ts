import bidiFactory from 'bidi-js';
import { escaped } from '@inlay/embed/picture';

const bidi = bidiFactory();

/** Right-to-left characters and directional marks. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const controls = /\p{Bidi_Control}/u;
/**
 * Matches words whose glyphs fontkit reverses. The first character with a script of its own decides; Persian digits
 * count as Arabic.
 */
const reversedByFontkit =
  /^[\p{Script=Common}\p{Script=Inherited}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
]);
const unescaped = (text: string): string =>
  text.replaceAll(/&(#39|[a-z]+);/gu, (entity, name: string) => entities.get(name) ?? entity);

/** A part of a text with its opening `<tspan …>` tag. The tag is empty for text outside a `<tspan>`. */
interface Span {
  readonly tag: string;
  readonly text: string;
}

/** Parses the content of a `<text>` element into spans, with entities decoded. */
function spansOf(content: string): readonly Span[] {
  let tag = '';
  return [...content.matchAll(/<[^<>]*>|[^<]+/gu)].flatMap(([part]): readonly Span[] => {
    if (!part.startsWith('<')) return [{ tag, text: unescaped(part) }];
    tag = part.startsWith('</') ? '' : part;
    return [];
  });
}

const reversed = (text: string): string => Array.from(text).toReversed().join('');

/** Returns the words of a directional run from left to right, each in the order in which fontkit draws its glyphs. */
function wordsOf({ tag, text }: Span, isRightToLeft: boolean): readonly Span[] {
  const words = text.split(/(\s)/u).filter((word) => word !== '');
  return (isRightToLeft ? words.toReversed() : words).map((word) => ({
    tag,
    text: reversedByFontkit.test(word) === isRightToLeft ? word : reversed(word),
  }));
}

/** Returns spans in visual order, from left to right. */
function reordered(spans: readonly Span[]): readonly Span[] {
  const text = spans.map((span) => span.text).join('');
  const tags = spans.flatMap((span) => Array<string>(span.text.length).fill(span.tag));
  const levels = bidi.getEmbeddingLevels(text, 'ltr');
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels);
  const runs: { readonly tag: string; readonly isRightToLeft: boolean; readonly units: string[] }[] = [];
  for (const index of bidi.getReorderedIndices(text, levels)) {
    const unit = mirrored.get(index) ?? text.charAt(index);
    if (controls.test(unit)) continue;
    const run = { tag: tags[index] ?? '', isRightToLeft: (levels.levels[index] ?? 0) % 2 === 1, units: [unit] };
    const lastRun = runs.at(-1);
    if (lastRun?.tag === run.tag && lastRun.isRightToLeft === run.isRightToLeft) lastRun.units.push(unit);
    else runs.push(run);
  }
  return runs.flatMap(({ tag, isRightToLeft, units }) =>
    wordsOf({ tag, text: (isRightToLeft ? units.toReversed() : units).join('') }, isRightToLeft),
  );
}

const spanSvg = ({ tag, text }: Span): string => `${tag === '' ? '<tspan>' : tag}${escaped(text)}</tspan>`;

/**
 * Reorders the words of `<text>` elements visually by the Unicode Bidirectional Algorithm. PDFKit shapes each word, but
 * places words from left to right in the order of the input.
 */
export const inVisualOrder = (svg: string): string =>
  svg
    .split('<text')
    .map((piece, index) => {
      const [start, end] = [piece.indexOf('>') + 1, piece.indexOf('</text>')];
      const content = piece.slice(start, end);
      if (index === 0 || end < start || !rightToLeft.test(content)) return piece;
      return `${piece.slice(0, start)}${reordered(spansOf(content)).map(spanSvg).join('')}${piece.slice(end)}`;
    })
    .join('<text');
