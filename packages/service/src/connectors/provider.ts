import type { Engine } from '../engine/engine.ts';
import type { Outbound } from '../outbound/index.ts';
import type { FilesReader, SqlReader, SqlTraits } from './connector.ts';
import type { ConnectorProperty } from './properties.ts';
import type { SessionPools } from './session/session-pool.ts';

/** What drivers work with. */
export interface DriverContext {
  readonly outbound: Outbound;
  readonly pools: SessionPools;
  /** Base folder for files; undefined if the operator allows none. */
  readonly filesDir: string | undefined;
  /** Describes files with the engine. */
  readonly describe: Engine['describe'];
}

interface DeclaredProvider {
  /** The `provider` of accounts. */
  readonly name: string;
  /** Further values of `provider` that mean the same. */
  readonly aliases: readonly string[];
  readonly label: string;
  readonly description: string;
  /** Allowlist of the `properties` of accounts. Only these reach the driver. */
  readonly properties: Readonly<Record<string, ConnectorProperty>>;
}

/** A kind of database. */
export interface SqlProvider extends DeclaredProvider, SqlTraits {
  readonly kind: 'sql';
  /** Loads the driver with its first use. */
  open(context: DriverContext): Promise<SqlReader>;
}

/** A kind of files. */
export interface FilesProvider extends DeclaredProvider {
  readonly kind: 'files';
  open(context: DriverContext): Promise<FilesReader>;
}

/**
 * A built-in provider of data. A declaration loads no driver, no engine and no connection, so that resources and
 * reference pages can read it.
 */
export type Provider = SqlProvider | FilesProvider;
