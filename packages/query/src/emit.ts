import type { OutColumn } from './cell.ts';
import type { Arg, Dialect, Written } from './dialect/dialect.ts';
import { cast, type Expression } from './expression.ts';
import type { Plan } from './plan.ts';
import { bucketed } from './plan/buckets.ts';
import type { Scan, Select } from './plan/relation.ts';
import { cellOf } from './plan/measures.ts';
import { allParts, keyOf, replace } from './plan/walk.ts';
import { assertNever, QueryProblem } from './problem.ts';
import type { Scalar } from './query.ts';
import { join, raw, sql, textOf, type Sql } from './sql.ts';

/** Where the rows of a dataset are: a table by its path, or a source query that was checked and is trusted by then. */
export type Relation =
  { readonly kind: 'table'; readonly path: readonly string[] } | { readonly kind: 'query'; readonly sql: string };

/** What is sent: text with bound values, and what its columns are. In `json` output there is one text column. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  readonly columns: readonly OutColumn[];
}

interface Writing {
  readonly dialect: Dialect;
  readonly relations: (datasetId: string) => Relation;
}

/** Columns of a relation that come as they are kept, so that they still have to be read; by the relation's name. */
type Kept = ReadonlyMap<string, Scan>;

const exactly = (written: Written): Sql => {
  if ('unsupported' in written) throw new QueryProblem('unsupported', '', written.unsupported);
  return written;
};

const read = (dialect: Dialect, relation: string, name: string): Sql =>
  raw(`${dialect.quote(relation)}.${dialect.quote(name)}`);
const keptAs = (kept: Kept, relation: string, name: string) =>
  kept.get(relation)?.columns.find((one) => one.name === name)?.kept ?? null;
const isText = (kept: Kept, relation: string, name: string): boolean => keptAs(kept, relation, name) === 'text';

