import type { Profile } from '../profile.ts';
import { moveYears, periodDays, firstWeekday } from '../read/conditions/calendar.ts';
import {
  timeUnits,
  type ComparisonClause,
  type SpanClause,
  type TimeSpan,
  type TimeUnit,
} from '../read/conditions/clauses.ts';
import type { ConditionClause } from '../read/filters/alternatives.ts';
import type { QuestionReading } from '../read/reading.ts';
import type { Grain } from '../grain.ts';
import { isSingleNumber } from './families.ts';
import {
  columnsOfCondition,
  type BoundCondition,
  type Condition,
  type EitherCondition,
  type Group,
  type Plan,
  type Quantity,
  type RowCondition,
  type SpanCondition,
  type SpanShift,
} from '../plan.ts';
import { preferredCharts } from './preferences.ts';

/** Returns the unit of a datetime level. */
export const unitOfLevel = (level: number): TimeUnit => timeUnits[level - 1] ?? 'day';

/** Returns how far a span is moved back to the span before it; null if spans of this kind have none. */
const shiftBefore = (span: TimeSpan): SpanShift | null =>
  span.kind === 'relative' ? { unit: span.unit, by: span.expression === 'ago' ? 1 : span.quantity } : null;

/** Returns the time that the spans of a question are about; null if the dataset has no times. */
export function timeOf(profile: Profile, reading: QuestionReading, plan: Plan): number | null {
  const isTime = (column: number): boolean => profile.columns[column]?.type === 'datetime';
  const grouped = [...plan.groups, ...(plan.legend === null ? [] : [plan.legend])].find(({ column }) => isTime(column));
  if (grouped !== undefined) return grouped.column;
  const mentioned = reading.mentions.flatMap(({ options }) => options.map(({ column }) => column)).find(isTime);
  if (mentioned !== undefined) return mentioned;
  const hinted = [...reading.hints].filter(([column]) => isTime(column)).sort((left, right) => right[1] - left[1])[0];
  return hinted?.[0] ?? profile.ranked().times[0] ?? null;
}

/** What a span is a part of: a weekday, a month of every year and a period are conditions of their own. */
const spanKind = (span: TimeSpan): string => (span.kind === 'parts' ? span.part : 'period');

/** Returns the conditions of spans on a column. Spans of one kind that stand side by side mean either. */
export function spanConditions(column: number, clauses: readonly SpanClause[]): readonly SpanCondition[] {
  const conditions: { kind: 'span'; column: number; spans: TimeSpan[]; isExcluded: boolean }[] = [];
  let previousEnd = -2;
  for (const { range, span, excluded } of clauses) {
    const last = conditions.at(-1);
    const isOfLast = last?.spans.every((one) => spanKind(one) === spanKind(span)) === true;
    const isBeside = range.start - previousEnd <= 1 && last?.isExcluded === excluded;
    if (isOfLast && isBeside) last.spans.push(span);
    else conditions.push({ kind: 'span', column, spans: [span], isExcluded: excluded });
    previousEnd = range.end;
  }
  return conditions;
}

/** Returns conditions of which one suffices; null if one of them is about groups, or about a time that there is none of. */
export function eitherCondition(clauses: readonly ConditionClause[], time: number | null): EitherCondition | null {
  const conditions = clauses.map((clause): RowCondition | null => {
    if (!('span' in clause)) return clause.kind === 'groupBound' ? null : clause;
    return time === null ? null : { kind: 'span', column: time, spans: [clause.span], isExcluded: clause.excluded };
  });
  const found = conditions.filter((condition) => condition !== null);
  return found.length < conditions.length ? null : { kind: 'either', of: found };
}

/** Returns the first formula of the dataset among the measures of a plan; null if there is none. */
export const formulaIn = (profile: Profile, { quantities }: Plan): number | null =>
  quantities.find(({ column }) => profile.columns[column ?? -1]?.isFormula === true)?.column ?? null;

