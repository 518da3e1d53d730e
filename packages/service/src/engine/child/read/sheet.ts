import { statSync } from 'node:fs';
import { WorkbookFault, type SheetRow } from '../../../workbook/fault.ts';
import { RowCounter } from '../../../workbook/row-count.ts';
import { sheetRows } from '../../../workbook/read-sheet.ts';
import { addKinds, textOf } from '../../../cells/cells.ts';
import { batchMost, batchRowsOf, EngineProblem, maxColumns } from '../../engine.ts';
import type { IngestRequest } from '../../messages.ts';
import { givenNames, uniqueNames } from './names.ts';
import type { CountedRows } from '../write/stage-rows.ts';

type Workbook = Extract<IngestRequest['source'], { readonly kind: 'workbook' }>;

/** How much of a sheet is buffered to determine its columns. */
const headLimits = { rows: 20_000, size: 8 * 1024 ** 2 };

const mb = 1024 ** 2;
/**
 * Limits of the number of characters in a sheet: `perByte` for each byte of the file, but at least `least` and at most
 * `most`.
 */
const characters = { least: 256 * mb, perByte: 300, most: 8 * 1024 * mb };

/** Estimates the memory of a row in bytes. */
const sizeOf = (row: SheetRow): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? 24 + 2 * cell.length : 16), 32);

/** Yields rows one by one, reading ahead no further than needed. */
async function* single(parts: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<SheetRow> {
  for await (const part of parts) yield* part;
}

const problemOf = (error: unknown): unknown =>
  error instanceof WorkbookFault ? new EngineProblem('input', error.message) : error;

/** Takes rows up to the limits. `over` is true if there are no more rows. */
async function take(
  rows: AsyncGenerator<SheetRow>,
  limits: { readonly rows: number; readonly size: number },
): Promise<{ readonly taken: SheetRow[]; readonly over: boolean }> {
  const takenRows: SheetRow[] = [];
  let size = 0;
  try {
    while (takenRows.length < limits.rows && size < limits.size) {
      const { value, done } = await rows.next();
      if (done === true) return { taken: takenRows, over: true };
      size += sizeOf(value);
      takenRows.push(value);
    }
  } catch (error) {
    throw problemOf(error);
  }
  return { taken: takenRows, over: false };
}

/**
 * Reads a sheet as batches. The first row has the column names. The rows buffered before the first batch determine the
 * number of columns. `memoryMb` limits the shared strings. Raises EngineProblem `input`.
 */
export async function sheetBatches(
  { path, sheet, header, names: declaredNames }: Workbook,
  memoryMb: number,
): Promise<CountedRows> {
  const counter = new RowCounter();
  const limits = {
    columns: maxColumns,
    textBytes: memoryMb * mb,
    characters: Math.min(characters.most, characters.least + characters.perByte * statSync(path).size),
  };
  const rows = single(sheetRows(path, sheet, limits, (bytes) => counter.take(bytes)));
  const firstRows = await take(rows, headLimits);
  const headerRow = header ? (firstRows.taken.shift() ?? []) : [];
  const width = firstRows.taken.reduce((widest, { length }) => Math.max(widest, length), headerRow.length);
  if (width === 0) throw new EngineProblem('input', 'the sheet has no rows');
  const headerNames = Array.from({ length: width }, (_, index) => (textOf(headerRow[index] ?? null) ?? '').trim());
  const names = header ? uniqueNames(headerNames) : givenNames(declaredNames, width);
  const kinds: number[] = [];
  const cells = (row: SheetRow): readonly (string | null)[] => {
    if (row.length > names.length)
      throw new EngineProblem(
        'input',
        `a row further down has more than the ${names.length} columns of the first rows`,
      );
    addKinds(kinds, row, names.length);
    return names.map((_, index) => textOf(row[index] ?? null));
  };
  const buffer = { rows: firstRows.taken, from: 0 };
  const batchLimits = { rows: batchRowsOf(names.length), size: batchMost.bytes };
  return {
    names,
    kinds: () => kinds,
    count: () => counter.rows - (header ? 1 : 0),
    next: async () => {
      let batch: readonly SheetRow[] = [];
      if (buffer.from < buffer.rows.length) {
        let size = 0;
        const { from } = buffer;
        while (buffer.from < buffer.rows.length && buffer.from - from < batchLimits.rows && size < batchLimits.size) {
          size += sizeOf(buffer.rows[buffer.from] ?? []);
          buffer.from += 1;
        }
        batch = buffer.rows.slice(from, buffer.from);
      } else {
        buffer.rows = [];
        buffer.from = 0;
        batch = (await take(rows, batchLimits)).taken;
      }
      return batch.length === 0 ? null : JSON.stringify(batch.map(cells));
    },
    close: async () => {
      await rows.return(undefined);
    },
  };
}
