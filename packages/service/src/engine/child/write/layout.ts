import { EngineProblem, maxColumns } from '../../engine.ts';

/**
 * DuckDB buffers blocks for each column while it writes a row group: 500 columns with the default block size of 256 KB
 * took 128 MB before the first row. Tables with more columns than this use small blocks and small row groups.
 */
const maxNarrowColumns = 64;
const smallBlock = 65536;

/** Approximate number of cells per row group of a wide table. A row group consists of whole vectors. */
const groupCells = 4200000;
const vectorRows = 2048;

export const isWide = (columns: number): boolean => columns > maxNarrowColumns;

const groupSize = (columns: number): string =>
  `row_group_size ${Math.max(1, Math.floor(groupCells / columns / vectorRows)) * vectorRows}`;

/**
 * Tables of at most this many cells are small. They have small blocks, since a file holds at least two blocks of each
 * table. They store texts as VARCHAR, which scans as fast as ENUM at this size.
 */
const smallCells = 50_000;
const smallestBlock = 16_384;

export const isSmall = (rows: number, columns: number): boolean => rows * columns <= smallCells;

/** Options of ATTACH for a new database with a small table. */
export const madeSmall = `(block_size ${smallestBlock})`;

/** Returns options of ATTACH for a new database with a table of this many columns. */
export const madeFor = (columns: number): string =>
  isWide(columns) ? `(block_size ${smallBlock}, ${groupSize(columns)})` : '';

/** Returns options of ATTACH for an existing database that gets more rows with this many columns. */
export const changedFor = (columns: number): string => (isWide(columns) ? `(${groupSize(columns)})` : '');

/** Raises EngineProblem `input` if there are more columns than a dataset may have. */
export function checkWidth(columns: number): void {
  if (columns > maxColumns)
    throw new EngineProblem(
      'input',
      `row 1, column ${maxColumns + 1}: there are ${columns} columns, at most ${maxColumns} are taken`,
    );
}
