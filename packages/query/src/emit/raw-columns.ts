import type { Dialect } from '../dialect/dialect.ts';
import type { Expression, Scan } from '../expression.ts';
import type { StorageType } from '../model.ts';
import { join, raw, sql, type Sql } from '../sql.ts';
import { sqlOrThrow } from './context.ts';
import type { Relation } from './statement.ts';

/** A column that the relation returns in stored form, so the reader must decode the values. */
export interface RawColumn {
  readonly storageType: StorageType;
  /** The source compares it with texts without decoding. */
  readonly isNative: boolean;
  /** Name of the function that compares texts of the relation; null if there is none. */
  readonly same: string | null;
}
type ColumnsByName = ReadonlyMap<string, RawColumn>;

/** Returns the columns of a scan. */
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

/** Tracks raw columns of relations, and decodes them for a dialect. All other columns are already decoded. */
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

  /** Returns the raw text column of an expression; null for other expressions. */
  textOf(expression: Expression): RawColumn | null {
    if (expression.kind !== 'column') return null;
    const rawColumn = this.#relations.get(expression.relation)?.get(expression.name);
    return rawColumn?.storageType === 'text' ? rawColumn : null;
  }

  /**
   * Returns a raw text column without decoding, if that distinguishes the same texts in this dialect; null otherwise.
   */
  rawSql(expression: Expression): Sql | null {
    return this.#dialect.groupsRawText && expression.kind === 'column' && this.textOf(expression) !== null
      ? columnSql(this.#dialect, expression)
      : null;
  }

  /** Returns a raw text column, or the first of its texts in a group, to decode later; null for computed columns. */
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
 * Returns the right side of an indexable test, which matches a superset of the rows with one of the texts; null if
 * unavailable.
 */
export function nativeTest({ nativeText }: Dialect, { isNative }: RawColumn, texts: readonly string[]): Sql | null {
  if (!isNative || nativeText === null || texts.length === 0) return null;
  return sql`IN (${join(texts.map(nativeText), ', ')})`;
}
