import bidiFactory from 'bidi-js';
import { escaped } from '@inlay/embed/picture';

const bidi = bidiFactory();

/** Right-to-left characters and directional marks. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const controls = /\p{Bidi_Control}/u;
/** Words whose glyphs fontkit reverses: the first letter that belongs to a script decides, digits of Persian included. */
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

/** A part of a text with its opening `<tspan …>` tag; an empty tag where it has none. */
interface Span {
  readonly tag: string;
  readonly text: string;
}

/** The content of a `<text>` element as spans, without entities. */
function spansOf(content: string): readonly Span[] {
  let tag = '';
  return [...content.matchAll(/<[^<>]*>|[^<]+/gu)].flatMap(([part]): readonly Span[] => {
    if (!part.startsWith('<')) return [{ tag, text: unescaped(part) }];
    tag = part.startsWith('</') ? '' : part;
    return [];
  });
}

const reversed = (text: string): string => Array.from(text).toReversed().join('');

/** The words of a directional run from left to right, each in the order in which fontkit draws its glyphs. */
function wordsOf({ tag, text }: Span, isRightToLeft: boolean): readonly Span[] {
  const words = text.split(/(\s)/u).filter((word) => word !== '');
  return (isRightToLeft ? words.toReversed() : words).map((word) => ({
    tag,
    text: reversedByFontkit.test(word) === isRightToLeft ? word : reversed(word),
  }));
}

/** Spans in visual order, from left to right. */
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
    const last = runs.at(-1);
    if (last?.tag === run.tag && last.isRightToLeft === run.isRightToLeft) last.units.push(unit);
    else runs.push(run);
  }
  return runs.flatMap(({ tag, isRightToLeft, units }) =>
    wordsOf({ tag, text: (isRightToLeft ? units.toReversed() : units).join('') }, isRightToLeft),
  );
}

const spanSvg = ({ tag, text }: Span): string => `${tag === '' ? '<tspan>' : tag}${escaped(text)}</tspan>`;

/**
 * An SVG whose `<text>` elements have their words in visual order, by the Unicode Bidirectional Algorithm. PDFKit shapes each word,
 * but places words from left to right in the order in which it is given them.
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
