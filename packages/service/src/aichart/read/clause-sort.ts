import { anyOf } from './any-of.ts';
import type { PhraseMatch, WordRange, PhraseText } from './phrase.ts';
import { endOf } from '../vocabulary/superlatives.ts';
import type { Word } from '../vocabulary/words.ts';

/**
 * The order that a question asks for. `target` is the position of the words for the sort key; null if the question
 * names no sort key.
 */
export interface SortClause {
  readonly order: 'asc' | 'desc';
  readonly target: WordRange | null;
  /** The position of the words that belong only to the order. */
  readonly taken: WordRange;
  /**
   * True if a superlative about the result implies the order, as in "the most reviews". Its words may also be a part of
   * a column name or a limit.
   */
  readonly foremost?: true;
}

const ascending =
  '(?:ascending|increasing) (?:alphabetical|chronological), ascend(?:ing|ant|ding), asc, accending, increasing, rising, alphabetical, alphabetic, ' +
  'alphabetically, a to z, chronological, chronologically';
const descending =
  '(?:descending|decreasing) (?:alphabetical|chronological), descend(?:ing|ant|ding)?, descennding, decending, desc, decreasing, falling, ' +
  'reverse alphabetical, z to a, reverse chronological';
const low =
  'low, lowest, small, smallest, least, fewest, min, minimum, young, youngest, old, oldest, earliest, early, bottom, short, shortest, worst, ' +
  'cheapest, less';
const high =
  'high, highest, large, largest, big, biggest, most, max, maximum, greatest, latest, late, newest, recent, top, long, longest, best, more, expensive';
const direction =
  `(?:(?:in|by|with|on) )?(?:(?:a|an|the) )?(?:(?<asc>${anyOf(ascending)})|(?<desc>${anyOf(descending)}))(?: (?:order|orders|sequence|fashion|manner|way))?|` +
  `(?:in )?(?:an |a |the )?(?:order )?(?:from )?(?:the )?(?:(?<up>${anyOf(low)} to (?:the )?${anyOf(high)})|(?<down>${anyOf(high)} to (?:the )?${anyOf(low)}))(?: order)?|` +
  `(?<first>(?:highest|largest|biggest|most|newest|latest|best) first)|(?<last>(?:lowest|smallest|fewest|oldest|earliest|least) first)`;
const directions = new RegExp(` (?:${direction})(?= )`, 'u');

const strong = new Set([
  'sort',
  'sorted',
  'sorting',
  'order',
  'ordered',
  'ordering',
  'rank',
  'ranked',
  'ranking',
  'arrange',
  'arranged',
  'organize',
  'organized',
]);
const weak = new Set(['list', 'listed', 'show', 'display', 'displayed', 'put', 'see', 'present', 'view']);
const polite = new Set([
  'and',
  'could',
  'can',
  'you',
  'please',
  'i',
  'want',
  'would',
  'like',
  'to',
  'then',
  'also',
  'need',
  'results',
  'result',
  'the',
  'them',
  'it',
]);
const ends = new Set(['.', '?', '!', ';', ',', ':']);

const orderOf = ({ parts }: PhraseMatch): 'asc' | 'desc' =>
  parts['desc'] !== undefined ||
  parts['down'] !== undefined ||
  parts['down2'] !== undefined ||
  parts['first'] !== undefined
    ? 'desc'
    : 'asc';

/** Returns the end of the words that name the sort key and start at `from`, after a direction. */
function targetEnd(words: readonly Word[], from: number, isTaken: (at: number) => boolean): number {
  let end = from;
  while (end < words.length && end - from < 9) {
    const word = words[end];
    if (word === undefined || isTaken(end) || (word.kind === 'mark' && ends.has(word.text))) break;
    if (['please', 'with', 'using', 'visualize', 'plot', 'draw', 'return', 'show', 'limit'].includes(word.text)) break;
    if (word.text === 'and' && end > from) break;
    end += 1;
  }
  return end;
}

/**
 * Returns the start of words that only introduce a request, such as "and could you" and "I want to". Searches backwards
 * from `from`.
 */
function politeStart(words: readonly Word[], from: number): number {
  let start = from;
  while (start > 0 && polite.has(words[start - 1]?.text ?? '')) start -= 1;
  return start;
}

const byWords = new Set(['by', 'of', 'on', 'to', 'according', 'based', 'for', 'per', 'following']);

