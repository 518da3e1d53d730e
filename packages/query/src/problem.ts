/** Codes of problems that well-formed queries can have. */
export const queryProblemCodes = [
  ...(['dataset_unknown', 'column_unknown', 'formula_unknown', 'formula_invalid', 'join_missing'] as const),
  ...(['aggregation_invalid', 'level_invalid', 'bins_invalid', 'order_unknown', 'expression_invalid'] as const),
  ...(['value_invalid', 'timezone_unknown', 'row_filter_invalid', 'unsupported', 'query_empty'] as const),
] as const;
export type QueryProblemCode = (typeof queryProblemCodes)[number];

/** Why a query cannot be answered: a stable code, the path in the query (`where[0].parameters[1]`), and a sentence. */
export class QueryProblem extends Error {
  readonly code: QueryProblemCode;
  readonly at: string;
  constructor(code: QueryProblemCode, at: string, message: string) {
    super(message);
    this.name = 'QueryProblem';
    this.code = code;
    this.at = at;
  }
}

/**
 * Throws an error. The type of its argument proves that a `switch` covers all cases, so that this call is never
 * reached.
 */
export function assertNever(value: never): never {
  throw new Error(`not reachable: ${JSON.stringify(value)}`);
}
