import { isList, type Json } from '@inlay/contract';
import { addKinds, textOf } from '../cells/cells.ts';
import { batchRowsOf, maxColumns, type Batch, type IngestSpec } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';
import { faultsMost, type PushedRows } from '../resource/incoming/rows.ts';
import type { HeldRows, RowMode } from './store-rows.ts';

/** Determines in one pass which types of cells each column has, as bits of `cellKinds`. */
function kindsOf(rows: readonly (readonly Json[])[]): readonly number[] {
  const kinds: number[] = [];
  for (const cells of rows) addKinds(kinds, cells, maxColumns);
  return kinds;
}

/** Wraps rows pushed in a request. */
export function pushedRows(data: readonly Json[], header: boolean): PushedRows {
  const lists = data.map((row) => (isList(row) ? row : []));
  const rows = header ? lists.slice(1) : lists;
  let kinds: readonly number[] | null = null;
  return {
    header: header ? (lists[0] ?? []) : null,
    strangers: [...data.keys()].filter((index) => !isList(data[index])),
    widths: rows.map((row) => row.length),
    kinds: (place) => {
      kinds ??= kindsOf(rows);
      return kinds[place] ?? 0;
    },
    batches: (places) => batched(rows, places),
  };
}

/**
 * Returns the column names in a header; null without a header. Raises Problem `rows_invalid` with each row that is not
 * a list and each invalid name.
 */
function namesOf({ header, strangers }: PushedRows): readonly string[] | null {
  const faults: Record<string, readonly string[]> = {};
  for (const index of strangers.slice(0, faultsMost)) faults[`properties.data[${index}]`] = ['must be a list of cells'];
  if (strangers.length > 0) throw new Problem('rows_invalid', { validation: faults });
  const names = header?.map((name) => (textOf(name) ?? '').trim()) ?? null;
  const seenNames = new Set<string>();
  let faulty = 0;
  for (const [index, name] of (names ?? []).entries()) {
    const lowerName = name.toLowerCase();
    const fault =
      name === '' ? 'a column must have a name' : seenNames.has(lowerName) ? `there is another column "${name}"` : null;
    seenNames.add(lowerName);
    if (fault === null) continue;
    faults[`properties.data[0][${index}]`] = [fault];
    faulty += 1;
    if (faulty === faultsMost) break;
  }
  if (faulty > 0) throw new Problem('rows_invalid', { validation: faults });
  return names;
}

const columnName = (index: number): string => `column_${index + 1}`;

type Names = readonly string[] | null;

function checkCount(count: number): void {
  if (count > 0 && count <= maxColumns) return;
  throw new Problem('rows_invalid', {
    validation: {
      'properties.data': [
        count === 0
          ? 'has no columns: give a row with at least one cell'
          : `has ${count} columns, at most ${maxColumns} are taken`,
      ],
    },
  });
}

interface Plan {
  readonly names: readonly string[];
  /** Index of each column in the rows of the request; -1 for a column that was not sent. */
  readonly places: readonly number[];
}

const inOrder = (names: readonly string[]): Plan => ({ names, places: names.map((_, index) => index) });

/**
 * Plans the columns of a new table. Names come from the header; without a header, columns are numbered, as many as the
 * first row has cells.
 */
function newColumns({ widths }: PushedRows, names: Names): Plan {
  const count = names?.length ?? widths[0] ?? 0;
  checkCount(count);
  return inOrder(names ?? Array.from({ length: count }, (_, index) => columnName(index)));
}

/**
 * Plans the columns of rows that are added to existing rows. A header matches columns by name; without a header, the
 * order is that of the dataset.
 */
function heldColumns(header: Names, heldRows: HeldRows): Plan {
  if (header === null) return inOrder(heldRows.columns.map(({ name }) => name));
  const byName = new Map(heldRows.columns.map((column) => [column.name.toLowerCase(), column]));
  const unknownColumns = header.flatMap((name, index) =>
    byName.has(name.toLowerCase()) ? [] : [[index, name] as const],
  );
  if (unknownColumns.length > 0) {
    const columnList = heldRows.columns
      .map((column) => column.name)
      .join(', ')
      .slice(0, 1000);
    throw new Problem('rows_invalid', {
      validation: Object.fromEntries(
        unknownColumns
          .slice(0, faultsMost)
          .map(([index, name]) => [
            `properties.data[0][${index}]`,
            [`the dataset has no column "${name}"; it has: ${columnList}`.slice(0, 1000)],
          ]),
      ),
    });
  }
  const placeOf = new Map(header.map((name, place) => [name.toLowerCase(), place]));
  const places = heldRows.columns.map(({ name }) => placeOf.get(name.toLowerCase()) ?? -1);
  // Columns that were not sent are null in these rows.
  return { names: heldRows.columns.map(({ name }) => name), places };
}

async function* batched(rows: readonly (readonly Json[])[], places: readonly number[]): AsyncGenerator<Batch> {
  const maxRows = batchRowsOf(places.length);
  for (let start = 0; start < rows.length; start += maxRows)
    yield rows.slice(start, start + maxRows).map((row) => places.map((place) => textOf(row[place] ?? null)));
}

/** Raises Problem `rows_invalid` that lists the rows whose length differs from the number of columns. */
function checkWidths({ widths }: PushedRows, width: number, hasHeader: boolean): void {
  const faults: Record<string, readonly string[]> = {};
  for (let index = 0; index < widths.length && Object.keys(faults).length < faultsMost; index += 1)
    if (widths[index] !== width)
      faults[`properties.data[${hasHeader ? index + 1 : index}]`] = [
        `has ${widths[index]} cells, there are ${width} columns; null stands for no value`,
      ];
  if (Object.keys(faults).length > 0) throw new Problem('rows_invalid', { validation: faults });
}

/** Options for pushed rows. */
export interface PushRules {
  /** Column names if they are sent separately from the rows; otherwise null. */
  readonly names: readonly string[] | null;
  readonly mode: RowMode;
}

/**
 * Converts pushed rows to input of the engine. Rows that replace all existing rows must name their columns or match the
 * columns of the dataset. Raises Problem `rows_invalid` with every row of a different length.
 */
export function sourceOf(
  sentRows: PushedRows,
  { names: declaredNames, mode }: PushRules,
  heldRows: HeldRows | null,
): IngestSpec['source'] {
  const names = namesOf(declaredNames === null ? sentRows : { ...sentRows, header: declaredNames });
  const isHeld = heldRows !== null && heldRows.columns.length > 0;
  const joins = isHeld && (mode !== 'replace' || names === null);
  const plan = joins ? heldColumns(names, heldRows) : newColumns(sentRows, names);
  checkCount(plan.names.length);
  checkWidths(sentRows, names?.length ?? plan.names.length, sentRows.header !== null);
  const columns = plan.names.map((name, index) => ({ name, kinds: sentRows.kinds(plan.places[index] ?? -1) }));
  return { kind: 'rows', columns, rows: sentRows.batches(plan.places), count: sentRows.widths.length };
}
