import type { Socket } from 'node:net';
import { OutboundProblem, secured, type Outbound } from '../../outbound/index.ts';
import type { ConnectionParams } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { databaseProperties, type DeclaredProperties } from '../properties.ts';
import { hostOf } from './address.ts';
import { encryptionOf, type Encryption } from './encryption.ts';
import type { SessionKind } from './session-pool.ts';

/** How a kind of database is reached by HTTP. */
export interface HttpPorts {
  readonly usualPort: number;
  /** Usual port of encrypted connections, to which an error refers. */
  readonly securePort: number;
  readonly properties: DeclaredProperties;
}

/** A connection to the HTTP port of a server. */
export interface Transport {
  readonly socket: Socket;
  readonly encryption: Encryption;
}

export interface TransportRequest {
  readonly outbound: Outbound;
  readonly params: ConnectionParams;
  readonly ports: HttpPorts;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Matches the codes of TLS for an answer that is not TLS. */
const plainAnswer = /\((?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)\)/u;

const remainingMs = ({ deadline }: TransportRequest): number => Math.max(1, deadline - Date.now());

async function connected(request: TransportRequest): Promise<Socket> {
  const { host, port } = hostOf(request.params, request.ports.usualPort);
  return request.outbound.connect(host, port, { deadlineMs: remainingMs(request), signal: request.signal });
}

async function encrypted(socket: Socket, verify: boolean, request: TransportRequest): Promise<Socket> {
  const { host } = hostOf(request.params, request.ports.usualPort);
  const { ca } = databaseProperties(request.ports.properties, request.params.properties);
  return secured(socket, host, { ca, verify, deadlineMs: remainingMs(request) });
}

/** Opens a connection with an encryption that is known already. Raises OutboundProblem. */
export async function connectAs(encryption: Encryption, request: TransportRequest): Promise<Socket> {
  const socket = await connected(request);
  return encryption === 'none' ? socket : encrypted(socket, encryption === 'verified', request);
}

/**
 * Opens a first connection. A server does not say whether it encrypts a port, so TLS is tried first. Raises
 * OutboundProblem, and SourceProblem `settings` and `tls`.
 */
export async function connectFirst(request: TransportRequest): Promise<Transport> {
  const { ssl } = databaseProperties(request.ports.properties, request.params.properties);
  const socket = await connected(request);
  const encryption = encryptionOf(ssl, socket.remoteAddress, true);
  if (encryption === 'none') return { socket, encryption };
  const verify = encryption === 'verified';
  try {
    return { socket: await encrypted(socket, verify, request), encryption };
  } catch (error) {
    if (!(error instanceof OutboundProblem) || !plainAnswer.test(error.message)) throw error;
    if (verify || ssl !== 'auto')
      throw new SourceProblem(
        'tls',
        `The server offers no encryption at this port. Its port for encrypted connections is usually ${request.ports.securePort}; set the property "ssl" to "disable" if none is intended.`,
      );
  }
  return { socket: await connectAs('none', request), encryption: 'none' };
}

/**
 * Returns a function that opens connections for an HTTP client: first the one that is open already, then others with the
 * same encryption.
 */
export function reconnecting({ socket, encryption }: Transport, request: TransportRequest): () => Promise<Socket> {
  let first: Socket | undefined = socket;
  return async () => {
    // The request that opened the session has ended, and so may have its signal.
    const again = { ...request, deadline: Date.now() + reconnectMs, signal: AbortSignal.timeout(reconnectMs) };
    const opened = first ?? (await connectAs(encryption, again));
    first = undefined;
    // A request over a closed connection would wait forever.
    if (opened.destroyed) throw new OutboundProblem('failed', 'The other side closed the connection.');
    return opened;
  };
}
const reconnectMs = 10_000;

/** Returns how to open sessions over HTTP, within the time limit of the account. `failure` translates errors. */
export const openOverHttp =
  <Session>(
    outbound: Outbound,
    ports: HttpPorts,
    open: (request: TransportRequest) => Promise<Session>,
    failure: (error: unknown) => SourceProblem,
  ): SessionKind<Session>['open'] =>
  async (params, deadlineMs, signal) => {
    const { connectTimeoutMs } = databaseProperties(ports.properties, params.properties);
    const deadline = Date.now() + Math.min(deadlineMs, connectTimeoutMs);
    try {
      return await open({ outbound, params, ports, deadline, signal });
    } catch (error) {
      throw failure(error);
    }
  };
