import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { tlsOptions, type Outbound } from '../../outbound/index.ts';
import { addressOf } from '../session/address.ts';
import type { ConnectionParams } from '../connector.ts';
import { postgresqlFailure } from './failure.ts';
import type { SessionKind } from '../session/session-pool.ts';
import { opening } from '../session/opening.ts';
import { SourceProblem } from '../problem.ts';
import { databaseProperties, type TlsMode } from '../properties.ts';
import { properties } from './properties.ts';
import { encryptionOf, noEncryption, type Encryption } from '../session/encryption.ts';
import { sendCancel } from './cancel.ts';
import { postgresqlReaders } from './types.ts';

/** A signed-in session of a PostgreSQL server. */
export interface PostgresqlSession {
  readonly client: Client;
  readonly encryption: Encryption;
  readonly schema: string | null;
  readonly state: { broken: boolean };
  /** Custom queries that the server has already parsed as separate statements. */
  readonly parsed: Set<string>;
  /** Cancels the running statement on the server, and closes the connection. */
  cancel(): Promise<void>;
}

export const usualPort = 5432;

/** Session settings: values have the same format on every server, and writes are forbidden. */
const session = [
  "set timezone = 'UTC'",
  "set datestyle = 'ISO, MDY'",
  "set intervalstyle = 'iso_8601'",
  "set bytea_output = 'hex'",
  'set extra_float_digits = 1',
  'set standard_conforming_strings = on',
  'set default_transaction_read_only = on',
  // With this setting, which PostgreSQL has since version 14, the server soon notices that a connection was closed.
  "select set_config(name, '1s', false) from pg_settings where name = 'client_connection_check_interval'",
].join('; ');

function encryptionFor(socket: Socket, mode: TlsMode, isOffered: boolean): Encryption {
  try {
    if (!isOffered && mode !== 'auto') throw new SourceProblem('tls', noEncryption);
    return encryptionOf(mode, socket.remoteAddress, isOffered);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

interface ConnectionRequest {
  readonly outbound: Outbound;
  readonly params: ConnectionParams;
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** False if the server has refused TLS. */
  readonly offered: boolean;
}

async function openOnce({
  outbound,
  params,
  deadline,
  signal,
  offered,
}: ConnectionRequest): Promise<PostgresqlSession> {
  const { host, port, user, password, database } = addressOf(params, usualPort);
  const { ssl, ca, applicationName, schema } = databaseProperties(properties, params.properties);
  const remainingMs = (): number => Math.max(1, deadline - Date.now());
  const socket = await outbound.connect(host, port, { deadlineMs: remainingMs(), signal });
  const encryption = encryptionFor(socket, ssl, offered);
  const verify = encryption === 'verified';
  const connected = Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.emit('connect'));
      return socket;
    },
  });
  // Loaded on first use: the driver takes 11 MB of memory.
  const { Client } = await import('pg');
  const client = new Client({
    host,
    port,
    user,
    database,
    // The driver would replace an empty password by one from the environment or a file. It does not do so if the
    // password is a function.
    password: () => password,
    ssl: encryption === 'none' ? false : tlsOptions(host, { ca, verify }),
    sslnegotiation: 'postgres',
    stream: () => connected,
    types: postgresqlReaders,
    application_name: applicationName,
    client_encoding: 'UTF8',
    connectionTimeoutMillis: remainingMs(),
  });
  const state = { broken: false };
  const markBroken = (): void => {
    state.broken = true;
  };
  client.on('error', markBroken);
  client.on('end', markBroken);
  await opening(socket, deadline, signal, async () => {
    await client.connect();
    await client.query(session);
    if (schema !== null)
      await client.query('select set_config($1, $2, false)', ['search_path', JSON.stringify(schema)]);
  });
  const cancel = async (): Promise<void> => {
    markBroken();
    const secure = encryption === 'none' ? undefined : { ca, verify };
    const becomesIdle = client.query('rollback').then(
      () => true,
      () => true,
    );
    // The server ignores a cancel request that arrives before the statement starts. Therefore the request is repeated
    // until the session is idle.
    for (let times = 0; times < 3; times += 1) {
      await sendCancel(outbound, { host, port, secure }, client).catch(() => undefined);
      if (await Promise.race([becomesIdle, sleep(100, false)])) break;
    }
    socket.destroy();
  };
  return { client, encryption, schema, state, parsed: new Set(), cancel };
}

/**
 * Opens sessions of PostgreSQL servers. Connects only to addresses that the outbound policy allows. Raises
 * SourceProblem.
 */
export const postgresqlSessions = (outbound: Outbound): SessionKind<PostgresqlSession> => ({
  async open(params, deadlineMs, signal) {
    const { connectTimeoutMs } = databaseProperties(properties, params.properties);
    const attempt = { outbound, params, signal, deadline: Date.now() + Math.min(deadlineMs, connectTimeoutMs) };
    try {
      return await openOnce({ ...attempt, offered: true }).catch((error: unknown) => {
        const hasNone = error instanceof Error && error.message.includes('does not support SSL');
        if (hasNone) return openOnce({ ...attempt, offered: false });
        throw error;
      });
    } catch (error) {
      throw postgresqlFailure(error);
    }
  },
  isSound: ({ state }) => !state.broken,
  close({ client, state }) {
    state.broken = true;
    void client.end().catch(() => undefined);
  },
});
