import { DuckDBTypeId, type DuckDBConnection, type DuckDBType } from '@duckdb/node-api';
import type { EngineColumn } from '../../engine.ts';
import { storageTypeOf } from '../storage-types.ts';
import { identifier, literal } from '../quote.ts';

/** A column of a table that is being written. */
export interface StagedColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

/** Returns the columns of a relation (a quoted table). */
export async function columnsOf(connection: DuckDBConnection, relation: string): Promise<readonly StagedColumn[]> {
  const statement = await connection.prepare(`from ${relation}`);
  const columns = Array.from({ length: statement.columnCount }, (_, index) => ({
    name: statement.columnName(index),
    type: statement.columnType(index),
  }));
  statement.destroySync();
  return columns;
}

/**
 * Returns the names of the enum columns of a relation. Does not read the enum values, which takes long for large enums.
 */
export async function enumColumns(connection: DuckDBConnection, relation: string): Promise<readonly string[]> {
  const statement = await connection.prepare(`from ${relation}`);
  const names = Array.from({ length: statement.columnCount }, (_, index) =>
    statement.columnTypeId(index) === DuckDBTypeId.ENUM ? [statement.columnName(index)] : [],
  );
  statement.destroySync();
  return names.flat();
}

const times = new Set([
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
]);

/** Returns SQL for the minimum or maximum of a column as text; `null` for types other than numbers and times. */
function edge(side: 'min' | 'max', { name, type }: StagedColumn): string {
  const value = `${side}(${identifier(name)})`;
  if (times.has(type.typeId)) return `strftime(${value}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  return ['integer', 'decimal', 'double', 'date'].includes(storageTypeOf(type)) ? `${value}::VARCHAR` : 'null::VARCHAR';
}

/** Number of values of an ENUM; undefined for other types. */
const membersOf = ({ type }: StagedColumn): number | undefined =>
  type.typeId === DuckDBTypeId.ENUM ? type.values.length : undefined;

const isCounted = ({ type }: StagedColumn): boolean => storageTypeOf(type) !== 'json';

/** From this many rows on, the number of distinct values is DuckDB's own estimate, made while writing. */
const estimatedFrom = 500_000;

/** Columns counted per pass, since long texts of more columns would not fit in memory. */
const countedTogether = 50;

/** Estimates the number of distinct values by column. */
async function cardinalities(
  connection: DuckDBConnection,
  table: string,
  rows: number,
  columns: readonly StagedColumn[],
): Promise<ReadonlyMap<string, number>> {
  if (columns.length === 0 || rows === 0) return new Map();
  const countExpressions = columns.map(({ name }) =>
    rows < estimatedFrom ? `approx_count_distinct(${identifier(name)})::varchar` : `stats(${identifier(name)})`,
  );
  const counts: unknown[] = [];
  for (let at = 0; at < countExpressions.length; at += countedTogether) {
    const expressions = countExpressions.slice(at, at + countedTogether);
    const reader = await connection.runAndReadAll(`select ${expressions.join(', ')} from ${table} limit 1`);
    counts.push(...(reader.getRows()[0] ?? []));
  }
  return new Map(
    columns.flatMap(({ name }, index) => {
      const members = /(\d{1,19})\]?$/u.exec(String(counts[index]))?.[1];
      return members === undefined ? [] : [[name, Math.min(Number(members), rows)] as const];
    }),
  );
}

/**
 * Computes statistics of a table that was just written. DuckDB takes minimum, maximum and counts from the table's zone
 * maps. The number of distinct values is exact for enum columns and may be approximate for others.
 */
export async function statistics(
  connection: DuckDBConnection,
  table: string,
): Promise<{ readonly rows: number; readonly columns: readonly EngineColumn[] }> {
  const columns = await columnsOf(connection, table);
  const expressions = columns.flatMap((column) => [
    `count(${identifier(column.name)})`,
    edge('min', column),
    edge('max', column),
  ]);
  const reader = await connection.runAndReadAll(`select count(*), ${expressions.join(', ')} from ${table}`);
  const [count, ...cells] = reader.getRows()[0] ?? [];
  const rows = Number(count);
  const uncountedColumns = columns.filter((column) => isCounted(column) && membersOf(column) === undefined);
  const members = await cardinalities(connection, table, rows, uncountedColumns);
  const columnStatistics = columns.map((column, index): EngineColumn => {
    const { name, type } = column;
    const [values, minimum, maximum] = cells.slice(index * 3, index * 3 + 3);
    const cardinality = membersOf(column) ?? members.get(name);
    return {
      name,
      storageType: storageTypeOf(type),
      nullable: Number(values) < rows,
      empty: rows - Number(values),
      ...(cardinality !== undefined && { cardinality }),
      minimum: typeof minimum === 'string' ? minimum : null,
      maximum: typeof maximum === 'string' ? maximum : null,
    };
  });
  return { rows, columns: columnStatistics };
}

/** The rows of a version that are in other files than the version's own. */
export interface EarlierRows {
  readonly rows: number;
  readonly facts: KeptStatistics;
  /** Number of new rows. The version's own file may have more rows, namely those of merged parts. */
  readonly added: number;
}

/** Combines minimum and maximum of earlier and new rows. */
async function widerEdges(
  connection: DuckDBConnection,
  columns: readonly StagedColumn[],
  sides: readonly ReadonlyMap<string, Edges>[],
): Promise<ReadonlyMap<string, Edges>> {
  const boundedColumns = columns.filter((column) => !edge('min', column).startsWith('null'));
  if (boundedColumns.length === 0) return new Map();
  const values = sides.flatMap((side) =>
    (['minimum', 'maximum'] as const).map((which) => {
      const cells = boundedColumns.map((column) => {
        const text = side.get(column.name)?.[which] ?? null;
        return `try_cast(${text === null ? 'null' : literal(text)} as ${column.type.toString()}) as ${identifier(column.name)}`;
      });
      return `select ${cells.join(', ')}`;
    }),
  );
  const expressions = boundedColumns.flatMap((column) => [edge('min', column), edge('max', column)]);
  const reader = await connection.runAndReadAll(
    `select ${expressions.join(', ')} from (${values.join(' union all ')})`,
  );
  const results = (reader.getRows()[0] ?? []).map((text) => (typeof text === 'string' ? text : null));
  return new Map(
    boundedColumns.map(({ name }, index) => [
      name,
      { minimum: results[index * 2] ?? null, maximum: results[index * 2 + 1] ?? null },
    ]),
  );
}

type Edges = Pick<EngineColumn, 'minimum' | 'maximum'>;

/** If the distinct values of a column were at least this share of its rows, each new row is expected to add a value. */
const differentShare = 0.5;

/** Combines the statistics of earlier rows with those of the version's own file. */
export async function statisticsOfAll(
  connection: DuckDBConnection,
  table: string,
  { rows: earlierRows, facts, added }: EarlierRows,
): Promise<{ readonly rows: number; readonly columns: readonly EngineColumn[] }> {
  const ownStatistics = await statistics(connection, table);
  const rows = earlierRows + ownStatistics.rows;
  const ownEdges = new Map(ownStatistics.columns.map((column) => [column.name, column]));
  const edges = await widerEdges(connection, await columnsOf(connection, table), [facts, ownEdges]);
  const cardinalityOf = ({ name, cardinality: ownMembers }: EngineColumn): number | undefined => {
    const members = facts.get(name)?.cardinality;
    if (members === undefined || ownMembers === undefined) return members ?? ownMembers;
    const isDifferent = members > earlierRows * differentShare;
    return Math.max(ownMembers, isDifferent ? members + Math.min(added, ownMembers) : members);
  };
  const emptyOf = (name: string, ownEmpty: number | undefined): Pick<EngineColumn, 'empty'> => {
    const { empty } = facts.get(name) ?? {};
    return empty === undefined || ownEmpty === undefined ? {} : { empty: empty + ownEmpty };
  };
  const columns = ownStatistics.columns.map(({ empty, ...column }): EngineColumn => {
    const cardinality = cardinalityOf(column);
    return {
      ...column,
      ...(cardinality !== undefined && { cardinality }),
      ...edges.get(column.name),
      nullable: column.nullable || facts.get(column.name)?.nullable !== false,
      ...emptyOf(column.name, empty),
    };
  });
  return { rows, columns };
}

/** Structure of the statistics table for `from_json`. */
const structure = JSON.stringify([
  {
    name: 'VARCHAR',
    kept: 'VARCHAR',
    nullable: 'BOOLEAN',
    empty: 'BIGINT',
    cardinality: 'BIGINT',
    minimum: 'VARCHAR',
    maximum: 'VARCHAR',
  },
]);

/** Stores the statistics next to the rows. */
export async function keepStatistics(
  connection: DuckDBConnection,
  database: string,
  columns: readonly EngineColumn[],
): Promise<void> {
  await connection.run(
    `create or replace table ${database}.main."statistics" as
    select unnest(from_json($1, '${structure}'), recursive := true)`,
    [JSON.stringify(columns.map(({ storageType, ...column }) => ({ ...column, kept: storageType })))],
  );
}

export type KeptStatistics = ReadonlyMap<
  string,
  Pick<EngineColumn, 'nullable' | 'empty' | 'cardinality' | 'minimum' | 'maximum'>
>;

/** Reads the stored statistics of a version; null if the version has none. */
export async function keptStatistics(connection: DuckDBConnection, database: string): Promise<KeptStatistics | null> {
  const reader = await connection
    // Selects `*`, since versions written by earlier releases lack some columns of this table.
    .runAndReadAll(`select * from ${database}.main."statistics"`)
    .catch(() => null);
  if (reader === null) return null;
  return new Map(
    reader.getRowObjects().map(({ name, nullable, empty, cardinality: members, minimum, maximum }) => [
      String(name),
      {
        nullable: nullable === true,
        ...(typeof empty === 'bigint' && { empty: Number(empty) }),
        ...(typeof members === 'bigint' && { cardinality: Number(members) }),
        minimum: typeof minimum === 'string' ? minimum : null,
        maximum: typeof maximum === 'string' ? maximum : null,
      },
    ]),
  );
}
