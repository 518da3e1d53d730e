import type { StorageType, Scalar } from '@inlay/query';

/**
 * A batch of input rows: an array of rows with cells in column order, or such an array as JSON text. A number that
 * JavaScript cannot represent exactly is a text.
 */
export type Batch = readonly (readonly Scalar[])[] | string;

/** A column of input rows and its storage type. */
export interface BatchColumn {
  readonly name: string;
  readonly storageType: StorageType;
}

/**
 * A column of rows to store. `kinds` are the types of its cells as bits of `cellKinds`; `storageType` prescribes a
 * type.
 */
export interface RowsColumn {
  readonly name: string;
  readonly kinds?: number;
  readonly storageType?: StorageType;
}

/** Number of cells of a column that did not fit and became null, and the first row with such a cell. */
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

/** A user query over files. It sees only these files, under their names. It is checked before it runs. */
export interface TextSource {
  readonly kind: 'text';
  readonly sql: string;
  readonly tables: readonly { readonly name: string; readonly source: FilesSource }[];
}

/** A table that a statement may read, visible as the quoted identifier `name` with the columns of its source. */
export interface EngineTable {
  readonly name: string;
  readonly source:
    /** An immutable dataset version of this tenant: a `.duckdb` file with the table "rows". `rollup` reads a rollup of it. */
    | { readonly kind: 'file'; readonly path: string; readonly rollup?: string }
    | FilesSource
    | TextSource
    /** Rows from elsewhere. They are iterated once, with backpressure. */
    | { readonly kind: 'rows'; readonly columns: readonly BatchColumn[]; readonly rows: AsyncIterable<Batch> };
}

/** Maximum number of columns of a dataset version, since each column needs a buffer while the version is written. */
export const maxColumns = 500;

/** Limits of a batch. While the engine loads a batch, it has several copies of each cell in memory. */
export const batchMost = { rows: 2000, cells: 100_000, bytes: 1024 * 1024 } as const;

/** Returns the number of rows in a batch with this many columns. */
export const batchRowsOf = (columns: number): number =>
  Math.max(1, Math.min(batchMost.rows, Math.floor(batchMost.cells / Math.max(1, columns))));

export type FileFormat = 'csv' | 'parquet' | 'ndjson';

/**
 * Returns the name of a function that makes comparisons with a text column of a `file` table faster. Apply the function
 * to the values that are compared with the column, and to both sides of a join. If the column has few values, it converts texts to an enum; a text that is not in the
 * enum becomes null.
 */
export const sameText = (table: string, column: string): string => `${table}:${column}`;

/**
 * The caller of a statement within its organization. The suborganizations of an organization take turns, as do the
 * callers within a suborganization.
 */
export interface EngineCaller {
  readonly suborganization: string | null;
  readonly authorizationId: string;
}

/** The caller of statements that the service runs for itself, such as reading the columns of a file. */
export const noCaller: EngineCaller = { suborganization: null, authorizationId: '' };

/** A statement to run. */
export interface EngineJob {
  /** Organization of the caller. A child serves the statements of one organization; organizations take turns. */
  readonly tenant: string;
  readonly caller: EngineCaller;
  readonly tables: readonly EngineTable[];
  /**
   * A SELECT from the query compiler with one text column. For `query`, the text is a JSON array per row; for
   * `exportRows`, a line with its line ending.
   */
  readonly sql: string;
  /** Values of `$1`, `$2` …; an integer is bound as BIGINT, any other number as DOUBLE, text as VARCHAR. */
  readonly params: readonly Scalar[];
  readonly rowLimit: number;
  readonly byteLimit: number;
  /** Time limit in ms, not counting the time in the queue. For `query`, the setting of the engine is an upper bound. */
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
   * For `query`, rows as comma-separated JSON without the outer brackets; for `exportRows`, the lines. Can be iterated
   * once. Raises EngineProblem.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /**
   * Resolves when `chunks` has ended; rejects with the same error as `chunks`. Callers may ignore it: a rejection is
   * always handled.
   */
  readonly summary: Promise<EngineSummary>;
}

