import type { StorageType, Scalar } from '@inlay/query';

/** A batch of rows on its way into the engine: cells in the order of the columns, as text where a number cannot hold them; or the JSON text of one. */
export type Batch = readonly (readonly Scalar[])[] | string;

/** A column of rows that are handed in, and how its values are kept. */
export interface BatchColumn {
  readonly name: string;
  readonly kept: StorageType;
}

/** A column of rows that are stored: what its cells are, as bits of `cellKinds`, or how they are to be kept. */
export interface RowsColumn {
  readonly name: string;
  readonly kinds?: number;
  readonly kept?: StorageType;
}

/** Cells of a column that did not fit and became null: how many, and the first row that had one. */
export interface InvalidCells {
  readonly column: string;
  readonly count: number;
  readonly first: number;
}

/** Files as they lie; nothing but these paths is opened. */
export interface FilesSource {
  readonly kind: 'files';
  readonly format: FileFormat;
  readonly paths: readonly string[];
}

/** A text that somebody wrote over files, which sees them under these names and nothing else; checked before it runs. */
export interface TextSource {
  readonly kind: 'text';
  readonly sql: string;
  readonly tables: readonly { readonly name: string; readonly source: FilesSource }[];
}

/** What a statement may read, visible as the quoted identifier `name` with the columns of its source. */
export interface EngineTable {
  readonly name: string;
  readonly source:
    /** One immutable dataset version of this tenant: a `.duckdb` file with the table "rows". */
    | { readonly kind: 'file'; readonly path: string }
    | FilesSource
    | TextSource
    /** Rows fetched from elsewhere; asked for once, as fast as the engine takes them. */
    | { readonly kind: 'rows'; readonly columns: readonly BatchColumn[]; readonly rows: AsyncIterable<Batch> };
}

/** Columns of a dataset version: each keeps room of its own while it is written. */
export const mostColumns = 500;

/** What a batch of rows may be: the engine holds each cell several times while it takes one in. */
export const batchMost = { rows: 2000, cells: 100_000, bytes: 1024 * 1024 } as const;

/** Rows of so many columns that make a batch. */
export const batchRowsOf = (columns: number): number =>
  Math.max(1, Math.min(batchMost.rows, Math.floor(batchMost.cells / Math.max(1, columns))));

export type FileFormat = 'csv' | 'parquet' | 'ndjson';

/**
 * Name of the function that puts texts in the way in which those of a column of a `file` table are fastest compared, members
 * of a closed set where there are few: both sides of an equality go through it, and a text that is no member becomes null.
 */
export const sameText = (table: string, column: string): string => `${table}:${column}`;

/** For whom a statement runs within its organization: suborganizations take turns, and within one its callers. */
export interface EngineCaller {
  readonly suborganization: string | null;
  readonly authorizationId: string;
}

/** The service itself, as where the columns of a file are read. */
export const noCaller: EngineCaller = { suborganization: null, authorizationId: '' };

/** A statement to run. */
export interface EngineJob {
  /** Organization on whose behalf it runs: one child serves one tenant, and tenants take turns. */
  readonly tenant: string;
  readonly caller: EngineCaller;
  readonly tables: readonly EngineTable[];
  /** One SELECT made by the query compiler that gives one text column: for `query` a JSON array per row, for `exportRows` a line with its end. */
  readonly sql: string;
  /** Values of `$1`, `$2` …; a whole number is bound as BIGINT, any other as DOUBLE, text as VARCHAR. */
  readonly params: readonly Scalar[];
  readonly rowLimit: number;
  readonly byteLimit: number;
  /** Time the statement may run, waiting excluded; of `query` at most the setting. */
  readonly deadlineMs: number;
}

export interface EngineSummary {
  readonly rows: number;
  /** Whether rows were left out because of `rowLimit` or `byteLimit`. */
  readonly truncated: boolean;
  readonly queuedMs: number;
  readonly queryMs: number;
}

export interface EngineAnswer {
  /** Of `query`: rows as JSON text, comma separated, no brackets. Of `exportRows`: the lines. Raises EngineProblem; read it once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Known when `chunks` has ended; rejects with what `chunks` raised, and may be left unread. */
  readonly summary: Promise<EngineSummary>;
}

/** A column as the engine finds it. `minimum` and `maximum` are text: numbers plain, times ISO 8601. */
export interface EngineColumn {
  readonly name: string;
  readonly kept: StorageType;
  readonly nullable: boolean;
  /** Rows without a value; unknown of versions that were written before this was counted. */
  readonly empty?: number;
  readonly cardinality?: number;
  readonly minimum?: string | null;
  readonly maximum?: string | null;
}

