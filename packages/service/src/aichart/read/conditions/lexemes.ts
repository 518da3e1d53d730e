import type { Word } from '../../vocabulary/words.ts';
import type { TimeSpan } from './clauses.ts';
import type { Entry, Lexicon } from './lexicon.ts';
import { numberFrom } from './numbers.ts';
import type { PlainTag, RankedTag } from './vocabulary.ts';

/** A span as the words without preposition say it. */
export interface SpanReading {
  readonly span: TimeSpan;
  readonly assumed: 'latest' | null;
  /** True if the words may mean something else: a bare number, the verb "may". Needs a preposition. */
  readonly weak: boolean;
  /** Returns the span in a year, if the question has none. */
  readonly inYear: ((year: number) => TimeSpan | null) | null;
}

/** What numbers, marks and combinations of words are. */
export type OtherTag =
  | 'number'
  | 'twoDigits'
  | 'year'
  | 'numericDay'
  | 'mark'
  | 'dot'
  | 'comma'
  | 'slash'
  | 'colon'
  | 'plus'
  | 'above'
  | 'below'
  | 'equals'
  | 'not'
  | 'quarterCode'
  | 'halfCode'
  | 'quarter'
  | 'halfYear'
  | 'week'
  | 'day'
  | 'hour'
  | 'amount'
  | 'percentage'
  | 'word'
  | 'reading';
export type Tag = PlainTag | RankedTag | OtherTag;

/** A sense of one or more words; `end` is the position after them. */
export interface Lexeme {
  readonly tag: Tag;
  readonly end: number;
  readonly value: number | null;
  readonly reading: SpanReading | null;
}

/** The senses of the words of a question, by their position. Longer ones come first. */
export type Lexemes = readonly (readonly Lexeme[])[];

const markTags: Readonly<Record<string, Tag>> = {
  '.': 'dot',
  ',': 'comma',
  '/': 'slash',
  ':': 'colon',
  '+': 'plus',
  '>': 'above',
  '<': 'below',
  '=': 'equals',
  '!': 'not',
};

const lexeme = (tag: Tag, end: number, value: number | null = null): Lexeme => ({ tag, end, value, reading: null });

const isYear = (value: number): boolean => Number.isInteger(value) && value >= 1900 && value <= 2100;

/** Digits in three groups, such as `12.05.2023`, as a number `yyyymmdd`. */
function dottedDay(text: string): number | null {
  const [day, month, year, ...more] = text.split('.').map(Number);
  if (day === undefined || month === undefined || year === undefined || more.length > 0) return null;
  return isYear(year) ? year * 10_000 + month * 100 + day : null;
}

function numberLexemes(words: readonly Word[], at: number, lexicon: Lexicon): readonly Lexeme[] {
  const text = words[at]?.text ?? '';
  const next = words[at + 1];
  const value = numberFrom(text, lexicon.decimalMark);
  const found: Lexeme[] = [];
  // `10 000` is one number.
  if (next?.kind === 'number' && /^\d{3}$/u.test(next.text) && /^\d{1,3}$/u.test(text))
    found.push(lexeme('number', at + 2, Number(text + next.text)));
  if (value !== null) found.push(lexeme('number', at + 1, value));
  if (value !== null && /^\d{4}$/u.test(text) && isYear(value)) found.push(lexeme('year', at + 1, value));
  if (/^\d\d$/u.test(text)) found.push(lexeme('twoDigits', at + 1, Number(text)));
  const day = dottedDay(text);
  if (day !== null) found.push(lexeme('numericDay', at + 1, day));
  return found;
}

/** Codes such as Q3, H1 and KW23, which are split into a letter and a digit. */
function codeLexemes(words: readonly Word[], at: number, lexicon: Lexicon): readonly Lexeme[] {
  const code = words[at]?.within;
  if (code === null || code === undefined || words[at + 1]?.within !== code) return [];
  const letters = words[at]?.text ?? '';
  const value = Number(code.slice(letters.length));
  if (!Number.isInteger(value)) return [];
  if (letters.length === 1 && value >= 1 && value <= 4 && lexicon.quarterCodes.includes(letters))
    return [lexeme('quarterCode', at + 2, value)];
  if (letters.length === 1 && value >= 1 && value <= 2 && lexicon.halfCodes.includes(letters))
    return [lexeme('halfCode', at + 2, value)];
  return letters === 'kw' || letters === 'cw' || letters === 'wk' ? [lexeme('week', at + 2, value)] : [];
}

