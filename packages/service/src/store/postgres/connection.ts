import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { ConnectionBroken, openSocket, type Address } from './socket.ts';
import type { Value } from '../sql.ts';
import type { Row } from '../store.ts';

const watchEveryMs = 200;
/** Minimum time between two connection attempts. */
const reconnectMs = 250;
const closeSeconds = 5;

export interface ConnectionLimits {
  readonly connectTimeoutMs: number;
  /** Time limit of a statement, which the server enforces; 0 for no limit. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** If the server sends nothing for this long while statements wait for an answer, the connection counts as broken. */
  readonly silenceMs: number;
  /**
   * Statements that are sent in one packet: those of the same task (default), or of the same iteration of the event
   * loop.
   */
  readonly together?: 'task' | 'iteration';
  /** `once` forces generic plans for prepared statements. If omitted, PostgreSQL decides. */
  readonly plans?: 'once';
}

export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changed: number;
}

/** A pipelined connection that reconnects automatically. */
export interface Connection {
  /** Runs a statement. Raises the driver's errors; convert them with `postgresError`. */
  query(text: string, values: readonly Value[], prepare: boolean): Promise<StatementResult>;
  /** Number of connection losses so far. A transaction must stop if the number changes. */
  ended(): number;
  /** Milliseconds since the last answer; infinite if the current connection has not answered yet. */
  silentMs(): number;
  /** Closes the connection and aborts the statements that run on it. A later statement reconnects. */
  drop(): void;
  close(): Promise<void>;
}

/** Converts values of all types in the schema to string, number or null. Booleans become 0 and 1, as in SQLite. */
const types = {
  number: { to: 0, from: [20, 21, 23, 26, 700, 701, 1700], serialize: String, parse: Number },
  boolean: { to: 16, from: [16], serialize: String, parse: (value: string) => (value === 't' ? 1 : 0) },
  json: { to: 114, from: [114, 3802], serialize: String, parse: String },
  date: { to: 1184, from: [1082, 1114, 1184], serialize: String, parse: String },
};

/** Functions that a client calls on its connection. */
interface ClientContext {
  /** Resolves when the next attempt to connect is due. */
  untilConnectable(): Promise<void>;
  connect(address: Address): Socket;
  /** Called once when the client becomes unusable. */
  retired(client: Client): void;
}

/**
 * A client of the driver that connects only once, so each connection attempt uses a new client. When postgres 3.4.9
 * reconnects, it keeps partly read answers and unsent bytes, which then corrupt the answers to other statements.
 */
class Client {
  readonly sql: postgres.Sql;
  readonly #context: ClientContext;
  #isRetired = false;
  #attempts = 0;

  constructor(url: string, limits: ConnectionLimits, context: ClientContext) {
    this.#context = context;
    const options = {
      max: 1,
      types,
      fetch_types: false,
      max_lifetime: null,
      keep_alive: 10,
      connect_timeout: limits.connectTimeoutMs / 1000,
      onnotice: () => undefined,
      onclose: () => this.#retire(),
      socket: (address: Address) => this.#openSocket(address),
      connection: {
        // Must not be "inlay", which identifies programs of releases without leases.
        application_name: 'inlay service',
        // Compiling the access conditions of a search takes seconds; executing them takes milliseconds.
        jit: 'off',
        ...(limits.plans === 'once' ? { plan_cache_mode: 'force_generic_plan' } : {}),
        statement_timeout: limits.statementTimeoutMs,
        lock_timeout: limits.lockTimeoutMs,
        idle_in_transaction_session_timeout: limits.statementTimeoutMs,
      },
    };
    this.sql = postgres(url, options);
  }

  /** Called by the driver for each connection attempt. Only the first attempt may succeed. */
  async #openSocket(address: Address): Promise<Socket> {
    this.#attempts += 1;
    if (this.#attempts > 1) this.#retire();
    await this.#context.untilConnectable();
    if (this.#isRetired) throw new ConnectionBroken('the connection to the server broke');
    return this.#context.connect(address);
  }

  #retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#context.retired(this);
    void this.sql.end({ timeout: 0 });
  }
}

/** A connection that opens when its first statement is sent. */
export class PostgresConnection implements Connection {
  readonly #url: string;
  readonly #limits: ConnectionLimits;
  readonly #watch: NodeJS.Timeout;
  #client: Client | undefined;
  #socket: Socket | undefined;
  #startedAt = -Infinity;
  /** Number of sockets opened so far. It selects the next server address in turn. */
  #turn = 0;
  #ended = 0;
  /** Number of statements that wait for an answer. */
  #due = 0;
  #quietSince = 0;
  #bytesSeen = 0;
  #answeredAt = -Infinity;
  #corked: Socket | undefined;

  /** `url` is a connection string as for libpq, including `sslmode`. */
  constructor(url: string, limits: ConnectionLimits) {
    this.#url = url;
    this.#limits = limits;
    this.#watch = setInterval(() => this.#endSilent(), watchEveryMs).unref();
  }

  async query(text: string, values: readonly Value[], prepare: boolean): Promise<StatementResult> {
    if (this.#due === 0) this.#quietSince = performance.now();
    this.#due += 1;
    try {
      this.#client ??= this.#openClient();
      this.#cork();
      const result = await this.#client.sql.unsafe<Row[]>(text, [...values], { prepare });
      this.#answeredAt = performance.now();
      return { rows: [...result], changed: result.count };
    } finally {
      this.#due -= 1;
    }
  }

  ended(): number {
    return this.#ended;
  }

  silentMs(): number {
    return performance.now() - this.#answeredAt;
  }

  drop(): void {
    this.#socket?.destroy();
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.#client?.sql.end({ timeout: closeSeconds });
    this.#socket?.destroy();
  }

  #openClient(): Client {
    return new Client(this.#url, this.#limits, {
      untilConnectable: () => pause(Math.max(0, this.#startedAt + reconnectMs - performance.now())),
      connect: (address) => {
        this.#startedAt = performance.now();
        this.#turn += 1;
        this.#socket = openSocket(address, this.#turn);
        return this.#socket;
      },
      retired: (client) => {
        this.#ended += 1;
        this.#answeredAt = -Infinity;
        if (this.#client === client) this.#client = undefined;
      },
    });
  }

  /**
   * Holds back writes to the socket, so that the statements of one task or iteration are sent in one packet. The driver
   * sends a statement of more than a kilobyte immediately and alone.
   */
  #cork(): void {
    const socket = this.#socket;
    if (socket === undefined || this.#corked === socket) return;
    this.#corked = socket;
    socket.cork();
    const send = (): void => {
      this.#corked = undefined;
      socket.uncork();
    };
    if (this.#limits.together === 'iteration') setImmediate(send);
    // A tick that a promise schedules runs after all promises that are already resolved, so the driver has written by
    // then.
    else queueMicrotask(() => process.nextTick(send));
  }

  #endSilent(): void {
    const bytes = this.#socket?.bytesRead ?? 0;
    if (this.#due === 0 || bytes !== this.#bytesSeen) this.#quietSince = performance.now();
    this.#bytesSeen = bytes;
    if (performance.now() - this.#quietSince > this.#limits.silenceMs)
      this.#socket?.destroy(new ConnectionBroken('the server has gone silent'));
  }
}
