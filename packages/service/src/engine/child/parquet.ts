import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import type { FileColumn } from '../engine.ts';
import type { ChildEnd, ParquetRequest } from '../messages.ts';
import { partsOf } from '../versions/parts.ts';
import { rowsOf } from './parts.ts';
import { identifier, literal } from './quote.ts';
import { columnsOf, type StagedColumn } from './write/statistics.ts';
import { changesOf } from './write/version.ts';
import { attachVersion } from './versions.ts';

/** Size of a file in bytes, as far as the size of the version predicts it. */
const fileBytes = 200 * 1024 ** 2;
const fileRows = { least: 100_000, most: 10_000_000 } as const;
/** Cells of a row group, which a thread holds in memory. */
const groupCells = 4_000_000;
const groupRows = { least: 2048, most: 122_880 } as const;

const between = ({ least, most }: { readonly least: number; readonly most: number }, value: number): number =>
  Math.max(least, Math.min(most, Math.floor(value)));

/** Returns the type in which files have a column. Files have no integers beyond 64 bits, no time zones and no JSON. */
function fileType({ type }: StagedColumn): string {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.DECIMAL:
      return String(type);
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
      return 'BIGINT';
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return 'DECIMAL(38,0)';
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return 'DOUBLE';
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return 'TIMESTAMP';
    default:
      return 'VARCHAR';
  }
}

/** Returns the value of a column as files have it. Times with a zone become wall clocks in UTC. */
function fileValue(column: StagedColumn): string {
  const name = identifier(column.name);
  return column.type.typeId === DuckDBTypeId.TIMESTAMP_TZ
    ? `make_timestamp(epoch_us(${name}))`
    : `${name}::${fileType(column)}`;
}

const countOf = async (connection: DuckDBConnection, sql: string): Promise<number> =>
  Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? 0);

/** Writes the rows of a version as Parquet files, each sorted. */
class ParquetFiles {
  readonly #connection: DuckDBConnection;
  readonly #request: ParquetRequest;
  readonly #progress: (rows: number, bytes: number) => void;
  #files = 0;
  #rows = 0;
  #bytes = 0;

  constructor(connection: DuckDBConnection, request: ParquetRequest, progress: (rows: number, bytes: number) => void) {
    this.#connection = connection;
    this.#request = request;
    this.#progress = progress;
  }

  /**
   * Writes all rows. Columns are named by their position, since other programs change the case of names. Raises errors
   * of DuckDB.
   */
  async write(version: { readonly name: string; readonly relation: string; readonly parts: readonly string[] }) {
    const columns = await columnsOf(this.#connection, `(from ${version.relation})`);
    const total = await countOf(this.#connection, `select count(*) from ${version.relation}`);
    const versionBytes = partsOf(this.#request.path).reduce((sum, path) => sum + statSync(path).size, 0);
    const rowsPerFile = between(fileRows, fileBytes / (versionBytes / Math.max(1, total)));
    const sortedBy = (await changesOf(this.#connection, version.name))?.order ?? [];
    const order = [...new Set([...this.#request.order, ...sortedBy])]
      .map((name) => columns.findIndex((column) => column.name === name) + 1)
      .filter((position) => position > 0);
    for (const part of version.parts) await this.#writePart(rowsOf(part), columns, order, rowsPerFile);
    return {
      rows: this.#rows,
      bytes: this.#bytes,
      files: this.#files,
      columns: columns.map((column): FileColumn => ({ name: column.name, type: fileType(column) })),
    };
  }

  async #writePart(
    table: string,
    columns: readonly StagedColumn[],
    order: readonly number[],
    rowsPerFile: number,
  ): Promise<void> {
    const own = new Set((await columnsOf(this.#connection, table)).map(({ name }) => name));
    const cells = columns.map((column, index) => {
      const value = own.has(column.name) ? fileValue(column) : `null::${fileType(column)}`;
      return `${value} as c${index}`;
    });
    const sort = order.length === 0 ? '' : ` order by ${order.join(', ')}`;
    const last = await countOf(this.#connection, `select coalesce(max(rowid), -1) from ${table}`);
    for (let start = 0; start <= last; start += rowsPerFile) {
      const rows = `select ${cells.join(', ')} from ${table} where rowid >= ${start} and rowid < ${start + rowsPerFile}`;
      await this.#writeFile(`${rows}${sort}`, columns.length);
    }
  }

  async #writeFile(select: string, width: number): Promise<void> {
    const path = join(this.#request.folder, `${String(this.#files).padStart(6, '0')}.parquet`);
    const rowGroup = between(groupRows, groupCells / Math.max(1, width));
    const options = `format parquet, compression zstd, row_group_size ${rowGroup}`;
    this.#rows += await countOf(this.#connection, `copy (${select}) to ${literal(path)} (${options})`);
    this.#bytes += statSync(path).size;
    this.#files += 1;
    this.#progress(this.#rows, this.#bytes);
  }
}

/**
 * Writes the rows of a version to a folder as Parquet files, after which the connection can only write to that folder.
 * Raises errors of DuckDB.
 */
export async function writeParquet(
  connection: DuckDBConnection,
  request: ParquetRequest,
  confine: () => Promise<void>,
  progress: (rows: number, bytes: number) => void,
): Promise<ChildEnd> {
  const version = await attachVersion(connection, request.path, 'v0');
  await confine();
  return { op: 'parquet', ...(await new ParquetFiles(connection, request, progress).write(version)) };
}
