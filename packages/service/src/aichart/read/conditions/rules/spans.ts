import { daysOf, moveDays } from '../calendar.ts';
import { timeUnits, type TimeSpan } from '../clauses.ts';
import type { Pattern, SpanReading } from '../lexemes.ts';
import { spanYearsLater } from './periods.ts';
import type { ReadingContext } from './rule.ts';

/** How much words must stand for themselves for a weak reading, such as a bare number, to count. */
type Support = 'preposition' | 'article' | 'none';

/** What a clause with its preposition says. */
export interface SpanRule {
  readonly pattern: Pattern;
  readonly support: Support;
  /** Gets the readings of the pattern and the number before them, if there is one. */
  readonly read: (
    readings: readonly SpanReading[],
    context: ReadingContext,
    values: readonly number[],
  ) => SpanReading | null;
}

/** Returns a reading with another span, which changes with the year as `change` does. */
function changed(reading: SpanReading, change: (span: TimeSpan) => TimeSpan | null): SpanReading | null {
  const { inYear } = reading;
  const span = change(reading.span);
  const yearly = (year: number): TimeSpan | null => {
    const inThatYear = inYear?.(year) ?? null;
    return inThatYear === null ? null : change(inThatYear);
  };
  return span === null ? null : { ...reading, span, inYear: inYear === null ? null : yearly };
}

/** A rule for one span, of which a side is open. */
const open =
  (change: (span: TimeSpan, context: ReadingContext) => TimeSpan | null): SpanRule['read'] =>
  ([reading], context) =>
    reading === undefined ? null : changed(reading, (span) => change(span, context));

const openDays = (
  span: TimeSpan,
  { today, weekStart }: ReadingContext,
  days: (first: string, last: string) => { from: string | null; to: string | null },
): TimeSpan | null => {
  const found = daysOf(span, today, weekStart);
  return found === null ? null : { kind: 'between', ...days(found.first, found.last) };
};

/** "since last month" stays relative: it is the time from the start of that month until now. */
const since = open((span, context) => {
  if (span.kind === 'relative' && span.expression === 'ago')
    return { ...span, expression: 'to_date', quantity: span.quantity + 1 };
  if (span.kind === 'relative') return span.expression.startsWith('next') ? null : span;
  if (span.kind === 'between' && span.to === null) return span;
  return openDays(span, context, (first) => ({ from: first, to: null }));
});
const before = open((span, context) => openDays(span, context, (first) => ({ from: null, to: moveDays(first, -1) })));
const after = open((span, context) => openDays(span, context, (_, last) => ({ from: moveDays(last, 1), to: null })));
const until = open((span, context) => openDays(span, context, (_, last) => ({ from: null, to: last })));
const same: SpanRule['read'] = ([reading]) => reading ?? null;

const yearOf = (day: string): number => Number(day.slice(0, 4));

/** Moves the span without a year into the year of the other: "from jan to mar 2023", "nov 2022 to feb". */
export function inOneYear(
  first: SpanReading,
  last: SpanReading,
  { today, weekStart }: ReadingContext,
): readonly [TimeSpan, TimeSpan] | null {
  const days = (span: TimeSpan | null): { first: string; last: string } | null =>
    span === null ? null : daysOf(span, today, weekStart);
  const [firstDays, lastDays] = [days(first.span), days(last.span)];
  if (firstDays === null || lastDays === null) return null;
  if (first.inYear !== null && last.inYear === null) {
    const year = yearOf(lastDays.first);
    const sameYear = first.inYear(year);
    const isBefore = (days(sameYear)?.first ?? '') <= lastDays.last;
    const moved = isBefore ? sameYear : first.inYear(year - 1);
    return moved === null ? null : [moved, last.span];
  }
  if (last.inYear === null) return [first.span, last.span];
  const year = yearOf(firstDays.first);
  const sameYear = last.inYear(year);
  const isAfter = (days(sameYear)?.last ?? '') >= firstDays.first;
  const moved = isAfter ? sameYear : last.inYear(year + 1);
  return moved === null ? null : [first.span, moved];
}

/** Returns the days from the start of a span until the end of another. Null if they are no days in this order. */
function joined(first: SpanReading, last: SpanReading, context: ReadingContext): SpanReading | null {
  const spans = inOneYear(first, last, context);
  const [from, to] = (spans ?? []).map((span) => daysOf(span, context.today, context.weekStart));
  if (from === undefined || to === undefined || from === null || to === null || from.first > to.last) return null;
  const assumed = first.inYear !== null && last.inYear !== null ? 'latest' : null;
  const span: TimeSpan = { kind: 'between', from: from.first, to: to.last };
  const inYear = (year: number): TimeSpan | null => spanYearsLater(span, year - yearOf(from.first), context.weekStart);
  return { span, assumed, weak: first.weak && last.weak, inYear: assumed === null ? null : inYear };
}

const range: SpanRule['read'] = ([first, last], context) =>
  first === undefined || last === undefined ? null : joined(first, last, context);

const levelOf = ({ span }: SpanReading): number => (span.kind === 'period' ? span.level : 0);
/** "2020-2022" and "jan-mar 2023": words without a preposition, which must be of one kind. */
const bareRange: SpanRule['read'] = (readings, context, values) => {
  const levels = readings.map(levelOf);
  return levels[0] === 0 || levels[0] !== levels[1] ? null : range(readings, context, values);
};

