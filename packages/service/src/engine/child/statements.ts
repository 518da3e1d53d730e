import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** Prepares statements of one connection. A statement is in use until the connection runs the next one. */
export type Prepare = (sql: string) => Promise<DuckDBPreparedStatement>;

/** Longer statements are not kept. They usually list values, so that they hardly ever occur again. */
const maxLength = 20_000;

/**
 * The statements of a connection that were prepared most recently. Viewers of a dashboard run the same statements with
 * other values. DuckDB plans a statement anew for the values of each run, but parses and binds its text only once: a
 * small query then takes two thirds of the processor time.
 */
export class PreparedStatements {
  readonly #connection: DuckDBConnection;
  readonly #maxStatements: number;
  /** Statements by their text, in the order of last use. */
  readonly #statements = new Map<string, DuckDBPreparedStatement>();

  constructor(connection: DuckDBConnection, maxStatements: number) {
    this.#connection = connection;
    this.#maxStatements = maxStatements;
  }

  /** Returns a statement without bound values. Raises errors of DuckDB. */
  async prepare(sql: string): Promise<DuckDBPreparedStatement> {
    if (sql.length > maxLength) return this.#connection.prepare(sql);
    const knownStatement = this.#statements.get(sql);
    knownStatement?.clearBindings();
    const statement = knownStatement ?? (await this.#connection.prepare(sql));
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    this.#dropOldest();
    return statement;
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.destroySync();
    this.#statements.clear();
  }

  #dropOldest(): void {
    for (const [sql, statement] of this.#statements) {
      if (this.#statements.size <= this.#maxStatements) return;
      this.#statements.delete(sql);
      statement.destroySync();
    }
  }
}
