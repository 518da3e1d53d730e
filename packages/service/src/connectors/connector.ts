import type { JsonObject } from '@inlay/contract';
import type { ColumnType, Condition, StorageType, Model, ModelDataset, Query, Scalar } from '@inlay/query';
import type { BatchColumn, FilesSource } from '../engine/engine.ts';
import type { PluginFilter, PluginTarget, PluginUser } from './plugin/protocol.ts';
import type { RollUp, RollUpContext } from './plugin/roll-up.ts';
import type { SourceCause } from './problem.ts';

/** A setting that an account's `properties` may hold for a connector; nothing else reaches a driver. */
export interface ConnectorProperty {
  readonly kind: 'text' | 'pem' | 'whole' | 'word' | 'yes_or_no';
  readonly description: string;
  /** The value when the account has none. */
  readonly default: string | number | boolean | null;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly secret?: true;
}

/** An account as resolved for one caller: account_overrides are applied, secrets opened. */
export interface ConnectionParams {
  readonly accountId: string;
  readonly organizationId: string;
  readonly host: string | null;
  readonly port: string | null;
  /** Database name; for files the folder. */
  readonly scope: string | null;
  readonly identifier: string | null;
  readonly token: string | null;
  readonly properties: JsonObject;
  /** The plugin of the account and who is asking; only where it has one. */
  readonly plugin?: { readonly target: PluginTarget; readonly user: PluginUser };
  /** The header `traceparent` of calls over HTTP, where the request is traced. */
  readonly traceparent?: string;
}

const testStages = ['reach', 'tls', 'sign_in', 'access'] as const;
export type TestStage = (typeof testStages)[number];

/** One step of a connection test; a step that was not come to is left out. */
export interface StageResult {
  readonly stage: TestStage;
  readonly ok: boolean;
  readonly cause: SourceCause | null;
  /** What was found, or what failed and what to do, in words. */
  readonly message: string;
}

/** Something of a source that a dataset can be made of. */
export interface SourceTable {
  /** Names it within its source, for `describe`; a dataset's `source_dataset`. */
  readonly id: string;
  readonly name: string;
  readonly schema: string | null;
  readonly kind: 'table' | 'view' | 'file' | 'folder' | 'dataset';
  /** About how many rows, where the source tells without counting. */
  readonly rows: number | null;
}

/** A foreign key of one column, as the source declares it. */
export interface SourceLink {
  /** The table that refers to another, by its id, and its column. */
  readonly table: string;
  readonly column: string;
  /** What it refers to. */
  readonly toTable: string;
  readonly toColumn: string;
  /** `one_to_one` where the column is unique in its own table. */
  readonly cardinality: 'many_to_one' | 'one_to_one';
}

export interface SourceColumn {
  readonly name: string;
  readonly kept: StorageType;
  /** Whether it compares with texts as it is. */
  readonly nativeText?: boolean;
  readonly type: ColumnType;
  readonly subtype: string | null;
  readonly nullable: boolean;
  /** What people call it, where the source says so. */
  readonly label?: string;
  /** The source's own word for the type. */
  readonly native: string;
}

/** A table by its id, or the text of a `source_query`. */
export type SourceTarget = { readonly table: string } | { readonly query: string };

/** A statement of the query compiler: values bound, never written into the text. */
export interface SourceStatement {
  readonly sql: string;
  readonly params: readonly Scalar[];
  /** Checked texts of persons that stand in it; the server parses each alone before they are run together. */
  readonly texts?: readonly string[];
}

export interface RunLimits {
  /** Rows after which reading stops. */
  readonly rowLimit: number;
  /** Bytes of cells after which reading stops. */
  readonly byteLimit: number;
  /** Milliseconds for everything, waiting for a connection and reading the rows included. */
  readonly deadlineMs: number;
}

/** Cells as they are kept: whole numbers and decimals beyond a double as text, times as ISO 8601 text, JSON as text. */
export type SourceRows = readonly (readonly Scalar[])[];

