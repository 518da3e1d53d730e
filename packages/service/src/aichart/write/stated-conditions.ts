import type { Condition, Plan, Quantity } from '../plan.ts';
import { daysOf, firstWeekday, moveDays, type Days } from '../read/conditions/calendar.ts';
import type { ComparisonClause, TimeSpan } from '../read/conditions/clauses.ts';
import type { UnderstoodQuestion } from '../understand.ts';

const firstDay = '0001-01-01';
const lastDay = '9999-12-31';

/** All numbers that a part of a date can be, for those of which every date has one. */
const wholeParts = { weekday: 7, month: 12 } as const;

/** What spans select: days, and marks such as `weekday 6` or `hour 9` of what has no first and last day. */
interface Selection {
  readonly days: readonly Days[];
  readonly marks: readonly string[];
}

/** Returns the marks of parts of dates. Quarters are months, and parts to leave out are all others. */
function marksOf({ part, values }: Extract<TimeSpan, { kind: 'parts' }>, isExcluded: boolean): readonly string[] {
  const unit = part === 'quarter' ? 'month' : part;
  const numbers = part === 'quarter' ? values.flatMap((value) => [3 * value - 2, 3 * value - 1, 3 * value]) : values;
  if (!isExcluded || unit === 'hour') return numbers.map((value) => `${isExcluded ? 'no ' : ''}${unit} ${value}`);
  const all = Array.from({ length: wholeParts[unit] }, (_, index) => index + 1);
  return all.filter((value) => !numbers.includes(value)).map((value) => `${unit} ${value}`);
}

/** Joins days that overlap or follow each other. */
function joined(days: readonly Days[]): readonly Days[] {
  const result: Days[] = [];
  for (const { first, last } of days.toSorted((left, right) => (left.first < right.first ? -1 : 1))) {
    const before = result.at(-1);
    if (before !== undefined && first <= moveDays(before.last, 1))
      result[result.length - 1] = { first: before.first, last: last > before.last ? last : before.last };
    else result.push({ first, last });
  }
  return result;
}

/** Says what spans select on a day, so that spans which say the same in other words are equal. */
class SpanComparison {
  readonly #today: string;

  constructor(today: string) {
    this.#today = today;
  }

  /** Returns the days of a span; those that are still to come do not count in a span that has begun. */
  #daysOf(span: TimeSpan): Days | null {
    const days =
      span.kind === 'between'
        ? { first: span.from ?? firstDay, last: span.to ?? lastDay }
        : daysOf(span, this.#today, firstWeekday);
    if (days === null) return null;
    const hasBegun = days.first <= this.#today && days.last > this.#today;
    return hasBegun ? { first: days.first, last: this.#today } : days;
  }

  selectionOf(spans: readonly TimeSpan[], isExcluded: boolean): Selection {
    const days = spans.flatMap((span) => this.#daysOf(span) ?? []);
    const marks = spans.flatMap((span) =>
      span.kind === 'parts' ? marksOf(span, isExcluded) : this.#daysOf(span) === null ? [JSON.stringify(span)] : [],
    );
    const excluded = isExcluded ? joined(days).map(({ first, last }) => `no ${first} ${last}`) : [];
    return { days: isExcluded ? [] : joined(days), marks: [...marks, ...excluded] };
  }
}

const isWithin = (part: Selection, whole: Selection): boolean =>
  part.marks.every((mark) => whole.marks.includes(mark)) &&
  part.days.every(({ first, last }) => whole.days.some((days) => days.first <= first && last <= days.last));

const isSome = ({ days, marks }: Selection): boolean => days.length + marks.length > 0;

/** The spans of one condition of a plan. */
interface PlannedSpans {
  readonly spans: readonly TimeSpan[];
  readonly isExcluded: boolean;
}

/** Returns the spans that a measure is limited to. */
function spansOf({ computed }: Quantity): readonly PlannedSpans[] {
  if (computed?.kind !== 'during') return [];
  const { span, of } = computed;
  return [{ spans: [span], isExcluded: false }, ...spansOf(of)];
}

/** Returns the spans of a condition, also those that hold beside others. */
const spansOfCondition = (condition: Condition): readonly PlannedSpans[] =>
  condition.kind === 'either' ? condition.of.flatMap(spansOfCondition) : condition.kind === 'span' ? [condition] : [];

/** Returns all spans that the rows or measures of a plan are limited to. */
const plannedSpans = ({ conditions, quantities }: Plan): readonly PlannedSpans[] => [
  ...conditions.flatMap(spansOfCondition),
  ...quantities.flatMap(spansOf),
];

/** True if a plan sets the spans of a comparison against each other: as two measures, or as groups of a filter with both. */
function isCompared(plan: Plan, { current, previous }: ComparisonClause, compared: SpanComparison): boolean {
  if (plan.quantities.filter(({ computed }) => computed?.kind === 'during').length > 1) return true;
  const groups = [...plan.groups, ...(plan.legend === null ? [] : [plan.legend])].map(({ column }) => column);
  const isWhole = current !== null && typeof previous !== 'string';
  const both = compared.selectionOf(isWhole ? [current, previous] : [], false);
  return plan.conditions.some(
    (condition) =>
      condition.kind === 'span' &&
      groups.includes(condition.column) &&
      (condition.spans.length > 1 || (isWhole && isWithin(both, compared.selectionOf(condition.spans, false)))),
  );
}

/** Returns the words of the spans and the comparison that a question states, and that a plan does not have. */
export function missingSpans(
  { spans, comparison, stated }: UnderstoodQuestion,
  plan: Plan,
  today: string,
): readonly string[] {
  const compared = new SpanComparison(today);
  const planned = plannedSpans(plan).map(({ spans: list, isExcluded }) => compared.selectionOf(list, isExcluded));
  const all = [true, false].map((isExcluded) =>
    compared.selectionOf(
      spans.filter(({ excluded }) => excluded === isExcluded).map(({ span }) => span),
      isExcluded,
    ),
  );
  const whole: Selection = { days: all.flatMap(({ days }) => days), marks: all.flatMap(({ marks }) => marks) };
  const missing = spans.map(({ span, excluded }) => {
    const selection = compared.selectionOf([span], excluded);
    return !planned.some((other) => isSome(other) && isWithin(selection, other) && isWithin(other, whole));
  });
  const isSet = comparison === null || isCompared(plan, comparison, compared);
  return stated.spans.filter((_, at) => missing[at] ?? !isSet);
}

/** Returns the words of the bounds that a question states, and whose numbers a plan does not have. */
export function missingBounds({ stated }: UnderstoodQuestion, { conditions, limit }: Plan): readonly string[] {
  const bounded = conditions.flatMap((condition): readonly number[] =>
    condition.kind === 'bound' || condition.kind === 'groupBound' ? condition.values : [],
  );
  const numbers = new Set([...bounded, ...(limit === null ? [] : [limit])]);
  return stated.bounds
    .filter(
      ({ values, isPercent }) =>
        !values.every((value) => numbers.has(value) || (isPercent && numbers.has(value / 100))),
    )
    .map(({ quote }) => quote);
}
