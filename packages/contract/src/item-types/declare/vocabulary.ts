/** Parts of a time by which slots and dimensions group. specification/data-queries#parts-of-a-time */
export const timeParts = [
  'weekday_name',
  'weekday_number',
  'month_name',
  'month_number',
  'quarter_number',
  'week_number',
  'day_in_month',
  'day_in_year',
  'hour_in_day',
  'minute_in_hour',
] as const;
export type TimePart = (typeof timeParts)[number];

/** Aggregations of a slot entry. With `none`, the query returns raw rows. */
export const aggregationFuncs = [
  'sum',
  'cumulativesum',
  'average',
  'median',
  'min',
  'max',
  'stddev',
  'rate',
  'weightedaverage',
  'count',
  'distinctcount',
  'none',
] as const;

/** Notations of a number: plain, compact, as a percentage, as a duration (the number is in seconds), or as bytes. */
export const numberNotations = ['standard', 'compact', 'percent', 'duration', 'bytes'] as const;
export type NumberNotation = (typeof numberNotations)[number];

/** Types of the values of a column. */
export const columnTypes = ['numeric', 'datetime', 'hierarchy', 'spatial'] as const;
export type ColumnType = (typeof columnTypes)[number];
