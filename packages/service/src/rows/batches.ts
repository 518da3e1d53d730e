import { inWords, isList, type Json } from '@inlay/contract';
import type { Kept } from '@inlay/query';
import { mostColumns, type Batch, type BatchColumn, type IngestSpec } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';
import { keptOfCells, scalarOf } from '../engine/detect.ts';
import type { PushedRows } from './pushed.ts';
import type { HeldRows } from './store-rows.ts';

const faultsMost = 100;

/** Rows that came as values. */
export function pushedRows(data: readonly Json[], header: boolean): PushedRows {
  const lists = data.map((row) => (isList(row) ? row : []));
  const rows = header ? lists.slice(1) : lists;
  return {
    header: header ? (lists[0] ?? []) : null,
    strangers: [...data.keys()].filter((index) => !isList(data[index] ?? null)),
    widths: rows.map((row) => row.length),
    kept: (place) => keptOfCells(rows.map((row) => row[place] ?? null)),
    batches: (columns, places) => batched(rows, columns, places),
  };
}

/** The names in a header. Raises Problem `rows_invalid` naming every row that is no list, and every name that cannot be one. */
function namesOf({ header, strangers }: PushedRows): readonly string[] | null {
  const faults: Record<string, readonly string[]> = {};
  for (const index of strangers.slice(0, faultsMost)) faults[`properties.data[${index}]`] = ['must be a list of cells'];
  if (strangers.length > 0) throw new Problem('rows_invalid', { validation: faults });
  const names = header?.map((name) => inWords(name).trim()) ?? null;
  const seen = new Set<string>();
  for (const [index, name] of (names ?? []).entries()) {
    const at = `properties.data[0][${index}]`;
    if (name === '' || name === 'null') faults[at] = ['a column must have a name'];
    else if (seen.has(name.toLowerCase())) faults[at] = [`there is another column "${name}"`];
    seen.add(name.toLowerCase());
  }
  if (Object.keys(faults).length > 0) throw new Problem('rows_invalid', { validation: faults });
  return names;
}

const letters = (index: number): string => `column_${index + 1}`;

type Names = readonly string[] | null;

function checkCount(count: number): void {
  if (count > 0 && count <= mostColumns) return;
  throw new Problem('rows_invalid', {
    validation: {
      'properties.data': [
        count === 0
          ? 'has no columns: give a row with at least one cell'
          : `has ${count} columns, at most ${mostColumns} are taken`,
      ],
    },
  });
}

interface Plan {
  readonly columns: readonly BatchColumn[];
  /** Where each column stands in a row of the request. */
  readonly places: readonly number[];
}

const widest = ({ widths }: PushedRows): number => Array.from(widths).reduce((most, width) => Math.max(most, width), 0);

/** Columns of a new table: by name where there are names, else numbered; kept as their cells are, or as told. */
function newColumns(pushed: PushedRows, names: Names, overrides: ReadonlyMap<string, Kept>): Plan {
  const count = names?.length ?? widest(pushed);
  checkCount(count);
  const columns = Array.from({ length: count }, (_, index): BatchColumn => {
    const name = names?.[index] ?? letters(index);
    return { name, kept: overrides.get(name) ?? pushed.kept(index) };
  });
  return { columns, places: columns.map((_, index) => index) };
}

/** Columns of rows that join others: by name where there are names, else in the order of the dataset. */
function heldColumns(pushed: PushedRows, header: Names, held: HeldRows): Plan {
  if (header === null) {
    const width = widest(pushed);
    if (width > held.columns.length)
      throw new Problem('rows_invalid', {
        validation: { 'properties.data': [`has ${width} columns, the dataset has ${held.columns.length}`] },
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

async function* batched(
  rows: readonly (readonly Json[])[],
  columns: readonly BatchColumn[],
  places: readonly number[],
): AsyncGenerator<Batch> {
  for (let start = 0; start < rows.length; start += batchRows) {
    yield rows
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
  const names = namesOf(pushed);
  const plan =
    joins && held !== null && held.columns.length > 0
      ? heldColumns(pushed, names, held)
      : newColumns(pushed, names, overrides);
  checkCount(plan.columns.length);
  const faults: Record<string, readonly string[]> = {};
  const width = names?.length ?? plan.columns.length;
  for (const [index, cells] of Array.from(pushed.widths).entries()) {
    if (cells <= width || Object.keys(faults).length >= faultsMost) continue;
    faults[`properties.data[${names === null ? index : index + 1}]`] = [
      `has ${cells} cells, there are ${width} columns`,
    ];
  }
  if (Object.keys(faults).length > 0) throw new Problem('rows_invalid', { validation: faults });
  return { kind: 'rows', columns: plan.columns, rows: pushed.batches(plan.columns, plan.places) };
}