/** "in april and may": periods that follow each other are one span. */
const list: SpanRule['read'] = (readings, context) => {
  const first = readings[0];
  const last = readings.at(-1);
  if (first === undefined || last === undefined || readings.some((reading) => levelOf(reading) === 0)) return null;
  const whole = joined(first, last, context);
  if (whole === null || whole.span.kind !== 'between') return null;
  const [start, end] = [whole.span.from ?? '', whole.span.to ?? ''];
  const level = levelOf(first);
  const lengths: Readonly<Record<number, number>> = { 1: 366, 2: 92, 3: 31, 4: 7, 5: 1 };
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1;
  return levelOf(last) === level && days <= readings.length * (lengths[level] ?? 0) ? whole : null;
};

/** "from 1 to 15 march": the first day is a number alone. */
const daysOfMonth: SpanRule['read'] = ([last], context, [day = 0]) => {
  if (last === undefined || last.span.kind !== 'period' || last.span.level !== 5) return null;
  const firstDay = (span: TimeSpan): TimeSpan | null =>
    span.kind === 'period'
      ? { kind: 'between', from: `${span.start.slice(0, 8)}${String(day).padStart(2, '0')}`, to: span.start }
      : null;
  const found = changed(last, firstDay);
  const isInOrder = found?.span.kind === 'between' && (found.span.from ?? '') < (found.span.to ?? '');
  return isInOrder ? { ...found, weak: false } : null;
};

/** "same month last year" is the month twelve months ago. */
const unitsPerYear: Readonly<Record<number, number>> = { 1: 1, 2: 4, 3: 12, 4: 52 };
const sameUnit: SpanRule['read'] = ([reading], _, [level = 0]) => {
  const span = reading?.span;
  const unit = timeUnits[level - 1];
  const quantity = unitsPerYear[level];
  if (reading === undefined || span?.kind !== 'relative' || unit === undefined || quantity === undefined) return null;
  const isLastYear = span.expression === 'ago' && span.unit === 'year';
  return isLastYear ? { ...reading, span: { ...span, unit, quantity: quantity * span.quantity } } : null;
};

const fromNow =
  (read: SpanRule['read']): SpanRule['read'] =>
  (readings, context, values) =>
    readings.length === 1 ? read(readings, context, values) : null;

const rule = (pattern: Pattern, read: SpanRule['read'], support: Support = 'preposition'): SpanRule => ({
  pattern,
  support,
  read,
});

const plainRules: readonly SpanRule[] = [
  rule(['reading'], same, 'none'),
  rule(['the', 'reading'], same, 'article'),
  rule(['in', 'in?', 'the?', 'reading'], same),
  rule(['same', 'unit', 'in?', 'the?', 'reading'], sameUnit),
  rule(['since', 'startOf?', 'in?', 'the?', 'reading'], since),
  rule(['since', 'in?', 'the?', 'reading', 'until', 'now'], fromNow(since)),
  rule(['from', 'the?', 'reading', 'to', 'now'], fromNow(since)),
  rule(['reading', 'to', 'now'], fromNow(since)),
  rule(['reading', 'onwards'], since),
  rule(['in', 'the?', 'reading', 'onwards'], since),
  rule(['before', 'in?', 'the?', 'reading'], before),
  rule(['after', 'in?', 'the?', 'reading'], after),
  rule(['until', 'in?', 'the?', 'reading'], until),
  rule(['between', 'the?', 'reading', 'and', 'the?', 'reading'], range),
  rule(['from', 'the?', 'reading', 'to', 'in?', 'the?', 'reading'], range),
  rule(['since', 'the?', 'reading', 'to', 'in?', 'the?', 'reading'], range),
  rule(['since', 'the?', 'reading', 'until', 'in?', 'the?', 'reading'], range),
  rule(['in', 'the?', 'reading', 'to', 'the?', 'reading'], range),
  rule(['reading', 'to', 'reading'], bareRange, 'none'),
  rule(['reading', 'reading'], bareRange, 'none'),
  rule(['in', 'the?', 'reading', 'reading'], bareRange),
  rule(['reading', 'and', 'reading'], list, 'none'),
  rule(['in', 'the?', 'reading', 'and', 'in?', 'the?', 'reading'], list),
  rule(['in', 'the?', 'reading', 'comma', 'reading', 'comma?', 'and', 'reading'], list),
  rule(['between', 'day', 'and', 'the?', 'reading'], daysOfMonth),
  rule(['from', 'day', 'to', 'the?', 'reading'], daysOfMonth),
  rule(['day', 'to', 'the?', 'reading'], daysOfMonth),
];

/** The rules of clauses, each of them also after a word that excludes. */
export const spanRules: readonly (SpanRule & { readonly excluded: boolean })[] = [
  ...plainRules.map((plain) => ({ ...plain, excluded: false })),
  ...plainRules.map(({ pattern, read }): SpanRule & { readonly excluded: boolean } => ({
    pattern: ['except', ...pattern],
    support: 'preposition',
    read,
    excluded: true,
  })),
];
