import { EngineProblem, mostColumns } from '../../engine.ts';

/**
 * While DuckDB writes a group of rows it holds blocks for each column: 500 columns in blocks of 256 KB, its default, took 128 MB
 * before the first row was there. Tables of more columns than this are written in small blocks and small groups.
 */
const mostNarrow = 64;
const smallBlock = 65536;

/** Cells of a group of rows in a wide table, about; groups are made of whole vectors. */
const groupCells = 4200000;
const vectorRows = 2048;

export const isWide = (columns: number): boolean => columns > mostNarrow;

const groupSize = (columns: number): string =>
  `row_group_size ${Math.max(1, Math.floor(groupCells / columns / vectorRows)) * vectorRows}`;

/**
 * Tables of at most this many cells are small. They have small blocks, since a file holds at least two blocks of each table, and store
 * texts as VARCHAR instead of ENUM, which scans as fast at this size.
 */
const smallCells = 50_000;
const smallestBlock = 16_384;

export const isSmall = (rows: number, columns: number): boolean => rows * columns <= smallCells;

/** How a database is attached that is made for a small table. */
export const madeSmall = `(block_size ${smallestBlock})`;

/** How a database is attached that is made for a table of so many columns. */
export const madeFor = (columns: number): string =>
  isWide(columns) ? `(block_size ${smallBlock}, ${groupSize(columns)})` : '';

/** How a database is attached that was made before, and takes in more rows of so many columns. */
export const changedFor = (columns: number): string => (isWide(columns) ? `(${groupSize(columns)})` : '');

/** Raises EngineProblem `input` where a file has more columns than a dataset may, naming the first that is too much. */
export function checkWidth(columns: number): void {
  if (columns > mostColumns)
    throw new EngineProblem(
      'input',
      `row 1, column ${mostColumns + 1}: there are ${columns} columns, at most ${mostColumns} are taken`,
    );
}
