import type { StorageType, Scalar } from '@inlay/query';
import type {
  BatchColumn,
  EngineCause,
  EngineColumn,
  FileFormat,
  FilesSource,
  IngestNotice,
  InvalidCells,
  RowsColumn,
  TextSource,
  WrittenForms,
} from './engine.ts';
import type { VersionPart } from './versions/parts.ts';

/** How much of an answer may be under way before its reader takes some. */
export const windowBytes = 1_048_576;

/** Files, sockets and pipes that a child may hold open at once. */
export const mostDescriptors = 512;

/** Bounds of a child, set before it is given a tenant and locked then. */
export interface ChildLimits {
  readonly memoryMb: number;
  readonly threads: number;
  /** Settings of DuckDB's allocator, in jemalloc's words; they are read when a process starts. */
  readonly allocator: string;
  readonly workFolder: string;
  readonly spillMb: number;
}

/**
 * What a child is for. `compiled`: statements of the query compiler over versions in one folder, several at once.
 * `alone`: one request at a time, on a database of its own that sees what the request names and nothing else.
 * `writing`: one version at a time, in and from these folders.
 */
export type Duty =
  | { readonly kind: 'compiled'; readonly folder: string }
  | { readonly kind: 'alone' }
  | { readonly kind: 'writing'; readonly folders: readonly string[] };

export interface Assignment {
  readonly limits: ChildLimits;
  readonly duty: Duty;
}

/** A table as a child is told of it; batches of `rows` are sent as the child asks for them. */
export interface SentTable {
  readonly name: string;
  readonly source:
    | { readonly kind: 'file'; readonly path: string }
    | FilesSource
    | TextSource
    | { readonly kind: 'rows'; readonly columns: readonly BatchColumn[] };
}

/** What a statement gives: rows as lists of cells to be put between commas, or as lines with their ends; or its plan as JSON. */
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
    | { readonly kind: 'rows'; readonly columns: readonly RowsColumn[]; readonly count: number | null }
    /** The rows of the version of `onto`, sorted by these columns. */
    | { readonly kind: 'version'; readonly order: readonly string[] };
  /** Bytes that the version may take on the disk while it is written. */
  readonly mostBytes: number;
  /** Bytes that the version may take in the end because of others of its tenant; null where that is not bounded. */
  readonly quotaBytes: number | null;
  readonly overrides: readonly (readonly [string, StorageType])[];
  readonly declared: readonly (readonly [string, StorageType])[];
  readonly onInvalid: 'refuse' | 'null';
  readonly forms: WrittenForms;
  readonly onto: {
    readonly path: string;
    readonly key: readonly string[] | null;
    readonly mayAddColumns: boolean;
  } | null;
  /** Where the version is written before it gets its name. */
  readonly target: string;
}

export type ChildRequest = SelectRequest | DescribeRequest | CheckRequest | IngestRequest;

/** How a request ended well. */
export type ChildEnd =
  | { readonly op: 'select'; readonly rows: number; readonly truncated: boolean; readonly queryMs: number }
  | { readonly op: 'describe'; readonly columns: readonly EngineColumn[] }
  | { readonly op: 'check' }
  | {
      readonly op: 'ingest';
      readonly rows: number;
      readonly bytes: number;
      readonly columns: readonly EngineColumn[];
      readonly invalid: readonly InvalidCells[];
      readonly notices: readonly IngestNotice[];
      /** Files of earlier versions whose rows come before those in its own. */
      readonly parts: readonly VersionPart[];
      /** Of the content of its own file. */
      readonly sha256: string;
    };

export interface ChildFault {
  /** `descriptors`: the child has no more of them, whatever was asked. */
  readonly cause: EngineCause | 'interrupted' | 'descriptors';
  readonly detail?: string;
}
