import type { WordRange } from '../phrase.ts';

/** The units of relative spans, by datetime level minus one. */
export const timeUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** The relative spans, as filters name them. */
export const relativeExpressions = [
  'last_now',
  'to_date',
  'last_completed',
  'last_available',
  'next_now',
  'next_full',
  'ago',
  'more_than_ago',
] as const;
export type RelativeExpression = (typeof relativeExpressions)[number];

/** A calendar period; `start` is its first day. The levels are those of dates: year, quarter, month, week, day. */
export interface PeriodSpan {
  readonly kind: 'period';
  readonly level: 1 | 2 | 3 | 4 | 5;
  readonly start: string;
}

/** A span of time in a form that a filter of a data query can have. Days are such as `2024-03-01`. */
export type TimeSpan =
  | {
      readonly kind: 'relative';
      readonly expression: RelativeExpression;
      readonly unit: TimeUnit;
      readonly quantity: number;
    }
  | PeriodSpan
  /** Both days are included; null leaves that side open. */
  | { readonly kind: 'between'; readonly from: string | null; readonly to: string | null }
  /** Parts of a date: weekdays 1 (Monday) to 7, months 1 to 12, quarters 1 to 4, hours 0 to 23. */
  | {
      readonly kind: 'parts';
      readonly part: 'weekday' | 'month' | 'hour' | 'quarter';
      readonly values: readonly number[];
    };

/** A condition on time; the range includes prepositions, as in "since May". */
export interface SpanClause {
  readonly range: WordRange;
  readonly span: TimeSpan;
  /** `latest` if the question has no year, so that the newest such period that has begun was taken. */
  readonly assumed: 'latest' | null;
  /** True for spans to leave out, as in "except 2020". */
  readonly excluded: boolean;
}

/** A comparison of two spans of time. */
export interface ComparisonClause {
  readonly range: WordRange;
  /** The later span; null if it is the one that the conditions of the question give, or all rows. */
  readonly current: TimeSpan | null;
  /** `year`: the same span a year earlier; `previous`: the span of the same length before. */
  readonly previous: 'previous' | 'year' | TimeSpan;
  /** The unit in which the spans are compared, as in "month over month"; null if the question names none. */
  readonly unit: TimeUnit | null;
}

export const boundOperators = ['<', '<=', '>', '>=', '=', '!=', 'between'] as const;
export type BoundOperator = (typeof boundOperators)[number];

/** A condition on a number. `between` has two values, in ascending order; both are included. */
export interface BoundClause {
  readonly range: WordRange;
  readonly operator: BoundOperator;
  readonly values: readonly [number] | readonly [number, number];
  readonly percent: boolean;
  /** Words after the number, which may be its unit or the things counted: `visits` in "more than 12 visits". */
  readonly unit: WordRange | null;
}