function verbBefore(words: readonly Word[], from: number): { at: number; sure: boolean } | null {
  for (let at = from - 1; at >= 0 && from - at <= 10; at -= 1) {
    const word = words[at];
    if (word === undefined || (word.kind === 'mark' && word.text !== '(' && word.text !== ')' && word.text !== '*'))
      return null;
    if (strong.has(word.text) && !(word.text === 'order' && words[at - 1]?.text === 'in')) return { at, sure: true };
    if (weak.has(word.text)) {
      const start = politeStart(words, at);
      const wordBefore = words[start - 1];
      if (start > 0 && (start < at || wordBefore?.kind === 'mark')) return { at, sure: false };
      if (from - at <= 3 && start > 0) return { at, sure: false };
      return null;
    }
  }
  return null;
}

/**
 * Returns the position of one to three words between a comma and a direction, as in ", names in asc". Returns null if
 * there are none.
 */
function nounBefore(words: readonly Word[], from: number, isTaken: (at: number) => boolean): WordRange | null {
  let start = from;
  while (start > 0 && from - start < 4 && words[start - 1]?.kind === 'word' && !isTaken(start - 1)) start -= 1;
  const followsMark = words[start - 1]?.text === ',' || words[start - 1]?.text === ';';
  return followsMark && start < from && from - start < 4 ? { start, end: from } : null;
}

const havingVerbs =
  'has, have, had, with, brings?, brought, generates?, generated, gets?, got, makes?, made, sells?, sold, shows?, earns?, earned, spends?, spent, ' +
  'receives?, received, takes?, took';
/**
 * Matches questions such as "which city has the highest revenue", which ask for the greatest first, but set no limit.
 */
const superlative = new RegExp(
  ` (?:which|what|who)(?: \\S+){1,4}? ${anyOf(havingVerbs)}(?: in)?(?: the)? (?:(?<desc>most|highest|largest|biggest|greatest|best|longest)|(?<asc>least|lowest|smallest|fewest|worst|shortest))(?: number of)?(?= )`,
  'u',
);

/**
 * Matches a superlative beside a mention: "the least profitable", "most used browser", "best customers". The mention is
 * the sort key.
 */
const attribute = new RegExp(
  ` (?:(?:which|what|who)(?: \\S+){1,4}? (?:is|are|was|were)(?: the)? (?:(?<asc>least|worst)|(?<desc>most|best))(?= )|(?:what|who|which|show|list|find|our|my|the) (?:are )?(?:my |our |the )?(?<desc>best|biggest|leading|busiest|most (?:used|popular|common|frequent|visited|sold|active|valuable))(?= ))`,
  'u',
);
/** Matches questions such as "which wards cost the most", with any verb. */
const countedAdjective = new RegExp(
  ' (?:which|who)(?: (?!(?:is|are|was|were) )[a-z0-9]+){1,6}? (?:the )?(?<adjective>most|least|fewest)(?= )',
  'u',
);
/** Matches "ranked" at the end of the question. */
const trailing = / (?:ranked|ranking)(?= (?:[.?!] )?$)/u;
/** Matches orders such as "rank regions by profit". */
const rankedBy = / (?:rank|ranking|sort|order) (?!by )(?:(?!by )\S+ ){1,3}?(?<by>by) /u;

/** Matches an order without a direction: "sorted by price", "ranked by count". */
const plainSort =
  / (?:sort|sorted|order|ordered|rank|ranked|arrange|arranged)(?: them| it| the result| the results)? (?:by|on|according to)(?= )/u;

type IsTaken = (at: number) => boolean;

/** Reads orders such as "descending by revenue" and "sort them descending by revenue". */
function sortByAfter(match: PhraseMatch, words: readonly Word[], isTaken: IsTaken): SortClause | null {
  if (!byWords.has(words[match.end]?.text ?? '') || isTaken(match.end)) return null;
  let from = match.end;
  while (byWords.has(words[from]?.text ?? '')) from += 1;
  const end = targetEnd(words, from, isTaken);
  if (end <= from) return null;
  const verb = verbBefore(words, match.start);
  const isNear = verb !== null && match.start - verb.at <= 3;
  const start = isNear ? politeStart(words, verb.at) : match.start;
  return { order: orderOf(match), target: { start: from, end }, taken: { start, end: pleaseEnd(words, end) } };
}

/** Reads orders such as "sort revenue descending". */
function sortVerbBefore(match: PhraseMatch, words: readonly Word[]): SortClause | null {
  const verb = verbBefore(words, match.start);
  if (verb === null) return null;
  let from = verb.at + 1;
  while (from < match.start && (byWords.has(words[from]?.text ?? '') || polite.has(words[from]?.text ?? ''))) from += 1;
  const target = from < match.start ? { start: from, end: match.start } : null;
  const start = politeStart(words, verb.at);
  return { order: orderOf(match), target, taken: { start, end: pleaseEnd(words, match.end) } };
}

