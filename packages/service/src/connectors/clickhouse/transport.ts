import type { Socket } from 'node:net';
import { OutboundProblem, secured, type Outbound } from '../../outbound/index.ts';
import type { ConnectionParams } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { databaseProperties } from '../properties.ts';
import { addressOf, type Address } from '../session/address.ts';
import { encryptionOf, type Encryption } from '../session/encryption.ts';
import { properties } from './properties.ts';

export const usualPort = 8123;

/** A connection to the HTTP port of a server. */
export interface Transport {
  readonly socket: Socket;
  readonly encryption: Encryption;
}

export interface TransportRequest {
  readonly outbound: Outbound;
  readonly params: ConnectionParams;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

const noEncryption =
  'The server offers no encryption at this port. Its port for encrypted connections is usually 8443; set the property "ssl" to "disable" if none is intended.';

/** Matches the codes of TLS for an answer that is not TLS. */
const plainAnswer = /\((?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)\)/u;

export const clickhouseAddress = (params: ConnectionParams): Address => addressOf(params, usualPort);

/** Opens a connection with an encryption that is known already. Raises OutboundProblem. */
export async function connectAs(encryption: Encryption, request: TransportRequest): Promise<Socket> {
  const { outbound, params, deadline, signal } = request;
  const { host, port } = clickhouseAddress(params);
  const { ca } = databaseProperties(properties, params.properties);
  const remainingMs = (): number => Math.max(1, deadline - Date.now());
  const socket = await outbound.connect(host, port, { deadlineMs: remainingMs(), signal });
  if (encryption === 'none') return socket;
  return secured(socket, host, { ca, verify: encryption === 'verified', deadlineMs: remainingMs() });
}

/**
 * Opens a first connection. A server does not say whether it encrypts a port, so TLS is tried first. Raises
 * OutboundProblem, and SourceProblem `settings` and `tls`.
 */
export async function connectFirst(request: TransportRequest): Promise<Transport> {
  const { outbound, params, deadline, signal } = request;
  const { host, port } = clickhouseAddress(params);
  const { ssl, ca } = databaseProperties(properties, params.properties);
  const remainingMs = (): number => Math.max(1, deadline - Date.now());
  const socket = await outbound.connect(host, port, { deadlineMs: remainingMs(), signal });
  const encryption = encryptionOf(ssl, socket.remoteAddress, true);
  if (encryption === 'none') return { socket, encryption };
  const verify = encryption === 'verified';
  try {
    return { socket: await secured(socket, host, { ca, verify, deadlineMs: remainingMs() }), encryption };
  } catch (error) {
    if (!(error instanceof OutboundProblem) || !plainAnswer.test(error.message)) throw error;
    if (verify || ssl !== 'auto') throw new SourceProblem('tls', noEncryption);
  }
  return { socket: await connectAs('none', request), encryption: 'none' };
}
