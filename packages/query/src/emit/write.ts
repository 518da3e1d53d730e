import type { Dialect, Arg, EmittedSql } from '../dialect/dialect.ts';
import type { Expression, Select } from '../expression.ts';
import { allParts } from '../plan/expressions/walk.ts';
import { assertNever, QueryProblem } from '../problem.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { testOfLookup } from './fence.ts';
import { nativeTest, rawColumnsOf, rawText, type RawColumn, type RawColumns } from './raw-columns.ts';
import { sourceOf } from './source.ts';
import type { Relation } from './statement.ts';

/** What writing needs besides what is written. */
export interface EmitContext {
  readonly dialect: Dialect;
  readonly relations: (datasetId: string) => Relation;
}

const exactly = (written: EmittedSql): Sql => {
  if ('unsupported' in written) throw new QueryProblem('unsupported', '', written.unsupported);
  return written;
};

const columnNamed = (dialect: Dialect, relation: string, name: string): Sql =>
  raw(`${dialect.quote(relation)}.${dialect.quote(name)}`);
/** A text column unread, where the dialect tells its texts apart as well so; null for all else. */
const unread = ({ dialect }: EmitContext, kept: RawColumns, expression: Expression): Sql | null =>
  dialect.groupsTextAsKept && expression.kind === 'column' && rawText(kept, expression) !== null
    ? columnNamed(dialect, expression.relation, expression.name)
    : null;

/** What asks of texts only which are alike or there. */
const asksForAlike = new Set(['count', 'distinct', 'isNull', 'isNotNull']);

