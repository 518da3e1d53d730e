import type { Dialect } from '../dialect/dialect.ts';
import type { Expression, Join, Select } from '../expression.ts';
import { allParts, columnsOf } from '../plan/expressions/walk.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { clause, quoted, type EmitContext } from './context.ts';
import { writeExpression } from './expression.ts';
import { testOfLookup } from './fence.ts';
import { writeEqual, writeTest } from './filter.ts';
import { RawColumns, rawColumnsOf, type RawColumn } from './raw-columns.ts';
import { sourceOf, type WrittenSource } from './source.ts';
import type { Relation } from './statement.ts';

/** Returns the context of statements of a dialect. */
export function emitContext(dialect: Dialect, relations: (datasetId: string) => Relation): EmitContext {
  const context: EmitContext = { dialect, relations, select: (block) => writeSelect(context, block) };
  return context;
}

/** Writes a select with everything that it reads from. */
export const writeSelect = (context: EmitContext, block: Select): Sql =>
  new SelectWriter(context, block, false).write().sql;

/** A select, and which of its columns are raw. */
interface EmittedSelect {
  readonly sql: Sql;
  readonly rawColumns: ReadonlyMap<string, RawColumn>;
}

const joinWords = { inner: 'JOIN', left: 'LEFT JOIN', cross: 'CROSS JOIN' } as const;

const isAggregate = (expression: Expression): boolean =>
  [...allParts(expression)].some(({ kind }) => kind === 'aggregate');

class SelectWriter {
  readonly #context: EmitContext;
  readonly #block: Select;
  /** If true, returns raw text columns, which are decoded later, when fewer rows are left. */
  readonly #keepRaw: boolean;
  readonly #inner: EmittedSelect | null;
  readonly #joins: readonly { readonly join: Join; readonly to: EmittedSelect }[];
  readonly #columns: RawColumns;

  constructor(context: EmitContext, block: Select, keepRaw: boolean) {
    const { from, as, joins } = block;
    this.#context = context;
    this.#block = block;
    this.#keepRaw = keepRaw;
    this.#inner = from.kind === 'select' ? new SelectWriter(context, from, keepRaw).write() : null;
    this.#joins = joins.map((entry) => ({ join: entry, to: new SelectWriter(context, entry.to, true).write() }));
    this.#columns = new RawColumns(context.dialect, [
      ...(from.kind === 'scan' ? [[as, rawColumnsOf(context.relations(from.datasetId), from)] as const] : []),
      ...(this.#inner === null ? [] : [[as, this.#inner.rawColumns] as const]),
      ...this.#joins.map((join) => [join.join.as, join.to.rawColumns] as const),
    ]);
  }

  write(): EmittedSelect {
    const { as, distinct } = this.#block;
    const { source, where } = this.#source();
    const joinClauses = this.#joins.map((entry) => this.#join(entry));
    const { chosen, rawColumns } = this.#chosen();
    const unsortedSelect = join(
      [
        raw(distinct ? 'SELECT DISTINCT ' : 'SELECT '),
        join(chosen, ', '),
        sql` FROM ${source} AS ${this.#name(as)}`,
        ...joinClauses,
        clause('WHERE', where, ' AND '),
        this.#groups(),
      ],
      '',
    );
    return { sql: this.#ordered(unsortedSelect), rawColumns };
  }

  #name(alias: string): Sql {
    return quoted(this.#context.dialect, alias);
  }

  /** Writes the FROM clause, and the conditions for WHERE. */
  #source(): WrittenSource {
    const { dialect, relations } = this.#context;
    const { from, as, joins, columns, having, where } = this.#block;
    const write = (expression: Expression): Sql =>
      testOfLookup(dialect, this.#block, expression, writeTest(this.#context, this.#columns, expression));
    if (from.kind !== 'scan') {
      const parts =
        from.kind === 'stack'
          ? from.of.map((branch) => writeSelect(this.#context, branch))
          : [this.#inner?.sql ?? raw('')];
      return { source: sql`(${join(parts, ' UNION ALL ')})`, where: where.map(write) };
    }
    const readBy = (tests: readonly Expression[]): readonly string[] =>
      columnsOf([...tests, ...columns.map(({ of }) => of), ...having, ...joins.flatMap(({ on }) => on.flat())], as);
    return sourceOf(dialect, relations(from.datasetId), from, as, [...from.filters, ...where], readBy, write);
  }

  #join({ join: { how, as, on }, to }: { readonly join: Join; readonly to: EmittedSelect }): Sql {
    const equalities = on.map(([left, right]) => writeEqual(this.#context, this.#columns, left, right));
    const once = how === 'cross' ? this.#context.dialect.onceForAllRows : null;
    return sql` ${raw(joinWords[how])} (${once?.(to.sql) ?? to.sql}) AS ${this.#name(as)}${clause('ON', equalities, ' AND ')}`;
  }

  #chosen(): { readonly chosen: readonly Sql[]; readonly rawColumns: ReadonlyMap<string, RawColumn> } {
    const rawColumns = new Map<string, RawColumn>();
    const columnSql = this.#block.columns.map(({ as, of }) => {
      const text = this.#keepRaw ? this.#columns.passThrough(of) : null;
      if (text !== null) rawColumns.set(as, text.column);
      return sql`${text?.sql ?? writeExpression(this.#context, this.#columns, of)} AS ${this.#name(as)}`;
    });
    return { chosen: columnSql, rawColumns };
  }

  /** Writes GROUP BY and HAVING. `COUNT(*) >= 0` makes a single row if `grouped` is 0 and no column aggregates. */
  #groups(): Sql {
    const { columns, grouped, having } = this.#block;
    const keys = columns
      .slice(0, grouped ?? 0)
      .map(({ of }, index) => this.#columns.rawSql(of) ?? raw(String(index + 1)));
    const isOneRow = grouped === 0 && !columns.some(({ of }) => isAggregate(of));
    const tests = having.map((entry) => writeExpression(this.#context, this.#columns, entry));
    const havingTests = isOneRow ? [raw('COUNT(*) >= 0'), ...tests] : tests;
    return join([clause('GROUP BY', keys, ', '), clause('HAVING', havingTests, ' AND ')], '');
  }

  /** Adds ORDER BY, LIMIT and OFFSET. */
  #ordered(unsortedSelect: Sql): Sql {
    const { dialect } = this.#context;
    const { columns, order, limit, offset } = this.#block;
    const page = raw(limit === null && offset === 0 ? '' : dialect.limit(limit, offset));
    const by = (key: (alias: string) => Sql): Sql =>
      clause(
        'ORDER BY',
        order.map((entry) => dialect.order(key(entry.as), entry.direction)),
        ', ',
      );
    if (dialect.sortsBy === 'name' && order.length > 0) {
      const outerName = this.#name('o');
      return sql`SELECT * FROM (${unsortedSelect}) AS ${outerName}${by((alias) => sql`${outerName}.${this.#name(alias)}`)}${page}`;
    }
    const position = (alias: string): Sql => raw(String(columns.findIndex((column) => column.as === alias) + 1));
    return sql`${unsortedSelect}${by(position)}${page}`;
  }
}
