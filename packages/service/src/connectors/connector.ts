import type { JsonObject } from '@inlay/contract';
import type { ColumnType, Condition, StorageType, Model, ModelDataset, Query, Scalar } from '@inlay/query';
import type { BatchColumn, FilesSource } from '../engine/engine.ts';
import type { PluginFilter, PluginTarget, PluginUser } from './plugin/protocol.ts';
import type { RollUp, RollUpContext } from './plugin/roll-up.ts';
import type { SourceCause } from './problem.ts';

/** A connector option accepted in `account.properties`. Anything not declared here never reaches the driver. */
export interface ConnectorProperty {
  readonly kind: 'text' | 'pem' | 'whole' | 'word' | 'yes_or_no';
  readonly description: string;
  /** Used if the account does not set the option. */
  readonly default: string | number | boolean | null;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly secret?: true;
}

/** An account resolved for one caller: account_overrides applied, secrets decrypted. */
export interface ConnectionParams {
  readonly accountId: string;
  readonly organizationId: string;
  readonly host: string | null;
  readonly port: string | null;
  /** Database name; for files, the folder. */
  readonly scope: string | null;
  readonly identifier: string | null;
  readonly token: string | null;
  readonly properties: JsonObject;
  /** Target plugin and the user it is called for; only for plugin accounts. */
  readonly plugin?: { readonly target: PluginTarget; readonly user: PluginUser };
  /** Value of the `traceparent` header of HTTP calls; only if the request is traced. */
  readonly traceparent?: string;
}

const testStages = ['reach', 'tls', 'sign_in', 'access'] as const;
export type TestStage = (typeof testStages)[number];

/** One step of a connection test. Steps after a failed one are left out. */
export interface StageResult {
  readonly stage: TestStage;
  readonly ok: boolean;
  readonly cause: SourceCause | null;
  /** Result of the step, or why it failed and what to do. */
  readonly message: string;
}

/** A table, view or file that a dataset can be created from. */
export interface SourceTable {
  /** Identifies the table within the source, for `describe`. Becomes `source_dataset` of a dataset. */
  readonly id: string;
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'table' | 'view' | 'file' | 'folder' | 'dataset';
  /** Estimated number of rows, if the source has one without counting. */
  readonly rows: number | null;
}

/** A single-column foreign key declared by the source. */
export interface SourceLink {
  /** Id of the referencing table, and its column. */
  readonly table: string;
  readonly column: string;
  /** The referenced table and column. */
  readonly toTable: string;
  readonly toColumn: string;
  /** `one_to_one` if the column is unique in its own table. */
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
  /** Display name, if the source has one. */
  readonly label?: string;
  /** Name of the type at the source. */
  readonly native: string;
}

/** A table by its id, or the SQL of a `source_query`. */
export type SourceTarget = { readonly table: string } | { readonly query: string };

/** SQL from the query compiler. Values are bound, never written into the text. */
export interface SourceStatement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  /** Custom SQL queries that `sql` contains. The server parses each of them alone before it runs `sql`. */
  readonly texts?: readonly string[];
}

export interface RunLimits {
  /** Stop reading after this many rows. */
  readonly rowLimit: number;
  /** Stop reading after this many bytes of cells. */
  readonly byteLimit: number;
  /** Time limit in ms for everything, including the wait for a connection and reading the rows. */
  readonly deadlineMs: number;
}

/**
 * Cells in their stored form: integers and decimals that a double cannot represent as text, times as ISO 8601, JSON as
 * text.
 */
export type SourceRows = readonly (readonly Scalar[])[];

export interface SourceAnswer {
  /**
   * Batches of rows; can be iterated once. Leaving the loop cancels the statement at the source. Raises SourceProblem.
   */
  readonly rows: AsyncIterable<SourceRows>;
  /** True if a limit truncated the rows. Valid once `rows` is exhausted. */
  truncated(): boolean;
}

export interface AnyConnector {
  readonly label: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, ConnectorProperty>>;
  /** Tests the connection step by step and stops at the first failure; never throws. */
  test(params: ConnectionParams, signal: AbortSignal): Promise<readonly StageResult[]>;
  /** Tables that the user may read, ordered by schema and name. Raises SourceProblem. */
  tables(reach: ConnectionParams, signal: AbortSignal): Promise<readonly SourceTable[]>;
  /** Columns in order. Runs a custom query without fetching rows. Raises SourceProblem `missing`, `query`, `grant`… */
  describe(reach: ConnectionParams, what: SourceTarget, signal: AbortSignal): Promise<readonly SourceColumn[]>;
}

/** Capabilities that depend on the server, not only on its dialect. */
export interface SourceFeatures {
  /** Version as reported by the server. */
  readonly version: string;
  /** True if the server converts between named time zones. */
  readonly zones: boolean;
}

/** A database that executes SQL itself. */
export interface SqlConnector extends AnyConnector {
  readonly kind: 'sql';
  readonly name: 'postgresql' | 'mysql';
  readonly dialect: 'postgres' | 'mysql';
  /**
   * Returns the query in a form that can be put in parentheses: a single SELECT without comments and the final `;`.
   * Raises SourceProblem `query`.
   */
  checkQuery(text: string): string;
  /** Splits a table id into the parts of its name, for quoting. Raises SourceProblem `missing`. */
  path(table: string): readonly string[];
  features(params: ConnectionParams, signal: AbortSignal): Promise<SourceFeatures>;
  /** Foreign keys between columns that the user may read. Raises SourceProblem. */
  foreignKeys(reach: ConnectionParams, signal: AbortSignal): Promise<readonly SourceLink[]>;
  /** True if the user may change data at the source. Raises SourceProblem. */
  mayWrite(reach: ConnectionParams, signal: AbortSignal): Promise<boolean>;
  /** Runs one statement in a read-only transaction. Resolves when the first rows arrive. Raises SourceProblem. */
  run(
    reach: ConnectionParams,
    statement: SourceStatement,
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<SourceAnswer>;
}

/** A connector for files, which the columnar engine reads. */
export interface FilesConnector extends AnyConnector {
  readonly kind: 'files';
  readonly name: 'duckdb';
  readonly dialect: 'duckdb';
  /** What the engine opens to read a table. Raises SourceProblem `missing`, `grant`. */
  source(params: ConnectionParams, table: string): Promise<FilesSource>;
}

/** A request to a plugin: rows of a table, or groups if the plugin aggregates. */
export interface PluginRequest {
  readonly table: string;
  /** Hints: the plugin may return rows that do not match. */
  readonly filters: readonly PluginFilter[];
  /** Groups to aggregate by and the columns to return; null for plain rows. */
  readonly groups: Pick<RollUp, 'groups' | 'columns'> | null;
}

export interface PluginAnswer extends SourceAnswer {
  /** Names and storage types of the returned cells, for the engine. Columns of a table are named by their ids. */
  readonly columns: readonly BatchColumn[];
}

/** A connector for plugins. The engine completes the query and applies every condition again. */
export interface PluginConnector extends AnyConnector {
  readonly kind: 'plugin';
  readonly name: 'plugin';
  readonly dialect: null;
  /** Translates conditions, all of which must hold, to filters of a plugin. */
  hints(conditions: readonly Condition[], dataset: ModelDataset): readonly PluginFilter[];
  /**
   * Splits a query into groups that the plugin aggregates and the rest that the engine does; null if the plugin must
   * send plain rows.
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