/** An expression over relations of which `kept` come as they are kept. */
export function write(context: EmitContext, kept: RawColumns, expression: Expression): Sql {
  const { dialect } = context;
  const of = (part: Expression): Sql => write(context, kept, part);
  const arg = (part: Expression): Arg => ({ sql: of(part), type: part.type });
  const argOf = (name: string) => (part: Expression) => ({
    sql: (asksForAlike.has(name) ? unread(context, kept, part) : null) ?? of(part),
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
      return sql`(${select(context, expression.select)})`;
    case 'member':
      return sql`(${of(expression.of)} IN (${select(context, expression.select)}))`;
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
export function filter(context: EmitContext, kept: RawColumns, expression: Expression): Sql {
  const { dialect } = context;
  if (expression.kind !== 'call') return write(context, kept, expression);
  const { name, args, type } = expression;
  const [of, ...values] = args;
  if (name === 'and' || name === 'or') {
    const tests = args.map((one): Arg => ({ sql: filter(context, kept, one), type: one.type }));
    return exactly(dialect.functions[name](tests, type));
  }
  const found = of === undefined ? null : rawText(kept, of);
  const texts = values.flatMap((one) => (one.kind === 'literal' && typeof one.value === 'string' ? [one.value] : []));
  const isListed = (name === '=' || name === 'in') && texts.length === values.length && texts.length <= mostMembers;
  if (of === undefined || found === null || !isListed) return write(context, kept, expression);
  if (found.same === null) {
    const exact = write(context, kept, expression);
    const native = nativeTest(context, found, texts);
    return native === null || of.kind !== 'column'
      ? exact
      : sql`(${columnNamed(dialect, of.relation, of.name)} ${native} AND ${exact})`;
  }
  const same = named(context, found.same);
  const sides = [
    unread(context, kept, of) ?? write(context, kept, of),
    ...values.map((one) => write(context, kept, one)),
  ];
  return exactly(
    dialect.functions[name](
      sides.map((side) => ({ sql: same(side), type: 'text' })),
      type,
    ),
  );
}

const named =
  ({ dialect }: EmitContext, name: string) =>
  (of: Sql): Sql =>
    sql`${raw(dialect.quote(name))}(${of})`;

/** Both sides of a join alike; a null equals nothing. */
function equal(context: EmitContext, kept: RawColumns, left: Expression, right: Expression): Sql {
  const side = (one: Expression): Sql => unread(context, kept, one) ?? write(context, kept, one);
  const same = rawText(kept, left)?.same ?? null;
  if (same === null) return sql`${write(context, kept, left)} = ${write(context, kept, right)}`;
  const as = named(context, same);
  return sql`${as(side(left))} = ${as(side(right))}`;
}

/** A text column, or the first of its texts in a group, handed out unread; null for what is computed. */
function handedOut(
  context: EmitContext,
  kept: RawColumns,
  value: Expression,
): { readonly sql: Sql; readonly column: RawColumn } | null {
  const first = value.kind === 'aggregate' && (value.name === 'min' || value.name === 'max') ? value.name : null;
  const [of] = value.kind === 'aggregate' ? value.args : [value];
  if (of === undefined || (value.kind === 'aggregate' && first === null)) return null;
  const [column, text] = [rawText(kept, of), unread(context, kept, of)];
  if (column === null || column.same === null || text === null) return null;
  const aggregates = context.dialect.aggregates;
  return { sql: first === null ? text : exactly(aggregates[first]([{ sql: text, type: 'text' }], 'text')), column };
}

/** A select, and which of its columns still have to be read. */
interface EmittedSelect {
  readonly sql: Sql;
  readonly kept: ReadonlyMap<string, RawColumn>;
}

/** A select and all it reads from. */
export const select = (context: EmitContext, block: Select): Sql => selectAs(context, block, false).sql;

/** What a select reads from, with the conditions that are left for its WHERE. */
function readFrom(
  context: EmitContext,
  block: Select,
  kept: RawColumns,
  inner: EmittedSelect | null,
): { readonly source: Sql; readonly where: readonly Sql[] } {
  const { from, as, joins, columns } = block;
  const tested = (one: Expression): Sql => testOfLookup(context.dialect, block, one, filter(context, kept, one));
  if (from.kind !== 'scan') {
    const stacked = from.kind === 'stack' ? from.of.map((one) => select(context, one)) : [inner?.sql ?? raw('')];
    return { source: sql`(${join(stacked, ' UNION ALL ')})`, where: block.where.map(tested) };
  }
  const readBy = (tests: readonly Expression[]): readonly string[] => {
    const used = [...tests, ...columns.map((one) => one.of), ...block.having, ...joins.flatMap(({ on }) => on.flat())];
    return columnsOf(used, as);
  };
  const tests = [...from.filters, ...block.where];
  return sourceOf(context.dialect, context.relations(from.datasetId), from, as, tests, readBy, tested);
}

const joinWords = { inner: 'JOIN', left: 'LEFT JOIN', cross: 'CROSS JOIN' } as const;

/** The chosen columns. Those in `handed` are handed out as they are kept. */
function chosenColumns(
  context: EmitContext,
  { columns }: Select,
  kept: RawColumns,
  unreadToo: boolean,
): { readonly chosen: readonly Sql[]; readonly handed: ReadonlyMap<string, RawColumn> } {
  const handed = new Map<string, RawColumn>();
  const chosen = columns.map(({ as, of }) => {
    const text = unreadToo ? handedOut(context, kept, of) : null;
    if (text !== null) handed.set(as, text.column);
    return sql`${text?.sql ?? write(context, kept, of)} AS ${raw(context.dialect.quote(as))}`;
  });
  return { chosen, handed };
}

/** Keys and conditions of groups. Where nothing aggregates, one group of all rows is still one row. */
function groupClauses(context: EmitContext, block: Select, kept: RawColumns): Sql {
  const groups = block.columns
    .slice(0, block.grouped ?? 0)
    .map(({ of }, index) => unread(context, kept, of) ?? raw(String(index + 1)));
  const isOneRow = block.grouped === 0 && !block.columns.some((one) => isAggregate(one.of));
  const having = block.having.map((one) => write(context, kept, one));
  const tests = isOneRow ? [raw('COUNT(*) >= 0'), ...having] : having;
  return join([clause('GROUP BY', groups, ', '), clause('HAVING', tests, ' AND ')], '');
}

/** A statement in its order and cut to its page. */
function ordered({ dialect }: EmitContext, { columns, order, limit, offset }: Select, unsorted: Sql): Sql {
  const page = raw(limit === null && offset === 0 ? '' : dialect.limit(limit, offset));
  const by = (key: (alias: string) => Sql): Sql =>
    clause(
      'ORDER BY',
      order.map((one) => dialect.order(key(one.as), one.direction)),
      ', ',
    );
  if (dialect.sortsBy === 'name' && order.length > 0) {
    const outer = raw(dialect.quote('o'));
    const named = (alias: string): Sql => sql`${outer}.${raw(dialect.quote(alias))}`;
    return sql`SELECT * FROM (${unsorted}) AS ${outer}${by(named)}${page}`;
  }
  const position = (alias: string): Sql => raw(String(columns.findIndex((one) => one.as === alias) + 1));
  return sql`${unsorted}${by(position)}${page}`;
}

/** `unreadToo`: texts whose relation says how they are kept are handed out so, to be read once few are left. */
function selectAs(context: EmitContext, block: Select, unreadToo: boolean): EmittedSelect {
  const { from, as, joins } = block;
  const name = (alias: string): Sql => raw(context.dialect.quote(alias));
  const inner = from.kind === 'select' ? selectAs(context, from, unreadToo) : null;
  const beside = joins.map((one) => ({ ...one, to: selectAs(context, one.to, true) }));
  const kept: RawColumns = new Map([
    ...(from.kind === 'scan' ? [[as, rawColumnsOf(context, from)] as const] : []),
    ...(inner === null ? [] : [[as, inner.kept] as const]),
    ...beside.map((one) => [one.as, one.to.kept] as const),
  ]);
  const read = readFrom(context, block, kept, inner);
  const joined = beside.map(({ how, to, as: alias, on }) => {
    const alike = on.map(([left, right]) => equal(context, kept, left, right));
    return sql` ${raw(joinWords[how])} (${to.sql}) AS ${name(alias)}${clause('ON', alike, ' AND ')}`;
  });
  const { chosen, handed } = chosenColumns(context, block, kept, unreadToo);
  const unsorted = join(
    [
      raw(block.distinct ? 'SELECT DISTINCT ' : 'SELECT '),
      join(chosen, ', '),
      sql` FROM ${read.source} AS ${name(as)}`,
      ...joined,
      clause('WHERE', read.where, ' AND '),
      groupClauses(context, block, kept),
    ],
    '',
  );
  return { sql: ordered(context, block, unsorted), kept: handed };
}

/** The columns of a relation that expressions read, each once, in order of name. */
export const columnsOf = (expressions: readonly Expression[], relation: string): readonly string[] => {
  const parts = expressions.flatMap((one) => [...allParts(one)]);
  const names = parts.flatMap((part) => (part.kind === 'column' && part.relation === relation ? [part.name] : []));
  return [...new Set(names)].toSorted((one, other) => (one < other ? -1 : 1));
};

const isAggregate = (expression: Expression): boolean =>
  [...allParts(expression)].some(({ kind }) => kind === 'aggregate');
