import { connect, type Socket } from 'node:net';

/** Argument of the driver's `socket` option: hosts and ports in pairs, or the path of a local socket. */
export interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

/** The driver stops writing when a socket has buffered more than this, which must not split a batch. */
const writableHighWaterMark = 4 * 1024 * 1024;

/** Opens a connection; `turn` selects one of several hosts. */
export function openSocket({ host, port, path }: Address, turn: number): Socket {
  const bareHost = (host[turn % host.length] ?? '').replaceAll(/^\[|\]$/gu, '');
  const at = { host: bareHost, port: port[turn % port.length] ?? 5432 };
  // Send each statement immediately instead of waiting for the acknowledgement of the previous one.
  const overTcp = { ...at, noDelay: true, writableHighWaterMark };
  const to = path === false || path === '' ? overTcp : { path, writableHighWaterMark };
  const socket = connect(to);
  // The driver verifies certificates against `socket.host`, and uses host and port in its errors.
  return Object.assign(socket, at);
}

/** A broken connection. Has a `code`, as socket errors do, because the driver expects one. */
export class ConnectionBroken extends Error {
  readonly code = 'LINK_BROKEN';
}
