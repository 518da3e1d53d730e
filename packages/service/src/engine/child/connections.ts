import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** A connection with what has been made visible on it. */
export interface PreparedConnection {
  readonly connection: DuckDBConnection;
  /** Functions that were made on it, with what they do. */
  readonly made: Map<string, string>;
}

/** Connections that see the same tables, lent to one statement at a time. */
export interface Connections {
  /** One that sees what `key` stands for, made by `show` where none is free; with null it is nobody's after this. */
  readonly take: (
    key: string | null,
    show: (connection: DuckDBConnection) => Promise<void>,
  ) => Promise<PreparedConnection>;
  /** Gives one back after a statement that ended well. */
  readonly keep: (key: string | null, prepared: PreparedConnection) => void;
}

/** Making tables visible takes 1 to 4 ms, so up to `most` connections wait for the next statement over the same ones. */
export function createConnections(database: DuckDBInstance, most: number): Connections {
  const free: { readonly key: string; readonly prepared: PreparedConnection }[] = [];
  return {
    take: async (key, show) => {
      const at = free.findLastIndex((one) => one.key === key);
      const [known] = at < 0 ? [] : free.splice(at, 1);
      if (known !== undefined) return known.prepared;
      const connection = await database.connect();
      try {
        await show(connection);
        return { connection, made: new Map() };
      } catch (error) {
        connection.closeSync();
        throw error;
      }
    },
    keep: (key, prepared) => {
      if (key === null) return prepared.connection.closeSync();
      free.push({ key, prepared });
      if (free.length > most) free.shift()?.prepared.connection.closeSync();
    },
  };
}
