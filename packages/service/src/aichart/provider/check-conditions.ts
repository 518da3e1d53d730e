import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import type { Condition } from '../plan.ts';
import { dayFrom, periodDays, firstWeekday } from '../read/conditions/calendar.ts';
import {
  boundOperators,
  relativeExpressions,
  timeUnits,
  type ComparisonClause,
  type TimeSpan,
} from '../read/conditions/clauses.ts';
import { columnIn, textsIn, wordOf, type AnswerContext } from './answer-context.ts';
import { partBounds, parts, periodUnits } from './schema.ts';

const maxConditions = 20;
const maxSpans = 12;
const maxQuantity = 1000;

function dayIn(value: Json | undefined): string | null {
  const [, year, month, day] = (typeof value === 'string' && /^(\d{4})-(\d{2})-(\d{2})$/u.exec(value)) || [];
  return day === undefined ? null : dayFrom(Number(year), Number(month), Number(day));
}

const levels = { year: 1, quarter: 2, month: 3, week: 4, day: 5 } as const;

function periodIn(span: JsonObject): TimeSpan | null {
  const unit = wordOf(periodUnits, member(span, 'unit'));
  const day = dayIn(member(span, 'day'));
  if (unit === null || day === null) return null;
  const level = levels[unit];
  return { kind: 'period', level, start: periodDays(day, level, 0, firstWeekday).first };
}

function relativeIn(span: JsonObject): TimeSpan | null {
  const expression = wordOf(relativeExpressions, member(span, 'expression'));
  const unit = wordOf(timeUnits, member(span, 'unit'));
  const quantity = member(span, 'quantity');
  const least = expression === 'ago' ? 0 : 1;
  if (expression === null || unit === null || typeof quantity !== 'number') return null;
  return Number.isInteger(quantity) && quantity >= least && quantity <= maxQuantity
    ? { kind: 'relative', expression, unit, quantity }
    : null;
}

function betweenIn(span: JsonObject): TimeSpan | null {
  const [from, to] = ['from', 'to'].map((name) => member(span, name) ?? null);
  const days = { from: dayIn(from ?? undefined), to: dayIn(to ?? undefined) };
  const isWrong = (from !== null && days.from === null) || (to !== null && days.to === null);
  if (isWrong || (days.from === null && days.to === null)) return null;
  return days.from !== null && days.to !== null && days.from > days.to ? null : { kind: 'between', ...days };
}

function partsIn(span: JsonObject): TimeSpan | null {
  const part = wordOf(parts, member(span, 'part'));
  const values = member(span, 'values');
  if (part === null || !isList(values) || values.length === 0 || values.length > 31) return null;
  const [least, most] = partBounds[part];
  const numbers = values.filter((value) => typeof value === 'number');
  const isValid = numbers.every((value) => Number.isInteger(value) && value >= least && value <= most);
  return isValid && numbers.length === values.length ? { kind: 'parts', part, values: [...new Set(numbers)] } : null;
}

/** Reads each kind of span; null if it is none. */
const spanReaders: Readonly<Record<TimeSpan['kind'], (span: JsonObject) => TimeSpan | null>> = {
  period: periodIn,
  relative: relativeIn,
  between: betweenIn,
  parts: partsIn,
};
const spanKinds = ['period', 'relative', 'between', 'parts'] as const;

function spanIn(value: Json | undefined): TimeSpan | null {
  if (!isObject(value)) return null;
  const kind = wordOf(spanKinds, member(value, 'kind'));
  return kind === null ? null : spanReaders[kind](value);
}

type Bounds = Pick<Extract<Condition, { kind: 'bound' }>, 'operator' | 'values'>;

function boundsIn(condition: JsonObject): Bounds | null {
  const operator = wordOf(boundOperators, member(condition, 'operator'));
  const list = member(condition, 'values');
  const numbers = (isList(list) ? list : []).filter((value) => typeof value === 'number').filter(Number.isFinite);
  const [low, high] = numbers.toSorted((left, right) => left - right);
  if (operator === null || low === undefined || numbers.length !== (operator === 'between' ? 2 : 1)) return null;
  return { operator, values: high === undefined ? [low] : [low, high] };
}

