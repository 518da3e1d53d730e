import type { Word } from '../../vocabulary/words.ts';
import type { WordRange } from '../phrase.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import type { BoundClause, BoundOperator } from './clauses.ts';
import { comparisonIn } from './find-comparison.ts';
import { spansIn } from './find-spans.ts';
import { indexed, lexemesOf, matchAt, rulesAt, type Lexemes, type Pattern } from './lexemes.ts';
import { lexiconOf } from './lexicon.ts';
import { withNumbers, type NumberRule } from './rules/rule.ts';
import { timeWordsOf } from './time-lexemes.ts';

const same: NumberRule['read'] = ([value = 0]) => value;
const scaled: NumberRule['read'] = ([value = 0, scale = 0]) => value * 1000 ** scale;

const amountRules: readonly NumberRule[] = [
  { tag: 'amount', pattern: ['currency?', 'number', 'currency?'], read: same },
  { tag: 'amount', pattern: ['currency?', 'number', 'scale', 'currency?'], read: scaled },
  { tag: 'percentage', pattern: ['number', 'percent'], read: same },
];

interface BoundRule {
  readonly pattern: Pattern;
  readonly operator: BoundOperator;
  readonly percent: boolean;
  /** True if the second word from the end is the unit: "10 pages or more". */
  readonly unitInside?: boolean;
}

const boundRules: readonly BoundRule[] = (['amount', 'percentage'] as const).flatMap((amount): readonly BoundRule[] => {
  const percent = amount === 'percentage';
  const rule = (operator: BoundOperator, ...pattern: Pattern): BoundRule => ({ pattern, operator, percent });
  return [
    rule('>', 'more', 'the?', amount),
    rule('<', 'less', 'the?', amount),
    rule('>=', 'least', 'the?', amount),
    rule('<=', 'most', 'the?', amount),
    rule('=', 'equal', 'the?', amount),
    rule('!=', 'unequal', 'the?', amount),
    rule('>', 'above', amount),
    rule('<', 'below', amount),
    rule('>=', 'above', 'equals', amount),
    rule('<=', 'below', 'equals', amount),
    rule('=', 'equals', amount),
    rule('!=', 'not', 'equals', amount),
    rule('!=', 'below', 'above', amount),
    rule('>=', amount, 'orMore'),
    rule('<=', amount, 'orLess'),
    rule('>=', amount, 'plus'),
    rule('between', 'between', amount, 'and', amount),
    rule('between', 'from', amount, 'to', amount),
    { ...rule('>=', amount, 'word', 'orMore'), unitInside: true },
    { ...rule('<=', amount, 'word', 'orLess'), unitInside: true },
    ...(percent ? [rule('between', 'between', 'number', 'and', amount)] : []),
  ];
});

const amounts = indexed(amountRules);
const rules = indexed(boundRules);

/** Any day: which words are a time does not depend on it. */
const someDay = '2024-01-01';

/**
 * Finds the conditions on numbers in the words of a question, in their order and without overlaps. The range of a
 * clause ends with the number. Years, spans of time and limits such as "top 5" are no such conditions.
 */
export function findBounds(words: readonly Word[], language: Language): readonly BoundClause[] {
  const lexemes = withNumbers(lexemesOf(words, lexiconOf(language)), amounts);
  const found: BoundClause[] = [];
  let times: readonly WordRange[] | null = null;
  for (let at = 0; at < words.length; at += 1) {
    const bound = longestAt(words, lexemes, at);
    if (bound === null) continue;
    const isTime = (times ??= timesOf(words, language)).some(({ start, end }) => start < bound.range.end && at < end);
    if (isTime) continue;
    if (!isLimit(bound, lexemes)) found.push(bound);
    at = bound.range.end - 1;
  }
  return found;
}

/** The ranges of spans and comparisons of time. They are only read if there is a number that might be a bound. */
function timesOf(words: readonly Word[], language: Language): readonly WordRange[] {
  const time = timeWordsOf(words, language, someDay, 1);
  const comparison = comparisonIn(time);
  const ranges = spansIn(time, comparison).map(({ range }) => range);
  return comparison === null ? ranges : [...ranges, comparison.range];
}

function longestAt(words: readonly Word[], lexemes: Lexemes, at: number): BoundClause | null {
  let longest: BoundClause | null = null;
  for (const { pattern, operator, percent, unitInside } of rulesAt(rules, lexemes[at])) {
    const match = matchAt(pattern, lexemes, at);
    if (match === null || match.end <= (longest?.range.end ?? at)) continue;
    const values = valuesOf(match.values);
    if (values === null) continue;
    const range = { start: at, end: match.end };
    const unit = unitInside === true ? unitBefore(lexemes, range) : unitAfter(words, lexemes, match.end);
    // In "class 3B or lower than 4", the capital is no unit.
    if (unitInside === true && words[unit?.start ?? -1]?.endsCode === true) continue;
    longest = { range, operator, values, percent, unit };
  }
  return longest;
}

function valuesOf([one, other]: readonly number[]): BoundClause['values'] | null {
  if (one === undefined) return null;
  return other === undefined ? [one] : [Math.min(one, other), Math.max(one, other)];
}

const has = (lexemes: Lexemes, at: number, ...tags: readonly string[]): boolean =>
  (lexemes[at] ?? []).some(({ tag }) => tags.includes(tag));

/** "10 pages or more": the word before the last phrase. */
function unitBefore(lexemes: Lexemes, { start, end }: WordRange): WordRange {
  let at = start;
  while (at < end && !has(lexemes, at, 'orMore', 'orLess')) at += 1;
  return { start: at - 1, end: at };
}

/** One or two words that do not serve the grammar. The parts of a name such as `kWh` are one word. */
function unitAfter(words: readonly Word[], lexemes: Lexemes, from: number): WordRange | null {
  let end = from;
  for (let count = 0; count < 2; count += 1) {
    const word = words[end];
    if (word?.kind !== 'word' || has(lexemes, end, 'function', 'groups', 'more', 'less', 'orMore', 'orLess', 'last'))
      break;
    end += 1;
    while (word.within !== null && words[end]?.within === word.within) end += 1;
  }
  return end > from ? { start: from, end } : null;
}

/** "show at most 10" is a limit. */
const isLimit = ({ operator, range }: BoundClause, lexemes: Lexemes): boolean =>
  operator === '<=' && lexemes.slice(0, range.start).some((senses) => senses.some(isShownAt(range.start)));

const isShownAt =
  (at: number) =>
  ({ tag, end }: { tag: string; end: number }): boolean =>
    tag === 'show' && end === at;
