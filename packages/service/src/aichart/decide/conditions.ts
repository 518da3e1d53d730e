import type { Profile } from '../profile.ts';
import { moveYears, periodDays, firstWeekday } from '../read/conditions/calendar.ts';
import {
  timeUnits,
  type ComparisonClause,
  type SpanClause,
  type TimeSpan,
  type TimeUnit,
} from '../read/conditions/clauses.ts';
import type { QuestionReading } from '../read/reading.ts';
import type { Grain } from '../grain.ts';
import { isSingleNumber } from './families.ts';
import type { BoundCondition, Condition, Group, Plan, Quantity, SpanCondition, SpanShift } from '../plan.ts';
import { preferredCharts } from './preferences.ts';

/** Returns the unit of a datetime level. */
export const unitOfLevel = (level: number): TimeUnit => timeUnits[level - 1] ?? 'day';

/** True if a filter expresses a condition. Where none does, the measures of the chart have the condition. */
export const isFilterable = (condition: Condition): boolean =>
  condition.kind !== 'span' ||
  condition.spans.every(({ kind }) => kind === 'period' || (kind !== 'parts' && !condition.isExcluded));

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

/** Returns the conditions of spans on a column. Spans that stand side by side mean either. */
export function spanConditions(column: number, clauses: readonly SpanClause[]): readonly SpanCondition[] {
  const conditions: { kind: 'span'; column: number; spans: TimeSpan[]; isExcluded: boolean }[] = [];
  let previousEnd = -2;
  for (const { range, span, excluded } of clauses) {
    const last = conditions.at(-1);
    if (last !== undefined && range.start - previousEnd <= 1 && (last.isExcluded || !excluded)) last.spans.push(span);
    else conditions.push({ kind: 'span', column, spans: [span], isExcluded: excluded });
    previousEnd = range.end;
  }
  return conditions;
}

/** Returns the first formula of the dataset among the measures of a plan; null if there is none. */
export const formulaIn = (profile: Profile, { quantities }: Plan): number | null =>
  quantities.find(({ column }) => profile.columns[column ?? -1]?.isFormula === true)?.column ?? null;

/**
 * Adds conditions to a plan. A condition replaces an earlier one of its kind on the same column; if `isAddition`, values
 * are added to those of an earlier one, as in "also Portugal". Where no filter expresses a condition, the measures have
 * it.
 */
export function withConditions(plan: Plan, added: readonly Condition[], isAddition = false): Plan {
  const conditions = isAddition ? added.map((condition) => withEarlierValues(plan, condition)) : added;
  const kept = plan.conditions.filter(
    (earlier) => !conditions.some(({ kind, column }) => kind === earlier.kind && column === earlier.column),
  );
  const measured = conditions.filter(
    (condition): condition is SpanCondition => condition.kind === 'span' && !isFilterable(condition),
  );
  const quantities = measured.reduce<readonly Quantity[]>(
    (wrapped, condition) => wrapped.map((quantity) => limited(quantity, condition)),
    plan.quantities,
  );
  return { ...plan, quantities, conditions: [...kept, ...conditions.filter(isFilterable)] };
}

/** Returns a quantity of the rows whose time lies in any of the spans of a condition, or in none of them. */
function limited(quantity: Quantity, { column, spans, isExcluded }: SpanCondition): Quantity {
  const [span, ...others] = spans;
  if (span === undefined) return quantity;
  if (isExcluded) return spans.reduce((of, one) => during(of, column, one, null, true), quantity);
  const only = during(quantity, column, span, null);
  const isEither = others.length > 0 && only.computed?.kind === 'during';
  return isEither ? { ...only, computed: { ...only.computed, others } } : only;
}

/** Returns a condition with the values of an earlier one on the same column. */
function withEarlierValues({ conditions }: Plan, condition: Condition): Condition {
  const earlier = conditions.find(({ kind, column }) => kind === 'values' && column === condition.column);
  if (condition.kind !== 'values' || earlier?.kind !== 'values' || earlier.isExcluded !== condition.isExcluded)
    return condition;
  return { ...condition, values: [...new Set([...earlier.values, ...condition.values])] };
}

/** Returns a plan without conditions of a chart before: those on the named columns, or all if none is named. */
export function withoutConditions(plan: Plan, named: readonly Condition[], isTimeNamed: boolean): Plan {
  const isNamed = ({ kind, column }: Condition): boolean =>
    named.some((condition) => condition.column === column) || (isTimeNamed && kind === 'span');
  const isAll = named.length === 0 && !isTimeNamed;
  // A comparison is no filter.
  const isCompared = plan.quantities.length > 1 && plan.quantities.every(({ computed }) => computed?.kind === 'during');
  const isUnlimited = (isAll || isTimeNamed) && !isCompared;
  return {
    ...plan,
    quantities: isUnlimited ? plan.quantities.map(unlimited) : plan.quantities,
    conditions: isAll ? [] : plan.conditions.filter((condition) => !isNamed(condition)),
  };
}

/** Returns a quantity over all rows, without the spans that it is limited to. */
const unlimited = (quantity: Quantity): Quantity =>
  quantity.computed?.kind === 'during' ? unlimited(quantity.computed.of) : quantity;

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

const during = (of: Quantity, time: number, span: TimeSpan, shift: SpanShift | null, isExcluded = false): Quantity => ({
  column: of.column,
  aggregation: of.aggregation,
  computed: { kind: 'during', of, time, span, shift, isExcluded },
});

/** The parts of a year that take the place of periods where years are compared. */
const partOfYear: Readonly<Partial<Record<Grain, Grain>>> = { month: 'month_of_year', quarter: 'quarter_of_year' };

/**
 * Returns a plan that shows the measure of another plan in two spans. `named` are the spans that the question names
 * outside its comparison.
 */
export function compared(
  profile: Profile,
  plan: Plan,
  time: number,
  { current, previous, unit }: Omit<ComparisonClause, 'range'>,
  named: readonly SpanClause[],
): Plan {
  const [quantity = { column: null, aggregation: 'count' } as const] = plan.quantities;
  const [namedSpan] = named;
  // "Now compare with last year" compares the period that the chart shows.
  const shown = plan.conditions.find(
    (condition): condition is SpanCondition =>
      condition.kind === 'span' && condition.column === time && condition.spans.length === 1 && !condition.isExcluded,
  );
  const span: TimeSpan = current ??
    namedSpan?.span ??
    shown?.spans[0] ?? { kind: 'relative', expression: 'to_date', unit: unit ?? 'year', quantity: 1 };
  const other =
    typeof previous === 'string' ? before(quantity, time, span, previous) : during(quantity, time, previous, null);
  const groups = plan.groups.flatMap((group): readonly Group[] => {
    if (profile.columns[group.column]?.type !== 'datetime') return [group];
    const part = group.grain === null ? undefined : partOfYear[group.grain];
    return part !== undefined && isOfYears(span) ? [{ ...group, grain: part }] : [];
  });
  const isTime = groups.length > 0 && groups.every(({ column }) => column === time);
  const isWithoutGroup = groups.length === 0 || isSingleNumber(plan.type) || isTime;
  return {
    ...plan,
    type: isWithoutGroup ? preferredCharts.step[0] : preferredCharts.category[0],
    groups,
    legend: null,
    quantities: [during(quantity, time, span, null), other],
    conditions: plan.conditions.filter(({ kind, column }) => kind !== 'span' || column !== time),
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
