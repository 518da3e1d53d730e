import type { Profile } from '../../profile.ts';
import { isFunctionWord } from '../../vocabulary/function-words.ts';
import { opensGroup } from '../../vocabulary/groups.ts';
import { stopWords } from '../../vocabulary/lexicon.ts';
import { excludingStart } from '../../vocabulary/negation.ts';
import { languages } from '../../vocabulary/question-languages.ts';
import type { Word } from '../../vocabulary/words.ts';
import type { Mention } from '../find-mentions.ts';
import type { WordRange } from '../phrase.ts';

/** Largest number of words between "excluding" and a condition. */
const reachBack = 5;
const maxOthers = 2;

const isSmall = (text: string): boolean =>
  stopWords.has(text) || languages.some((language) => isFunctionWord(text, language));

/** Words in the names of columns that count something, such as "Number of guests". */
const counting = new Set(['number', 'count', 'aantal', 'anzahl', 'nombre', 'numero']);

/** True if a column names or counts what rows are about. A yes or an amount is a condition of its own. */
export function isOfRows({ columns }: Profile, column: number, isFlag: (column: number) => boolean): boolean {
  const { type, nameWords = [] } = columns[column] ?? {};
  return type === 'hierarchy' ? !isFlag(column) : nameWords.some((word) => counting.has(word));
}

/**
 * Returns the words before a condition that exclude its rows, as in "excluding bookings from Norway"; null if none do.
 * `isRows` tells whether a mention stands for the rows, and `isOther` whether a word may that is neither a mention nor the
 * noun of the dataset; at most two may.
 */
export function excludingWords(
  { entity }: Profile,
  words: readonly Word[],
  mentions: readonly Mention[],
  at: number,
  isRows: (mention: Mention) => boolean,
  isOther: (word: Word) => boolean = () => false,
): WordRange | null {
  let others = 0;
  let last: number | null = null;
  for (let end = at; end > 0 && at - end < reachBack; end -= 1) {
    const start = excludingStart(words, end);
    if (start !== null) return { start, end: last ?? end };
    const word = words[end - 1];
    const { kind, text = '', stem = '' } = word ?? {};
    if (word === undefined || kind !== 'word' || opensGroup(text) || text === 'and') return null;
    const mention = mentions.find((one) => end > one.start && end <= one.end);
    if (entity.has(stem) || isSmall(text) || (mention !== undefined && isRows(mention))) last ??= end;
    else if (others < maxOthers && isOther(word)) {
      others += 1;
      last ??= end;
    } else return null;
  }
  return null;
}
