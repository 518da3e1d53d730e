import { connect, type Socket } from 'node:net';

/**
 * Argument of the driver's `socket` option: hosts and ports, in which the same index belongs together, or the path of a
 * local socket.
 */
export interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

/**
 * Number of buffered bytes after which the driver stops writing to a socket. It is large enough not to split a batch.
 */
const writableHighWaterMark = 4 * 1024 * 1024;

/** Opens a socket. `turn` selects one of the hosts in turn. */
export function openSocket({ host, port, path }: Address, turn: number): Socket {
  const bareHost = (host[turn % host.length] ?? '').replaceAll(/^\[|\]$/gu, '');
  const at = { host: bareHost, port: port[turn % port.length] ?? 5432 };
  // Send each statement immediately instead of waiting for the acknowledgement of the previous one.
  const overTcp = { ...at, noDelay: true, writableHighWaterMark };
  const to = path === false || path === '' ? overTcp : { path, writableHighWaterMark };
  const socket = connect(to);
  // The driver verifies certificates against `socket.host`. It also uses host and port in error messages.
  return Object.assign(socket, at);
}

/** A broken connection. It has a `code` as socket errors do, because the driver expects a `code`. */
export class ConnectionBroken extends Error {
  readonly code = 'LINK_BROKEN';
}
