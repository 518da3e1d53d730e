/** Operators and tests that the planner itself writes. Tests of texts tell upper from lower case in every dialect. */
export const operators = [
  ...(['and', 'or', 'not', 'isNull', 'isNotNull'] as const),
  ...(['=', '<>', '<', '<=', '>', '>=', 'in'] as const),
  ...(['like', 'contains', 'startsWith', 'endsWith'] as const),
  ...(['+', '-', '*', '/', 'coalesce', 'nullIf'] as const),
] as const;

/** Functions of formulas beyond the operators. */
export const formulaFunctions = [] as const;

export type FunctionName = (typeof operators)[number] | (typeof formulaFunctions)[number];

/** What is computed over the rows of a group. `rows` counts rows, `count` values; `deviation` is that of a sample. */
export const aggregateNames = [
  ...(['rows', 'count', 'distinct', 'sum', 'average', 'median', 'min', 'max', 'deviation'] as const),
] as const;
export type AggregateName = (typeof aggregateNames)[number];