/**
 * Returns what a condition replaces: another condition with the same text. Weekdays, months and hours leave the period
 * of the chart before as it is.
 */
function kindOf(condition: Condition): string {
  if (condition.kind === 'either') return condition.kind;
  const spans = condition.kind === 'span' ? condition.spans : [];
  return [condition.kind, condition.column, ...new Set(spans.map(spanKind))].join(' ');
}

/**
 * Adds conditions to a plan. A condition replaces an earlier one of its kind on the same column; if `isAddition`, values
 * are added to those of an earlier one, as in "also Portugal".
 */
export function withConditions(plan: Plan, added: readonly Condition[], isAddition = false): Plan {
  const conditions = isAddition ? added.map((condition) => withEarlierValues(plan, condition)) : added;
  const kinds = new Set(conditions.map(kindOf));
  return { ...plan, conditions: [...plan.conditions.filter((earlier) => !kinds.has(kindOf(earlier))), ...conditions] };
}

/** Returns a condition with the values of an earlier one on the same column. */
function withEarlierValues({ conditions }: Plan, condition: Condition): Condition {
  if (condition.kind !== 'values') return condition;
  const earlier = conditions.find((one) => one.kind === 'values' && one.column === condition.column);
  if (earlier?.kind !== 'values' || earlier.isExcluded !== condition.isExcluded) return condition;
  return { ...condition, values: [...new Set([...earlier.values, ...condition.values])] };
}

const isOnTime = (condition: Condition): boolean =>
  condition.kind === 'span' || (condition.kind === 'either' && condition.of.some(isOnTime));

/** Returns a plan without conditions of a chart before: those on the named columns, or all if none is named. */
export function withoutConditions(plan: Plan, named: readonly Condition[], isTimeNamed: boolean): Plan {
  const columns = new Set(named.flatMap(columnsOfCondition));
  const isNamed = (condition: Condition): boolean =>
    columnsOfCondition(condition).some((column) => columns.has(column)) || (isTimeNamed && isOnTime(condition));
  const isAll = named.length === 0 && !isTimeNamed;
  return { ...plan, conditions: isAll ? [] : plan.conditions.filter((condition) => !isNamed(condition)) };
}

/** Returns a plan that shows values of a column beside each other, as in "revenue of Portugal vs Spain". */
export function withComparedValues(plan: Plan, column: number): Plan {
  const group = { column, grain: null };
  if (plan.groups.some((shown) => shown.column === column) || plan.legend !== null) return plan;
  if (plan.groups.length === 0) return { ...plan, type: preferredCharts.category[0], groups: [group] };
  return { ...plan, legend: group, quantities: plan.quantities.slice(0, 1) };
}

/**
 * Returns a plan with the groups that bounds select, and the bounds that it can have: a bound on customers is left out of
 * a chart by month.
 */
export function withBoundGroups(
  plan: Plan,
  bounds: readonly BoundCondition[],
): { readonly plan: Plan; readonly bounds: readonly BoundCondition[] } {
  const groupOf = (bound: BoundCondition): number | null => (bound.kind === 'groupBound' ? bound.group : null);
  const group = bounds.map(groupOf).find((column) => column !== null);
  if (group === undefined) return { plan, bounds };
  const isGrouped = plan.groups.length > 0;
  const grouped: Plan = isGrouped
    ? plan
    : { ...plan, type: preferredCharts.category[0], groups: [{ column: group, grain: null }] };
  const isShown = (column: number | null): boolean =>
    column === null || grouped.legend?.column === column || grouped.groups.some((shown) => shown.column === column);
  const left = bounds.map(groupOf).filter((column): column is number => column !== null && !isShown(column));
  const assumed = left.map((column) => ({ kind: 'boundOfGroup', column }) as const);
  return {
    plan: { ...grouped, assumed: [...grouped.assumed, ...assumed] },
    bounds: bounds.filter((bound) => isShown(groupOf(bound))),
  };
}

