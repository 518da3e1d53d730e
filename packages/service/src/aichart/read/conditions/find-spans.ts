import type { Word } from '../../vocabulary/words.ts';
import type { WordRange } from '../phrase.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import type { ComparisonClause, SpanClause, TimeSpan } from './clauses.ts';
import { comparisonIn } from './find-comparison.ts';
import { indexed, matchAt, rulesAt, type Lexemes, type SpanReading, type Tag } from './lexemes.ts';
import { spanRules, type SpanRule } from './rules/spans.ts';
import { timeWordsOf, type TimeWords } from './time-lexemes.ts';

const rules = indexed(spanRules);

interface FoundSpan extends WordRange {
  readonly reading: SpanReading;
  readonly excluded: boolean;
}

/**
 * Finds the conditions on time in the words of a question, in their order and without overlaps. Leaves out those that
 * a comparison contains. `today` is a day such as `2024-03-01`; `weekStart` is 1 for Monday. Two clauses that stand
 * side by side, as in "2021 and 2023", mean either.
 */
export function findSpans(
  words: readonly Word[],
  language: Language,
  today: string,
  weekStart: number,
): readonly SpanClause[] {
  const time = timeWordsOf(words, language, today, weekStart);
  return spansIn(time, comparisonIn(time));
}

/** Finds the conditions on time in words that are already read as times, beside their comparison. */
export function spansIn(time: TimeWords, comparison: ComparisonClause | null): readonly SpanClause[] {
  const { words } = time;
  const found: FoundSpan[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (comparison !== null && at >= comparison.range.start && at < comparison.range.end) continue;
    const span = longestAt(time, at, comparison?.range.start ?? words.length);
    if (span === null) continue;
    found.push(span);
    at = span.end - 1;
  }
  return withTheYear(withExclusion(found), time.context.today).map(({ start, end, reading, excluded }) => {
    const clause = { range: { start, end }, span: reading.span, assumed: reading.assumed, excluded };
    return excluded ? leftOut(clause) : clause;
  });
}

const monthLevel = 3;

/** Returns a span as one to leave out: a month without a year is left out of every year. */
export function leftOut({ span, assumed, ...clause }: SpanClause): SpanClause {
  const isAnyMonth = assumed === 'latest' && span.kind === 'period' && span.level === monthLevel;
  if (!isAnyMonth) return { ...clause, span, assumed, excluded: true };
  const values = [Number(span.start.slice(5, 7))];
  return { ...clause, span: { kind: 'parts', part: 'month', values }, assumed: null, excluded: true };
}

function longestAt(time: TimeWords, at: number, comparisonAt: number): FoundSpan | null {
  let longest: FoundSpan | null = null;
  for (const rule of rulesAt(rules, time.lexemes[at])) {
    const match = matchAt(rule.pattern, time.lexemes, at);
    if (match === null || match.end <= (longest?.end ?? at)) continue;
    if (at < comparisonAt && match.end > comparisonAt) continue;
    const reading = rule.read(match.readings, time.context, match.values);
    if (reading === null || isOtherPreposition(rule, time.lexemes, at)) continue;
    if (isTopOf(reading, time, at)) continue;
    if (reading.weak && !isSupported(rule, reading, time, { start: at, end: match.end })) continue;
    longest = { start: at, end: match.end, reading, excluded: rule.excluded };
  }
  return longest;
}

/** In "except 2020 and 2021" and "except weekends or December", both are left out. */
const withExclusion = (found: readonly FoundSpan[]): readonly FoundSpan[] =>
  found.reduce<readonly FoundSpan[]>((spans, span) => {
    const last = spans.at(-1);
    const isListed = last?.excluded === true && (span.start - last.end === 1 || isSameKind(last, span));
    return [...spans, isListed && span.start - last.end <= 1 ? { ...span, excluded: true } : span];
  }, []);

const isSameKind = (left: FoundSpan, right: FoundSpan): boolean =>
  left.reading.span.kind === 'parts' || right.reading.span.kind === 'parts'
    ? left.reading.span.kind === right.reading.span.kind
    : true;

const hasTag = (lexemes: Lexemes, at: number, tags: readonly Tag[]): boolean =>
  (lexemes[at] ?? []).some(({ tag }) => tags.includes(tag));

/**
 * True for the other sense of a word such as the Dutch `voor`, which is "before" with years and days, and "for" with
 * other spans.
 */
