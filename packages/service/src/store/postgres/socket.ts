import { connect, type Socket } from 'node:net';

/** What the driver hands to its `socket` option: hosts and ports in pairs, or the path of a local socket. */
export interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

/** The driver holds statements back from a socket that has taken more than this and not sent it: a batch goes out whole. */
const writableHighWaterMark = 4 * 1024 * 1024;

/** Starts to connect; of several hosts the one whose `turn` it is. */
export function openSocket({ host, port, path }: Address, turn: number): Socket {
  const bracketless = (host[turn % host.length] ?? '').replaceAll(/^\[|\]$/gu, '');
  const at = { host: bracketless, port: port[turn % port.length] ?? 5432 };
  // A statement that follows another one is sent at once, not when the server has acknowledged the first.
  const overTcp = { ...at, noDelay: true, writableHighWaterMark };
  const to = path === false || path === '' ? overTcp : { path, writableHighWaterMark };
  const socket = connect(to);
  // The driver checks a certificate against `socket.host`, and names both in its errors.
  return Object.assign(socket, at);
}

/** A broken connection in the driver's manner: known by a code, as errors of sockets are. */
export class ConnectionBroken extends Error {
  readonly code = 'LINK_BROKEN';
}
