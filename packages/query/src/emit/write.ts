import type { Dialect, Arg, Written } from '../dialect/dialect.ts';
import type { Expression } from '../expression.ts';
import type { Select } from '../plan/expressions/relation.ts';
import { allParts } from '../plan/expressions/walk.ts';
import { assertNever, QueryProblem } from '../problem.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { keptOf, keptText, type KeptColumn, type KeptColumns } from './kept.ts';
import { sourceOf } from './source.ts';
import type { Relation } from './statement.ts';

/** What writing needs besides what is written. */
export interface Writing {
  readonly dialect: Dialect;
  readonly relations: (datasetId: string) => Relation;
}

const exactly = (written: Written): Sql => {
  if ('unsupported' in written) throw new QueryProblem('unsupported', '', written.unsupported);
  return written;
};

const columnNamed = (dialect: Dialect, relation: string, name: string): Sql =>
  raw(`${dialect.quote(relation)}.${dialect.quote(name)}`);
/** A text column unread, where the dialect tells its texts apart as well so; null for all else. */
const unread = ({ dialect }: Writing, kept: KeptColumns, expression: Expression): Sql | null =>
  dialect.groupsTextAsKept && expression.kind === 'column' && keptText(kept, expression) !== null
    ? columnNamed(dialect, expression.relation, expression.name)
    : null;

/** What asks of texts only which are alike or there. */
const asksForAlike = new Set(['count', 'distinct', 'isNull', 'isNotNull']);

/** An expression over relations of which `kept` come as they are kept. */
export function write(writing: Writing, kept: KeptColumns, expression: Expression): Sql {
  const { dialect } = writing;
  const of = (part: Expression): Sql => write(writing, kept, part);
  const arg = (part: Expression): Arg => ({ sql: of(part), type: part.type });
  const argOf = (name: string) => (part: Expression) => ({
    sql: (asksForAlike.has(name) ? unread(writing, kept, part) : null) ?? of(part),
    type: part.type,
  });
  const { type } = expression;
  switch (expression.kind) {
    case 'column': {
      const { relation, name } = expression;
      const found = kept.get(relation)?.get(name);
      const column = columnNamed(dialect, relation, name);
      return found === undefined ? column : exactly(dialect.column(column, found.kept));
    }
    case 'literal':
      return exactly(dialect.literal(expression.value, type));
    case 'call':
      return exactly(dialect.functions[expression.name](expression.args.map(argOf(expression.name)), type));
    case 'aggregate':
      return exactly(dialect.aggregates[expression.name](expression.args.map(argOf(expression.name)), type));
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
    case 'member':
      return sql`(${of(expression.of)} IN (${select(writing, expression.select)}))`;
    case 'listed':
      return exactly(dialect.listed(arg(expression.of), expression.keys));
    default:
      return assertNever(expression);
  }
}

