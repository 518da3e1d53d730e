import type { Dialect, Arg, Written } from '../dialect/dialect.ts';
import type { Expression } from '../expression.ts';
import type { Scan, Select } from '../plan/relation.ts';
import { allParts } from '../plan/walk.ts';
import { assertNever, QueryProblem } from '../problem.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import type { Relation } from './statement.ts';

/** What writing needs besides what is written. */
export interface Writing {
  readonly dialect: Dialect;
  readonly relations: (datasetId: string) => Relation;
}

/** Columns of a relation that come as they are kept, so that they still have to be read; by the relation's name. */
export type Kept = ReadonlyMap<string, Scan>;

const exactly = (written: Written): Sql => {
  if ('unsupported' in written) throw new QueryProblem('unsupported', '', written.unsupported);
  return written;
};

const read = (dialect: Dialect, relation: string, name: string): Sql =>
  raw(`${dialect.quote(relation)}.${dialect.quote(name)}`);
const keptAs = (kept: Kept, relation: string, name: string) =>
  kept.get(relation)?.columns.find((one) => one.name === name)?.kept ?? null;
const isText = (kept: Kept, relation: string, name: string): boolean => keptAs(kept, relation, name) === 'text';

/** An expression over relations of which `kept` come as they are kept. */
export function write(writing: Writing, kept: Kept, expression: Expression): Sql {
  const { dialect } = writing;
  const of = (part: Expression): Sql => write(writing, kept, part);
  const arg = (part: Expression): Arg => ({ sql: of(part), type: part.type });
  const { type } = expression;
  switch (expression.kind) {
    case 'column': {
      const { relation, name } = expression;
      const found = keptAs(kept, relation, name);
      const column = read(dialect, relation, name);
      return found === null ? column : exactly(dialect.column(column, found));
    }
    case 'literal':
      return exactly(dialect.literal(expression.value, type));
    case 'call':
      return exactly(dialect.functions[expression.name](expression.args.map(arg), type));
    case 'aggregate':
      return exactly(dialect.aggregates[expression.name](expression.args.map(arg), type));
    case 'cast':
      return exactly(dialect.cast(arg(expression.of), type));
    case 'case': {
      const when = expression.when.map(({ test, result }) => sql` WHEN ${of(test)} THEN ${of(result)}`);
      const otherwise = expression.otherwise === null ? raw('') : sql` ELSE ${of(expression.otherwise)}`;
      return sql`CASE${join(when, '')}${otherwise} END`;
    }
    case 'truncate':
      return exactly(dialect.truncate(arg(expression.of), expression.level, expression.weekstart));
    case 'periodKey': {
      const { level, weekstart } = expression;
      const time = arg(expression.of);
      return exactly(dialect.periods?.key(time, level, weekstart) ?? dialect.truncate(time, level, weekstart));
    }
    case 'periodStart': {
      const { level, weekstart } = expression;
      const key = of(expression.of);
      return dialect.periods === null ? key : exactly(dialect.periods.start(key, type, level, weekstart));
    }
    case 'quarterKey':
      return dialect.quarters?.key(of(expression.of)) ?? of(expression.of);
    case 'quarterStart':
      return dialect.quarters?.start(of(expression.of)) ?? of(expression.of);
    case 'shift':
      return exactly(dialect.shift(arg(expression.of), expression.level, expression.quantity));
    case 'zone':
      return exactly(dialect.zone(arg(expression.of), expression.to, expression.zone));
    case 'path':
      return exactly(dialect.path(of(expression.of), expression.separator, expression.level));
    case 'bin':
      return exactly(dialect.bin(arg(expression.of), of(expression.low), of(expression.high), expression.bins));
    case 'running':
    case 'position': {
      const order = join(
        expression.order.map((one) => dialect.order(of(one), 'asc')),
        ', ',
      );
      const sorted = expression.order.length === 0 ? raw('') : sql`ORDER BY ${order} `;
      if (expression.kind === 'running')
        return sql`SUM(${of(expression.of)}) OVER (${sorted}ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
      return sql`ROW_NUMBER() OVER (PARTITION BY ${join(expression.per.map(of), ', ')} ${sorted})`;
    }
    case 'subquery':
      return sql`(${select(writing, expression.select)})`;
    default:
      return assertNever(expression);
  }
}

export function relationOf({ dialect, relations }: Writing, datasetId: string): Sql {
  const relation = relations(datasetId);
  return relation.kind === 'table'
    ? raw(relation.path.map((name) => dialect.quote(name)).join('.'))
    : raw(`(\n${relation.sql}\n)`);
}

/** A clause of a statement, nothing where it has no parts. */
export const clause = (word: string, parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0 ? raw('') : sql` ${raw(word)} ${join(parts, separator)}`;

/** A select and all it reads from. */
export function select(writing: Writing, block: Select): Sql {
  const { dialect } = writing;
  const { from, as, joins, columns } = block;
  const name = (alias: string): Sql => raw(dialect.quote(alias));
  const kept: Kept = from.kind === 'scan' ? new Map([[as, from]]) : new Map();
  const of = (expression: Expression): Sql => write(writing, kept, expression);
  const source =
    from.kind === 'scan'
      ? relationOf(writing, from.datasetId)
      : sql`(${
          from.kind === 'stack'
            ? join(
                from.of.map((one) => select(writing, one)),
                ' UNION ALL ',
              )
            : select(writing, from)
        })`;
  const joined = joins.map(({ how, to, as: alias, on }) => {
    const equal = on.map(([left, right]) => sql`${of(left)} = ${of(right)}`);
    const word = { inner: 'JOIN', left: 'LEFT JOIN', cross: 'CROSS JOIN' }[how];
    return sql` ${raw(word)} (${select(writing, to)}) AS ${name(alias)}${clause('ON', equal, ' AND ')}`;
  });
  const filters = from.kind === 'scan' ? [...from.rowFilters, ...from.filters] : [];
  const where = [...filters, ...block.where].map(of);
  const chosen = columns.map(({ as: alias, of: value }) => sql`${of(value)} AS ${name(alias)}`);
  const groups = columns.slice(0, block.grouped ?? 0).map(({ of: key }, index) => {
    const asKept = key.kind === 'column' && isText(kept, key.relation, key.name) && dialect.groupsTextAsKept;
    return asKept ? read(dialect, key.relation, key.name) : raw(String(index + 1));
  });
  const onlyOne = block.grouped === 0 && !columns.some((one) => isAggregate(one.of));
  const having = onlyOne ? [raw('COUNT(*) >= 0'), ...block.having.map(of)] : block.having.map(of);
  const unsorted = join(
    [
      raw(block.distinct ? 'SELECT DISTINCT ' : 'SELECT '),
      join(chosen, ', '),
      sql` FROM ${source} AS ${name(as)}`,
      ...joined,
      clause('WHERE', where, ' AND '),
      clause('GROUP BY', groups, ', '),
      clause('HAVING', having, ' AND '),
    ],
    '',
  );
  const limit = raw(block.limit === null && block.offset === 0 ? '' : dialect.limit(block.limit, block.offset));
  const sorted = (key: (alias: string) => Sql): Sql =>
    clause(
      'ORDER BY',
      block.order.map((one) => dialect.order(key(one.as), one.direction)),
      ', ',
    );
  if (dialect.sortsBy === 'name' && block.order.length > 0)
    return sql`SELECT * FROM (${unsorted}) AS ${name('o')}${sorted((alias) => sql`${name('o')}.${name(alias)}`)}${limit}`;
  const position = (alias: string): Sql => raw(String(columns.findIndex((one) => one.as === alias) + 1));
  return sql`${unsorted}${sorted(position)}${limit}`;
}

const isAggregate = (expression: Expression): boolean =>
  [...allParts(expression)].some(({ kind }) => kind === 'aggregate');
