import type { Socket } from 'node:net';
import { guardedConnect, systemResolve, type ConnectOptions, type Guard, type Resolve } from './connect.ts';
import { guardedDispatcher, type DispatcherOptions } from './dispatcher.ts';
import { guardedFetch, type FetchOptions, type OutboundAnswer } from './fetch.ts';
import type { OutboundPolicy } from './policy.ts';

export { OutboundProblem, outboundProblem, type OutboundCause } from './problem.ts';
export type { FetchOptions, OutboundAnswer } from './fetch.ts';
export type { AllowedNetwork, OutboundPolicy } from './policy.ts';
export type { ConnectOptions, Resolve } from './connect.ts';
export { secured, tlsOptions, type SecureOptions } from './secure.ts';

/** The one way out of this service: web addresses and sockets, each connection to a checked address only. */
export interface Outbound {
  /** Calls a web address. Raises OutboundProblem; any status is an answer. */
  fetch(address: string | URL, options: FetchOptions): Promise<OutboundAnswer>;
  /** Opens a TCP connection. Raises OutboundProblem. */
  connect(host: string, port: number, options: ConnectOptions): Promise<Socket>;
  /** Ends kept-alive connections; calls under way fail. */
  close(): Promise<void>;
}

export interface OutboundOptions extends DispatcherOptions {
  readonly policy: OutboundPolicy;
  /** Where names are looked up; the system's resolver unless given. */
  readonly resolve?: Resolve;
}

export function createOutbound({ policy, resolve = systemResolve, ...options }: OutboundOptions): Outbound {
  const guard: Guard = { policy, resolve };
  let dispatcher: ReturnType<typeof guardedDispatcher> | undefined;
  return {
    fetch: async (address, call) =>
      guardedFetch(await (dispatcher ??= guardedDispatcher(guard, options)), policy, address, call),
    connect: (host, port, call) => guardedConnect(guard, host, port, call),
    close: async () => (await dispatcher)?.destroy(),
  };
}
