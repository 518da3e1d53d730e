import { inWords, isList, type Json } from '@inlay/contract';
import type { Kept } from '@inlay/query';
import { mostColumns, type Batch, type BatchColumn, type IngestSpec } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';
import { keptOfCells, scalarOf } from '../engine/detect.ts';
import type { HeldRows } from './store-rows.ts';

/** Rows of a push as the engine takes them. Faults are raised together, each with its row and column. */
export interface PushedRows {
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly Json[])[];
  /** Where the first of `rows` stands in `data`. */
  readonly first: number;
}

const faultsMost = 100;

/** Splits what was sent into names and rows. Raises Problem `rows_invalid`. */
export function pushedRows(data: readonly Json[], header: boolean): PushedRows {
  const faults: Record<string, readonly string[]> = {};
  const lists = data.map((row, index) => {
    if (isList(row)) return row;
    if (Object.keys(faults).length < faultsMost) faults[`properties.data[${index}]`] = ['must be a list of cells'];
    return [];
  });
  if (Object.keys(faults).length > 0) throw new Problem('rows_invalid', { validation: faults });
  const names = header ? (lists[0] ?? []).map((name) => inWords(name).trim()) : null;
  const seen = new Set<string>();
  for (const [index, name] of (names ?? []).entries()) {
    const at = `properties.data[0][${index}]`;
    if (name === '' || name === 'null') faults[at] = ['a column must have a name'];
    else if (seen.has(name.toLowerCase())) faults[at] = [`there is another column "${name}"`];
    seen.add(name.toLowerCase());
  }
  if (Object.keys(faults).length > 0) throw new Problem('rows_invalid', { validation: faults });
  return { header: names, rows: header ? lists.slice(1) : lists, first: header ? 1 : 0 };
}

const letters = (index: number): string => `column_${index + 1}`;

interface Plan {
  readonly columns: readonly BatchColumn[];
  /** Where each column stands in a row of the request. */
  readonly places: readonly number[];
}

/** Columns of a new table: by name where there are names, else numbered; kept as their cells are, or as told. */
function newColumns({ header, rows }: PushedRows, overrides: ReadonlyMap<string, Kept>): Plan {
  const count = header?.length ?? Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, index): BatchColumn => {
    const name = header?.[index] ?? letters(index);
    return { name, kept: overrides.get(name) ?? keptOfCells(rows.map((row) => row[index] ?? null)) };
  });
  return { columns, places: columns.map((_, index) => index) };
}

/** Columns of rows that join others: by name where there are names, else in the order of the dataset. */
function heldColumns({ header, rows }: PushedRows, held: HeldRows): Plan {
  if (header === null) {
    const widest = Math.max(0, ...rows.map((row) => row.length));
    if (widest > held.columns.length)
      throw new Problem('rows_invalid', {
        validation: { 'properties.data': [`has ${widest} columns, the dataset has ${held.columns.length}`] },
      });
    return { columns: held.columns, places: held.columns.map((_, index) => index) };
  }
  const byName = new Map(held.columns.map((column) => [column.name.toLowerCase(), column]));
  const unknown = header.flatMap((name, index) => (byName.has(name.toLowerCase()) ? [] : [[index, name] as const]));
  if (unknown.length > 0)
    throw new Problem('rows_invalid', {
      validation: Object.fromEntries(
        unknown.map(([index, name]) => [
          `properties.data[0][${index}]`,
          [
            `the dataset has no column "${name}"; it has: ${held.columns.map((column) => column.name).join(', ')}`.slice(
              0,
              1000,
            ),
          ],
        ]),
      ),
    });
  const places = held.columns.map(({ name }) => header.findIndex((one) => one.toLowerCase() === name.toLowerCase()));
  return { columns: held.columns, places };
}

const batchRows = 2000;

async function* batched(pushed: PushedRows, { columns, places }: Plan): AsyncGenerator<Batch> {
  for (let start = 0; start < pushed.rows.length; start += batchRows) {
    yield pushed.rows
      .slice(start, start + batchRows)
      .map((row) => columns.map(({ kept }, index) => scalarOf(row[places[index] ?? -1] ?? null, kept)));
  }
}

/** Pushed rows as what the engine takes in. Raises Problem `rows_invalid` naming every row that is too long. */
export function sourceOf(
  pushed: PushedRows,
  overrides: ReadonlyMap<string, Kept>,
  held: HeldRows | null,
  joins: boolean,
): IngestSpec['source'] {
  const plan =
    joins && held !== null && held.columns.length > 0 ? heldColumns(pushed, held) : newColumns(pushed, overrides);
  const count = plan.columns.length;
  if (count === 0 || count > mostColumns)
    throw new Problem('rows_invalid', {
      validation: {
        'properties.data': [
          count === 0
            ? 'has no columns: give a row with at least one cell'
            : `has ${count} columns, at most ${mostColumns} are taken`,
        ],
      },
    });
  const faults: Record<string, readonly string[]> = {};
  const width = pushed.header?.length ?? plan.columns.length;
  for (const [index, row] of pushed.rows.entries()) {
    if (row.length <= width || Object.keys(faults).length >= faultsMost) continue;
    faults[`properties.data[${pushed.first + index}]`] = [`has ${row.length} cells, there are ${width} columns`];
  }
  if (Object.keys(faults).length > 0) throw new Problem('rows_invalid', { validation: faults });
  return { kind: 'rows', columns: plan.columns, rows: batched(pushed, plan) };
}
