import type { JsonObject } from '@inlay/contract';
import type { ColumnType, Condition, Dialect, Model, ModelDataset, Query, Scalar, StorageType } from '@inlay/query';
import type { BatchColumn, FilesSource } from '../engine/engine.ts';
import type { PluginFilter, PluginTarget, PluginUser } from './plugin/protocol.ts';
import type { RollUp, RollUpContext } from './plugin/roll-up.ts';
import type { SourceCause } from './problem.ts';
import type { QueryRules } from './query/check-query.ts';

/** The connection of an account for one caller: account_overrides are applied, and secrets are decrypted. */
export interface ConnectionParams {
  readonly accountId: string;
  readonly organizationId: string;
  readonly host: string | null;
  readonly port: string | null;
  /** Database name; for files, the path of the folder; null if not set. */
  readonly scope: string | null;
  readonly identifier: string | null;
  readonly token: string | null;
  readonly properties: JsonObject;
  /** The plugin to call, and the user for whom it is called. Only for accounts of plugins. */
  readonly plugin?: { readonly target: PluginTarget; readonly user: PluginUser };
  /** Value of the `traceparent` header of HTTP calls. Only set if the request is traced. */
  readonly traceparent?: string;
  /**
   * Time in ms within which the answer to each HTTP request to a database must begin. Without it, only the deadlines of
   * statements apply.
   */
  readonly answerMs?: number;
}

const testStages = ['reach', 'tls', 'sign_in', 'access'] as const;
export type TestStage = (typeof testStages)[number];

/** One step of a connection test. After a failed step, there are no further steps. */
export interface StageResult {
  readonly stage: TestStage;
  readonly ok: boolean;
  readonly cause: SourceCause | null;
  /** Result of the step; if it failed, the reason and what to do. */
  readonly message: string;
}

/** A table, view, file or folder from which a dataset can be created. */
export interface SourceTable {
  /** Identifies the table within the source. The `source_dataset` of a dataset is such an id. */
  readonly id: string;
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'table' | 'view' | 'file' | 'folder' | 'dataset';
  /** Estimated number of rows; null if the source would have to count the rows. */
  readonly rows: number | null;
}

/** A single-column foreign key declared by the source. */
export interface SourceLink {
  /** Id of the table that refers to another table; `column` is the referring column. */
  readonly table: string;
  readonly column: string;
  /** Id of the table that is referred to; `toColumn` is the column referred to. */
  readonly toTable: string;
  readonly toColumn: string;
  /** `one_to_one` if the referring column is unique in its table. */
  readonly cardinality: 'many_to_one' | 'one_to_one';
}

export interface SourceColumn {
  readonly name: string;
  readonly storageType: StorageType;
  /** True if the source can compare the column with text parameters without a cast. */
  readonly nativeText?: boolean;
  readonly type: ColumnType;
  readonly subtype: string | null;
  readonly nullable: boolean;
  /** Display name; missing if the source has none. */
  readonly label?: string;
  /** Name of the type at the source. */
  readonly native: string;
}

/** A table by its id, or the SQL of a `source_query`. */
export type SourceTarget = { readonly table: string } | { readonly query: string };

/** SQL from the query compiler. Values are bound, and never part of the text. */
export interface SourceStatement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  /**
   * Custom queries that `sql` contains. Before the server runs `sql`, it parses each custom query as a separate
   * statement.
   */
  readonly texts?: readonly string[];
}

export interface RunLimits {
  /** Number of rows after which the rows are truncated. */
  readonly rowLimit: number;
  /** Size of the cells in bytes after which the rows are truncated. */
  readonly byteLimit: number;
  /** Time limit in ms for the whole operation, including waiting for a connection and reading the rows. */
  readonly deadlineMs: number;
}

/**
 * Rows of cells in their stored form. Integers and decimals that a double cannot represent are text, as is JSON. Times
 * are ISO 8601.
 */
export type SourceRows = readonly (readonly Scalar[])[];

export interface SourceAnswer {
  /**
   * Batches of rows, which can be iterated once. Leaving the loop cancels the statement at the source. Raises
   * SourceProblem.
   */
  readonly rows: AsyncIterable<SourceRows>;
  /** True if a limit truncated the rows. Call after the last row. */
  truncated(): boolean;
  /** Returns the id by which the source's own logs name the statement; missing if they have none. */
  queryId?(): string | null;
  /** Time until a connection was free, or opened, in ms; missing for sources without connections. */
  readonly queuedMs?: number;
}

/** All rows of a statement as CSV: cells are quoted where needed, and an empty cell without quotes is null. */
export interface SourceCopy {
  /** Can be iterated once. Leaving the loop cancels the copy. Raises SourceProblem. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Returns the number of rows. Call after the last byte. */
  rows(): number;
}

