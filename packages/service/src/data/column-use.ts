import type { Condition, Model, RowFilter } from '@inlay/query';

/** Time spent on queries that filtered stored rows by a column. */
export interface ColumnUse {
  readonly datasetId: string;
  /** Name of the column in the rows. */
  readonly column: string;
  readonly queries: number;
  readonly totalMs: number;
}

/** Tracks by which columns stored rows are filtered. */
export interface ColumnUses {
  readonly note: (datasetId: string, column: string, ms: number) => void;
  /** For each dataset, the column with the most query time. */
  readonly worst: () => readonly ColumnUse[];
  readonly forget: (datasetId: string) => void;
}

/** Limit of tracked datasets; evicts the least recently noted. */
const maxDatasets = 1000;
const maxColumns = 20;

/** Creates an empty tracker. */
export function createColumnUses(): ColumnUses {
  const datasets = new Map<string, Map<string, ColumnUse>>();
  return {
    note: (datasetId, column, ms) => {
      const columns = datasets.get(datasetId) ?? new Map<string, ColumnUse>();
      datasets.delete(datasetId);
      datasets.set(datasetId, columns);
      const [oldest] = datasets.keys();
      if (datasets.size > maxDatasets && oldest !== undefined) datasets.delete(oldest);
      const { queries, totalMs } = columns.get(column) ?? { queries: 0, totalMs: 0 };
      if (columns.size >= maxColumns && !columns.has(column)) return;
      columns.set(column, { datasetId, column, queries: queries + 1, totalMs: totalMs + ms });
    },
    worst: () =>
      [...datasets.values()].flatMap((columns) =>
        [...columns.values()].toSorted((left, right) => right.totalMs - left.totalMs).slice(0, 1),
      ),
    forget: (datasetId) => datasets.delete(datasetId),
  };
}

/** A column of stored rows, by its name in the file. */
export type BoundColumn = Pick<ColumnUse, 'datasetId' | 'column'>;

const boundingOperators = new Set(['=', 'in']);

function boundBy(test: Condition | RowFilter): readonly { readonly datasetId: string; readonly columnId: string }[] {
  if (test.kind === 'all') return test.of.flatMap(boundBy);
  if (test.kind === 'test') return boundingOperators.has(test.expression) && test.on.level === null ? [test.on] : [];
  return [];
}

/** Returns the columns that conditions compare with values, with their names in the rows. */
export function boundColumns(tests: readonly (Condition | RowFilter)[], { datasets }: Model): readonly BoundColumn[] {
  return tests.flatMap(boundBy).flatMap(({ datasetId, columnId }) => {
    const column = datasets.get(datasetId)?.columns.get(columnId);
    return column === undefined || column.expression !== null ? [] : [{ datasetId, column: column.source }];
  });
}