function isOtherPreposition({ pattern: [first] }: SpanRule, lexemes: Lexemes, at: number): boolean {
  if (!hasTag(lexemes, at, ['before']) || !hasTag(lexemes, at, ['in'])) return false;
  return first === (isYearOrDay(lexemes, at + 1) ? 'in' : 'before');
}

const isYearOrDay = (lexemes: Lexemes, at: number): boolean =>
  [at, at + 1].some((place) =>
    (lexemes[place] ?? []).some(
      ({ reading }) => reading?.span.kind === 'period' && (reading.span.level === 1 || reading.span.level === 5),
    ),
  );

/** True if the number at the start is a limit: "top 5 March sales". */
const isTopOf = ({ span }: SpanReading, { words, lexemes }: TimeWords, at: number): boolean =>
  span.kind === 'period' && span.level === 5 && words[at]?.kind === 'number' && hasTag(lexemes, at - 1, ['top']);

const bounds: readonly Tag[] = ['more', 'less', 'least', 'most', 'equal', 'unequal', 'above', 'below', 'equals'];

/** True if a bound, such as "more than", begins before a place and contains or ends at it. */
const followsBound = (lexemes: Lexemes, place: number): boolean =>
  [1, 2, 3, 4, 5, 6].some((back) =>
    (lexemes[place - back] ?? []).some(({ tag, end }) => bounds.includes(tag) && end >= place),
  ) || hasTag(lexemes, place, bounds);

/** Words after which "over 2023" is an amount, not a year. */
const amountOpeners = new Set(
  'who whose which that with having where spent spend paid pay earn earned worth'.split(' '),
);
const reachBack = 4;

/** True for "sales over 2023", where the year is a span. */
const isOverYear = (span: TimeSpan, time: TimeWords, { start, end }: WordRange): boolean =>
  span.kind === 'period' &&
  span.level === 1 &&
  hasTag(time.lexemes, start, ['in']) &&
  hasTag(time.lexemes, start, ['above', 'more']) &&
  !isNounAt(time, end) &&
  !time.words.slice(Math.max(0, start - reachBack), start).some(({ text }) => amountOpeners.has(text));

/** True if a word that does not serve the grammar stands at a place. */
const isNounAt = ({ words, lexemes }: TimeWords, at: number): boolean =>
  words[at] !== undefined && words[at]?.kind !== 'mark' && !hasTag(lexemes, at, ['groups', 'function', 'versus']);

/** True if the words around a weak reading leave no other meaning for it. */
function isSupported(rule: SpanRule, { span }: SpanReading, time: TimeWords, { start, end }: WordRange): boolean {
  const { lexemes, words, capitalMonths } = time;
  if (hasTag(lexemes, end, ['currency', 'percent', 'scale'])) return false;
  const isBare = rule.pattern[0] === 'reading' || rule.pattern[0] === 'the' || rule.pattern[0] === 'in';
  if (isBare && followsBound(lexemes, start) && !isOverYear(span, time, { start, end })) return false;
  if (rule.support === 'preposition') return true;
  if (span.kind === 'parts') return rule.support === 'article';
  if (span.kind === 'period' && span.level === 3) return capitalMonths && words[start]?.capital === true;
  const previous = words[start - 1];
  const isNoun = isNounAt(time, end);
  const isNumbered =
    previous?.kind === 'number' ||
    hasTag(lexemes, start - 1, ['top', 'colon', 'currency']) ||
    rule.support === 'article';
  return !isNoun && !isNumbered;
}

/** If the question has one year elsewhere, as in "june …, 2023" and "of last year", spans without a year are in it. */
function withTheYear(found: readonly FoundSpan[], today: string): readonly FoundSpan[] {
  const years = found.flatMap(({ reading, excluded }) => (excluded ? [] : (yearOf(reading.span, today) ?? [])));
  const [year] = years;
  if (year === undefined || years.length > 1) return found;
  return found.map((one) => {
    const span = one.reading.inYear?.(year) ?? null;
    return span === null ? one : { ...one, reading: { ...one.reading, span, assumed: null, inYear: null } };
  });
}

/** The year that a span is; null if it is no year. */
function yearOf(span: TimeSpan, today: string): number | null {
  if (span.kind === 'period') return span.level === 1 ? Number(span.start.slice(0, 4)) : null;
  const isYear = span.kind === 'relative' && span.expression === 'ago' && span.unit === 'year';
  return isYear ? Number(today.slice(0, 4)) - span.quantity : null;
}
