import type { WordRange, PhraseText } from './phrase.ts';
import { excluding } from '../vocabulary/negation.ts';
import { anyOf } from './any-of.ts';
import type { Word } from '../vocabulary/words.ts';

const comparatives =
  'higher, greater, more, less, lower, larger, older, younger, bigger, smaller, fewer, longer, shorter, better, worse, later, earlier';
/** Words of comparisons, after which a noun may stand before the number, as in "over age 60". */
const prepositions = 'under, over, above, below, before, after';
const comparisonWords =
  'at least, at most, exceed(?:s|ing)?, reach(?:es|ing)?, between, since, until, equals?(?: to)?, is, are, =, >, <, > =, < =';
const compares = `(?:not )?(?:${anyOf(comparatives)} than(?: or equal(?:s)? to)?|${anyOf(prepositions)}|${anyOf(comparisonWords)})`;
/** Words that an average is compared with. */
const averageOpeners = 'than, above, below, over, under, exceeds?, exceeding, to';
const literal = `(?:(?:the )?(?:year )?\\d[\\d.,]*|once|twice|"q"|(?<=${anyOf(averageOpeners)} )(?:the )?(?:overall )?average)`;
const auxiliaries = 'is, are, was, were, being, has, have, had';
const comparison = new RegExp(
  ` (?:${anyOf(auxiliaries)} )?(?:${compares} |${anyOf(prepositions)} [a-z]+ )${literal}(?: and ${literal})?(?: times)?(?= )`,
  'u',
);
/** Words after a number that are not its unit. Other words may be, as in "more than 50 seats". */
const notNoun = new Set(
  'by per for in on of with and or each every from to as using sorted ordered grouped show visualize plot draw return give list find the a at please who whose that where what how which'.split(
    ' ',
  ),
);
/** Words before a value: "with \"q\"", "that is \"q\"". */
const equalityOpeners =
  'with, for, of, in, having, that is, that are, who is, who are, containing, includes?, contains?';
const classes = 'type, kind, category, position, status, class';
const equality = new RegExp(
  ` ${anyOf(equalityOpeners)} (?:the )?(?:\\S+ ){0,4}?(?:"q" ${anyOf(classes)}|"q"|\\d[\\d.,]*)(?= )`,
  'u',
);
/** Words that begin the next clause, and so end a condition. */
const nextClauses =
  'for (?:the )?(?:each|every|different|all), in (?:each|every), of each, by, per, grouped, group, together, along, how many, what, show, ' +
  'visuali[sz]e, plot, draw, return, give, tell, list, find, using, with a, in a, _, i (?:would|want), count';
const furtherRequests = 'count, group, show, sort, order, the number, how many, what, give, return, tell, find, list';
const ends = `(?=(?:${anyOf(nextClauses)}|and ${anyOf(furtherRequests)}) |[.?!;,] |$)`;
const whose = new RegExp(
  `(?<=[^.?!]) (?:whose|where|who|whom|which (?!year|month|day|week)|that (?!each|every)|having|when) (?:\\S+ ){0,30}?${ends}`,
  'u',
);
const relativeClause =
  / (?:for|of) (?:the |all (?:the )?)?(?:\S+ ){1,2}?(?:who|whose|that) (?:\S+ ){0,6}?(?:not|no) (?:\S+ ){0,4}?(?=[.?!;,] |$)/u;
const statedValue =
  / (?:their|its|whose|where|with|the) (?:\S+ ){1,3}?(?:is|are|equals?) (?!the |each |every |what |how |there )[^ .?!,;_]+(?: [^ .?!,;_]+)?(?= [.?!;,] | $)/u;
const excluded = new RegExp(
  ` ${anyOf(excluding.en.replaceAll(',', ', '))} (?:\\S+ ){0,4}?(?=[.?!;,] |and |by |per |$)`,
  'u',
);
/** Matches a further alternative of a condition, such as "… or language English". */
const alternative = new RegExp(` or (?:\\S+ ){1,12}?${ends}`, 'u');
/** Words that begin a condition. */
const starters = new Set('with whose where having when that which who of for in if only have has had'.split(' '));

/**
 * Returns the position of the first word of a condition. Searches backwards from the position `from` of the comparison.
 */
function conditionStart(words: readonly Word[], from: number): number {
  for (let at = from - 1; at >= Math.max(0, from - 6); at -= 1) {
    const word = words[at];
    if (word === undefined || word.kind === 'mark') return at + 1;
    if (word.text === 'of' && at === from - 1) continue;
    // In "Which nations have more than two", the word "nations" is the subject, not a part of the condition.
    if (at === 0 && /^(?:which|who)$/u.test(word.text)) return from;
    if (starters.has(word.text)) return at;
    if (word.text === 'and' || word.text === 'or') return at;
  }
  return Math.max(0, from - 2);
}

/** Returns the end of a list of numbers and their unit, as in "4, 6 or 8 cylinders". */
function valuesEnd(words: readonly Word[], from: number): number {
  if (words[from - 1]?.kind !== 'number') return from;
  let end = from;
  while (/^(?:,|or|and)$/u.test(words[end]?.text ?? '') && words[end + 1]?.kind === 'number') end += 2;
  const nextWord = words[end];
  return nextWord?.kind === 'word' && !notNoun.has(nextWord.text) ? end + 1 : end;
}

/**
 * Finds the conditions in a question, such as "with price higher than 300" and "whose gender is 'Male'". A column in a
 * condition selects rows; the chart does not show it.
 */
export function findFilters(phrase: PhraseText, words: readonly Word[]): readonly WordRange[] {
  const compared = phrase
    .findAll(comparison)
    .map(({ start, end }) => ({ start: conditionStart(words, start), end: valuesEnd(words, end) }));
  const equalities = phrase.findAll(equality).map(({ start, end }) => ({
    start: end - start <= 2 ? conditionStart(words, start) : start,
    end: valuesEnd(words, end),
  }));
  const comparisons = [...compared, ...equalities];
  const alternatives = phrase
    .findAll(alternative)
    .filter(({ start }) => comparisons.some((range) => range.end === start || range.end === start - 1));
  const conditions = [
    ...compared,
    ...alternatives,
    ...equalities,
    ...[whose, relativeClause, statedValue, excluded].flatMap((expression) => phrase.findAll(expression)),
  ];
  // A clause such as "where the x axis is nationality" describes the chart; it is no condition.
  return conditions.filter(({ start, end }) => !words.slice(start, end).some(({ text }) => text === 'axis'));
}
