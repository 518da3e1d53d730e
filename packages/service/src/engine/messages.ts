import type { StorageType, Scalar } from '@inlay/query';
import type {
  BatchColumn,
  BuiltRollup,
  DoubledKeys,
  EngineCause,
  EngineColumn,
  FileFormat,
  FilesSource,
  IngestNotice,
  InvalidCells,
  ParquetFiles,
  RollupStatement,
  RowsColumn,
  TextSource,
  WrittenForms,
} from './engine.ts';
import type { VersionPart } from './versions/parts.ts';

/** Flow control window in bytes: a child sends at most this much of an answer ahead of the reader. */
export const windowBytes = 1_048_576;

/** Limit of open files, sockets and pipes per child. */
export const maxDescriptors = 512;

/** Limits of a child. They are set and locked before the child gets work of a tenant. */
export interface ChildLimits {
  readonly memoryMb: number;
  readonly threads: number;
  /** Options of DuckDB's allocator in jemalloc syntax, read at process start. */
  readonly allocator: string;
  readonly workFolder: string;
  readonly spillMb: number;
}

/**
 * Duty of a child. `compiled`: runs compiled statements concurrently over the versions in one folder. `alone`: runs one
 * request at a time, each on a new database that can open only the files named in the request. `writing`: writes one
 * version at a time, within these folders.
 */
export type Duty =
  | { readonly kind: 'compiled'; readonly folder: string }
  | { readonly kind: 'alone' }
  | { readonly kind: 'writing'; readonly folders: readonly string[] };

export interface Assignment {
  readonly limits: ChildLimits;
  readonly duty: Duty;
}

/** A table as sent to a child. The child requests each batch of a `rows` table. */
export interface SentTable {
  readonly name: string;
  readonly source:
    | { readonly kind: 'file'; readonly path: string; readonly rollup?: string }
    | FilesSource
    | TextSource
    | { readonly kind: 'rows'; readonly columns: readonly BatchColumn[] };
}

/**
 * Form of the result. `cells`: rows as JSON arrays, to be joined by commas. `lines`: rows as lines. `plan`: the plan as
 * JSON.
 */
export type Output = 'cells' | 'lines' | 'plan';

export interface SelectRequest {
  readonly op: 'select';
  readonly tables: readonly SentTable[];
  readonly sql: string;
  readonly params: readonly Scalar[];
  readonly output: Output;
  readonly rowLimit: number;
  readonly byteLimit: number;
}

export interface DescribeRequest {
  readonly op: 'describe';
  readonly tables: readonly SentTable[];
  readonly userQuery: string | null;
}

export interface CheckRequest {
  readonly op: 'check';
  readonly sql: string;
  readonly tables: readonly string[];
}

export interface IngestRequest {
  readonly op: 'ingest';
  readonly source:
    | {
        readonly kind: 'file';
        readonly format: FileFormat;
        readonly path: string;
        readonly header: boolean | null;
        readonly names: readonly string[] | null;
        readonly charset: string | null;
      }
    | {
        readonly kind: 'workbook';
        readonly path: string;
        readonly sheet: string | null;
        readonly header: boolean;
        readonly names: readonly string[] | null;
      }
    | {
        readonly kind: 'typed';
        readonly path: string;
        readonly columns: readonly BatchColumn[];
        readonly count: number;
      }
    | { readonly kind: 'rows'; readonly columns: readonly RowsColumn[]; readonly count: number | null }
    /** Rewrites the version in `onto`, sorted by the columns in `order`. */
    | { readonly kind: 'version'; readonly order: readonly string[] };
  /** Disk limit of the version while it is written, in bytes. */
  readonly maxBytes: number;
  /** Limit in bytes for the finished version, so that the tenant stays within the quota; null if unlimited. */
  readonly quotaBytes: number | null;
  readonly overrides: readonly (readonly [string, StorageType])[];
  readonly declared: readonly (readonly [string, StorageType])[];
  readonly uniqueKey: readonly string[];
  readonly rollups: readonly RollupStatement[];
  readonly onInvalid: 'refuse' | 'null';
  readonly forms: WrittenForms;
  readonly onto: {
    readonly path: string;
    readonly key: readonly string[] | null;
    readonly mayAddColumns: boolean;
  } | null;
  /** Temporary path of the version, until it is published. */
  readonly target: string;
}

/** Writes the rows of a version as Parquet files. */
export interface ParquetRequest {
  readonly op: 'parquet';
  /** Path of the version. */
  readonly path: string;
  readonly folder: string;
  readonly order: readonly string[];
}

export type ChildRequest = SelectRequest | DescribeRequest | CheckRequest | IngestRequest | ParquetRequest;

/** Result of a successful request. */
export type ChildEnd =
  | { readonly op: 'select'; readonly rows: number; readonly truncated: boolean; readonly queryMs: number }
  | { readonly op: 'describe'; readonly columns: readonly EngineColumn[] }
  | { readonly op: 'check' }
  | ({ readonly op: 'parquet' } & ParquetFiles)
  | {
      readonly op: 'ingest';
      readonly rows: number;
      readonly bytes: number;
      readonly columns: readonly EngineColumn[];
      readonly invalid: readonly InvalidCells[];
      readonly notices: readonly IngestNotice[];
      readonly doubledKeys: DoubledKeys;
      readonly rollups: readonly BuiltRollup[];
      /** Files of earlier versions whose rows precede those of the new file. */
      readonly parts: readonly VersionPart[];
      /** Checksum of the new file. */
      readonly sha256: string;
    };

export interface ChildFault {
  /** `descriptors`: the child has run out of file descriptors. */
  readonly cause: EngineCause | 'interrupted' | 'descriptors';
  readonly detail?: string;
}
