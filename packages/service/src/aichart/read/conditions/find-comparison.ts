import type { Word } from '../../vocabulary/words.ts';
import { daysOf, moveYears, periodDays } from './calendar.ts';
import type { Language } from '../../vocabulary/question-languages.ts';
import { timeUnits, type ComparisonClause, type TimeSpan, type TimeUnit } from './clauses.ts';
import { indexed, matchAt, rulesAt, type Pattern, type SpanReading } from './lexemes.ts';
import { timeWordsOf, type TimeWords } from './time-lexemes.ts';
import { spanYearsLater } from './rules/periods.ts';
import type { ReadingContext } from './rules/rule.ts';
import { inOneYear } from './rules/spans.ts';

type ComparedSpans = Omit<ComparisonClause, 'range'>;

interface ComparisonRule {
  readonly pattern: Pattern;
  /** Gets the spans and numbers of the pattern, in their order. */
  readonly read: (
    spans: readonly TimeSpan[],
    context: ReadingContext,
    values: readonly number[],
  ) => ComparedSpans | null;
  /** True if the words need "compare" or "difference" before them. */
  readonly announced?: boolean;
}

/**
 * Finds the comparison of two spans of time in the words of a question. Returns null if there is none. Arguments are
 * those of `findSpans`.
 */
export const findComparison = (
  words: readonly Word[],
  language: Language,
  today: string,
  weekStart: number,
): ComparisonClause | null => comparisonIn(timeWordsOf(words, language, today, weekStart));

/** Finds the comparison in words that are already read as times. */
export function comparisonIn({ words, lexemes, context }: TimeWords): ComparisonClause | null {
  const announcedAt = lexemes.findIndex((senses) => senses.some(({ tag }) => tag === 'compare'));
  for (let at = 0; at < words.length; at += 1) {
    let longest: ComparisonClause | null = null;
    for (const { pattern, read, announced } of rulesAt(rules, lexemes[at])) {
      if (announced === true && (announcedAt < 0 || announcedAt > at)) continue;
      const match = matchAt(pattern, lexemes, at);
      if (match === null || match.end <= (longest?.range.end ?? at)) continue;
      const spans = spansOf(match.readings, context);
      const compared = read(spans, context, match.values);
      if (compared !== null) longest = { range: { start: at, end: match.end }, ...compared };
    }
    if (longest !== null) return longest;
  }
  return null;
}

/** The spans of readings; one without a year is in the year of the other, if that is stated. */
function spansOf(readings: readonly SpanReading[], context: ReadingContext): readonly TimeSpan[] {
  const [one, other] = readings;
  const hasYear = one?.inYear === null || other?.inYear === null;
  const pair = one === undefined || other === undefined || !hasYear ? null : inOneYear(one, other, context);
  return pair ?? readings.map(({ span }) => span);
}

/** The unit of a span; null if it has none. */
function unitOf(span: TimeSpan | undefined): TimeUnit | null {
  if (span?.kind === 'relative') return span.unit;
  return span?.kind === 'period' ? (timeUnits[span.level - 1] ?? null) : null;
}

const isAgo = (span: TimeSpan | undefined, quantity: number): boolean =>
  span?.kind === 'relative' && span.expression === 'ago' && span.quantity === quantity;

const isSame = (one: TimeSpan, other: TimeSpan): boolean =>
  one.kind === 'relative' &&
  other.kind === 'relative' &&
  one.expression === other.expression &&
  one.unit === other.unit &&
  one.quantity === other.quantity;

/** Compares two spans; the later one is the current. */
function compared(one: TimeSpan, other: TimeSpan, context: ReadingContext): ComparedSpans | null {
  const { today, weekStart } = context;
  const [oneDays, otherDays] = [daysOf(one, today, weekStart), daysOf(other, today, weekStart)];
  // "Last 30 days vs previous 30 days" names the days before in the words of the days until now.
  if (isSame(one, other)) return { current: one, previous: 'previous', unit: unitOf(one) };
  if (oneDays === null || otherDays === null || oneDays.first === otherDays.first) return null;
  const isInOrder = oneDays.first > otherDays.first;
  const [current, previous] = isInOrder ? [one, other] : [other, one];
  const [days, daysBefore] = isInOrder ? [oneDays, otherDays] : [otherDays, oneDays];
  const unit = unitOf(current);
  if (unit !== unitOf(previous)) return { current, previous, unit: null };
  const level = unit === null ? 5 : timeUnits.indexOf(unit) + 1;
  const aYearEarlier = spanYearsLater(current, -1, weekStart);
  const yearDays = aYearEarlier === null ? null : daysOf(aYearEarlier, today, weekStart);
  if ((yearDays?.first ?? moveYears(days.first, -1)) === daysBefore.first) return { current, previous: 'year', unit };
  const isBefore = unit !== null && periodDays(days.first, level, -1, weekStart).first === daysBefore.first;
  return { current, previous: isBefore ? 'previous' : previous, unit };
}

