import { inWords, isList, type Json } from '@inlay/contract';
import type { Kept } from '@inlay/query';
import { batchRowsOf, mostColumns, type Batch, type BatchColumn, type IngestSpec } from '../engine/engine.ts';
import { Problem } from '../problems/problem.ts';
import { scalarOf, widenedBy } from '../engine/detect.ts';
import { faultsMost, type PushedRows } from './pushed.ts';
import type { HeldRows } from './store-rows.ts';

/** The narrowest way to keep each column of these rows, in one walk over the cells there are: rows may be far shorter than the longest. */
function keptOfRows(rows: readonly (readonly Json[])[]): readonly (Kept | null)[] {
  const kept: (Kept | null)[] = [];
  for (const cells of rows)
    for (const [place, cell] of cells.entries()) {
      if (place >= mostColumns) break;
      kept[place] = widenedBy(kept[place] ?? null, cell);
    }
  return kept;
}

/** Rows that came as values. */
export function pushedRows(data: readonly Json[], header: boolean): PushedRows {
  const lists = data.map((row) => (isList(row) ? row : []));
  const rows = header ? lists.slice(1) : lists;
  let kept: readonly (Kept | null)[] | null = null;
  return {
    header: header ? (lists[0] ?? []) : null,
    strangers: [...data.keys()].filter((index) => !isList(data[index] ?? null)),
    widths: rows.map((row) => row.length),
    kept: (place) => {
      kept ??= keptOfRows(rows);
      return kept[place] ?? 'text';
    },
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
  let faulty = 0;
  for (const [index, name] of (names ?? []).entries()) {
    const lower = name.toLowerCase();
    const fault =
      name === '' || name === 'null'
        ? 'a column must have a name'
        : seen.has(lower)
          ? `there is another column "${name}"`
          : null;
    seen.add(lower);
    if (fault === null) continue;
    faults[`properties.data[0][${index}]`] = [fault];
    faulty += 1;
    if (faulty === faultsMost) break;
  }
  if (faulty > 0) throw new Problem('rows_invalid', { validation: faults });
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
  if (unknown.length > 0) {
    const has = held.columns
      .map((column) => column.name)
      .join(', ')
      .slice(0, 1000);
    throw new Problem('rows_invalid', {
      validation: Object.fromEntries(
        unknown
          .slice(0, faultsMost)
          .map(([index, name]) => [
            `properties.data[0][${index}]`,
            [`the dataset has no column "${name}"; it has: ${has}`.slice(0, 1000)],
          ]),
      ),
    });
  }
  const placeOf = new Map(header.map((name, place) => [name.toLowerCase(), place]));
  const places = held.columns.map(({ name }) => placeOf.get(name.toLowerCase()) ?? -1);
  return { columns: held.columns, places };
}

async function* batched(
  rows: readonly (readonly Json[])[],
  columns: readonly BatchColumn[],
  places: readonly number[],
): AsyncGenerator<Batch> {
  const most = batchRowsOf(columns.length);
  for (let start = 0; start < rows.length; start += most) {
    yield rows
      .slice(start, start + most)
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
  const width = names?.length ?? plan.columns.length;
  const tooWide = Array.from(pushed.widths, (cells, index) => ({ cells, index })).filter(({ cells }) => cells > width);
  if (tooWide.length > 0)
    throw new Problem('rows_invalid', {
      validation: Object.fromEntries(
        tooWide
          .slice(0, faultsMost)
          .map(({ cells, index }) => [
            `properties.data[${names === null ? index : index + 1}]`,
            [`has ${cells} cells, there are ${width} columns`],
          ]),
      ),
    });
  return { kind: 'rows', columns: plan.columns, rows: pushed.batches(plan.columns, plan.places) };
}