/** Returns a plan that shows what its groups are selected by, as in "customers who spent over 900". */
export function withBoundQuantity(plan: Plan, bounds: readonly Condition[]): Plan {
  const bound = bounds.find((condition) => condition.kind === 'groupBound' && condition.column !== null);
  return bound?.kind === 'groupBound' ? { ...plan, quantities: [bound.quantity] } : plan;
}

const during = (of: Quantity, time: number, span: TimeSpan, shift: SpanShift | null): Quantity => ({
  column: of.column,
  aggregation: of.aggregation,
  computed: { kind: 'during', of, time, span, shift },
});

/** The parts of a year that take the place of periods where years are compared. */
const partOfYear: Readonly<Partial<Record<Grain, Grain>>> = { month: 'month_of_year', quarter: 'quarter_of_year' };

/** True for a span that a comparison moves, or that takes its place: weekdays and spans to leave out are none. */
export const isPeriod = ({ span, excluded }: Pick<SpanClause, 'span' | 'excluded'>): boolean =>
  span.kind !== 'parts' && !excluded;

/**
 * Returns a plan that shows the measure of another plan in two spans. `named` is the period that the question names
 * outside its comparison; null if it names none.
 */
export function compared(
  profile: Profile,
  plan: Plan,
  time: number,
  { current, previous, unit }: Omit<ComparisonClause, 'range'>,
  named: SpanClause | null,
): Plan {
  const [quantity = { column: null, aggregation: 'count' } as const] = plan.quantities;
  const isOfTime = (condition: Condition): condition is SpanCondition =>
    condition.kind === 'span' &&
    condition.column === time &&
    condition.spans.every((each) => isPeriod({ span: each, excluded: condition.isExcluded }));
  // "Now compare with last year" compares the period that the chart shows.
  const shown = plan.conditions.filter(isOfTime).find(({ spans }) => spans.length === 1);
  const span: TimeSpan = current ??
    named?.span ??
    shown?.spans[0] ?? { kind: 'relative', expression: 'to_date', unit: unit ?? 'year', quantity: 1 };
  const other =
    typeof previous === 'string' ? before(quantity, time, span, previous) : during(quantity, time, previous, null);
  const groups = plan.groups.flatMap((group): readonly Group[] => {
    if (profile.columns[group.column]?.type !== 'datetime') return [group];
    const part = group.grain === null ? undefined : partOfYear[group.grain];
    return part !== undefined && isOfYears(span) ? [{ ...group, grain: part }] : [];
  });
  // A trend of each branch becomes the two spans of each branch.
  const shownGroups = groups.length === 0 && plan.legend !== null ? [plan.legend] : groups;
  const isTime = shownGroups.length > 0 && shownGroups.every(({ column }) => column === time);
  const isWithoutGroup = shownGroups.length === 0 || isSingleNumber(plan.type) || isTime;
  return {
    ...plan,
    type: isWithoutGroup ? preferredCharts.step[0] : preferredCharts.category[0],
    groups: shownGroups,
    legend: null,
    quantities: [during(quantity, time, span, null), other],
    conditions: plan.conditions.filter((condition) => !isOfTime(condition)),
    sort: null,
  };
}

/** Returns a quantity in the span before another one, or in the same span of the year before. */
function before(quantity: Quantity, time: number, span: TimeSpan, previous: 'previous' | 'year'): Quantity {
  if (span.kind !== 'period')
    return during(quantity, time, span, previous === 'year' ? { unit: 'year', by: 1 } : shiftBefore(span));
  const start =
    previous === 'year' ? moveYears(span.start, -1) : periodDays(span.start, span.level, -1, firstWeekday).first;
  return during(quantity, time, { ...span, start }, null);
}

const isOfYears = (span: TimeSpan): boolean =>
  (span.kind === 'period' && span.level === 1) || (span.kind === 'relative' && span.unit === 'year');
