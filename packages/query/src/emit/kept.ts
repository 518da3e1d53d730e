import type { Expression } from '../expression.ts';
import type { Kept } from '../model.ts';
import type { Scan } from '../plan/expressions/relation.ts';
import type { Writing } from './write.ts';

/** A column that comes as it is kept, so that it still has to be read. */
export interface KeptColumn {
  readonly kept: Kept;
  /** Name of the function `same` of its relation; null where there is none. */
  readonly same: string | null;
}

/** Columns as they are kept, by the name of their relation and their own. */
export type KeptColumns = ReadonlyMap<string, ReadonlyMap<string, KeptColumn>>;

/** The columns of a scan. */
export function keptOf({ relations }: Writing, { datasetId, columns }: Scan): ReadonlyMap<string, KeptColumn> {
  const relation = relations(datasetId);
  const same = relation.kind === 'table' ? relation.same : undefined;
  return new Map(
    columns.map(({ name, kept }) => [name, { kept, same: kept === 'text' ? (same?.(name) ?? null) : null }]),
  );
}

/** The text column that an expression is, as it is kept; null where it is anything else. */
export function keptText(columns: KeptColumns, expression: Expression): KeptColumn | null {
  if (expression.kind !== 'column') return null;
  const found = columns.get(expression.relation)?.get(expression.name);
  return found?.kept === 'text' ? found : null;
}