/** A clause of a statement, nothing where it has no parts. */
export const clause = (word: string, parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0 ? raw('') : sql` ${raw(word)} ${join(parts, separator)}`;

/** More values than these are compared as texts: to make members of them costs more than it saves. */
const mostMembers = 64;

/**
 * A test whose true lets a row through, and nothing else does: where a value is no member of its column, it may be null
 * instead of false.
 */
function filter(writing: Writing, kept: KeptColumns, expression: Expression): Sql {
  const { dialect } = writing;
  if (expression.kind !== 'call') return write(writing, kept, expression);
  const { name, args, type } = expression;
  const [of, ...values] = args;
  if (name === 'and' || name === 'or') {
    const tests = args.map((one): Arg => ({ sql: filter(writing, kept, one), type: one.type }));
    return exactly(dialect.functions[name](tests, type));
  }
  const found = of === undefined ? null : keptText(kept, of);
  const literal = values.every((one) => one.kind === 'literal' && one.value !== null);
  if (of === undefined || found === null || found.same === null || !literal || values.length > mostMembers)
    return write(writing, kept, expression);
  if (name !== '=' && name !== 'in') return write(writing, kept, expression);
  const same = named(writing, found.same);
  const sides = [
    unread(writing, kept, of) ?? write(writing, kept, of),
    ...values.map((one) => write(writing, kept, one)),
  ];
  return exactly(
    dialect.functions[name](
      sides.map((side) => ({ sql: same(side), type: 'text' })),
      type,
    ),
  );
}

const named =
  ({ dialect }: Writing, name: string) =>
  (of: Sql): Sql =>
    sql`${raw(dialect.quote(name))}(${of})`;

/** Both sides of a join alike; a null equals nothing. */
function equal(writing: Writing, kept: KeptColumns, left: Expression, right: Expression): Sql {
  const side = (one: Expression): Sql => unread(writing, kept, one) ?? write(writing, kept, one);
  const same = keptText(kept, left)?.same ?? null;
  if (same === null) return sql`${write(writing, kept, left)} = ${write(writing, kept, right)}`;
  const as = named(writing, same);
  return sql`${as(side(left))} = ${as(side(right))}`;
}

/** A text column, or the first of its texts in a group, handed out unread; null for what is computed. */
function handedOut(
  writing: Writing,
  kept: KeptColumns,
  value: Expression,
): { readonly sql: Sql; readonly column: KeptColumn } | null {
  const first = value.kind === 'aggregate' && (value.name === 'min' || value.name === 'max') ? value.name : null;
  const [of] = value.kind === 'aggregate' ? value.args : [value];
  if (of === undefined || (value.kind === 'aggregate' && first === null)) return null;
  const [column, text] = [keptText(kept, of), unread(writing, kept, of)];
  if (column === null || column.same === null || text === null) return null;
  const aggregates = writing.dialect.aggregates;
  return { sql: first === null ? text : exactly(aggregates[first]([{ sql: text, type: 'text' }], 'text')), column };
}

/** A select, and which of its columns still have to be read. */
interface Chosen {
  readonly sql: Sql;
  readonly kept: ReadonlyMap<string, KeptColumn>;
}

/** A select and all it reads from. */
export const select = (writing: Writing, block: Select): Sql => selectAs(writing, block, false).sql;

/** `unreadToo`: texts whose relation says how they are kept are handed out so, to be read once few are left. */
function selectAs(writing: Writing, block: Select, unreadToo: boolean): Chosen {
  const { dialect } = writing;
  const { from, as, joins, columns } = block;
  const name = (alias: string): Sql => raw(dialect.quote(alias));
  const inner = from.kind === 'select' ? selectAs(writing, from, unreadToo) : null;
  const beside = joins.map((one) => ({ ...one, to: selectAs(writing, one.to, true) }));
  const kept: KeptColumns = new Map([
    ...(from.kind === 'scan' ? [[as, keptOf(writing, from)] as const] : []),
    ...(inner === null ? [] : [[as, inner.kept] as const]),
    ...beside.map((one) => [one.as, one.to.kept] as const),
  ]);
  const of = (expression: Expression): Sql => write(writing, kept, expression);
  const tested = (test: Expression): Sql => filter(writing, kept, test);
  const readBy = (tests: readonly Expression[]): readonly string[] => {
    const used = [...tests, ...columns.map((one) => one.of), ...block.having, ...joins.flatMap(({ on }) => on.flat())];
    return columnsOf(used, as);
  };
  const read =
    from.kind === 'scan'
      ? sourceOf(
          dialect,
          writing.relations(from.datasetId),
          from,
          as,
          [...from.filters, ...block.where],
          readBy,
          tested,
        )
      : {
          source: sql`(${
            from.kind === 'stack'
              ? join(
                  from.of.map((one) => select(writing, one)),
                  ' UNION ALL ',
                )
              : (inner?.sql ?? raw(''))
          })`,
          where: block.where.map(tested),
        };
  const joined = beside.map(({ how, to, as: alias, on }) => {
    const alike = on.map(([left, right]) => equal(writing, kept, left, right));
    const word = { inner: 'JOIN', left: 'LEFT JOIN', cross: 'CROSS JOIN' }[how];
    return sql` ${raw(word)} (${to.sql}) AS ${name(alias)}${clause('ON', alike, ' AND ')}`;
  });
  const handed = new Map<string, KeptColumn>();
  const chosen = columns.map(({ as: alias, of: value }) => {
    const text = unreadToo ? handedOut(writing, kept, value) : null;
    if (text !== null) handed.set(alias, text.column);
    return sql`${text?.sql ?? of(value)} AS ${name(alias)}`;
  });
  const groups = columns
    .slice(0, block.grouped ?? 0)
    .map(({ of: key }, index) => unread(writing, kept, key) ?? raw(String(index + 1)));
  const onlyOne = block.grouped === 0 && !columns.some((one) => isAggregate(one.of));
  const having = onlyOne ? [raw('COUNT(*) >= 0'), ...block.having.map(of)] : block.having.map(of);
  const unsorted = join(
    [
      raw(block.distinct ? 'SELECT DISTINCT ' : 'SELECT '),
      join(chosen, ', '),
      sql` FROM ${read.source} AS ${name(as)}`,
      ...joined,
      clause('WHERE', read.where, ' AND '),
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
    return {
      sql: sql`SELECT * FROM (${unsorted}) AS ${name('o')}${sorted((alias) => sql`${name('o')}.${name(alias)}`)}${limit}`,
      kept: handed,
    };
  const position = (alias: string): Sql => raw(String(columns.findIndex((one) => one.as === alias) + 1));
  return { sql: sql`${unsorted}${sorted(position)}${limit}`, kept: handed };
}

/** The columns of a relation that expressions read, each once, in order of name. */
export const columnsOf = (expressions: readonly Expression[], relation: string): readonly string[] => {
  const parts = expressions.flatMap((one) => [...allParts(one)]);
  const names = parts.flatMap((part) => (part.kind === 'column' && part.relation === relation ? [part.name] : []));
  return [...new Set(names)].toSorted((one, other) => (one < other ? -1 : 1));
};

const isAggregate = (expression: Expression): boolean =>
  [...allParts(expression)].some(({ kind }) => kind === 'aggregate');