/** A column as stored. `minimum` and `maximum` are text: numbers in plain notation, times in ISO 8601. */
export interface EngineColumn {
  readonly name: string;
  readonly storageType: StorageType;
  readonly nullable: boolean;
  /** Number of rows without a value; missing for versions written by older releases. */
  readonly empty?: number;
  readonly cardinality?: number;
  readonly minimum?: string | null;
  readonly maximum?: string | null;
}

/** Name under which the statement of a rollup reads the rows of the version. */
export const rollupRows = 'rollup rows';

/** Returns the name of the table of a rollup in the file of a version. */
export const rollupTable = (id: string): string => `rollup ${id}`;

/** A rollup to write with a version: a SELECT from the query compiler over `rollupRows`. */
export interface RollupStatement {
  readonly id: string;
  readonly sql: string;
  readonly params: readonly Scalar[];
}

/** A rollup that a version has, and its number of rows. */
export interface BuiltRollup {
  readonly id: string;
  readonly rows: number;
}

/** The next version of a dataset. */
export interface IngestSpec {
  readonly tenant: string;
  readonly datasetId: string;
  /** Name of the new version; its file must not exist yet. */
  readonly version: string;
  readonly source:
    /** A file with rows. `names` are the column names in order, for a file without a header. */
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
    /**
     * A CSV file that the service wrote: `count` rows with cells of known types. An empty cell without quotes is null. If
     * the rows join a version, they must fit the types of its columns.
     */
    | {
        readonly kind: 'typed';
        readonly path: string;
        readonly columns: readonly BatchColumn[];
        readonly count: number;
      }
    /** Rows sent by the caller. `count`, if present, is the expected number of rows. */
    | {
        readonly kind: 'rows';
        readonly columns: readonly RowsColumn[];
        readonly rows: AsyncIterable<Batch>;
        readonly count?: number;
      }
    /** Rewrites the version in `onto`, stably sorted by the columns in `order`. */
    | { readonly kind: 'version'; readonly order: readonly string[] };
  /** Prescribed types by column name, for columns whose type should not be detected. */
  readonly overrides?: ReadonlyMap<string, StorageType>;
  /** Types by column name for columns without a value in the new rows. */
  readonly declared?: ReadonlyMap<string, StorageType>;
  /** Text formats of numbers and dates. Formats that are not listed are detected. */
  readonly forms?: WrittenForms;
  /** Columns that should identify a row. `done` lists keys for which they do not. */
  readonly uniqueKey?: readonly string[];
  /** Rollups to write with the version. */
  readonly rollups?: readonly RollupStatement[];
  /** What happens to cells that do not fit their column: refuse the rows (default) or store null. */
  readonly onInvalid?: 'refuse' | 'null';
  /**
   * Limit in bytes for all versions of the tenant; unlimited if missing. Other versions of the same dataset do not
   * count, since this version replaces them.
   */
  readonly quotaBytes?: number;
  /**
   * Rows of a previous version to keep before the new rows: all its rows, or with `key` those whose key does not occur
   * in the new rows. If missing, no rows are kept.
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
  /** For example `dd.MM.yyyy` or `M/d/yy H:mm`. */
  readonly datePattern?: string;
}

/** An ambiguity in a file and how it was resolved. */
export type IngestNotice =
  /** The file is not UTF-8 and its encoding was guessed. */
  | { readonly kind: 'encoding'; readonly encoding: string }
  /** The first row was taken for values but may be a header. */
  | { readonly kind: 'headerless' }
  /**
   * A column has ambiguous cells, such as `example`. They were stored as text if `isText`, otherwise in the first of
   * the two `readings`.
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
      readonly doubledKeys: DoubledKeys;
      /** The rollups that the version has. */
      readonly rollups: readonly BuiltRollup[];
    };

/** Up to three keys, as texts, that several of the new rows have or that lack a value. */
export type DoubledKeys = readonly (readonly (string | null)[])[];

/** A version to write as Parquet files. */
export interface ParquetSpec {
  readonly tenant: string;
  readonly datasetId: string;
  readonly version: string;
  /** Absolute path of an existing, empty folder. */
  readonly folder: string;
  /** Columns by which each file is sorted, before those by which the version is sorted. Unknown columns are skipped. */
  readonly order: readonly string[];
}

