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
  /** Connections to one account at most. */
  readonly size: number;
  /** The folder of files that the operator allows; none when undefined. */
  readonly filesDir: string | undefined;
  /** Describes files; of the columnar engine. */
  readonly describe: Engine['describe'];
  readonly now?: () => number;
}

/** The connectors of databases, and how to end their connections. */
export interface Connectors {
  readonly postgresql: SqlConnector;
  readonly mysql: SqlConnector;
  readonly duckdb: FilesConnector;
  /** Connections that stand. */
  count(): number;
  /** Connections that are lent out or waited for. */
  held(): number;
  close(): void;
}

/** Every connector that this service implements itself; plugins come beside them. */
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
