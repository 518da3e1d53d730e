import type { Cell, Table } from './data.ts';

type Value = Cell | boolean;

/** A query as the service sends it; `value` holds one value for most expressions and many for `in` and `not in`. */
export interface Query {
  readonly id: string;
  readonly columns: readonly Column[];
  readonly filters?: readonly Filter[];
  readonly options?: { readonly pushdown?: boolean };
}

interface Column {
  readonly column_id: string;
  readonly level?: string;
  readonly aggregation?: string;
}

interface Filter {
  readonly column_id: string;
  readonly expression: string;
  readonly value: readonly Value[];
}

type Row = readonly Cell[];

const compare = (left: Cell, right: Value): number => (left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1);

/** Whether a cell passes. Only `in` with a null, `not in` without one, and `is null` let empty cells through. */
const tests: Readonly<Record<string, (cell: Cell, value: readonly Value[]) => boolean>> = {
  '=': (cell, [value = null]) => cell !== null && cell === value,
  '<>': (cell, [value = null]) => cell !== null && cell !== value,
  '<': (cell, [value = null]) => cell !== null && compare(cell, value) < 0,
  '<=': (cell, [value = null]) => cell !== null && compare(cell, value) <= 0,
  '>': (cell, [value = null]) => cell !== null && compare(cell, value) > 0,
  '>=': (cell, [value = null]) => cell !== null && compare(cell, value) >= 0,
  in: (cell, value) => value.includes(cell),
  'not in': (cell, value) => !value.includes(cell),
  'is null': (cell) => cell === null,
  'is not null': (cell) => cell !== null,
};

const numbers = (cells: readonly Cell[]): readonly number[] => cells.filter((cell) => typeof cell === 'number');

const aggregations: Readonly<Record<string, (cells: readonly Cell[]) => Cell>> = {
  sum: (cells) => (numbers(cells).length === 0 ? null : numbers(cells).reduce((sum, one) => sum + one, 0)),
  min: (cells) => (numbers(cells).length === 0 ? null : Math.min(...numbers(cells))),
  max: (cells) => (numbers(cells).length === 0 ? null : Math.max(...numbers(cells))),
  count: (cells) => cells.filter((cell) => cell !== null).length,
  distinctcount: (cells) => new Set(cells.filter((cell) => cell !== null)).size,
};

/** The start of the period a time lies in, in UTC; weeks begin on Monday. */
function periodOf(time: string, level: string): string {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  // Down, not towards zero: times before 1970 are negative.
  const cut = (ms: number): number => Math.floor(date.getTime() / ms) * ms;
  const starts: Readonly<Record<string, number>> = {
    year: Date.UTC(year, 0),
    quarter: Date.UTC(year, month - (month % 3)),
    month: Date.UTC(year, month),
    week: Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)),
    day: Date.UTC(year, month, day),
    hour: cut(3_600_000),
    minute: cut(60_000),
    second: cut(1000),
  };
  return new Date(starts[level] ?? date).toISOString();
}

/** Answers a query on a table: all its columns, or, pushed down, the groups asked for. */
export function answer(table: Table, { columns, filters = [], options }: Query): readonly Row[] {
  const place = (id: string): number => table.columns.findIndex((column) => column.id === id);
  const kept = table.rows.filter((row) =>
    filters.every(
      ({ column_id, expression, value }) => tests[expression]?.(row[place(column_id)] ?? null, value) ?? true,
    ),
  );
  if (options?.pushdown !== true) return kept;
  const keyOf = (row: Row): Row =>
    columns
      .filter(({ aggregation }) => aggregation === undefined)
      .map(({ column_id, level }) => {
        const cell = row[place(column_id)] ?? null;
        return level !== undefined && typeof cell === 'string' ? periodOf(cell, level) : cell;
      });
  const groups = new Map<string, { readonly key: Row; readonly rows: Row[] }>();
  for (const row of kept) {
    const key = keyOf(row);
    const group = groups.get(JSON.stringify(key)) ?? { key, rows: [] };
    group.rows.push(row);
    groups.set(JSON.stringify(key), group);
  }
  // Without anything to group by there is one group, of all rows there are, even none.
  if (groups.size === 0 && keyOf([]).length === 0) groups.set('', { key: [], rows: [] });
  return [...groups.values()].map(({ key, rows }) => {
    const rest = [...key];
    return columns.map(({ column_id, aggregation }) => {
      if (aggregation === undefined) return rest.shift() ?? null;
      if (column_id === '*') return rows.length;
      return aggregations[aggregation]?.(rows.map((row) => row[place(column_id)] ?? null)) ?? null;
    });
  });
}
