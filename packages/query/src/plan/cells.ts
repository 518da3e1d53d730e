import type { Cell } from '../cell.ts';
import { column, type Expression, type Select, type SelectColumn } from '../expression.ts';
import type { Grouping } from './dimensions.ts';
import type { SortKey } from './ordering.ts';
import { allParts } from './expressions/walk.ts';

/** A cell of the answer. `of` are expressions over columns of the body, which has the alias `q`. */
export interface PlanCell {
  readonly cell: Cell;
  readonly of: readonly Expression[];
}

/** A column of the answer before its columns in the body have names. */
export interface Part {
  readonly columns: readonly Expression[];
  readonly cell: Cell;
  readonly answer: (columns: readonly Expression[]) => readonly Expression[];
}

export const partOf = ({ answer, cell }: Grouping, keys: readonly Expression[]): Part => ({
  columns: keys,
  cell,
  answer: (columns) => columns.map((column, index) => (index === 0 ? answer(column) : column)),
});

/** Names the columns of the body that cells read: a letter and an index. */
export function named(
  parts: readonly Part[],
  letter: string,
): { readonly columns: SelectColumn[]; readonly cells: PlanCell[] } {
  const columns: SelectColumn[] = [];
  const cells = parts.map(({ columns: of, cell, answer }): PlanCell => {
    const cellColumns = of.map((expression) => {
      const as = `${letter}${columns.length}`;
      columns.push({ as, of: expression });
      return column('q', as, expression.type);
    });
    return { cell, of: answer(cellColumns) };
  });
  return { columns, cells };
}

const firstColumn = (cell: PlanCell | undefined): readonly string[] =>
  (cell?.of ?? [])
    .flatMap((entry) => [...allParts(entry)].flatMap((part) => (part.kind === 'column' ? [part.name] : [])))
    .slice(0, 1);

/** Returns the sort keys of a select, by column names. */
export const orderOf = (
  ordering: readonly SortKey[],
  dimensions: readonly PlanCell[],
  measures: readonly PlanCell[],
  others: readonly SelectColumn[],
): Select['order'] => {
  let other = 0;
  return ordering.flatMap((key) => {
    if (key.kind === 'other') {
      const as = others[other]?.as;
      other += 1;
      return as === undefined ? [] : [{ as, direction: key.direction }];
    }
    const names = firstColumn((key.kind === 'dimension' ? dimensions : measures)[key.index]);
    return names.map((as) => ({ as, direction: key.direction }));
  });
};