/** True if the words of a phrase stand at a place and are no fragment of a name, as `k` is of `kWh`. */
function isAt(entry: Entry, words: readonly Word[], at: number): boolean {
  const end = at + entry.words.length;
  const isSplit = (place: number): boolean => {
    const name = words[place]?.within ?? null;
    return name !== null && words[place - 1]?.within === name;
  };
  return (
    entry.words.every((text, step) => words[at + step]?.text === text && words[at + step]?.kind !== 'quoted') &&
    !isSplit(at) &&
    !isSplit(end)
  );
}

/** Returns the senses of each word and phrase in a language. */
export function lexemesOf(words: readonly Word[], lexicon: Lexicon): Lexemes {
  return words.map((word, at) => {
    const phrases = (lexicon.entries.get(word.text) ?? [])
      .filter((entry) => isAt(entry, words, at))
      .map((entry) => lexeme(entry.tag, at + entry.words.length, entry.value));
    const named = word.kind === 'number' ? numberLexemes(words, at, lexicon) : codeLexemes(words, at, lexicon);
    const counts = phrases.flatMap(({ tag, end, value }) => (tag === 'count' ? [lexeme('number', end, value)] : []));
    const markTag = word.kind === 'mark' ? markTags[word.text] : undefined;
    const marks = word.kind === 'mark' ? [lexeme('mark', at + 1)] : [];
    if (markTag !== undefined) marks.push(lexeme(markTag, at + 1));
    const plain = word.kind === 'word' ? [lexeme('word', at + 1)] : [];
    return [...phrases, ...named, ...counts, ...marks, ...plain].toSorted((one, other) => other.end - one.end);
  });
}

/** An element of a pattern; with `?` it may be missing. */
export type Element = Tag | `${Tag}?`;
/** A sequence of elements. `march/april` is written as two patterns. */
export type Pattern = readonly Element[];

/** Rules with the tags that their patterns may begin with. */
export type RuleIndex<Rule> = readonly { readonly rule: Rule; readonly starts: readonly string[] }[];

/** Prepares rules for `rulesAt`. */
export const indexed = <Rule extends { readonly pattern: Pattern }>(rules: readonly Rule[]): RuleIndex<Rule> =>
  rules.map((rule) => ({ rule, starts: startsOf(rule.pattern) }));

/** Returns the tags of the elements until the first that may not be missing. */
function startsOf(pattern: Pattern): readonly string[] {
  const required = pattern.findIndex((element) => !element.endsWith('?'));
  return pattern.slice(0, required + 1).map((element) => element.replace('?', ''));
}

/** Returns the rules that may match at a word with these senses, in their order. */
export function rulesAt<Rule>(rules: RuleIndex<Rule>, senses: readonly Lexeme[] | undefined): readonly Rule[] {
  if (senses === undefined || senses.length === 0) return [];
  const tags = new Set<string>(senses.map(({ tag }) => tag));
  return rules.flatMap(({ rule, starts }) => (starts.some((tag) => tags.has(tag)) ? [rule] : []));
}

/** The words that a pattern matched, with the numbers and readings of its elements in their order. */
export interface Match {
  readonly end: number;
  readonly values: readonly number[];
  readonly readings: readonly SpanReading[];
}

/** Returns the longest match of a pattern that begins at a word. */
export function matchAt(pattern: Pattern, lexemes: Lexemes, at: number): Match | null {
  const [element, ...others] = pattern;
  if (element === undefined) return { end: at, values: [], readings: [] };
  const isOptional = element.endsWith('?');
  const tag = isOptional ? element.slice(0, -1) : element;
  let longest: Match | null = null;
  for (const found of lexemes[at] ?? []) {
    if (found.tag !== tag) continue;
    const tail = matchAt(others, lexemes, found.end);
    if (tail === null || (longest !== null && longest.end >= tail.end)) continue;
    longest = {
      end: tail.end,
      values: found.value === null ? tail.values : [found.value, ...tail.values],
      readings: found.reading === null ? tail.readings : [found.reading, ...tail.readings],
    };
  }
  return longest ?? (isOptional ? matchAt(others, lexemes, at) : null);
}