/** A column of Parquet files, with its name in the version and its SQL type in the files. */
export interface FileColumn {
  readonly name: string;
  readonly type: string;
}

/** Parquet files with the rows of a version. The columns are named `c0`, `c1` …, in this order. */
export interface ParquetFiles {
  readonly rows: number;
  readonly bytes: number;
  readonly files: number;
  readonly columns: readonly FileColumn[];
}

/** Current load of the engine, for metrics. */
export interface EngineLoad {
  /** Statements running in children. */
  readonly running: number;
  /** Queued statements. */
  readonly waiting: number;
  readonly children: number;
  /** Children with reduced priority. */
  readonly slowChildren: number;
  /** The number of statements that are queries, without exports and uploads. */
  readonly queries: { readonly running: number; readonly waiting: number };
}

/**
 * The columnar engine. Every method raises EngineProblem, or the reason of `signal` within a second after it aborts. If
 * a child dies before the first chunk, or runs out of memory or file descriptors, the statement runs once more on
 * another child.
 */
export interface Engine {
  /** Resolves with the first chunk or the end of the answer, so that errors of the statement are raised here. */
  query(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer>;
  /**
   * Like `query`, but in separate children and not capped by the time limit of queries. Each chunk consists of whole
   * lines.
   */
  exportRows(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer>;
  /** Explains a statement without running it; returns DuckDB's plan as JSON text. */
  plan(job: EngineJob, signal: AbortSignal): Promise<string>;
  /** Returns the columns of the only table, or of `userQuery` over the tables if it is not null. */
  describe(
    what: { readonly tenant: string; readonly tables: readonly EngineTable[]; readonly userQuery: string | null },
    signal: AbortSignal,
  ): Promise<readonly EngineColumn[]>;
  /**
   * Raises EngineProblem `forbidden_sql` unless the text is a single SELECT that uses only the listed tables and safe
   * functions.
   */
  checkSelect(sql: string, tables: readonly string[], signal: AbortSignal): Promise<void>;
  /**
   * Writes a new version and reports the progress; the last report is `done`. Raises EngineProblem `input` that names
   * row and column.
   */
  ingest(spec: IngestSpec, signal: AbortSignal): AsyncIterable<IngestProgress>;
  /** Writes the rows of a version as Parquet files. `progress` gets the number of written rows. */
  writeParquet(spec: ParquetSpec, progress: (rows: number) => void, signal: AbortSignal): Promise<ParquetFiles>;
  /** Returns the disk space of a tenant's versions in bytes. `exceptDatasetId` excludes the versions of a dataset. */
  usedBytes(tenant: string, exceptDatasetId: string | null): Promise<number>;
  /** Returns the path of a version that need not exist. Raises RangeError for ids that are not valid file names. */
  versionPath(tenant: string, datasetId: string, version: string): string;
  /**
   * Deletes all versions of a dataset except the listed ones, once no statement reads them. Keeps versions newer than
   * the listed ones, which another process may have just written.
   */
  keepVersions(tenant: string, datasetId: string, versions: readonly string[]): Promise<void>;
  /**
   * Deletes one version once no statement reads it. Also deletes the folder of the dataset if it is then empty. Returns
   * false and deletes nothing if another version includes the files of this version.
   */
  dropVersion(tenant: string, datasetId: string, version: string): Promise<boolean>;
  held(): EngineLoad;
  /** Number of children replaced since the engine was opened, by reason. */
  retired(): ReadonlyMap<string, number>;
  /** Ends the running statements and all children. */
  close(): Promise<void>;
}

/** Causes of failures, each with its message. */
const engineCauses = {
  /** A child died or could not continue, and so did the child of the retry. */
  failed: 'the engine failed while it ran the query',
  deadline: 'the query took longer than it may',
  memory: 'the query needs more memory than it may use',
  busy: 'too many queries wait already',
  /** The statement is invalid or fails, for example because of an unknown name or an invalid cast. */
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

/** Raised by every method of Engine. Users may read `message`: it contains no paths and no SQL. */
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
