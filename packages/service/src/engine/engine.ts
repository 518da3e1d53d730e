import type { StorageType, Scalar } from '@inlay/query';

/**
 * A batch of input rows: cells in column order, as text if a number cannot represent them; or the same as JSON text.
 */
export type Batch = readonly (readonly Scalar[])[] | string;

/** A column of input rows and its storage type. */
export interface BatchColumn {
  readonly name: string;
  readonly storageType: StorageType;
}

/** A column of rows to store: types of its cells as bits of `cellKinds`, or a prescribed storage type. */
export interface RowsColumn {
  readonly name: string;
  readonly kinds?: number;
  readonly storageType?: StorageType;
}

/** Cells of a column that did not fit and became null: their number, and the first row with one. */
export interface InvalidCells {
  readonly column: string;
  readonly count: number;
  readonly first: number;
}

/** Files read in place. The engine opens no other paths. */
export interface FilesSource {
  readonly kind: 'files';
  readonly format: FileFormat;
  readonly paths: readonly string[];
}

/** A user query over files, which sees only these under their names. Checked before it runs. */
export interface TextSource {
  readonly kind: 'text';
  readonly sql: string;
  readonly tables: readonly { readonly name: string; readonly source: FilesSource }[];
}

/** A table that a statement may read, visible as the quoted identifier `name` with the columns of its source. */
export interface EngineTable {
  readonly name: string;
  readonly source:
    /** An immutable dataset version of this tenant: a `.duckdb` file with the table "rows". */
    | { readonly kind: 'file'; readonly path: string }
    | FilesSource
    | TextSource
    /** Rows from elsewhere; iterated once, with backpressure. */
    | { readonly kind: 'rows'; readonly columns: readonly BatchColumn[]; readonly rows: AsyncIterable<Batch> };
}

/** Column limit of a dataset version, since each column needs a buffer while it is written. */
export const maxColumns = 500;

/** Limits of a batch. While loading it, the engine has several copies of each cell in memory. */
export const batchMost = { rows: 2000, cells: 100_000, bytes: 1024 * 1024 } as const;

/** Number of rows in a batch with this many columns. */
export const batchRowsOf = (columns: number): number =>
  Math.max(1, Math.min(batchMost.rows, Math.floor(batchMost.cells / Math.max(1, columns))));

export type FileFormat = 'csv' | 'parquet' | 'ndjson';

/**
 * Name of the function that converts texts for fast comparison with a column of a `file` table: to an enum if the
 * column has few values, with null for other texts. Apply it to both sides of an equality.
 */
export const sameText = (table: string, column: string): string => `${table}:${column}`;

/** The caller of a statement within its organization. Suborganizations take turns, and callers within one. */
export interface EngineCaller {
  readonly suborganization: string | null;
  readonly authorizationId: string;
}

/** For statements of the service itself, such as reading the columns of a file. */
export const noCaller: EngineCaller = { suborganization: null, authorizationId: '' };

/** A statement to run. */
export interface EngineJob {
  /** Organization of the caller: a child serves one tenant, and tenants take turns. */
  readonly tenant: string;
  readonly caller: EngineCaller;
  readonly tables: readonly EngineTable[];
  /**
   * A SELECT from the query compiler with one text column: for `query` a JSON array per row, for `exportRows` a line
   * with its line ending.
   */
  readonly sql: string;
  /** Values of `$1`, `$2` …; an integer is bound as BIGINT, any other number as DOUBLE, text as VARCHAR. */
  readonly params: readonly Scalar[];
  readonly rowLimit: number;
  readonly byteLimit: number;
  /** Time limit in ms without waiting; for `query` capped by the setting. */
  readonly deadlineMs: number;
}

export interface EngineSummary {
  readonly rows: number;
  /** True if `rowLimit` or `byteLimit` truncated the rows. */
  readonly truncated: boolean;
  readonly queuedMs: number;
  readonly queryMs: number;
}

