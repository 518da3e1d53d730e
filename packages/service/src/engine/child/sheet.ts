import { statSync } from 'node:fs';
import type { Kept } from '@inlay/query';
import { WorkbookFault, type SheetRow } from '../../workbook/fault.ts';
import { sheetRows } from '../../workbook/read-sheet.ts';
import { keptOfCells } from '../detect.ts';
import { batchMost, batchRowsOf, EngineProblem, mostColumns, type BatchColumn } from '../engine.ts';
import type { IngestRequest } from '../messages.ts';
import type { NextBatch } from './load.ts';

type Workbook = Extract<IngestRequest['source'], { readonly kind: 'workbook' }>;

/** The rows of a sheet on their way into a table. */
export interface SheetBatches {
  readonly columns: readonly BatchColumn[];
  readonly next: NextBatch;
  readonly close: () => Promise<void>;
}

/** What is held of a sheet to find the types of its columns. */
const looked = { rows: 20_000, size: 8 * 1024 ** 2 };

const mb = 1024 ** 2;
/** Characters that a sheet may have beside those that its size allows, and for each byte of its file. */
const characters = { least: 256 * mb, perByte: 300, most: 8 * 1024 * mb };

/** About how much memory a row takes. */
const sizeOf = (row: SheetRow): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? 24 + 2 * cell.length : 16), 32);

/** Rows one by one, the next ones read as they are taken. */
async function* single(parts: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<SheetRow> {
  for await (const part of parts) yield* part;
}

const problemOf = (error: unknown): unknown =>
  error instanceof WorkbookFault ? new EngineProblem('input', error.message) : error;

/** Takes rows until there are enough; gives them and whether there may be more. */
async function take(
  rows: AsyncGenerator<SheetRow>,
  most: { readonly rows: number; readonly size: number },
): Promise<{ readonly taken: SheetRow[]; readonly over: boolean }> {
  const taken: SheetRow[] = [];
  let size = 0;
  try {
    while (taken.length < most.rows && size < most.size) {
      const { value, done } = await rows.next();
      if (done === true) return { taken, over: true };
      size += sizeOf(value);
      taken.push(value);
    }
  } catch (error) {
    throw problemOf(error);
  }
  return { taken, over: false };
}

/** The columns of a sheet by its first rows: names from the header, each once, and types from the cells. */
function columnsOf(
  names: readonly string[],
  first: readonly SheetRow[],
  overrides: ReadonlyMap<string, Kept>,
): readonly BatchColumn[] {
  const width = first.reduce((most, { length }) => Math.max(most, length), names.length);
  const used = new Set<string>();
  return Array.from({ length: width }, (_, index) => {
    const wanted = names[index] === undefined || names[index] === '' ? `column_${index + 1}` : names[index];
    const name = used.has(wanted.toLowerCase()) ? `${wanted}_${index + 1}` : wanted;
    used.add(name.toLowerCase());
    return { name, kept: overrides.get(name) ?? keptOfCells(first.map((row) => row[index] ?? null)) };
  });
}

/**
 * Reads a sheet as batches: names in its first row, types by the rows that are read before the first batch. `memoryMb` is for the
 * texts that sheets share. Raises EngineProblem `input`.
 */
export async function sheetBatches(
  { path, sheet, header }: Workbook,
  overrides: ReadonlyMap<string, Kept>,
  memoryMb: number,
): Promise<SheetBatches> {
  const rows = single(
    sheetRows(path, sheet, {
      columns: mostColumns,
      textBytes: memoryMb * mb,
      characters: Math.min(characters.most, characters.least + characters.perByte * statSync(path).size),
    }),
  );
  const first = await take(rows, looked);
  const named = header ? (first.taken.shift() ?? []) : [];
  const columns = columnsOf(
    named.map((cell) => String(cell ?? '').trim()),
    first.taken,
    overrides,
  );
  if (columns.length === 0) throw new EngineProblem('input', 'the sheet has no rows');
  const cells = (row: SheetRow): SheetRow => {
    if (row.length > columns.length)
      throw new EngineProblem(
        'input',
        `a row further down has more than the ${columns.length} columns of the first rows`,
      );
    return columns.map(({ kept }, index) => (row[index] === '' && kept !== 'text' ? null : (row[index] ?? null)));
  };
  const held = { rows: first.taken, from: 0 };
  const batched = { rows: batchRowsOf(columns.length), size: batchMost.bytes };
  return {
    columns,
    next: async () => {
      let batch: readonly SheetRow[] = [];
      if (held.from < held.rows.length) {
        let size = 0;
        const { from } = held;
        while (held.from < held.rows.length && held.from - from < batched.rows && size < batched.size) {
          size += sizeOf(held.rows[held.from] ?? []);
          held.from += 1;
        }
        batch = held.rows.slice(from, held.from);
      } else {
        held.rows = [];
        held.from = 0;
        batch = (await take(rows, batched)).taken;
      }
      return batch.length === 0 ? null : JSON.stringify(batch.map(cells));
    },
    close: async () => {
      await rows.return(undefined);
    },
  };
}
