import type { Dialect } from '../dialect/dialect.ts';
import type { Expression, Scan } from '../expression.ts';
import type { StorageType } from '../model.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { sqlOrThrow } from './context.ts';
import type { Relation } from './statement.ts';

/** A column that the relation returns in stored form, so the reader must decode the values. */
export interface RawColumn {
  readonly storageType: StorageType;
  /** True if the source compares the column with texts without decoding it. */
  readonly isNative: boolean;
  /**
   * Name of the function that converts texts to the form in which the column compares fastest; null if there is none.
   */
  readonly same: string | null;
}
type ColumnsByName = ReadonlyMap<string, RawColumn>;

/** Returns the columns of a scan by name. */
export function rawColumnsOf(relation: Relation, { columns }: Scan): ColumnsByName {
  const sameText = relation.kind === 'table' ? relation.same : undefined;
  return new Map(
    columns.map(({ name, storageType, nativeText: isNative = false }) => [
      name,
      { storageType, isNative, same: storageType === 'text' ? (sameText?.(name) ?? null) : null },
    ]),
  );
}

export const columnSql = (
  dialect: Dialect,
  { relation, name }: { readonly relation: string; readonly name: string },
): Sql => raw(`${dialect.quote(relation)}.${dialect.quote(name)}`);

/** Knows the raw columns of relations and decodes them for a dialect. All other columns are already decoded. */
export class RawColumns {
  readonly #dialect: Dialect;
  readonly #relations: ReadonlyMap<string, ColumnsByName>;

  constructor(dialect: Dialect, relations: Iterable<readonly [relation: string, columns: ColumnsByName]>) {
    this.#dialect = dialect;
    this.#relations = new Map(relations);
  }

  /** Returns a column, decoded if it is raw. */
  decoded(column: Extract<Expression, { kind: 'column' }>): Sql {
    const columnText = columnSql(this.#dialect, column);
    const rawColumn = this.#relations.get(column.relation)?.get(column.name);
    return rawColumn === undefined ? columnText : sqlOrThrow(this.#dialect.column(columnText, rawColumn.storageType));
  }

  /** Returns the raw text column that an expression reads; null if the expression is not a raw text column. */
  textOf(expression: Expression): RawColumn | null {
    return this.#rawOf(expression, 'text');
  }

  /** Returns the raw column of times with a zone that an expression reads, without decoding it; null if it is none. */
  momentSql(expression: Expression): Sql | null {
    return expression.kind === 'column' && this.#rawOf(expression, 'timestamptz') !== null
      ? columnSql(this.#dialect, expression)
      : null;
  }

  #rawOf(expression: Expression, storageType: StorageType): RawColumn | null {
    if (expression.kind !== 'column') return null;
    const rawColumn = this.#relations.get(expression.relation)?.get(expression.name);
    return rawColumn?.storageType === storageType ? rawColumn : null;
  }

  /**
   * Returns a raw text column without decoding it, if the dialect groups raw texts as it groups decoded ones; otherwise
   * null.
   */
  rawSql(expression: Expression): Sql | null {
    return this.#dialect.groupsRawText && expression.kind === 'column' && this.textOf(expression) !== null
      ? columnSql(this.#dialect, expression)
      : null;
  }

  /**
   * Returns a raw text column, or the smallest or largest of its texts in a group, to be decoded later. Returns null
   * for any other expression.
   */
  passThrough(value: Expression): { readonly sql: Sql; readonly column: RawColumn } | null {
    const aggregateName =
      value.kind === 'aggregate' && (value.name === 'min' || value.name === 'max') ? value.name : null;
    const [of] = value.kind === 'aggregate' ? value.args : [value];
    if (of === undefined || (value.kind === 'aggregate' && aggregateName === null)) return null;
    const [column, text] = [this.textOf(of), this.rawSql(of)];
    if (column === null || column.same === null || text === null) return null;
    const { aggregates } = this.#dialect;
    return {
      sql: aggregateName === null ? text : sqlOrThrow(aggregates[aggregateName]([{ sql: text, type: 'text' }], 'text')),
      column,
    };
  }
}

/**
 * Returns the right side of a test that an index supports: `IN (texts)`. The test may match more rows than those with
 * exactly these texts. Returns null if the column or the dialect does not support it.
 */
export function nativeTest({ nativeText }: Dialect, { isNative }: RawColumn, texts: readonly string[]): Sql | null {
  if (!isNative || nativeText === null || texts.length === 0) return null;
  return sql`IN (${join(texts.map(nativeText), ', ')})`;
}