/** What every connector can do. */
export interface SourceReader {
  /** Tests the connection step by step, until a step fails. Never throws. */
  test(params: ConnectionParams, signal: AbortSignal): Promise<readonly StageResult[]>;
  /** Returns the tables that the user may read, in order of schema and name. Raises SourceProblem. */
  tables(params: ConnectionParams, signal: AbortSignal): Promise<readonly SourceTable[]>;
  /**
   * Returns the columns in their order at the source. To describe a custom query, runs it without fetching rows. Raises
   * SourceProblem, for example `missing`, `query` or `grant`.
   */
  describe(params: ConnectionParams, what: SourceTarget, signal: AbortSignal): Promise<readonly SourceColumn[]>;
}

/** Capabilities that depend on the individual server, not only on its SQL dialect. */
export interface SourceFeatures {
  /** Version that the server reports. */
  readonly version: string;
  /** True if the server converts between named time zones. */
  readonly zones: boolean;
  /** Last year of the dates of the server, if servers of this kind differ in it. */
  readonly lastYear?: number;
}

/** How the JSON plans of a database name their steps. Each member lists names, the first that a step has counts. */
export interface PlanMembers {
  readonly step: readonly string[];
  readonly table: readonly string[];
  readonly index: readonly string[];
  readonly rows: readonly string[];
  /** Members that describe a step, and have no steps of their own. */
  readonly details?: readonly string[];
}

/** What is known about a kind of database without a connection. */
export interface SqlTraits {
  readonly name: string;
  /** The SQL dialect; a function if it depends on the server, which is then asked for its features. */
  readonly dialect: Dialect | ((features: SourceFeatures) => Dialect);
  /** How custom queries are split into tokens, and what they must not contain. */
  readonly queryRules: QueryRules;
  /** The dialect of statements for `copy`; missing if the connector has no faster way to read all rows. */
  readonly copyDialect?: (dialect: Dialect) => Dialect;
  /** Begins a statement that returns the plan of the statement behind it as JSON. */
  readonly explain: string;
  readonly planMembers: PlanMembers;
  /** Returns the parts of the name in a table id, to be quoted separately. Raises SourceProblem `missing`. */
  path(this: void, table: string): readonly string[];
}

/** What a connector for databases does with a connection. */
export interface SqlReader extends SourceReader {
  features(params: ConnectionParams, signal: AbortSignal): Promise<SourceFeatures>;
  /** Returns the foreign keys between columns that the user may read. Raises SourceProblem. */
  foreignKeys(params: ConnectionParams, signal: AbortSignal): Promise<readonly SourceLink[]>;
  /** True if the user may change data at the source. Raises SourceProblem. */
  mayWrite(params: ConnectionParams, signal: AbortSignal): Promise<boolean>;
  /** Runs one statement, which only reads. Resolves when the first rows arrive. Raises SourceProblem. */
  run(
    params: ConnectionParams,
    statement: SourceStatement,
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<SourceAnswer>;
  /** Reads all rows of a statement in the dialect `copyDialect`. Resolves when the copy starts. Raises SourceProblem. */
  readonly copy?: (
    params: ConnectionParams,
    statement: SourceStatement,
    deadlineMs: number,
    signal: AbortSignal,
  ) => Promise<SourceCopy>;
}

/** A connector for databases, which run SQL themselves. */
export interface SqlConnector extends SqlReader {
  readonly kind: 'sql';
  readonly traits: SqlTraits;
  /**
   * Returns a query in a form that can be put in parentheses: a single SELECT without comments and without a final `;`.
   * Raises SourceProblem `query`.
   */
  checkQuery(text: string): string;
}

/** What a connector for files does with a folder. */
export interface FilesReader extends SourceReader {
  /** Returns what the engine opens to read a table. Raises SourceProblem `missing`, `grant`. */
  source(params: ConnectionParams, table: string): Promise<FilesSource>;
}

/** A connector for files, which the engine reads. */
export interface FilesConnector extends FilesReader {
  readonly kind: 'files';
}

/** A request to a plugin: for rows of a table, or for groups if the plugin aggregates. */
export interface PluginRequest {
  readonly table: string;
  /** Filters as hints: the plugin may also return rows that do not match. */
  readonly filters: readonly PluginFilter[];
  /** Columns to group by, and the columns to return; null to request plain rows. */
  readonly groups: Pick<RollUp, 'groups' | 'columns'> | null;
}

export interface PluginAnswer extends SourceAnswer {
  /** Names and storage types of the returned cells. The names are ids of columns. */
  readonly columns: readonly BatchColumn[];
}

/** A connector for plugins. The engine does the rest of the query, and applies every condition again. */
export interface PluginConnector extends SourceReader {
  readonly kind: 'plugin';
  /** Translates conditions, all of which must hold, to filters of the plugin protocol. */
  hints(conditions: readonly Condition[], dataset: ModelDataset): readonly PluginFilter[];
  /**
   * Splits a query into groups that the plugin aggregates, and the rest of the query, which the engine runs. Returns
   * null if the query needs plain rows.
   */
  rollUp(query: Query, model: Model, context: RollUpContext): RollUp | null;
  /** Requests rows. Resolves when the first rows arrive. Raises SourceProblem. */
  fetch(
    params: ConnectionParams,
    request: PluginRequest,
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<PluginAnswer>;
}

export type Connector = SqlConnector | FilesConnector | PluginConnector;
