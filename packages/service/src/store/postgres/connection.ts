import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { ConnectionBroken, openSocket, type Address } from './socket.ts';
import type { Value } from '../sql.ts';
import type { Row } from '../store.ts';

const watchEveryMs = 200;
/** At least this long between two attempts to connect. */
const reconnectMs = 250;
const closeSeconds = 5;

export interface ConnectionLimits {
  readonly connectTimeoutMs: number;
  /** Server side; 0 is none. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** How long it may be silent while answers are due before it is broken. */
  readonly silenceMs: number;
  /** Which statements are sent in one packet: those of one task of the event loop (the default), or those of one iteration. */
  readonly together?: 'task' | 'iteration';
  /** `once`: a prepared statement is planned once, not for the values at hand; PostgreSQL decides unless given. */
  readonly plans?: 'once';
}

export interface StatementResult {
  readonly rows: readonly Row[];
  readonly changed: number;
}

/** A connection to the server that reconnects after it broke. Its statements are pipelined. */
export interface Connection {
  /** Raises the driver's errors; `postgresError` reads them. */
  query(text: string, values: readonly Value[], prepare: boolean): Promise<StatementResult>;
  /** How often it broke: a transaction must not go on when this has changed. */
  ended(): number;
  /** Since the last answer, in milliseconds; infinite where none has come since it connected. */
  silentMs(): number;
  /** Breaks it at once, with all that runs on it. */
  drop(): void;
  close(): Promise<void>;
}

/** Every type of the schema as text, number or null, and truth as 0 and 1, as SQLite has them. */
const types = {
  number: { to: 0, from: [20, 21, 23, 26, 700, 701, 1700], serialize: String, parse: Number },
  boolean: { to: 16, from: [16], serialize: String, parse: (value: string) => (value === 't' ? 1 : 0) },
  json: { to: 114, from: [114, 3802], serialize: String, parse: String },
  date: { to: 1184, from: [1082, 1114, 1184], serialize: String, parse: String },
};

/** What a client needs of its connection. */
interface ClientContext {
  /** Resolves when the next attempt to connect is due. */
  untilConnectable(): Promise<void>;
  connect(address: Address): Socket;
  /** Called once when the client can be used no more. */
  retired(client: Client): void;
}

/**
 * A client of the driver that connects once. postgres 3.4.9 carries half-read answers and unsent bytes over when it reconnects, where they
 * end up in the answers to others, so each connection has a client of its own.
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
        // Not "inlay": so programs are named that take no lease.
        application_name: 'inlay service',
        // Compiling the rights in a search takes seconds where running them takes milliseconds.
        jit: 'off',
        ...(limits.plans === 'once' ? { plan_cache_mode: 'force_generic_plan' } : {}),
        statement_timeout: limits.statementTimeoutMs,
        lock_timeout: limits.lockTimeoutMs,
        idle_in_transaction_session_timeout: limits.statementTimeoutMs,
      },
    };
    this.sql = postgres(url, options);
  }

  /** The driver calls it for each attempt to connect; the first is the only one. */
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

/** Connects with the first statement. */
export class PostgresConnection implements Connection {
  readonly #url: string;
  readonly #limits: ConnectionLimits;
  readonly #watch: NodeJS.Timeout;
  #client: Client | undefined;
  #socket: Socket | undefined;
  #startedAt = -Infinity;
  /** Number of sockets so far: the addresses of the server take turns. */
  #turn = 0;
  #ended = 0;
  /** Statements without an answer. */
  #due = 0;
  #quietSince = 0;
  #bytesSeen = 0;
  #answeredAt = -Infinity;
  #corked: Socket | undefined;

  /** `url`: as for libpq, `sslmode` included. */
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

  /** Sends the statements of one task, or of one iteration, in one packet. The driver sends what is over a kilobyte at once and alone. */
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
    // A tick that a promise schedules comes after all promises that are resolved by now, and so after the driver has written.
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
