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

/** Makes a connection, which connects with the first statement. `url`: as for libpq, `sslmode` included. */
export function openConnection(url: string, limits: ConnectionLimits): Connection {
  let client: postgres.Sql | undefined;
  let socket: Socket | undefined;
  let startedAt = -Infinity;
  let turn = 0;
  let ended = 0;
  let due = 0;
  let quietSince = 0;
  let bytesSeen = 0;
  let answeredAt = -Infinity;
  let gathering: Socket | undefined;

  // postgres 3.4.9 carries half-read answers and unsent bytes over when it reconnects, where they end up in the
  // answers to others. So a client connects once and is then thrown away.
  const connect = (): postgres.Sql => {
    let spent = false;
    let attempts = 0;
    const retire = (): void => {
      if (spent) return;
      spent = true;
      ended += 1;
      answeredAt = -Infinity;
      if (client === made) client = undefined;
      void made.end({ timeout: 0 });
    };
    const options = {
      max: 1,
      types,
      fetch_types: false,
      max_lifetime: null,
      keep_alive: 10,
      connect_timeout: limits.connectTimeoutMs / 1000,
      onnotice: () => undefined,
      onclose: retire,
      socket: async (address: Address): Promise<Socket> => {
        attempts += 1;
        if (attempts > 1) retire();
        await pause(Math.max(0, startedAt + reconnectMs - performance.now()));
        if (spent) throw new ConnectionBroken('the connection to the server broke');
        startedAt = performance.now();
        socket = openSocket(address, (turn += 1));
        return socket;
      },
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
    const made: postgres.Sql = postgres(url, options);
    return made;
  };

  // The driver sends what is over a kilobyte at once and alone.
  const gather = (): void => {
    if (socket === undefined || gathering === socket) return;
    const gathered = socket;
    gathering = gathered;
    gathered.cork();
    const send = (): void => {
      gathering = undefined;
      gathered.uncork();
    };
    if (limits.together === 'iteration') setImmediate(send);
    // A tick that a promise asks for comes after all promises that are kept by now, and so after the driver has written.
    else queueMicrotask(() => process.nextTick(send));
  };

  const watch = setInterval(() => {
    const bytes = socket?.bytesRead ?? 0;
    if (due === 0 || bytes !== bytesSeen) quietSince = performance.now();
    bytesSeen = bytes;
    if (performance.now() - quietSince > limits.silenceMs)
      socket?.destroy(new ConnectionBroken('the server has gone silent'));
  }, watchEveryMs).unref();

  return {
    async query(text, values, prepare) {
      if (due === 0) quietSince = performance.now();
      due += 1;
      try {
        client ??= connect();
        gather();
        const result = await client.unsafe<Row[]>(text, [...values], { prepare });
        answeredAt = performance.now();
        return { rows: [...result], changed: result.count };
      } finally {
        due -= 1;
      }
    },
    ended: () => ended,
    silentMs: () => performance.now() - answeredAt,
    drop: () => socket?.destroy(),
    async close() {
      clearInterval(watch);
      await client?.end({ timeout: closeSeconds });
      socket?.destroy();
    },
  };
}
