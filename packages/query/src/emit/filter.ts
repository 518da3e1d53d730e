import type { Arg, Dialect } from '../dialect/dialect.ts';
import type { Expression } from '../expression.ts';
import { sql, type Sql } from '../sql.ts';
import { quoted, sqlOrThrow, type EmitContext } from './context.ts';
import { writeExpression } from './expression.ts';
import { columnSql, nativeTest, type RawColumns } from './raw-columns.ts';

/**
 * Longer lists are compared as decoded texts: converting each text to a member of the ENUM costs more than it saves.
 */
const maxMembers = 64;

/** Tests that find times by an index. */
const momentTests = new Set(['isNull', 'isNotNull', '=', '<', '<=', '>', '>=', 'in']);
const isMoment = ({ kind, type }: Expression): boolean => kind === 'literal' && type === 'timestamp';

/**
 * Writes a test for use in WHERE. If a value is no member of the column's ENUM, the test may be null instead of false.
 */
export function writeTest(context: EmitContext, columns: RawColumns, expression: Expression): Sql {
  const { dialect } = context;
  if (expression.kind !== 'call') return writeExpression(context, columns, expression);
  const { name, args, type } = expression;
  const [of, ...values] = args;
  if (name === 'and' || name === 'or') {
    const tests = args.map((arg): Arg => ({ sql: writeTest(context, columns, arg), type: arg.type }));
    return sqlOrThrow(dialect.functions[name](tests, type));
  }
  const moment = of === undefined || !momentTests.has(name) ? null : columns.momentSql(of);
  if (dialect.moments !== null && moment !== null && values.every(isMoment)) {
    const { column, fromUtc } = dialect.moments;
    const sides = [column(moment), ...values.map((value) => fromUtc(writeExpression(context, columns, value)))];
    return sqlOrThrow(
      dialect.functions[name](
        sides.map((side) => ({ sql: side, type: 'timestamptz' })),
        type,
      ),
    );
  }
  const text = of === undefined ? null : columns.textOf(of);
  const texts = values.flatMap((value) =>
    value.kind === 'literal' && typeof value.value === 'string' ? [value.value] : [],
  );
  const isListed = (name === '=' || name === 'in') && texts.length === values.length && texts.length <= maxMembers;
  if (of === undefined || text === null || !isListed) return writeExpression(context, columns, expression);
  if (text.same === null) {
    const exactTest = writeExpression(context, columns, expression);
    const native = nativeTest(dialect, text, texts);
    return native === null || of.kind !== 'column'
      ? exactTest
      : sql`(${columnSql(dialect, of)} ${native} AND ${dialect.lookedUpTest?.(exactTest) ?? exactTest})`;
  }
  const sameText = calling(dialect, text.same);
  const column = columns.rawSql(of);
  // A column in stored form has the type of the function already. Each use of an ENUM takes time to plan.
  const sides = [
    column ?? sameText(writeExpression(context, columns, of)),
    ...values.map((value) => sameText(writeExpression(context, columns, value))),
  ];
  return sqlOrThrow(
    dialect.functions[name](
      sides.map((side) => ({ sql: side, type: 'text' })),
      type,
    ),
  );
}

const calling =
  (dialect: Dialect, name: string) =>
  (of: Sql): Sql =>
    sql`${quoted(dialect, name)}(${of})`;

/** Writes the equality of both sides of a join. Null equals nothing. */
export function writeEqual(context: EmitContext, columns: RawColumns, left: Expression, right: Expression): Sql {
  const side = (expression: Expression): Sql =>
    columns.rawSql(expression) ?? writeExpression(context, columns, expression);
  const sameText = columns.textOf(left)?.same ?? null;
  if (sameText === null)
    return sql`${writeExpression(context, columns, left)} = ${writeExpression(context, columns, right)}`;
  const asSameText = calling(context.dialect, sameText);
  return sql`${asSameText(side(left))} = ${asSameText(side(right))}`;
}
