import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { PreparedStatements } from './statements.ts';

/** A connection with its prepared statements and the functions defined on it. */
export class PreparedConnection {
  readonly connection: DuckDBConnection;
  readonly statements: PreparedStatements;
  /** Names of the functions defined on the connection, with their definitions. */
  readonly made = new Map<string, string>();

  constructor(connection: DuckDBConnection, maxStatements: number) {
    this.connection = connection;
    this.statements = new PreparedStatements(connection, maxStatements);
  }

  close(): void {
    this.statements.close();
    this.connection.closeSync();
  }
}

/** A pool of connections. Each connection shows the tables of one key, and runs one statement at a time. */
export interface Connections {
  /**
   * Takes an idle connection that already shows the tables of `key`, or prepares a new one with `show`. A connection
   * taken with a null key is not reused.
   */
  readonly take: (
    key: string | null,
    show: (connection: DuckDBConnection) => Promise<void>,
  ) => Promise<PreparedConnection>;
  /** Gives a connection back to the pool after a successful statement; closes it if `key` is null. */
  readonly keep: (key: string | null, prepared: PreparedConnection) => void;
}

/**
 * Maximum number of prepared statements of a connection: those of two dashboards. A statement takes a few KB, and 80 KB
 * for each thousand values of an ENUM that it compares.
 */
const maxStatements = 32;

/**
 * Creates a pool that keeps up to `maxConnections` idle connections for statements over the same tables, since making
 * tables visible takes 1 to 4 ms.
 */
export function createConnections(database: DuckDBInstance, maxConnections: number): Connections {
  const idleConnections: { readonly key: string; readonly prepared: PreparedConnection }[] = [];
  return {
    take: async (key, show) => {
      const at = idleConnections.findLastIndex((entry) => entry.key === key);
      const [idleConnection] = at < 0 ? [] : idleConnections.splice(at, 1);
      if (idleConnection !== undefined) return idleConnection.prepared;
      const connection = await database.connect();
      try {
        await show(connection);
        return new PreparedConnection(connection, maxStatements);
      } catch (error) {
        connection.closeSync();
        throw error;
      }
    },
    keep: (key, preparedConnection) => {
      if (key === null) return preparedConnection.close();
      idleConnections.push({ key, prepared: preparedConnection });
      if (idleConnections.length > maxConnections) idleConnections.shift()?.prepared.close();
    },
  };
}