export interface EngineAnswer {
  /**
   * For `query`, rows as comma-separated JSON without brackets; for `exportRows`, the lines. Can be iterated once.
   * Raises EngineProblem.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Resolves when `chunks` has ended; rejects with the same error. May be left without a handler. */
  readonly summary: Promise<EngineSummary>;
}

/** A column as stored. `minimum` and `maximum` are text: numbers plain, times ISO 8601. */
export interface EngineColumn {
  readonly name: string;
  readonly storageType: StorageType;
  readonly nullable: boolean;
  /** Number of rows without a value; unknown for versions of older releases. */
  readonly empty?: number;
  readonly cardinality?: number;
  readonly minimum?: string | null;
  readonly maximum?: string | null;
}

/** The next version of a dataset. */
export interface IngestSpec {
  readonly tenant: string;
  readonly datasetId: string;
  /** Name of the new version; its file must not exist yet. */
  readonly version: string;
  readonly source:
    /** `names` are the column names in order, for files without a header. */
    | {
        readonly kind: 'file';
        readonly format: FileFormat;
        readonly path: string;
        readonly header?: boolean;
        readonly names?: readonly string[];
        /** Encoding declared by the sender. */
        readonly charset?: string;
      }
    /** A sheet of an XLSX file, by default the first. */
    | {
        readonly kind: 'workbook';
        readonly path: string;
        readonly sheet: string | null;
        readonly header: boolean;
        readonly names?: readonly string[];
      }
    /** `count`, if present, is the expected number of rows. */
    | {
        readonly kind: 'rows';
        readonly columns: readonly RowsColumn[];
        readonly rows: AsyncIterable<Batch>;
        readonly count?: number;
      }
    /** Rewrites the version in `onto`, stably sorted by these columns. */
    | { readonly kind: 'version'; readonly order: readonly string[] };
  /** Prescribed types by column name, instead of detection. */
  readonly overrides?: ReadonlyMap<string, StorageType>;
  /** Types by column name for columns without a value in the new rows. */
  readonly declared?: ReadonlyMap<string, StorageType>;
  /** Text formats of numbers and dates; missing ones are detected. */
  readonly forms?: WrittenForms;
  /** What happens to cells that do not fit their column: refuse the rows (default) or store null. */
  readonly onInvalid?: 'refuse' | 'null';
  /**
   * Limit in bytes for all versions of the tenant, if any. Other versions of the same dataset do not count, since this
   * one replaces them.
   */
  readonly quotaBytes?: number;
  /**
   * Rows to keep before the new ones: all rows of a version, or with `key` those whose key does not occur in the new
   * rows. None if omitted.
   */
  readonly onto?: {
    readonly version: string;
    readonly key: readonly string[] | null;
    readonly mayAddColumns?: boolean;
  };
}

/** Declared text formats of numbers and dates. */
export interface WrittenForms {
  readonly decimal?: '.' | ',';
  /** Thousands separator. */
  readonly thousands?: string;
  /** Such as `dd.MM.yyyy` or `M/d/yy H:mm`. */
  readonly datePattern?: string;
}

/** An ambiguity in a file and how it was resolved. */
export type IngestNotice =
  /** The file is not UTF-8 and its encoding was guessed. */
  | { readonly kind: 'encoding'; readonly encoding: string }
  /** The first row was taken for values but may be a header. */
  | { readonly kind: 'headerless' }
  /**
   * Cells of a column, such as the example, are ambiguous. They were stored as text if `isText`, otherwise in the first
   * of these formats.
   */
  | {
      readonly kind: 'readings';
      readonly column: string;
      readonly option: 'decimal' | 'date_pattern';
      readonly example: string;
      readonly readings: readonly [string, string];
      readonly isText: boolean;
    };

export type IngestProgress =
  | { readonly kind: 'progress'; readonly rows: number; readonly bytes: number }
  | {
      readonly kind: 'done';
      readonly path: string;
      readonly rows: number;
      readonly bytes: number;
      readonly columns: readonly EngineColumn[];
      readonly invalid: readonly InvalidCells[];
      readonly notices: readonly IngestNotice[];
    };

