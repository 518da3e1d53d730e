import { cueWords, stopWords } from '../vocabulary/lexicon.ts';
import type { Profile } from '../profile.ts';
import type { QuestionReading } from './reading.ts';
import type { WordRange } from './phrase.ts';
import { isSuperlative } from '../vocabulary/superlatives.ts';
import type { Word } from '../vocabulary/words.ts';

/** Prepositions that often precede a value, as in "in construction" and "from Chicago". */
const prepositions = new Set('in from for at within near via during'.split(' '));
/** Common nouns after such prepositions that are not values. */
const plainNouns = new Set(
  (
    'people persons items entries rows things values groups kinds types total detail general particular order addition terms case cases charge ' +
    'use example comparison relation regard respect dataset data table database columns column attribute attributes percent percentage ' +
    'years year months month weeks week days day hours hour time times y x axis axes colour color view overview company ' +
    'amount amounts sum size part parts range interval intervals level levels number period'
  ).split(' '),
);

const within = (at: number, ranges: readonly WordRange[]): boolean =>
  ranges.some(({ start, end }) => at >= start && at < end);

/**
 * Returns words of the question in a form that is safe to quote: letters, digits, spaces and `._-`, up to 60
 * characters.
 */
export function quote(words: readonly Word[], { start, end }: WordRange): string {
  const texts = words.slice(start, end).flatMap(({ kind, text }) => (kind === 'mark' ? [] : [text]));
  const quotedText = texts.join(' ').replaceAll(/[^\p{L}\p{N} ._-]/gu, '');
  return quotedText.length > 60 ? `${quotedText.slice(0, 60)}…` : quotedText;
}

/**
 * Returns the words that the engine did not use: they are no column, no part of the chart, and no condition. Usually
 * they are values, as in "flights to Los Angeles" and "unemployed in construction". The engine does not know the values
 * of columns, so it can only tell the user.
 */
export function unapplied(profile: Profile, reading: QuestionReading): readonly WordRange[] {
  const { words, chart, sort, limit, grain, filters, mentions } = reading;
  const coveredRanges: readonly WordRange[] = [
    ...mentions,
    ...filters,
    ...chart.taken,
    ...(sort === null ? [] : [sort.taken]),
    ...(limit === null ? [] : [limit.taken]),
    ...(grain === null ? [] : [grain.taken, grain.unit]),
  ];
  const isUnapplied = (at: number): boolean => {
    const word = words[at];
    if (word === undefined || word.kind === 'mark' || within(at, coveredRanges)) return false;
    if (word.kind !== 'word') return true;
    if (stopWords.has(word.text) || cueWords.has(word.text) || isSuperlative(word.text)) return false;
    return !profile.entity.has(word.stem) && !profile.named.has(word.text);
  };
  const ranges: WordRange[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || !isUnapplied(at)) continue;
    const wordBefore = words[at - 1]?.text === 'the' ? words[at - 2]?.text : words[at - 1]?.text;
    const followsPreposition =
      prepositions.has(wordBefore ?? '') && !plainNouns.has(word.text) && words[at + 1]?.text !== 'of';
    if (!(word.capital === true || word.kind === 'quoted' || followsPreposition)) continue;
    let end = at + 1;
    while (isUnapplied(end) && (words[end]?.capital === true) === (word.capital === true)) end += 1;
    if (words[end]?.text === 'or' && words[end + 1]?.capital === true && isUnapplied(end + 1)) end += 2;
    ranges.push({ start: at, end });
    at = end;
  }
  return ranges;
}