const both: ComparisonRule['read'] = ([one, other], context) =>
  one === undefined || other === undefined ? null : compared(one, other, context);

/** "this month vs the same month last year": the second span has to be last year, or is left out. */
const yearEarlier: ComparisonRule['read'] = ([current, lastYear]) =>
  current === undefined || (lastYear !== undefined && !(isAgo(lastYear, 1) && unitOf(lastYear) === 'year'))
    ? null
    : { current, previous: 'year', unit: unitOf(current) };

/** "this year vs the same period last year": both as far as the year has come. */
const sofarYearEarlier: ComparisonRule['read'] = (spans, context, values) => {
  const clause = yearEarlier(spans, context, values);
  const { current } = clause ?? {};
  return clause !== null && current?.kind === 'relative' && isAgo(current, 0)
    ? { ...clause, current: { ...current, expression: 'to_date', quantity: 1 } }
    : clause;
};
const unitAt = (level: number | undefined): TimeUnit | null => timeUnits[(level ?? 0) - 1] ?? null;
const sameLastYear: ComparisonRule['read'] = ([lastYear], _, [level]) =>
  isAgo(lastYear, 1) && unitOf(lastYear) === 'year' ? { current: null, previous: 'year', unit: unitAt(level) } : null;
const earlier: ComparisonRule['read'] = ([current]) => {
  const unit = unitOf(current);
  return current === undefined ? null : { current, previous: unit === 'year' ? 'year' : 'previous', unit };
};

/** "compared to last week" has no other span: it is this week's, unless it is a year, which any span can be shifted by. */
const against: ComparisonRule['read'] = ([previous]) => {
  const unit = unitOf(previous);
  if (previous === undefined || unit === null || !isAgo(previous, 1)) return null;
  if (unit === 'year') return { current: null, previous: 'year', unit };
  return { current: { kind: 'relative', expression: 'ago', unit, quantity: 0 }, previous: 'previous', unit };
};
const year: ComparisonRule['read'] = (_, __, [level]) => ({ current: null, previous: 'year', unit: unitAt(level) });
const previousPeriod: ComparisonRule['read'] = () => ({ current: null, previous: 'previous', unit: null });
const previousUnit: ComparisonRule['read'] = (_, __, [level]) => {
  const unit = unitAt(level);
  return unit === null ? null : { current: null, previous: unit === 'year' ? 'year' : 'previous', unit };
};

const sameUnits = [
  ['unit', yearEarlier],
  ['period', sofarYearEarlier],
] as const;

const comparisonRules: readonly ComparisonRule[] = [
  { pattern: ['growth'], read: previousUnit },
  { pattern: ['reading', 'versus', 'in?', 'the?', 'reading'], read: both },
  { pattern: ['in', 'the?', 'reading', 'versus', 'in?', 'the?', 'reading'], read: both },
  { pattern: ['between', 'the?', 'reading', 'and', 'the?', 'reading'], read: both, announced: true },
  { pattern: ['in', 'the?', 'reading', 'and', 'in?', 'the?', 'reading'], read: both, announced: true },
  { pattern: ['reading', 'and', 'in?', 'the?', 'reading'], read: both, announced: true },
  { pattern: ['reading', 'to', 'the?', 'reading'], read: both, announced: true },
  { pattern: ['from', 'reading', 'to', 'the?', 'reading'], read: both, announced: true },
  { pattern: ['reading', 'versus', 'the?', 'unit', 'beforehand'], read: earlier },
  { pattern: ['reading', 'versus', 'the?', 'number', 'unit', 'beforehand'], read: earlier },
  { pattern: ['reading', 'versus', 'the?', 'period', 'beforehand'], read: earlier },
  { pattern: ['reading', 'versus', 'the?', 'last', 'period'], read: earlier },
  { pattern: ['reading', 'versus', 'the?', 'period', 'last'], read: earlier },
  { pattern: ['reading', 'versus', 'yearEarlier'], read: yearEarlier },
  ...(['versus', 'and'] as const).flatMap((link) =>
    sameUnits.flatMap(([unit, read]): readonly ComparisonRule[] => [
      { pattern: ['reading', link, 'same', unit, 'in?', 'the?', 'reading'], read },
      { pattern: ['reading', link, 'same', unit, 'yearEarlier'], read },
      { pattern: [link, 'same', unit, 'in?', 'the?', 'reading'], read: sameLastYear },
      { pattern: [link, 'same', unit, 'yearEarlier'], read: year },
    ]),
  ),
  { pattern: ['versus', 'yearEarlier'], read: year },
  { pattern: ['versus', 'the?', 'last', 'period'], read: previousPeriod },
  { pattern: ['versus', 'the?', 'period', 'last'], read: previousPeriod },
  { pattern: ['versus', 'the?', 'period', 'beforehand'], read: previousPeriod },
  { pattern: ['versus', 'the?', 'reading'], read: against },
];

const rules = indexed(comparisonRules);