function write(writing: Writing, kept: Kept, expression: Expression): Sql {
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

function relationOf({ dialect, relations }: Writing, datasetId: string): Sql {
  const relation = relations(datasetId);
  return relation.kind === 'table'
    ? raw(relation.path.map((name) => dialect.quote(name)).join('.'))
    : raw(`(\n${relation.sql}\n)`);
}

const clause = (word: string, parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0 ? raw('') : sql` ${raw(word)} ${join(parts, separator)}`;

function select(writing: Writing, block: Select): Sql {
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

/** What a cell is made of is answered as it is: nothing is left to do after the body. */
function isPlain(plan: Plan, dialect: Dialect): boolean {
  const made = plan.cells.flatMap(({ of }) => of);
  const settled = made.map((one) =>
    one.kind === 'periodStart' && dialect.periods?.differs(one.level, one.type) !== true ? one.of : one,
  );
  return (
    settled.length === plan.body.columns.length &&
    settled.every((one, index) => one.kind === 'column' && one.name === plan.body.columns[index]?.as)
  );
}

/**
 * Writes a plan as one statement of a dialect. `rows`: the columns that `shape` makes cells of; `json`: one text
 * column, each row a JSON list in wire shape. The same plan gives the same bytes. Raises QueryProblem `unsupported`.
 */
export function emit(
  planned: Plan,
  dialect: Dialect,
  relations: (datasetId: string) => Relation,
  output: 'rows' | 'json',
): Statement {
  const writing: Writing = { dialect, relations };
  const plan = dialect.quarters === null ? planned : { ...planned, body: bucketed(planned.body) };
  const out = plan.cells.map(({ cell }, index): OutColumn => ({ name: `c${index}`, cell }));
  const statement = (written: Sql, columns: readonly OutColumn[]): Statement => ({
    sql: textOf(written, (position) => dialect.placeholder(position)),
    params: written.params,
    columns,
  });
  if (output === 'rows' && isPlain(plan, dialect)) return statement(select(writing, plan.body), out);
  const of = (expression: Expression): Arg => ({ sql: write(writing, new Map(), expression), type: expression.type });
  const q = raw(dialect.quote('q'));
  if (output === 'rows') {
    const { order, limit, offset } = plan.body;
    const inner = select(writing, { ...plan.body, order: [], limit: null, offset: 0 });
    const cells = plan.cells
      .flatMap((one) => one.of)
      .map((one, index) => sql`${of(one).sql} AS ${raw(dialect.quote(`c${index}`))}`);
    const sorted = order.map(({ as, direction }) => dialect.order(sql`${q}.${raw(dialect.quote(as))}`, direction));
    const cut = raw(limit === null && offset === 0 ? '' : dialect.limit(limit, offset));
    return statement(
      sql`SELECT ${join(cells, ', ')} FROM (${inner}) AS ${q}${clause('ORDER BY', sorted, ', ')}${cut}`,
      out,
    );
  }
  if (dialect.jsonRow === null)
    throw new QueryProblem('unsupported', '', `${dialect.name} does not build rows as JSON`);
  const row = dialect.jsonRow(
    plan.cells.map(({ cell, of: made }) => ({
      cell,
      values: made.map((one) => of(cell.kind === 'member' ? cast(one, 'text') : one)),
    })),
    plan.locale,
  );
  return statement(sql`SELECT ${row} AS ${raw(dialect.quote('row'))} FROM (${select(writing, plan.body)}) AS ${q}`, [
    { name: 'row', cell: { kind: 'text' } },
  ]);
}

/** Why a dialect cannot answer a plan exactly, in words; null when it can. */
export function unsupportedBy(plan: Plan, dialect: Dialect): string | null {
  try {
    emit(plan, dialect, (datasetId) => ({ kind: 'table', path: [datasetId] }), 'rows');
    return null;
  } catch (error) {
    if (error instanceof QueryProblem && error.code === 'unsupported') return error.message;
    throw error;
  }
}

function* scansIn(block: Select): Generator<Scan> {
  const { from, joins } = block;
  if (from.kind === 'scan') yield from;
  if (from.kind === 'select') yield* scansIn(from);
  if (from.kind === 'stack') for (const one of from.of) yield* scansIn(one);
  for (const { to } of joins) yield* scansIn(to);
  const used = [
    ...(from.kind === 'scan' ? [...from.rowFilters, ...from.filters] : []),
    ...block.where,
    ...block.having,
    ...block.columns.map(({ of }) => of),
  ];
  for (const part of used.flatMap((one) => [...allParts(one)])) {
    if (part.kind === 'subquery') yield* scansIn(part.select);
  }
}

/** The columns of a scan under one name, whatever it goes by where it stands. */
const asRead = (expression: Expression): Expression =>
  replace(expression, (part) => (part.kind === 'column' ? { ...part, relation: 't' } : null));

/**
 * What must be read of each dataset when a plan is finished elsewhere: columns, and the filters that all its uses
 * share. What is read there is filtered again by the plan.
 */
export function scansOf(plan: Plan): readonly Scan[] {
  const found = new Map<string, Scan>();
  for (const one of scansIn(plan.body)) {
    const scan = { ...one, rowFilters: one.rowFilters.map(asRead), filters: one.filters.map(asRead) };
    const before = found.get(scan.datasetId);
    found.set(scan.datasetId, before === undefined ? scan : merged(before, scan));
  }
  return [...found.values()];
}

/**
 * Reads a scan from its source: the columns as they are kept, under their own names, and of the filters those that the
 * dialect writes exactly; the rest is left to where the plan is finished.
 */
export function emitScan(scan: Scan, dialect: Dialect, relation: Relation): Statement {
  const writing: Writing = { dialect, relations: () => relation };
  const kept: Kept = new Map([['t', scan]]);
  const where = [...scan.rowFilters, ...scan.filters].flatMap((one) => {
    if ([...allParts(one)].some(({ kind }) => kind === 'subquery')) return [];
    try {
      return [write(writing, kept, one)];
    } catch (error) {
      if (error instanceof QueryProblem && error.code === 'unsupported') return [];
      throw error;
    }
  });
  const names = scan.columns.map(({ name }) => sql`${raw(dialect.quote('t'))}.${raw(dialect.quote(name))}`);
  const chosen = names.length === 0 ? [sql`1 AS ${raw(dialect.quote('one'))}`] : names;
  const from = sql` FROM ${relationOf(writing, scan.datasetId)} AS ${raw(dialect.quote('t'))}`;
  const written = join([raw('SELECT '), join(chosen, ', '), from, clause('WHERE', where, ' AND ')], '');
  return {
    sql: textOf(written, (position) => dialect.placeholder(position)),
    params: written.params,
    columns: scan.columns.map(({ name, kept: type }) => ({ name, cell: cellOf(type) })),
  };
}

function merged(left: Scan, right: Scan): Scan {
  const shared = new Set(right.filters.map(keyOf));
  const columns = new Map([...left.columns, ...right.columns].map((one) => [one.name, one]));
  return {
    ...left,
    columns: [...columns.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    filters: left.filters.filter((one) => shared.has(keyOf(one))),
  };
}
