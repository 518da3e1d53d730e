import { DuckDBTypeId, type DuckDBType } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';

/** Returns the storage type for a DuckDB type; `text` for a type that is not listed. */
export function storageTypeOf(type: DuckDBType): StorageType {
  if (type.alias === 'JSON') return 'json';
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return 'boolean';
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
      return 'integer';
    case DuckDBTypeId.DECIMAL:
      return 'decimal';
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return 'double';
    case DuckDBTypeId.DATE:
      return 'date';
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return 'timestamp';
    case DuckDBTypeId.TIMESTAMP_TZ:
      return 'timestamptz';
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.STRUCT:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.UNION:
      return 'json';
    default:
      return 'text';
  }
}

/** DuckDB type of each storage type. Decimals are stored as text until their scale is known. */
export const typeOf = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DECIMAL(38, 9)',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  json: 'JSON',
} as const satisfies Record<StorageType, string>;
