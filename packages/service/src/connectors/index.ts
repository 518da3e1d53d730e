import type { Outbound } from '../outbound/index.ts';
import type { Engine } from '../engine/engine.ts';
import type { FilesConnector, SqlConnector } from './connector.ts';
import { files } from './files/connector.ts';
import { Links, type LinksOptions } from './links.ts';
import { mysql } from './mysql/connector.ts';
import { mysqlLinks } from './mysql/link.ts';
import { postgresql } from './postgresql/connector.ts';
import { postgresqlLinks } from './postgresql/link.ts';

export interface ConnectorsOptions {
  readonly outbound: Outbound;
  /** Maximum number of connections per account. */
  readonly size: number;
  /** Base folder for files; undefined if there is no files connector. */
  readonly filesDir: string | undefined;
  /** Describes files with the engine. */
  readonly describe: Engine['describe'];
  readonly now?: () => number;
}

/** The built-in connectors, with functions for their connections. */
export interface Connectors {
  readonly postgresql: SqlConnector;
  readonly mysql: SqlConnector;
  readonly duckdb: FilesConnector;
  /** Number of open connections. */
  count(): number;
  /** Returns the number of leased connections plus the number of waiting callers. */
  held(): number;
  close(): void;
}

/** Creates the built-in connectors; plugin connectors are created elsewhere. */
export function createConnectors({
  outbound,
  size,
  filesDir,
  describe,
  now = Date.now,
}: ConnectorsOptions): Connectors {
  const options: LinksOptions = { size, waiting: 100, total: 500, idleMs: 30_000, now };
  const postgresqlPool = new Links(postgresqlLinks(outbound), options);
  const mysqlPool = new Links(mysqlLinks(outbound), options);
  const pools = [postgresqlPool, mysqlPool];
  return {
    postgresql: postgresql(outbound, postgresqlPool),
    mysql: mysql(outbound, mysqlPool),
    duckdb: files({ filesDir, describe }),
    count: () => pools.reduce((sum, pool) => sum + pool.count(), 0),
    held: () => pools.reduce((sum, pool) => sum + pool.held(), 0),
    close: () => pools.forEach((pool) => pool.close()),
  };
}