export interface SourceAnswer {
  /** Batches of rows; read once. Leaving the loop ends the statement at the source. Raises SourceProblem. */
  readonly rows: AsyncIterable<SourceRows>;
  /** Whether rows were cut off at a limit; known when `rows` has ended. */
  truncated(): boolean;
}

export interface AnyConnector {
  readonly label: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, ConnectorProperty>>;
  /** Tries the connection step by step and ends at the first that fails; raises nothing. */
  test(params: ConnectionParams, signal: AbortSignal): Promise<readonly StageResult[]>;
  /** What the user may read, in order of schema and name. Raises SourceProblem. */
  tables(reach: ConnectionParams, signal: AbortSignal): Promise<readonly SourceTable[]>;
  /** The columns, in order. A query is run with no rows. Raises SourceProblem `missing`, `query`, `grant`… */
  describe(reach: ConnectionParams, what: SourceTarget, signal: AbortSignal): Promise<readonly SourceColumn[]>;
}

/** What a server can do that its dialect leaves open. */
export interface SourceFeatures {
  /** Text of the server's version. */
  readonly version: string;
  /** Whether it converts between named time zones. */
  readonly zones: boolean;
}

/** A database that runs statements itself. */
export interface SqlConnector extends AnyConnector {
  readonly kind: 'sql';
  readonly name: 'postgresql' | 'mysql';
  readonly dialect: 'postgres' | 'mysql';
  /** The text as it may stand in parentheses: one SELECT, without comments and closing `;`. Raises SourceProblem `query`. */
  checkQuery(text: string): string;
  /** Parts of the name of a table, to be quoted, by its id. Raises SourceProblem `missing`. */
  path(table: string): readonly string[];
  features(params: ConnectionParams, signal: AbortSignal): Promise<SourceFeatures>;
  /** The foreign keys between columns that the user may read. Raises SourceProblem. */
  foreignKeys(reach: ConnectionParams, signal: AbortSignal): Promise<readonly SourceLink[]>;
  /** Whether the user may change data of the source. Raises SourceProblem. */
  mayWrite(reach: ConnectionParams, signal: AbortSignal): Promise<boolean>;
  /** Runs one statement in a read-only transaction. Resolves when the first rows are there. Raises SourceProblem. */
  run(
    reach: ConnectionParams,
    statement: SourceStatement,
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<SourceAnswer>;
}

/** Files that the columnar engine reads. */
export interface FilesConnector extends AnyConnector {
  readonly kind: 'files';
  readonly name: 'duckdb';
  readonly dialect: 'duckdb';
  /** What the engine opens for a table. Raises SourceProblem `missing`, `grant`. */
  source(params: ConnectionParams, table: string): Promise<FilesSource>;
}

/** What is asked of a plugin: a whole table, or groups where it aggregates itself. */
export interface PluginRequest {
  readonly table: string;
  /** Hints: what comes back need not keep to them. */
  readonly filters: readonly PluginFilter[];
  /** Groups to make and the columns that come back; null: the rows of the table. */
  readonly groups: Pick<RollUp, 'groups' | 'columns'> | null;
}

export interface PluginAnswer extends SourceAnswer {
  /** For the engine: how the cells of `rows` are called and kept. A table's columns go by their ids. */
  readonly columns: readonly BatchColumn[];
}

/** Plugins: their rows are finished in the engine, and every condition is applied again there. */
export interface PluginConnector extends AnyConnector {
  readonly kind: 'plugin';
  readonly name: 'plugin';
  readonly dialect: null;
  /** What a table may be told of conditions that all hold. */
  hints(conditions: readonly Condition[], dataset: ModelDataset): readonly PluginFilter[];
  /** A query split into groups of a plugin and what finishes them; null where rows must be asked for. */
  rollUp(query: Query, model: Model, context: RollUpContext): RollUp | null;
  /** Asks for rows. Resolves when the first are there. Raises SourceProblem. */
  fetch(
    params: ConnectionParams,
    request: PluginRequest,
    limits: RunLimits,
    signal: AbortSignal,
  ): Promise<PluginAnswer>;
}

export type Connector = SqlConnector | FilesConnector | PluginConnector;
