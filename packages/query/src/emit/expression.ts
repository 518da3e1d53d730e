import type { Arg } from '../dialect/dialect.ts';
import type { Expression } from '../expression.ts';
import { assertNever } from '../problem.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { sqlOrThrow, type EmitContext } from './context.ts';
import type { RawColumns } from './raw-columns.ts';

/** Functions and aggregates that only compare texts with each other or with null. They can take raw texts. */
const comparing = new Set(['count', 'distinct', 'isNull', 'isNotNull']);

/** Writes an expression over relations, some of whose columns are raw. */
export function writeExpression(context: EmitContext, columns: RawColumns, expression: Expression): Sql {
  const { dialect } = context;
  const of = (part: Expression): Sql => writeExpression(context, columns, part);
  const arg = (part: Expression): Arg => ({ sql: of(part), type: part.type });
  const argOf = (name: string) => (part: Expression) => ({
    sql: (comparing.has(name) ? columns.rawSql(part) : null) ?? of(part),
    type: part.type,
  });
  const { type } = expression;
  switch (expression.kind) {
    case 'column':
      return columns.decoded(expression);
    case 'literal':
      return sqlOrThrow(dialect.literal(expression.value, type));
    case 'call':
      return sqlOrThrow(dialect.functions[expression.name](expression.args.map(argOf(expression.name)), type));
    case 'aggregate':
      return sqlOrThrow(dialect.aggregates[expression.name](expression.args.map(argOf(expression.name)), type));
    case 'cast':
      return sqlOrThrow(dialect.cast(arg(expression.of), type));
    case 'case': {
      const when = expression.when.map(({ test, result }) => sql` WHEN ${of(test)} THEN ${of(result)}`);
      const otherwise = expression.otherwise === null ? raw('') : sql` ELSE ${of(expression.otherwise)}`;
      return sql`CASE${join(when, '')}${otherwise} END`;
    }
    case 'truncate':
      return sqlOrThrow(dialect.truncate(arg(expression.of), expression.level, expression.weekstart));
    case 'periodKey': {
      const { level, weekstart } = expression;
      const time = arg(expression.of);
      return sqlOrThrow(dialect.periods?.key(time, level, weekstart) ?? dialect.truncate(time, level, weekstart));
    }
    case 'periodStart': {
      const { level, weekstart } = expression;
      const key = of(expression.of);
      return dialect.periods === null ? key : sqlOrThrow(dialect.periods.start(key, type, level, weekstart));
    }
    case 'quarterKey':
      return dialect.quarters?.key(of(expression.of)) ?? of(expression.of);
    case 'quarterStart':
      return dialect.quarters?.start(of(expression.of)) ?? of(expression.of);
    case 'shift':
      return sqlOrThrow(dialect.shift(arg(expression.of), expression.level, expression.quantity));
    case 'zone':
      return sqlOrThrow(dialect.zone(arg(expression.of), expression.to, expression.zone));
    case 'path':
      return sqlOrThrow(dialect.path(of(expression.of), expression.separator, expression.level));
    case 'bin':
      return sqlOrThrow(dialect.bin(arg(expression.of), of(expression.low), of(expression.high), expression.bins));
    case 'running':
    case 'position': {
      const order = join(
        expression.order.map((entry) => dialect.order(of(entry), 'asc')),
        ', ',
      );
      const orderClause = expression.order.length === 0 ? raw('') : sql`ORDER BY ${order} `;
      if (expression.kind === 'running')
        return sql`SUM(${of(expression.of)}) OVER (${orderClause}ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
      return sql`ROW_NUMBER() OVER (PARTITION BY ${join(expression.per.map(of), ', ')} ${orderClause})`;
    }
    case 'subquery':
      return sql`(${context.select(expression.select)})`;
    case 'member':
      return sql`(${of(expression.of)} IN (${context.select(expression.select)}))`;
    case 'listed':
      return sqlOrThrow(dialect.listed(arg(expression.of), expression.keys));
    default:
      return assertNever(expression);
  }
}
