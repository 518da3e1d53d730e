import type { Condition, Model, RowFilter } from '@inlay/query';

/** How many queries have filtered stored rows by a column, and how much time they took. */
export interface ColumnUse {
  readonly datasetId: string;
  /** Name of the column in the stored rows. */
  readonly column: string;
  readonly queries: number;
  readonly totalMs: number;
}

/** Tracks the columns by which queries filter stored rows. */
export interface ColumnUses {
  readonly note: (datasetId: string, column: string, ms: number) => void;
  /** For each dataset, the column with the most query time. */
  readonly worst: () => readonly ColumnUse[];
  readonly forget: (datasetId: string) => void;
}

/** Maximum number of tracked datasets. The dataset that was noted least recently is evicted first. */
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

/** Returns the columns of stored rows that conditions compare with values. */
export function boundColumns(tests: readonly (Condition | RowFilter)[], { datasets }: Model): readonly BoundColumn[] {
  return tests.flatMap(boundBy).flatMap(({ datasetId, columnId }) => {
    const column = datasets.get(datasetId)?.columns.get(columnId);
    return column === undefined || column.expression !== null ? [] : [{ datasetId, column: column.source }];
  });
}
