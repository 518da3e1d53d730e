import { type Socket, isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Connection as StreamingConnection, SslOptions } from 'mysql2';
import type { Connection } from 'mysql2/promise';
import type { Outbound } from '../../outbound/index.ts';
import { addressOf } from '../session/address.ts';
import type { ConnectionParams } from '../connector.ts';
import { encryptionOf, noEncryption, type Encryption } from '../session/encryption.ts';
import { mysqlFailure } from './failure.ts';
import type { SessionKind } from '../session/session-pool.ts';
import { opening } from '../session/opening.ts';
import { SourceProblem } from '../problem.ts';
import { databaseOptions, databaseProperties, type DatabaseProperties } from '../properties.ts';
import { readCell } from './types.ts';

/** A signed-in session of a MySQL or MariaDB server. */
export interface MysqlSession {
  readonly connection: Connection;
  /** The same connection, in a form that streams rows. */
  readonly streaming: StreamingConnection;
  readonly encryption: Encryption;
  readonly version: string;
  readonly isMariadb: boolean;
  /** True if the server's time zone tables have been filled, which they often are not. */
  readonly zones: boolean;
  readonly state: { broken: boolean };
  /** Custom queries that the server has already parsed as separate statements. */
  readonly parsed: Set<string>;
  /** Closes the connection immediately, even during a statement. */
  destroy(): void;
  /** Ends the session on the server, even during a statement. */
  cancel(): Promise<void>;
}

export const usualPort = 3306;
const cancelMs = 10_000;

interface ConnectionRequest {
  readonly outbound: Outbound;
  readonly params: ConnectionParams;
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** False if the server has refused TLS. */
  readonly offered: boolean;
}

function encryptionFor(socket: Socket, host: string, { ssl }: DatabaseProperties, isOffered: boolean): Encryption {
  if (!isOffered && ssl !== 'auto') throw new SourceProblem('tls', noEncryption);
  const encryption = encryptionOf(ssl, socket.remoteAddress, isOffered);
  // The driver can only verify a certificate for a host name, not for an IP address.
  if (encryption === 'verified' && isIP(host) !== 0)
    throw new SourceProblem(
      'tls',
      'The certificate of a bare address cannot be checked; give the host by name, or set the property "ssl" to "require".',
    );
  return encryption;
}

/** Opens a connection, but does not set up its session. Raises errors of the driver. */
async function connectOnce({ outbound, params, deadline, signal, offered }: ConnectionRequest) {
  const { host, port, user, password, database } = addressOf(params, usualPort);
  const properties = databaseProperties(databaseOptions, params.properties);
  const remainingMs = (): number => Math.max(1, deadline - Date.now());
  const socket = await outbound.connect(host, port, { deadlineMs: remainingMs(), signal });
  return opening(socket, deadline, signal, async () => {
    const encryption = encryptionFor(socket, host, properties, offered);
    const verify = encryption === 'verified';
    const ssl: SslOptions = {
      rejectUnauthorized: verify,
      verifyIdentity: verify,
      minVersion: 'TLSv1.2',
      ...(properties.ca !== undefined && { ca: [...rootCertificates, properties.ca] }),
    };
    // Loaded on first use: the driver takes 24 MB of memory, and most services never open a MySQL connection.
    const { createConnection } = await import('mysql2');
    const streaming = createConnection({
      host,
      port,
      user,
      password,
      database,
      ...(encryption !== 'none' && { ssl }),
      stream: () => socket,
      charset: 'utf8mb4',
      timezone: 'Z',
      dateStrings: true,
      jsonStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      rowsAsArray: true,
      typeCast: readCell,
      multipleStatements: false,
      // Without this flag, a server could request local files.
      flags: ['-LOCAL_FILES'],
      // Prevents the driver from compiling code that contains names of columns.
      disableEval: true,
      maxPreparedStatements: 20,
      connectTimeout: remainingMs(),
    });
    streaming.on('error', () => undefined);
    const connection = streaming.promise();
    await connection.connect();
    return { connection, streaming, encryption, socket };
  });
}

async function openOnce(attempt: ConnectionRequest): Promise<MysqlSession> {
  const { connection, streaming, encryption, socket } = await connectOnce(attempt);
  const state = { broken: false };
  const markBroken = (): void => {
    state.broken = true;
  };
  const destroy = (): void => {
    markBroken();
    connection.destroy();
    // The driver only sends a packet to end the session. A server that is blocked while sending never reads it.
    socket.destroy();
  };
  connection.on('error', markBroken);
  socket.once('close', markBroken);
  return opening(socket, attempt.deadline, attempt.signal, async () => {
    await connection.query("set session time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'");
    await connection.query('set session transaction read only');
    const probe = "select version(), convert_tz('2024-07-01 12:00:00', 'UTC', 'Europe/Brussels') is not null";
    const [rows] = await connection.query(probe);
    const [firstRow]: unknown[] = Array.isArray(rows) ? rows : [];
    const [version, zones]: unknown[] = Array.isArray(firstRow) ? firstRow : [];
    const text = String(version);
    const cancel = async (): Promise<void> => {
      markBroken();
      const signal = AbortSignal.timeout(cancelMs);
      const deadline = Date.now() + cancelMs;
      try {
        const secondSession = await connectOnce({ ...attempt, offered: encryption !== 'none', deadline, signal });
        const cancelTimer = setTimeout(() => secondSession.socket.destroy(), cancelMs);
        await secondSession.connection.query(`kill ${connection.threadId}`).finally(() => {
          clearTimeout(cancelTimer);
          secondSession.connection.destroy();
          secondSession.socket.destroy();
        });
      } catch {
        // The session has already ended. Otherwise the server ends it shortly after the deadline.
      }
      destroy();
    };
    return {
      connection,
      streaming,
      encryption,
      version: text,
      isMariadb: /mariadb/iu.test(text),
      zones: Number(zones) === 1,
      state,
      parsed: new Set(),
      destroy,
      cancel,
    };
  });
}

/**
 * Opens sessions of MySQL and MariaDB servers. Connects only to addresses that the outbound policy allows. Raises
 * SourceProblem.
 */
export const mysqlSessions = (outbound: Outbound): SessionKind<MysqlSession> => ({
  async open(params, deadlineMs, signal) {
    const { connectTimeoutMs } = databaseProperties(databaseOptions, params.properties);
    const attempt = { outbound, params, signal, deadline: Date.now() + Math.min(deadlineMs, connectTimeoutMs) };
    try {
      return await openOnce({ ...attempt, offered: true }).catch((error: unknown) => {
        const hasNone = error instanceof Error && 'code' in error && error.code === 'HANDSHAKE_NO_SSL_SUPPORT';
        if (hasNone) return openOnce({ ...attempt, offered: false });
        throw error;
      });
    } catch (error) {
      throw mysqlFailure(error);
    }
  },
  isSound: ({ state }) => !state.broken,
  close: (session) => session.destroy(),
});
