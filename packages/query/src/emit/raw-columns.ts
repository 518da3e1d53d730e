import type { Expression, Scan } from '../expression.ts';
import type { StorageType } from '../model.ts';
import { join, sql, type Sql } from '../sql.ts';
import type { EmitContext } from './write.ts';

/** A column that comes as it is kept, so that it still has to be read. */
export interface RawColumn {
  readonly kept: StorageType;
  /** Whether the source compares it with texts as it is. */
  readonly isNative: boolean;
  /** Name of the function `same` of its relation; null where there is none. */
  readonly same: string | null;
}

/** Columns as they are kept, by the name of their relation and their own. */
export type RawColumns = ReadonlyMap<string, ReadonlyMap<string, RawColumn>>;

/** The columns of a scan. */
export function rawColumnsOf({ relations }: EmitContext, { datasetId, columns }: Scan): ReadonlyMap<string, RawColumn> {
  const relation = relations(datasetId);
  const same = relation.kind === 'table' ? relation.same : undefined;
  return new Map(
    columns.map(({ name, kept, nativeText = false }) => [
      name,
      { kept, isNative: nativeText, same: kept === 'text' ? (same?.(name) ?? null) : null },
    ]),
  );
}

/** The text column that an expression is, as it is kept; null where it is anything else. */
export function rawText(columns: RawColumns, expression: Expression): RawColumn | null {
  if (expression.kind !== 'column') return null;
  const found = columns.get(expression.relation)?.get(expression.name);
  return found?.kept === 'text' ? found : null;
}

/** What follows a column in a test that its index can serve and that rows with one of the texts pass; null where there is none. */
export function nativeTest({ dialect }: EmitContext, { isNative }: RawColumn, texts: readonly string[]): Sql | null {
  const { nativeText } = dialect;
  if (!isNative || nativeText === null || texts.length === 0) return null;
  return sql`IN (${join(texts.map(nativeText), ', ')})`;
}
