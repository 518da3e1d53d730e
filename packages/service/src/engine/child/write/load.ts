import type { DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import { EngineProblem, type BatchColumn } from '../../engine.ts';
import { faultOf } from '../faults.ts';
import { identifier } from '../quote.ts';
import type { NextBatch } from './stage-rows.ts';

/**
 * Storage type of each column while rows arrive: the widest one. The final type is chosen when all rows have arrived.
 */
export const stagedAs = {
  text: 'VARCHAR',
  integer: 'HUGEINT',
  decimal: 'VARCHAR',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  json: 'JSON',
} as const satisfies Record<StorageType, string>;

const typeLabels = {
  text: 'text',
  integer: 'a whole number',
  decimal: 'a number',
  double: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
  timestamp: 'a time such as 2026-01-31T09:30:00Z',
  timestamptz: 'a time such as 2026-01-31T09:30:00Z',
  json: 'JSON',
} as const satisfies Record<StorageType, string>;

const cellOf = ({ storageType }: BatchColumn, index: number): string => {
  const text = `r[${index + 1}]`;
  return storageType === 'date' ? `${text}::TIMESTAMP::DATE` : `${text}::${stagedAs[storageType]}`;
};

/** Columns examined per statement. Each column reads all rows of the batch. */
const columnsPerStatement = 50;

/**
 * Returns an error that names the first cell of a batch that does not fit its column; null if all cells fit.
 * `rowsBefore` is the number of earlier rows.
 */
async function misfit(
  connection: DuckDBConnection,
  batch: string,
  columns: readonly BatchColumn[],
  rowsBefore: number,
): Promise<EngineProblem | null> {
  const tests = columns.map(({ storageType }, index) => {
    const [text, target] = [`r[${index + 1}]`, storageType === 'date' ? 'TIMESTAMP' : stagedAs[storageType]];
    return `min(n) filter (where ${text} is not null and try_cast(${text} as ${target}) is null)`;
  });
  for (let from = 0; from < columns.length; from += columnsPerStatement) {
    const reader = await connection.runAndReadAll(
      `select ${tests.slice(from, from + columnsPerStatement).join(', ')}
      from (select unnest(r) as r, generate_subscripts(r, 1) as n from (select from_json($1, '[["VARCHAR"]]') as r))`,
      [batch],
    );
    const rows = reader.getRows()[0] ?? [];
    const index = rows.findIndex((row) => row !== null);
    const column = columns[from + index];
    if (index >= 0 && column !== undefined)
      return new EngineProblem(
        'input',
        `row ${rowsBefore + Number(rows[index])}, column ${column.name}: not ${typeLabels[column.storageType]}`,
      );
  }
  return null;
}

/** Number of digits of the decimals of a column before and behind the point. */
export interface Digits {
  readonly whole: number;
  readonly scale: number;
}

/** What decides the final type of a column. */
export interface ColumnFacts {
  /** True if every integer fits in 64 bits. */
  readonly isShort: boolean;
  /** Null if a cell is no plain decimal. */
  readonly digits: Digits | null;
}

/** Facts of a column that was not read. */
export const unknownFacts: ColumnFacts = { isShort: false, digits: null };

const shortest = `-9223372036854775808`;
const longest = `9223372036854775807`;

/** Expressions that read the facts of a column in one pass over its cells. */
function factsOf(storageType: StorageType, index: number): readonly [string, string, string] {
  const cell = `c${index}`;
  if (storageType === 'integer')
    return [`coalesce(min(${cell}) >= ${shortest} and max(${cell}) <= ${longest}, true)`, 'null', 'null'];
  if (storageType !== 'decimal') return ['null', 'null', 'null'];
  return [
    `coalesce(bool_or(${cell} similar to '.*[^-+.0-9].*'), false)`,
    `coalesce(max(length(split_part(ltrim(${cell}, '-+'), '.', 1))), 1)::int`,
    `coalesce(max(length(split_part(${cell}, '.', 2))), 0)::int`,
  ];
}

/** Reads what decides the final types of columns `c0`, `c1` …, whose cells have the types of `stagedAs`. */
export async function readFacts(
  connection: DuckDBConnection,
  from: string,
  types: readonly StorageType[],
): Promise<readonly ColumnFacts[]> {
  const facts: ColumnFacts[] = [];
  for (let start = 0; start < types.length; start += columnsPerStatement) {
    const part = types.slice(start, start + columnsPerStatement);
    if (!part.some((type) => type === 'integer' || type === 'decimal')) {
      facts.push(...part.map(() => ({ isShort: true, digits: null })));
      continue;
    }
    const expressions = part.flatMap((type, index) => factsOf(type, start + index));
    const [row = []] = (await connection.runAndReadAll(`select ${expressions.join(', ')} from ${from}`)).getRows();
    for (const [index, type] of part.entries()) {
      const [flag, whole, scale] = row.slice(3 * index, 3 * index + 3);
      const isPlain = type === 'decimal' && flag === false && typeof whole === 'number' && typeof scale === 'number';
      facts.push({ isShort: type !== 'integer' || flag === true, digits: isPlain ? { whole, scale } : null });
    }
  }
  return facts;
}

/**
 * Returns the final type of a column. It represents every integer. It also represents every decimal with all its digits
 * if DuckDB has such a type; otherwise it is a double.
 */
export function finalType(storageType: StorageType, { isShort, digits }: ColumnFacts): string {
  if (storageType === 'integer') return isShort ? 'BIGINT' : 'HUGEINT';
  if (storageType !== 'decimal') return stagedAs[storageType];
  if (digits === null || digits.whole + digits.scale > 38) return 'DOUBLE';
  return `DECIMAL(${digits.whole + digits.scale < 18 ? 18 : 38}, ${digits.scale})`;
}

/**
 * Creates the temporary table `table` (a quoted name) from batches of rows. Cells of any type may be text. Raises
 * EngineProblem `input` that names row (from 1) and column.
 */
export async function loadRows(
  connection: DuckDBConnection,
  table: string,
  columns: readonly BatchColumn[],
  next: NextBatch,
): Promise<void> {
  const stage = 'temp.main.staged_rows';
  await connection.run(
    `create or replace temp table ${stage} (${columns.map(({ storageType }, index) => `c${index} ${stagedAs[storageType]}`).join(', ')})`,
  );
  const insert = await connection.prepare(
    `insert into ${stage} select ${columns.map(cellOf).join(', ')} from (select unnest(from_json($1, '[["VARCHAR"]]')) as r)`,
  );
  let rows = 0;
  for (let batch = await next(); batch !== null; batch = await next()) {
    insert.bindVarchar(1, batch);
    try {
      rows += (await insert.run()).rowsChanged;
    } catch (error) {
      if (faultOf(error)?.cause !== 'sql') throw error;
      throw (await misfit(connection, batch, columns, rows)) ?? error;
    }
  }
  const types = columns.map(({ storageType }) => storageType);
  const facts = await readFacts(connection, stage, types);
  const selectedCells = columns.map(({ name, storageType }, index) => {
    const type = finalType(storageType, facts[index] ?? unknownFacts);
    return `c${index}::${type} as ${identifier(name)}`;
  });
  await connection.run(`create temp table ${table} as select ${selectedCells.join(', ')} from ${stage}`);
  await connection.run(`drop table ${stage}`);
}
