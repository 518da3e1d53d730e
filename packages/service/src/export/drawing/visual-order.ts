import bidiFactory from 'bidi-js';
import { escaped } from '@inlay/embed/picture';

const bidi = bidiFactory();

/** Letters and marks that run from right to left. */
const leftward = /[\u0590-\u08ff\u200f\u202b\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const controls = /\p{Bidi_Control}/u;
/** Words that fontkit lays out from right to left: those whose first letter of any script is one of these. */
const laidOutLeftward =
  /^[\p{Script=Common}\p{Script=Inherited}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(#39|[a-z]+);/gu, (written, name: string) => entities[name] ?? written);

/** A part of a text and the tag that says how it is written; none where the text itself does. */
interface Span {
  readonly tag: string;
  readonly text: string;
}

/** The parts of what stands between `<text>` and `</text>`. */
function spansOf(inside: string): readonly Span[] {
  let tag = '';
  return [...inside.matchAll(/<[^<>]*>|[^<]+/gu)].flatMap(([part]): readonly Span[] => {
    if (!part.startsWith('<')) return [{ tag, text: unescaped(part) }];
    tag = part.startsWith('</') ? '' : part;
    return [];
  });
}

const reversed = (text: string): string => Array.from(text).toReversed().join('');

/** A run as the words that a renderer which puts one after the other from left to right has to be given. */
function wordsOf({ tag, text }: Span, isLeftward: boolean): readonly Span[] {
  const words = text.split(/(\s)/u).filter((word) => word !== '');
  return (isLeftward ? words.toReversed() : words).map((word) => ({
    tag,
    text: laidOutLeftward.test(word) === isLeftward ? word : reversed(word),
  }));
}

/** Spans in the order in which they are seen, from left to right. */
function reordered(spans: readonly Span[]): readonly Span[] {
  const text = spans.map((span) => span.text).join('');
  const tags = spans.flatMap((span) => Array<string>(span.text.length).fill(span.tag));
  const levels = bidi.getEmbeddingLevels(text, 'ltr');
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels);
  const runs: { readonly tag: string; readonly isLeftward: boolean; readonly units: string[] }[] = [];
  for (const place of bidi.getReorderedIndices(text, levels)) {
    const unit = mirrored.get(place) ?? text.charAt(place);
    if (controls.test(unit)) continue;
    const run = { tag: tags[place] ?? '', isLeftward: (levels.levels[place] ?? 0) % 2 === 1, units: [unit] };
    const last = runs.at(-1);
    if (last?.tag === run.tag && last.isLeftward === run.isLeftward) last.units.push(unit);
    else runs.push(run);
  }
  return runs.flatMap(({ tag, isLeftward, units }) =>
    wordsOf({ tag, text: (isLeftward ? units.toReversed() : units).join('') }, isLeftward),
  );
}

const written = ({ tag, text }: Span): string => `${tag === '' ? '<tspan>' : tag}${escaped(text)}</tspan>`;

/**
 * A drawing whose texts stand word by word in the order in which they are seen, by the Unicode Bidirectional Algorithm: PDFKit shapes
 * words, and puts them from left to right in the order in which it gets them.
 */
export const inVisualOrder = (svg: string): string =>
  svg
    .split('<text')
    .map((piece, index) => {
      const [start, end] = [piece.indexOf('>') + 1, piece.indexOf('</text>')];
      const inside = piece.slice(start, end);
      if (index === 0 || end < start || !leftward.test(inside)) return piece;
      return `${piece.slice(0, start)}${reordered(spansOf(inside)).map(written).join('')}${piece.slice(end)}`;
    })
    .join('<text');
