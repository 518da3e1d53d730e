import type { OutColumn } from './cell.ts';
import type { Arg, Dialect } from './dialect/dialect.ts';
import { statement, type Relation, type Statement } from './emit/statement.ts';
import { clause, quoted } from './emit/context.ts';
import { writeExpression } from './emit/expression.ts';
import { RawColumns } from './emit/raw-columns.ts';
import { emitContext, writeSelect } from './emit/select.ts';
import { cast, type Expression } from './expression.ts';
import type { Plan } from './plan.ts';
import type { Lines } from './lines.ts';
import { bucketed } from './plan/buckets.ts';
import { QueryProblem } from './problem.ts';
import { join, raw, sql } from './sql.ts';

/** True if the cells are exactly the columns of the body, so that nothing is left to compute. */
function isPlain(plan: Plan, dialect: Dialect): boolean {
  const cellExpressions = plan.cells.flatMap(({ of }) => of);
  const simplifiedExpressions = cellExpressions.map((entry) =>
    entry.kind === 'periodStart' && dialect.periods?.differs(entry.level, entry.type) !== true ? entry.of : entry,
  );
  return (
    simplifiedExpressions.length === plan.body.columns.length &&
    simplifiedExpressions.every(
      (entry, index) => entry.kind === 'column' && entry.name === plan.body.columns[index]?.as,
    )
  );
}

/**
 * Writes a plan as one statement. `output` decides its columns. `rows`: the columns that `shape` and `lineRows` format.
 * `json`: one text column, in which each row is a JSON list in wire format. `Lines`: one text column, in which each row
 * is a line with its line end. The same plan always gives the same statement. Raises QueryProblem `unsupported`.
 */
export function emit(
  planned: Plan,
  dialect: Dialect,
  relations: (datasetId: string) => Relation,
  output: 'rows' | 'json' | Lines,
): Statement {
  const context = emitContext(dialect, relations);
  const plan = dialect.quarters === null ? planned : { ...planned, body: bucketed(planned.body) };
  const outColumns = plan.cells.map(({ cell }, index): OutColumn => ({ name: `c${index}`, cell }));
  if (output === 'rows' && isPlain(plan, dialect))
    return statement(dialect, writeSelect(context, plan.body), outColumns);
  const columns = new RawColumns(dialect, []);
  const of = (expression: Expression): Arg => ({
    sql: writeExpression(context, columns, expression),
    type: expression.type,
  });
  const queryAlias = quoted(dialect, 'q');
  if (output === 'rows') {
    const { order, limit, offset } = plan.body;
    const innerSelect = writeSelect(context, { ...plan.body, order: [], limit: null, offset: 0 });
    const cells = plan.cells
      .flatMap((cell) => cell.of)
      .map((entry, index) => sql`${of(entry).sql} AS ${quoted(dialect, `c${index}`)}`);
    const orderTerms = order.map(({ as, direction }) =>
      dialect.order(sql`${queryAlias}.${quoted(dialect, as)}`, direction),
    );
    const limitClause = raw(limit === null && offset === 0 ? '' : dialect.limit(limit, offset));
    return statement(
      dialect,
      sql`SELECT ${join(cells, ', ')} FROM (${innerSelect}) AS ${queryAlias}${clause('ORDER BY', orderTerms, ', ')}${limitClause}`,
      outColumns,
    );
  }
  const cells = plan.cells.map(({ cell, of: expressions }) => ({
    cell,
    values: expressions.map((entry) => of(cell.kind === 'member' ? cast(entry, 'text') : entry)),
  }));
  const row = output === 'json' ? dialect.jsonRow?.(cells, plan.locale) : dialect.line?.(cells, output);
  if (row === undefined) throw new QueryProblem('unsupported', '', `${dialect.name} does not build rows as text`);
  return statement(
    dialect,
    sql`SELECT ${row} AS ${quoted(dialect, 'row')} FROM (${writeSelect(context, plan.body)}) AS ${queryAlias}`,
    [{ name: 'row', cell: { kind: 'text' } }],
  );
}

/** Does what `emit` does, but returns null if the dialect cannot compute the plan exactly. */
export function emitOrNull(...[planned, dialect, relations, output]: Parameters<typeof emit>): Statement | null {
  try {
    return emit(planned, dialect, relations, output);
  } catch (error) {
    if (error instanceof QueryProblem && error.code === 'unsupported') return null;
    throw error;
  }
}

/** Returns why a dialect cannot compute a plan exactly, as a sentence; null if it can. */
export function unsupportedBy(plan: Plan, dialect: Dialect): string | null {
  try {
    emit(plan, dialect, (datasetId) => ({ kind: 'table', path: [datasetId] }), 'rows');
    return null;
  } catch (error) {
    if (error instanceof QueryProblem && error.code === 'unsupported') return error.message;
    throw error;
  }
}