/** Reads orders such as "the x axis ascending", ", revenue descending" and "from high to low". */
function sortNounBefore(match: PhraseMatch, words: readonly Word[], isTaken: IsTaken): SortClause | null {
  if (words[match.start - 1]?.text === 'axis' && match.start > 1) {
    const target = { start: match.start - 2, end: match.start };
    return { order: orderOf(match), target, taken: { start: target.start, end: match.end } };
  }
  const nounRange = nounBefore(words, match.start, isTaken);
  if (nounRange !== null)
    return { order: orderOf(match), target: nounRange, taken: { start: nounRange.start, end: match.end } };
  const isSpan = match.parts['up'] !== undefined || match.parts['down'] !== undefined;
  if (isSpan && words[match.start]?.text !== 'from') return null;
  const end = targetEnd(words, match.end, isTaken);
  const target = end > match.end && words[match.start]?.text === 'by' ? { start: match.end, end } : null;
  return { order: orderOf(match), target, taken: { start: match.start, end: target?.end ?? match.end } };
}

/** Reads orders such as "rank the agents by sales". */
function sortByRank(phrase: PhraseText, words: readonly Word[], isTaken: IsTaken): SortClause | null {
  const ranking = phrase.find(rankedBy);
  const sorting = ranking?.range('by') ?? null;
  if (ranking === null || sorting === null) return null;
  const end = targetEnd(words, sorting.end, isTaken);
  if (end <= sorting.end) return null;
  const order = /^(?:rank|ranking)/u.test(words[ranking.start]?.text ?? '') ? 'desc' : 'asc';
  return { order, target: { start: sorting.end, end }, taken: { start: ranking.start, end: ranking.start + 1 } };
}

/** Reads superlatives such as "the best agent" and "the most sold product", which ask for the first in an order. */
function sortByAdjective(phrase: PhraseText): SortClause | null {
  const match = phrase.find(superlative) ?? phrase.find(attribute);
  if (match !== null) {
    const { start } = match.range('desc') ?? match.range('asc') ?? match;
    return { order: orderOf(match), target: null, taken: { start, end: match.end }, foremost: true };
  }
  const verbal = phrase.find(countedAdjective);
  if (verbal !== null) {
    const order = endOf(verbal.parts['adjective'] ?? '');
    return { order, target: null, taken: verbal.range('adjective') ?? verbal, foremost: true };
  }
  const trailingMatch = phrase.find(trailing);
  return trailingMatch === null ? null : { order: 'desc', target: null, taken: trailingMatch };
}

/**
 * Reads orders without a direction, such as "sorted by revenue". Counts and aggregated numbers are sorted from the
 * highest, everything else from the lowest.
 */
function sortPlain(sortMatch: PhraseMatch, words: readonly Word[], isTaken: IsTaken): SortClause | null {
  const end = targetEnd(words, sortMatch.end, isTaken);
  if (end === sortMatch.end) return null;
  const text = words
    .slice(sortMatch.end, end)
    .map((word) => word.text)
    .join(' ');
  const byCount = /\b(?:count|number|total|amount|sum|average|most|popular)/u.test(text);
  const target = { start: sortMatch.end, end };
  return { order: byCount ? 'desc' : 'asc', target, taken: { start: politeStart(words, sortMatch.start), end } };
}

/**
 * Finds the order that a question asks for. If there are several with a direction, the last one is used. `isTaken` is
 * true for words that belong to the kind of chart.
 */
export function findSort(phrase: PhraseText, words: readonly Word[], isTaken: IsTaken): SortClause | null {
  const matches = phrase.findAll(directions).filter(({ start, end }) => !isTaken(start) || !isTaken(end - 1));
  for (const match of matches.toReversed()) {
    const clause =
      sortByAfter(match, words, isTaken) ?? sortVerbBefore(match, words) ?? sortNounBefore(match, words, isTaken);
    if (clause !== null) return clause;
  }
  const byRank = sortByRank(phrase, words, isTaken);
  if (byRank !== null) return byRank;
  const sortMatch = phrase.find(plainSort);
  return sortMatch === null ? sortByAdjective(phrase) : sortPlain(sortMatch, words, isTaken);
}

const pleaseEnd = (words: readonly Word[], end: number): number => (words[end]?.text === 'please' ? end + 1 : end);
