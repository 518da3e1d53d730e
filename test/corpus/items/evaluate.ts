import { nowMs, type Filter, type Group, type ItemFacts, type Measure } from './draw.ts';
import type { Visit } from './engine.ts';

const dayMs = 86_400_000;

/** Returns the wall clock of a zone as if it were UTC. */
function wallOf(atMs: number, zone: string): number {
  const text = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(atMs);
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/** Returns the first day of a period around a day, moved by whole periods. */
export function startOf(day: number, level: number, by = 0): number {
  const at = new Date(day);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  switch (level) {
    case 1:
      return Date.UTC(year + by, 0);
    case 2:
      return Date.UTC(year, Math.floor(month / 3) * 3 + 3 * by);
    case 3:
      return Date.UTC(year, month + by);
    case 4:
      return day - ((at.getUTCDay() + 6) % 7) * dayMs + by * 7 * dayMs;
    default:
      return day + by * dayMs;
  }
}

/** Returns the day of a row by the column that an item groups by; null if it has none. */
export function dayOf(visit: Visit, column: 'at' | 'day', zone: string): number | null {
  if (column === 'day') return visit.day;
  return visit.at === null ? null : Math.floor(wallOf(visit.at, zone) / dayMs) * dayMs;
}

export const todayIn = (zone: string): number => Math.floor(wallOf(nowMs, zone) / dayMs) * dayMs;

/** What a row belongs to: a text, or the first day of a period. */
export type Member = string | number | null;

export function memberOf(visit: Visit, { column, level }: Group, zone: string): Member {
  if (column === 'name' || column === 'kind') return visit[column];
  const day = dayOf(visit, column, zone);
  return day === null || level === null ? null : startOf(day, level);
}

function lets(filter: Filter | null, visit: Visit, zone: string): boolean {
  const { kind, name, amount } = visit;
  switch (filter?.kind) {
    case undefined:
      return true;
    case 'kinds':
      return filter.values.includes(kind);
    case 'nameless':
      return name === null;
    case 'least':
      return amount !== null && amount >= filter.amount;
    case 'days': {
      const day = dayOf(visit, filter.column, zone);
      return day !== null && (filter.from === null || day >= filter.from) && (filter.to === null || day <= filter.to);
    }
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Returns the value of a measure in some rows; null if it has none. */
export function valueOf(measure: Measure, rows: readonly Visit[]): number | null {
  if (measure.kind === 'rows') return rows.length;
  const column = measure.kind === 'ratio' ? 'amount' : measure.column;
  const values = rows.flatMap((row) => row[column] ?? []);
  if (measure.kind === 'column' && measure.aggregation === 'count') return values.length;
  if (measure.kind === 'column' && measure.aggregation === 'distinctcount') return new Set(values).size;
  if (values.length === 0) return null;
  if (measure.kind === 'ratio') return sumOf(values) / rows.length;
  const sorted = values.toSorted((one, other) => one - other);
  const half = (sorted.length - 1) / 2;
  switch (measure.aggregation) {
    case 'average':
      return sumOf(values) / values.length;
    case 'median':
      return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
    case 'min':
      return sorted[0] ?? null;
    case 'max':
      return sorted.at(-1) ?? null;
    default:
      return sumOf(values);
  }
}

/** A row that an item shows; `others` is how many members it stands for. */
export interface ExpectedRow {
  readonly member: Member;
  readonly split: Member;
  readonly others: number | null;
  readonly values: readonly (number | null)[];
}

/** The rows of an item, and whether they come in this order: those of split items come by their own values. */
export interface Expected {
  readonly rows: readonly ExpectedRow[];
  readonly isOrdered: boolean;
}

const before = (one: Member, other: Member): number => {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
};

export const visible = (visits: readonly Visit[], { filter, zone }: ItemFacts): readonly Visit[] =>
  visits.filter((visit) => lets(filter, visit, zone));

/** True if the parts of a measure add up to the whole of it. */
export const addsUp = (measure: Measure): boolean =>
  measure.kind === 'rows' || (measure.kind === 'column' && ['sum', 'count'].includes(measure.aggregation));

/** Types whose members come by their first measure, largest first, where the item does not say. */
const byMeasure = ['bar-chart', 'column-chart', 'donut-chart', 'funnel-chart'];

/** How the members of an item come; null if they come as their rows do. */
function sortOf({ type, group, sort }: ItemFacts): ItemFacts['sort'] {
  if (sort !== null) return sort;
  return byMeasure.includes(type) && group.level === null ? { by: 'measure', index: 0, order: 'desc' } : null;
}

/** What the parts of a member come to. */
function totalOf(measure: Measure, parts: readonly (number | null)[]): number | null {
  const values = parts.flatMap((part) => part ?? []);
  if (values.length === 0) return null;
  const aggregation = measure.kind === 'column' ? measure.aggregation : 'sum';
  if (aggregation === 'min') return Math.min(...values);
  if (aggregation === 'max') return Math.max(...values);
  return aggregation === 'average' || aggregation === 'median' ? sumOf(values) / values.length : sumOf(values);
}

interface MemberRows {
  readonly member: Member;
  readonly rows: readonly ExpectedRow[];
}

/** What an item shows of some visits, computed row by row. */
export function evaluate(facts: ItemFacts, visits: readonly Visit[]): Expected {
  const { group, split, measures, limit, zone } = facts;
  const seen = visible(visits, facts);
  const sort = sortOf(facts);
  const members = Map.groupBy(seen, (visit) => memberOf(visit, group, zone));
  const found = [...members].map(([member, own]): MemberRows => {
    const parts = Map.groupBy(own, (visit) => (split === null ? null : memberOf(visit, split, zone)));
    return {
      member,
      rows: [...parts].map(([part, rows]) => ({
        member,
        split: part,
        others: null,
        values: measures.map((measure) => valueOf(measure, rows)),
      })),
    };
  });
  const measure = measures[sort?.index ?? 0] ?? measures[0];
  const place = measures.indexOf(measure);
  const sign = sort?.order === 'desc' ? -1 : 1;
  // Parts are added as they come, so that totals that are alike are so to the last digit.
  const totalIn = ({ rows }: MemberRows): number | null => {
    const parts = rows.map(({ values, split: part }) => ({ value: values[place] ?? null, part }));
    const sortedParts = parts.toSorted((one, other) =>
      one.value === null || other.value === null
        ? Number(one.value === null) - Number(other.value === null) || before(one.part, other.part)
        : (sort?.by === 'measure' ? sign * (one.value - other.value) : 0) || before(one.part, other.part),
    );
    return totalOf(
      measure,
      sortedParts.map(({ value }) => value),
    );
  };
  const byTotal = (one: MemberRows, other: MemberRows): number => {
    const [a, b] = [totalIn(one), totalIn(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (a - b);
  };
  const byMember = (one: MemberRows, other: MemberRows): number =>
    one.member === null || other.member === null
      ? before(one.member, other.member)
      : (sort?.by === 'group' ? sign : 1) * before(one.member, other.member);
  // Members whose totals are alike come as their first rows do: by the value of a row, then by member and part.
  const parts = found.flatMap((one) => one.rows.map((row) => ({ ...one, rows: [row] })));
  const ranked = parts.toSorted(
    (one, other) =>
      (sort?.by === 'measure' ? byTotal(one, other) : 0) ||
      byMember(one, other) ||
      before(one.rows[0]?.split ?? null, other.rows[0]?.split ?? null),
  );
  const rankOf = ({ member }: MemberRows): number => ranked.findIndex((one) => one.member === member);
  const sorted = found.toSorted(
    (one, other) => (sort?.by === 'measure' ? byTotal(one, other) : 0) || rankOf(one) - rankOf(other),
  );
  const isFolded = facts.others && limit !== null;
  const [shown, beyond] = [sorted.slice(0, limit ?? sorted.length), sorted.slice(limit ?? sorted.length)];
  const rest = Map.groupBy(
    beyond.flatMap(({ member }) => members.get(member) ?? []),
    (visit) => (split === null ? null : memberOf(visit, split, zone)),
  );
  const folded = [...rest].map(([part, own]): ExpectedRow => ({
    member: null,
    split: part,
    others: beyond.length,
    values: measures.map((one) => valueOf(one, own)),
  }));
  return { rows: [...shown.flatMap(({ rows }) => rows), ...(isFolded ? folded : [])], isOrdered: split === null };
}

/** What a number over time says, computed row by row. */
export interface ExpectedNumber {
  readonly value: number | null;
  /** What it is compared with; null if that is nothing. */
  readonly earlier: number | null;
  /** Whether the last period has not ended. */
  readonly isSoFar: boolean;
  /** Whether both are cut to the same days. */
  readonly isCut: boolean;
}

export function evaluateNumber(facts: ItemFacts, visits: readonly Visit[]): ExpectedNumber | null {
  const { group, zone, comparison } = facts;
  const [measure] = facts.measures;
  const column = group.column === 'day' ? 'day' : 'at';
  const level = group.level ?? 5;
  const seen = visible(visits, facts);
  const within = (from: number, to: number): number | null =>
    valueOf(
      measure,
      seen.filter((visit) => {
        const day = dayOf(visit, column, zone);
        return day !== null && day >= from && day <= to;
      }),
    );
  const endOf = (start: number): number => startOf(start, level, 1) - dayMs;
  const starts = [
    ...new Set(seen.flatMap((visit) => dayOf(visit, column, zone) ?? []).map((day) => startOf(day, level))),
  ];
  const known = starts.filter((start) => within(start, endOf(start)) !== null);
  if (known.length === 0) return null;
  const last = Math.max(...known);
  const today = todayIn(zone);
  const [first, end] =
    facts.filter?.kind === 'days'
      ? [facts.filter.from ?? -Infinity, Math.min(today, facts.filter.to ?? today)]
      : [-Infinity, today];
  const isSoFar = startOf(today, level) === last && end === today;
  const isCut = startOf(end, level) === last && (end !== endOf(last) || isSoFar);
  const at = new Date(last);
  const comparedStart =
    comparison === 'year'
      ? level === 4
        ? last - 364 * dayMs
        : Date.UTC(at.getUTCFullYear() - 1, at.getUTCMonth())
      : startOf(last, level, -1);
  const then = new Date(end);
  const sameDate =
    level === 4 ? end - 364 * dayMs : Date.UTC(then.getUTCFullYear() - 1, then.getUTCMonth(), then.getUTCDate());
  const sameDay = comparison === 'year' ? sameDate : Math.min(endOf(comparedStart), comparedStart + (end - last));
  const isCounted =
    measure.kind === 'rows' || (measure.kind === 'column' && ['count', 'distinctcount'].includes(measure.aggregation));
  const valueIn = (from: number, to: number): number | null => {
    const days = seen.filter((visit) => {
      const day = dayOf(visit, column, zone);
      return day !== null && day >= from && day <= to;
    });
    return isCounted && days.length === 0 ? null : valueOf(measure, days);
  };
  return {
    value: valueIn(last, isCut ? end : endOf(last)),
    earlier:
      comparison === 'none' || comparedStart < first
        ? null
        : valueIn(comparedStart, isCut ? sameDay : endOf(comparedStart)),
    isSoFar,
    isCut,
  };
}