/** Reads the spans of a condition; null if one of them is none. */
function spansIn(value: Json | undefined): readonly TimeSpan[] | null {
  const list = isList(value) ? value : [];
  const spans = list.map(spanIn).filter((span) => span !== null);
  return spans.length === list.length && spans.length > 0 && spans.length <= maxSpans ? spans : null;
}

type ConditionReader = (context: AnswerContext, condition: JsonObject) => readonly Condition[] | null;

/** Reads each kind of condition; null if it is wrong, and no conditions if none of its values is found. */
const conditionReaders: Readonly<Record<'values' | 'span' | 'bound' | 'group_bound', ConditionReader>> = {
  values: ({ profile, find }, condition) => {
    const column = columnIn(profile, member(condition, 'column'));
    const texts = textsIn(member(condition, 'values'));
    if (column === null || profile.columns[column]?.type !== 'hierarchy' || texts === null) return null;
    const isExcluded = member(condition, 'excluded') === true;
    const found = Map.groupBy(
      texts.flatMap((text) => find(column, text) ?? []),
      (value) => value.column,
    );
    return [...found].map(([foundColumn, values]) => ({
      kind: 'values',
      column: foundColumn,
      values: [...new Set(values.map(({ value }) => value))],
      isExcluded,
    }));
  },
  span: ({ profile }, condition) => {
    const column = columnIn(profile, member(condition, 'column'));
    const spans = spansIn(member(condition, 'spans'));
    if (column === null || profile.columns[column]?.type !== 'datetime' || spans === null) return null;
    return [{ kind: 'span', column, spans, isExcluded: member(condition, 'excluded') === true }];
  },
  bound: ({ profile }, condition) => {
    const column = columnIn(profile, member(condition, 'column'));
    const bounds = boundsIn(condition);
    if (column === null || profile.columns[column]?.type !== 'numeric' || bounds === null) return null;
    return [{ kind: 'bound', column, ...bounds }];
  },
  group_bound: ({ profile }, condition) => {
    const id = member(condition, 'column') ?? null;
    const column = columnIn(profile, id);
    const bounds = boundsIn(condition);
    if (bounds === null || (id !== null && profile.columns[column ?? -1]?.type !== 'numeric')) return null;
    const quantity = { column, aggregation: column === null ? ('count' as const) : null };
    return [{ kind: 'groupBound', column, quantity, group: null, ...bounds }];
  },
};
const conditionKinds = ['values', 'span', 'bound', 'group_bound'] as const;

/** Reads the conditions of an answer, and adds their faults. */
export function conditionsIn(context: AnswerContext, value: Json | undefined): readonly Condition[] {
  if (value === undefined || value === null) return [];
  if (!isList(value) || value.length > maxConditions) {
    context.fault(`"conditions" must be a list of at most ${maxConditions}`);
    return [];
  }
  return value.flatMap((entry, at): readonly Condition[] => {
    const kind = isObject(entry) ? wordOf(conditionKinds, member(entry, 'kind')) : null;
    const conditions = isObject(entry) && kind !== null ? conditionReaders[kind](context, entry) : null;
    if (conditions === null)
      context.fault(`conditions[${at}] is none of the schema, of a column of another type, or has too many values`);
    return conditions ?? [];
  });
}

/** A comparison of two spans of a time. */
export interface TimeComparison {
  readonly time: number;
  readonly clause: Omit<ComparisonClause, 'range'>;
}

/** Reads the comparison of an answer, and adds its fault; null if it has none. */
export function comparisonIn({ profile, fault }: AnswerContext, value: Json | undefined): TimeComparison | null {
  if (value === undefined || value === null) return null;
  const comparison = isObject(value) ? value : {};
  const time = columnIn(profile, member(comparison, 'column'));
  const stated = member(comparison, 'current') ?? null;
  const current = spanIn(stated);
  const before = member(comparison, 'previous');
  const previous = wordOf(['previous', 'year'], before) ?? spanIn(before);
  const hasNoSpanBefore =
    current !== null && ['between', 'parts'].includes(current.kind) && typeof previous === 'string';
  const isOfTime = time !== null && profile.columns[time]?.type === 'datetime';
  if (!isOfTime || previous === null || hasNoSpanBefore || (stated !== null && current === null)) {
    fault('"comparison" is none of the schema, or has no span before');
    return null;
  }
  return { time, clause: { current, previous, unit: null } };
}
