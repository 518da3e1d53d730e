import { anyOf } from './any-of.ts';
import type { WordRange, PhraseText } from './phrase.ts';
import { adjective, endOf } from '../vocabulary/superlatives.ts';

/**
 * The number of groups that a question asks for. `order` is the direction of sorting; null if the question does not
 * imply one.
 */
export interface LimitClause {
  readonly count: number;
  readonly order: 'asc' | 'desc' | null;
  readonly taken: WordRange;
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const number = `(?<count>\\d{1,4}|${numbers.join('|')}|fifteen|twenty|dozen)`;
const notSpan = `(?! ${anyOf('%, days?, weeks?, months?, quarters?, years?, hours?')} )`;
/** A number after these words is part of a comparison, not a limit. */
const comparing =
  'than, over, above, under, below, between, and, or, to, least, most, is, are, equals?, after, before, in, since, until, id, code, number';
const notCompared = `(?<! ${anyOf(comparing)})`;
/** Words of a limit, and adjectives between them and the number: "limit to the top 5". */
const limiting = 'only, limit(?:ed)? to, just, maximum of, (?<=(?:show|list|display|give|return|with) )at most, limit';
const firstWords = 'top, best, first, bottom, worst, last';
const patterns: readonly RegExp[] = [
  new RegExp(` (?<adjective>${adjective}) ${number}(?= )(?! %)`, 'u'),
  new RegExp(` (?<first>first) ${number}(?= )${notSpan}`, 'u'),
  new RegExp(` (?<adjective>last) ${number}(?= )${notSpan}`, 'u'),
  new RegExp(
    `${notCompared} ${number} (?:(?!(?:by|per|each|every|,|\\.) )\\S+ ){0,4}?(?<adjective>${adjective}|most)(?= )`,
    'u',
  ),
  new RegExp(` ${anyOf(limiting)} (?:the )?(?:(?<adjective>${anyOf(firstWords)}) )?${number}(?= )`, 'u'),
];

/**
 * Finds the number of groups that a question asks for: "top 5", "the three cheapest", "only 10". Returns null if there
 * is none.
 */
export function findLimit(phrase: PhraseText): LimitClause | null {
  for (const pattern of patterns) {
    const match = phrase.find(pattern);
    const text = match?.parts['count'];
    if (match === null || text === undefined) continue;
    const word = numbers.indexOf(text) + 1;
    const count =
      word > 0 ? word : text === 'fifteen' ? 15 : text === 'twenty' ? 20 : text === 'dozen' ? 12 : Number(text);
    if (count < 1 || count > 1000) continue;
    const from = match.parts['adjective'] ?? match.parts['first'];
    const order = from === undefined ? null : endOf(from);
    return { count, order, taken: match };
  }
  return null;
}
