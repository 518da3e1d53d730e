/** Operators and tests of the planner. Tests of texts are case-sensitive in every dialect. */
const operators = [
  ...(['and', 'or', 'not', 'isNull', 'isNotNull'] as const),
  ...(['=', '<>', '<', '<=', '>', '>=', 'in'] as const),
  ...(['like', 'contains', 'startsWith', 'endsWith'] as const),
  ...(['+', '-', '*', '/', 'coalesce', 'nullIf'] as const),
] as const;

/**
 * Functions of formulas. Formulas ensure that arguments are in the domain of the function (`sqrt` of a negative number
 * becomes null), so no dialect raises an error. `weekday` is 1 for Monday. `week` is the ISO 8601 week.
 * `weekOfFourthDay` takes the fourth day of a week. `seconds` is the number of whole seconds since 1970. Positions in
 * texts count code points from 1.
 */
const formulaFunctions = [
  ...(['negate', '%', 'abs', 'sign', 'floor', 'ceil', 'trunc', 'power', 'sqrt', 'exp', 'ln', 'log10'] as const),
  ...(['lower', 'upper', 'length', 'concat', 'substring', 'replace', 'trim'] as const),
  ...(['year', 'quarter', 'month', 'week', 'day', 'weekday', 'hour', 'minute', 'second'] as const),
  ...(['dayOfYear', 'weekOfFourthDay', 'seconds', 'addMonths', 'addSeconds'] as const),
] as const;

export type FunctionName = (typeof operators)[number] | (typeof formulaFunctions)[number];

/**
 * Aggregates. `rows` counts all rows, `count` counts values that are not null. `deviation` is the sample standard
 * deviation. `percentile` takes a value and a share from 0 to 1. `deviationOfParts` is that of values which are divided into parts, from the number, the average and the
 * deviation of the values in each part.
 */
const aggregateNames = [
  ...(['rows', 'count', 'distinct', 'sum', 'average', 'median', 'percentile', 'min', 'max', 'deviation'] as const),
  'deviationOfParts',
] as const;
export type AggregateName = (typeof aggregateNames)[number];
