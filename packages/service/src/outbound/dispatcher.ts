import type { Socket } from 'node:net';
import type { Agent } from 'undici';
import { guardedConnect, type Guard } from './connect.ts';
import { outboundProblem } from './problem.ts';
import { secured } from './secure.ts';

const connectTimeoutMs = 10_000;

export interface DispatcherOptions {
  /** Additional certificate authorities, as PEM. */
  readonly ca?: string | undefined;
  /** Maximum number of connections per origin. It also bounds connections that hang. */
  readonly connections?: number;
}

/**
 * Returns an undici dispatcher that connects only to checked addresses. Kept-alive connections were checked as well.
 */
export async function guardedDispatcher(
  guard: Guard,
  { ca, connections = 16 }: DispatcherOptions = {},
): Promise<Agent> {
  // Loaded with the first outbound call, since it takes 28 MB.
  const { Agent } = await import('undici');
  const openSocket = async (hostname: string, port: number, secure: boolean, name: string): Promise<Socket> => {
    const socket = await guardedConnect(guard, hostname, port, { deadlineMs: connectTimeoutMs, plain: !secure });
    return secure ? secured(socket, name, { deadlineMs: connectTimeoutMs, ca, protocols: ['http/1.1'] }) : socket;
  };
  return new Agent({
    connect: ({ hostname, port, protocol, servername }, settle) => {
      const secure = protocol === 'https:';
      const number = port === '' ? (secure ? 443 : 80) : Number(port);
      openSocket(hostname, number, secure, servername ?? hostname).then(
        (socket) => settle(null, socket),
        (error: unknown) => settle(outboundProblem(error), null),
      );
    },
    connections,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 32_768,
  });
}