/** Current load of the engine, for metrics. */
export interface EngineLoad {
  /** Statements running in children. */
  readonly running: number;
  /** Queued statements. */
  readonly waiting: number;
  readonly children: number;
  /** Children with reduced priority. */
  readonly slowChildren: number;
  /** Those of queries alone, without exports and uploads. */
  readonly queries: { readonly running: number; readonly waiting: number };
}

/**
 * The columnar engine. Every method raises EngineProblem, or the reason of `signal` within a second of its abort. If a
 * child dies, or runs out of memory or descriptors, before the first chunk, the statement is retried once on another
 * child.
 */
export interface Engine {
  /** Resolves with the first chunk or the end, so that errors of the statement are raised here. */
  query(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer>;
  /** Like `query`, but in separate children without the time limit of queries; chunks are whole lines. */
  exportRows(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer>;
  /** Explains a statement without running it; returns DuckDB's plan as JSON text. */
  plan(job: EngineJob, signal: AbortSignal): Promise<string>;
  /** Describes the columns of the only table, or of `userQuery` over the tables. */
  describe(
    what: { readonly tenant: string; readonly tables: readonly EngineTable[]; readonly userQuery: string | null },
    signal: AbortSignal,
  ): Promise<readonly EngineColumn[]>;
  /**
   * Raises EngineProblem `forbidden_sql` unless the text is a single SELECT that uses only the listed tables and safe
   * functions.
   */
  checkSelect(sql: string, tables: readonly string[], signal: AbortSignal): Promise<void>;
  /** Writes a new version; the last value is `done`. Raises EngineProblem `input` with row and column. */
  ingest(spec: IngestSpec, signal: AbortSignal): AsyncIterable<IngestProgress>;
  /** Disk space of a tenant's versions in bytes, optionally without one dataset. */
  usedBytes(tenant: string, exceptDatasetId: string | null): Promise<number>;
  /** Path of a version, whether it exists or not. Raises RangeError for ids that are not valid file names. */
  versionPath(tenant: string, datasetId: string, version: string): string;
  /**
   * Deletes all versions of a dataset except the listed ones, once nothing reads them. Skips versions newer than the
   * listed ones, which another process may have just written.
   */
  keepVersions(tenant: string, datasetId: string, versions: readonly string[]): Promise<void>;
  /**
   * Deletes one version once no statement reads it, and the folder with the last version. Returns false if another
   * version includes its files.
   */
  dropVersion(tenant: string, datasetId: string, version: string): Promise<boolean>;
  held(): EngineLoad;
  /** Number of replaced children since the start, by reason. */
  retired(): ReadonlyMap<string, number>;
  /** Ends the running statements and all children. */
  close(): Promise<void>;
}

/** Causes of failures, each with its message. */
const engineCauses = {
  /** A child died or could not continue, twice in a row. */
  failed: 'the engine failed while it ran the query',
  deadline: 'the query took longer than it may',
  memory: 'the query needs more memory than it may use',
  busy: 'too many queries wait already',
  /** The statement fails: for example an invalid cast or an unknown name. */
  sql: 'the query cannot be run',
  forbidden_sql: 'the query is not allowed',
  /** Data does not fit its column, or the file is invalid. */
  input: 'the data cannot be read',
  missing: 'the data is not there',
  /** The file of a version is corrupt. */
  damaged: 'the stored data is damaged',
  disk: 'there is no room left on the disk',
  unwritable: 'the folder of the rows cannot be written',
  quota: 'the organization has no room left for more rows',
} as const;
export type EngineCause = keyof typeof engineCauses;

/** Raised by every method of Engine. `message` is fit for users: no paths, no SQL. */
export class EngineProblem extends Error {
  override readonly cause: EngineCause;
  readonly detail: string | undefined;

  constructor(cause: EngineCause, detail?: string) {
    super(detail === undefined ? engineCauses[cause] : `${engineCauses[cause]}: ${detail}`);
    this.name = 'EngineProblem';
    this.cause = cause;
    this.detail = detail;
  }
}
