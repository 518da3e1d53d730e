import { isFunctionWord } from '../vocabulary/function-words.ts';
import { cueWords, stopWords } from '../vocabulary/lexicon.ts';
import { excludingStart } from '../vocabulary/negation.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading } from './reading.ts';
import type { WordRange } from './phrase.ts';
import { isSuperlative, needsMeasure } from '../vocabulary/superlatives.ts';
import type { Word } from '../vocabulary/words.ts';

const within = (at: number, ranges: readonly WordRange[]): boolean =>
  ranges.some(({ start, end }) => at >= start && at < end);

/**
 * Returns words of the question in a form that is safe to quote: letters, digits, spaces and `._-`, up to 60
 * characters.
 */
export function quote(words: readonly Word[], { start, end }: WordRange): string {
  // A part of a translated word was not typed by itself: the whole word was.
  const first = words.slice(0, start + 1).findLastIndex(({ typed }) => typed !== '');
  const texts = words
    .slice(first < 0 ? start : first, end)
    .flatMap(({ kind, text, typed = text }) => (kind === 'mark' || typed === '' ? [] : [typed]));
  const quotedText = texts.join(' ').replaceAll(/[^\p{L}\p{N} ._-]/gu, '');
  return quotedText.length > 60 ? `${quotedText.slice(0, 60)}…` : quotedText;
}

const digits = /^\d+$/u;

/** How strong a column has to be, against the best one, for words to be read as it. */
const likeBest = 0.75;

/** Words that ask for a chart of shares. */
const shareWords = new Set(
  'share shares percentage percentages proportion proportions fraction composition breakdown'.split(' '),
);

/** Ranges of words that a question's clauses use. */
const clauseRanges = ({ chart, sort, limit, grain, furtherGrain }: QuestionReading): readonly WordRange[] => [
  ...chart.taken,
  ...(sort === null ? [] : [sort.taken]),
  ...(limit === null ? [] : [limit.taken]),
  ...(grain === null ? [] : [grain.taken, grain.unit]),
  ...(furtherGrain === null ? [] : [furtherGrain.unit]),
];

/**
 * Returns the words that an answer does not use: they name no column that is drawn, and are part of no clause. `isDrawn`
 * tells which columns are drawn.
 */
export function unread(
  profile: Profile,
  reading: QuestionReading,
  language: string,
  isDrawn: (column: number) => boolean,
): readonly WordRange[] {
  const { words, mentions, filters, applied } = reading;
  const used = mentions.filter(
    ({ options, ordering }) =>
      ordering ||
      options.some(({ column, strength }) => isDrawn(column) && strength >= likeBest * (options[0]?.strength ?? 0)),
  );
  const usedRanges: readonly WordRange[] = [...used, ...clauseRanges(reading)];
  const ranking = [reading.sort, reading.limit].flatMap((clause) => clause?.taken ?? []);
  /** True for an adjective that ranks, such as "slowest" and "expensive" after "most", if it names no amount that is drawn. */
  const isVague = (at: number): boolean =>
    within(at, ranking) && !within(at, used) && needsMeasure(words[at]?.text ?? '', words[at - 1]?.text ?? '');
  const isShare = reading.chart.kind?.kind === 'idea' && reading.chart.kind.idea === 'share';
  /** True for "sickness" in "except the sickness": a condition that the reader only knows as such. */
  const isExcluded = (at: number): boolean =>
    excludingStart(words, at) !== null || (stopWords.has(words[at - 1]?.text ?? '') && at > 1 && isExcluded(at - 1));
  const isLeft = (at: number): boolean => {
    const word = words[at];
    if (word === undefined || word.kind === 'mark' || applied.has(word)) return false;
    if (isVague(at)) return !profile.entity.has(word.stem);
    if (within(at, usedRanges)) return false;
    if (word.within !== null && words[at - 1]?.within === word.within && digits.test(word.text)) return isLeft(at - 1);
    if (within(at, filters) && !isExcluded(at)) return false;
    if (word.kind !== 'word') return true;
    if (isShare && shareWords.has(word.text)) return false;
    if (stopWords.has(word.text) || cueWords.has(word.text) || isSuperlative(word.text)) return false;
    // The letter of a code such as P2 is no word of the grammar.
    const startsCode = word.within !== null && digits.test(words[at + 1]?.text ?? '');
    if (!startsCode && (isFunctionWord(word.text, language) || word.text.length === 1)) return false;
    return !profile.entity.has(word.stem);
  };
  const ranges: WordRange[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!isLeft(at)) continue;
    let end = at + 1;
    while (isLeft(end)) end += 1;
    ranges.push({ start: at, end });
    at = end;
  }
  return ranges;
}