/** What becomes the next version of a dataset. */
export interface IngestSpec {
  readonly tenant: string;
  readonly datasetId: string;
  /** Name of the new version; a file of that name must not exist yet. */
  readonly version: string;
  readonly source:
    /** `names` are those of columns where the file does not name them, in their order. */
    | {
        readonly kind: 'file';
        readonly format: FileFormat;
        readonly path: string;
        readonly header?: boolean;
        readonly names?: readonly string[];
        /** The encoding that its sender named. */
        readonly charset?: string;
      }
    /** One sheet of an XLSX file, the first where none is named. */
    | {
        readonly kind: 'workbook';
        readonly path: string;
        readonly sheet: string | null;
        readonly header: boolean;
        readonly names?: readonly string[];
      }
    /** As many rows as `count` says, where it is given. */
    | {
        readonly kind: 'rows';
        readonly columns: readonly RowsColumn[];
        readonly rows: AsyncIterable<Batch>;
        readonly count?: number;
      }
    /** The rows of the version of `onto`, sorted by these columns and within equal values as they were. */
    | { readonly kind: 'version'; readonly order: readonly string[] };
  /** Columns by name whose type is not left to detection. */
  readonly overrides?: ReadonlyMap<string, StorageType>;
  /** Types of columns by name where the new rows have no value in them. */
  readonly declared?: ReadonlyMap<string, StorageType>;
  /** How texts are written that are numbers or dates; what is not said is detected. */
  readonly forms?: WrittenForms;
  /** What becomes of cells that do not fit their column: the rows are refused, which is the default, or they are null. */
  readonly onInvalid?: 'refuse' | 'null';
  /** Bytes that all versions of the tenant may take, where that is bounded: those of the dataset's own are not counted, this one takes their place. */
  readonly quotaBytes?: number;
  /** Rows before these: none, those of a version, or those of a version whose `key` columns do not occur again. */
  readonly onto?: {
    readonly version: string;
    readonly key: readonly string[] | null;
    readonly mayAddColumns?: boolean;
  };
}

/** How numbers and dates are written, where somebody says so. */
export interface WrittenForms {
  readonly decimal?: '.' | ',';
  /** The character between groups of three digits. */
  readonly thousands?: string;
  /** Such as `dd.MM.yyyy` or `M/d/yy H:mm`. */
  readonly datePattern?: string;
}

/** What of a file was read in one of several ways. */
export type IngestNotice =
  /** It is no UTF-8, and nobody named its encoding. */
  | { readonly kind: 'encoding'; readonly encoding: string }
  /** Its first row is taken for values, and may have names. */
  | { readonly kind: 'headerless' }
  /** Cells of a column, such as the example, mean one thing or another; `isText`: they were stored as texts, else by the first reading. */
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

/** What the engine is doing, for metrics. */
export interface EngineLoad {
  /** Statements in children. */
  readonly running: number;
  /** Statements that wait for a place. */
  readonly waiting: number;
  readonly children: number;
  /** Children with low priority. */
  readonly slowChildren: number;
  /** Of these, statements of queries: not of exports and uploads. */
  readonly queries: { readonly running: number; readonly waiting: number };
}

/**
 * The columnar engine. Every method raises EngineProblem, or the reason of `signal` when that aborts (within a second).
 * A statement whose child dies, or runs out of memory or descriptors, before its first chunk is run once more on another child.
 */
export interface Engine {
  /** Resolves with the first chunk or the end, so that what is wrong with a statement is raised here. */
  query(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer>;
  /** As `query`, in children of its own, since it may take as long as its job says; the chunks are whole lines. */
  exportRows(job: EngineJob, signal: AbortSignal): Promise<EngineAnswer>;
  /** How the engine runs the statement of a job, as JSON text of DuckDB; nothing is run. */
  plan(job: EngineJob, signal: AbortSignal): Promise<string>;
  /** Columns of the only table, or of what `userQuery` gives over the tables. */
  describe(
    what: { readonly tenant: string; readonly tables: readonly EngineTable[]; readonly userQuery: string | null },
    signal: AbortSignal,
  ): Promise<readonly EngineColumn[]>;
  /** Raises EngineProblem `forbidden_sql` unless the text is one SELECT over the named tables with safe functions. */
  checkSelect(sql: string, tables: readonly string[], signal: AbortSignal): Promise<void>;
  /** Writes a new version; its last value is `done`. Raises EngineProblem `input` naming row and column. */
  ingest(spec: IngestSpec, signal: AbortSignal): AsyncIterable<IngestProgress>;
  /** Bytes that the versions of a tenant take on the disk, those of one dataset left out where it is named. */
  usedBytes(tenant: string, exceptDatasetId: string | null): Promise<number>;
  /** Path of a version of a tenant's dataset, whether it exists or not. Raises RangeError for ids that cannot name a file. */
  versionPath(tenant: string, datasetId: string, version: string): string;
  /**
   * Removes the versions of a dataset but those named, once nothing reads them. What is named after the newest of them is
   * left: another process may have made it since.
   */
  keepVersions(tenant: string, datasetId: string, versions: readonly string[]): Promise<void>;
  /** Removes one version, once nothing reads it, and with the last one the folder; gives false where another one consists of it. */
  dropVersion(tenant: string, datasetId: string, version: string): Promise<boolean>;
  held(): EngineLoad;
  /** Children that were replaced since the start, by the reason. */
  retired(): ReadonlyMap<string, number>;
  /** Ends the running statements and all children. */
  close(): Promise<void>;
}

/** Why the engine did not do what it was asked. */
const engineCauses = {
  /** A child died under the statement or could serve no more, twice. */
  failed: 'the engine failed while it ran the query',
  deadline: 'the query took longer than it may',
  memory: 'the query needs more memory than it may use',
  busy: 'too many queries wait already',
  /** The statement does not run: a cast that fails, a name that is not there. */
  sql: 'the query cannot be run',
  forbidden_sql: 'the query is not allowed',
  /** Data that does not fit its column, or is no file of its format. */
  input: 'the data cannot be read',
  missing: 'the data is not there',
  /** A file of a version is not what was written. */
  damaged: 'the stored data is damaged',
  disk: 'there is no room left on the disk',
  unwritable: 'the folder of the rows cannot be written',
  quota: 'the organization has no room left for more rows',
} as const;
export type EngineCause = keyof typeof engineCauses;

/** Raised by every method of Engine. `message` is fit for people: no path and no text of a statement. */
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
